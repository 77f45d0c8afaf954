"""Players: a searched evaluator, random moves, and anything else that gives moves."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evocheckers.errors import EvocheckersError
from evocheckers.native.randomness import key
from evocheckers.networks.evaluator import Evaluator, piece_differential
from evocheckers.networks.network import Network
from evocheckers.networks.python_function import FunctionEvaluator
from evocheckers.players.grammar import PLIES, PlayerError
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Move
from evocheckers.rules.positions import Positions
from evocheckers.search.limit import Limit

if TYPE_CHECKING:
    from evocheckers.search.batched import AnySearcher
    from evocheckers.search.result import SearchResult

TABLE_BITS = 18
"""Size of each searching player's transposition table: 8 MB."""


class PlayerFailure(EvocheckersError):  # noqa: N818 - the player's failure, not our error
    """A player that could not give a move; it loses the game."""


class Player(Protocol):
    """Plays one game after another; used by one thread at a time.

    An attribute ``depth_plies``, if present, says how deep the last choice was searched (None: not at all).
    """

    def begin(self, start: Position, seed: int) -> None:
        """Begin a new game; ``seed`` decides all random choices in it."""
        ...

    def choose(self, board: Board) -> Move:
        """The move to play; ``board`` holds all moves since the start."""
        ...

    def stop(self) -> None:
        """Abort the choice that another thread is waiting for; its move is not used."""
        ...

    def close(self) -> None:
        """No more games."""
        ...


class SearchingPlayer:
    """Plays the move that a search finds."""

    def __init__(self, searcher: "AnySearcher", limit: Limit) -> None:
        self._searcher, self._limit = searcher, limit
        self._seed = 0
        self.depth_plies: int | None = None

    def begin(self, start: Position, seed: int) -> None:  # noqa: ARG002
        self._seed = seed
        if self._limit.seconds is not None:  # compile everything before the clock starts
            self._searcher.search(Board(), Limit(nodes=1))
        self._searcher.forget()
        self._searcher.salt = key(seed, 1)

    def choose(self, board: Board) -> Move:
        moves = board.legal_moves()
        self.depth_plies = None
        if len(moves) == 1:
            return moves[0]
        result = self._searcher.search(board, self._limit, key(self._seed, len(board.moves)))
        self.depth_plies = result.depth_plies
        return result.move

    def stop(self) -> None:
        self._searcher.stop()

    def close(self) -> None:
        pass


class RandomPlayer:
    """Plays random legal moves, all equally likely."""

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


@dataclass(frozen=True, eq=False, repr=False)
class Contestant:
    """A named player, from which any number of identical players can be made.

    With an evaluator, it searches. With ``make``, it is whatever that makes. With neither, it plays random moves.
    """

    name: str
    evaluator: Evaluator | FunctionEvaluator | None = None
    limit: Limit | None = None
    make: Callable[[], Player] | None = None
    """Makes players of another kind, such as external engines."""
    network: Network | None = None
    """The network behind the evaluator, if any."""
    threads: int = 1
    """Threads for each of its searches by time or nodes."""
    repetition: bool = True
    """Whether its searches by time or nodes treat a position that has occurred before as a draw."""
    databases: bool = False
    """Whether its searches by time or nodes probe endgame databases."""

    @classmethod
    def from_network(cls, name: str, network: Network, plies: int) -> "Contestant":
        """A network that searches to a depth, as it was evolved to."""
        return cls(name, network.evaluator(), Limit(plies=plies))

    def __repr__(self) -> str:
        return f"<Contestant {self.name}>"

    @property
    def batch_plies(self) -> int | None:
        """The depth at which compiled batches can play it (0 for random moves), or None if they cannot."""
        if self.make is not None or isinstance(self.evaluator, FunctionEvaluator):
            return None
        if self.evaluator is None:
            return 0
        return self.limit.plies if self.limit else None

    @property
    def batch_evaluator(self) -> Evaluator:
        """The evaluator for compiled batches; any will do for random moves."""
        return self.evaluator if isinstance(self.evaluator, Evaluator) else piece_differential()

    def with_rules(self, **changes: Any) -> "Contestant":
        """The same player, searching under other rules; players without compiled search stay as they are."""
        if not isinstance(self.evaluator, Evaluator):
            return self
        network = None if self.network is None else self.network.with_rules(**changes)
        return replace(self, evaluator=self.evaluator.with_rules(**changes), network=network)

    def check(self) -> None:
        """Fail before any game is played if the player cannot be started at all."""
        if self.make is not None:
            player = self.make()
            try:
                player.begin(START, 0)
            finally:
                player.close()
        elif isinstance(self.evaluator, FunctionEvaluator):
            self.evaluator(Board())

    def values(self, positions: Positions) -> NDArray[np.float32]:
        """What its evaluator says of positions, to their sides to move, without looking ahead: shape ``(n,)``.

        ``positions``: boards, positions or FENs, or an array of rows ``own, opp, kings`` of shape ``(n, 3)``.
        """
        if self.evaluator is None:
            raise PlayerError(self.name, "does not evaluate positions; write champion, net:, run: or material")
        return self.evaluator.values(positions)

    def search(
        self,
        board: Board | Position | str | None = None,
        limit: Limit | int | None = None,
        *,
        plies: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        lines: int = 1,
    ) -> "SearchResult":
        """Search a position as it searches in games, by default the start and to its own limit."""
        if isinstance(limit, int):
            limit, plies = None, limit
        if limit is None:
            given = any(part is not None for part in (plies, seconds, nodes))
            limit = Limit(plies, seconds, nodes) if given else self.limit or Limit(plies=PLIES)
        position = board if isinstance(board, Board) else Board() if board is None else Board(board)
        return self.searcher().search(position, limit, lines=lines)

    def player(self) -> Player:
        """A new player, for one thread."""
        if self.make is not None:
            return self.make()
        if self.evaluator is None:
            return RandomPlayer()
        return SearchingPlayer(self.searcher(), self.limit or Limit(plies=PLIES))

    def searcher(self, table_bits: int = TABLE_BITS) -> "AnySearcher":
        """Its search, for one thread; an error for players that do not evaluate positions."""
        if self.evaluator is None:
            raise PlayerError(self.name, "does not evaluate positions; write champion, net:, run: or material")
        if isinstance(self.evaluator, FunctionEvaluator):
            from evocheckers.search.batched import BatchedSearcher

            return BatchedSearcher(self.evaluator)
        from evocheckers.endgames.databases import Databases
        from evocheckers.search.searcher import Searcher

        return Searcher(
            self.evaluator,
            table_bits=table_bits,
            threads=self.threads,
            repetition=self.repetition,
            databases=Databases.prepare() if self.databases else None,
        )
