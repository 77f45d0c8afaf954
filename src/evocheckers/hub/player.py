"""An external engine as a player."""

from evocheckers.hub.client import EngineFailure, ExternalEngine
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Move
from evocheckers.search.searcher import Limit


class EnginePlayer:
    """Another program, over the Hub protocol, started with its first game. Its faults raise ``EngineFailure``."""

    def __init__(self, command: str, limit: Limit) -> None:
        self._command = command
        self._engine: ExternalEngine | None = None
        self._limit = limit
        self._start = START

    @property
    def depth_plies(self) -> int | None:
        """Search depth of its last choice, if the engine reported it."""
        return self._engine.depth_plies if self._engine is not None else None

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
