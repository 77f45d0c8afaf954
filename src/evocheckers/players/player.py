"""Who can play a game: a searched evaluator, random moves, an external engine."""

from dataclasses import dataclass
from typing import Protocol

from evocheckers.evaluation.evaluator import Evaluator
from evocheckers.evaluation.network import EXTENSIONS
from evocheckers.native.randomness import key
from evocheckers.players.engine_client import EngineFailure, ExternalEngine
from evocheckers.players.spec import PLIES, SECONDS
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Move
from evocheckers.search.searcher import Limit, Searcher

TABLE_BITS = 18
"""A table of 8 MB for each searching player."""


class Player(Protocol):
    """Plays one game after another; used by one thread at a time."""

    def begin(self, start: Position, seed: int) -> None:
        """A new game begins; whatever is drawn in it is drawn from the seed."""
        ...

    def choose(self, board: Board) -> Move:
        """The move to play; ``board`` knows all moves since the start."""
        ...

    def stop(self) -> None:
        """End a choice that another thread is waiting for, with whatever move; nobody wants it any more."""
        ...

    def close(self) -> None:
        """No more games."""
        ...


class SearchingPlayer:
    """Searches with an evaluator."""

    def __init__(self, evaluator: Evaluator, limit: Limit, extensions: int = EXTENSIONS) -> None:
        self._limit = limit
        self._searcher = Searcher(evaluator, extensions, TABLE_BITS)
        self._seed = 0

    def begin(self, start: Position, seed: int) -> None:  # noqa: ARG002
        self._seed = seed
        self._searcher.forget()
        self._searcher.salt = key(seed, 1)

    def choose(self, board: Board) -> Move:
        moves = board.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return self._searcher.search(board, self._limit, key(self._seed, len(board.moves))).move

    def stop(self) -> None:
        self._searcher.stop()

    def close(self) -> None:
        pass


class RandomPlayer:
    """Any legal move, each as likely."""

    def __init__(self) -> None:
        self._seed = 0

    def begin(self, start: Position, seed: int) -> None:  # noqa: ARG002
        self._seed = seed

    def choose(self, board: Board) -> Move:
        moves = board.legal_moves()
        return moves[key(self._seed, len(board.moves)) % len(moves)]

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


class EnginePlayer:
    """Another program, over the Hub protocol, started with its first game. What it does wrong is ``EngineFailure``."""

    def __init__(self, command: str, limit: Limit) -> None:
        self._command = command
        self._engine: ExternalEngine | None = None
        self._limit = limit
        self._start = START

    def begin(self, start: Position, seed: int) -> None:  # noqa: ARG002
        self._start = start
        if self._engine is None:
            self._engine = ExternalEngine(self._command)
        self._engine.new_game()

    def choose(self, board: Board) -> Move:
        if self._engine is None:
            raise EngineFailure(self._command, "is not running")
        return self._engine.choose(self._start, board.moves, self._limit)

    def stop(self) -> None:
        if self._engine is not None:
            self._engine.abandon()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()


@dataclass(frozen=True, eq=False)
class Contestant:
    """A player by name, from which any number of equal players can be made."""

    name: str
    evaluator: Evaluator | None = None
    """What it searches with; without evaluator and command it moves at random."""
    limit: Limit | None = None
    command: str = ""
    """How to start an external engine."""
    extensions: int | None = None
    """How its search extends a line; None if it has no rule of its own and searches as its opponent does."""

    @property
    def batch_plies(self) -> int | None:
        """The depth at which compiled batches can play it (0 for random moves), or None if they cannot."""
        if self.command:
            return None
        if self.evaluator is None:
            return 0
        return self.limit.plies if self.limit else None

    def check(self) -> None:
        """Refuse an engine that cannot be started at all, before any game is played."""
        if self.command:
            ExternalEngine(self.command).close()

    def player(self) -> Player:
        """A player of its own for one thread."""
        if self.command:
            return EnginePlayer(self.command, self.limit or Limit(seconds=SECONDS))
        if self.evaluator is None:
            return RandomPlayer()
        extensions = EXTENSIONS if self.extensions is None else self.extensions
        return SearchingPlayer(self.evaluator, self.limit or Limit(plies=PLIES), extensions)
