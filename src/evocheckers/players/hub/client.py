"""Another program as a player, over the Hub protocol.

Nothing that the program does can block, mislead or flood this one: every answer has a deadline and a size limit, and a
wrong answer raises an ``EngineFailure`` that says what was wrong. It is never replaced by another move. After a
failure, the program is ended with everything it started; ``new_game`` starts it again. Needs a POSIX system (process
groups, pipes that can be waited for).
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from types import TracebackType

from evocheckers.players.hub.process import Connection, Fault
from evocheckers.players.hub.protocol import (
    VARIANT,
    HubError,
    Line,
    clean,
    format_line,
    format_move,
    format_position,
    parse_line,
    parse_move,
)
from evocheckers.players.hub.supervisor import QUIT_SECONDS
from evocheckers.players.player import PlayerFailure
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Move
from evocheckers.rules.notation import AmbiguousMoveError, IllegalMoveError, MoveTextError
from evocheckers.search.limit import Limit, SearchError

TIMEOUT_SECONDS = 30.0
GRACE_SECONDS = 5.0
"""How long after its time limit an engine may still answer."""


class EngineFailure(PlayerFailure):
    """What an external engine did wrong."""

    def __init__(self, command: str, reason: str) -> None:
        self.command, self.reason = command, reason
        super().__init__(f"engine '{clean(command, 60)}': {reason}")


class ExternalEngine:
    """A Hub engine that runs as a separate program, for one game at a time.

    ``timeout_seconds`` is the deadline for every answer; with a limit of time, it is that time and a little more.
    """

    def __init__(self, command: str, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        if not 0 < timeout_seconds < float("inf"):
            raise EngineFailure(command, f"a timeout of {timeout_seconds:g} s is not more than 0 and finite")
        self.command = command
        self.timeout_seconds = timeout_seconds
        self.depth_plies: int | None = None
        """Search depth of the last choice, if the engine reported it."""
        self._connection: Connection | None = None
        self._start()

    def __enter__(self) -> "ExternalEngine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_running(self) -> bool:
        """Whether the program is running; ``new_game`` starts one."""
        return self._connection is not None and self._connection.is_alive

    def new_game(self) -> None:
        """Begin a new game; restart a program that has ended."""
        if not self.is_running:
            self._start()
        with self._failing() as connection:
            connection.send(format_line("new-game"), self.timeout_seconds)

    def choose(self, board_start: Position, moves: Sequence[Move], limit: Limit) -> Move:
        """The engine's move after ``moves`` from a position."""
        board = Board(board_start).push_all(moves)
        if not board.legal_moves():
            raise SearchError(f"no legal move in {board.fen()}")
        with self._failing() as connection:
            arguments = {"pos": format_position(board_start)}
            if moves:
                arguments["moves"] = " ".join(map(format_move, moves))
            connection.discard()
            for line in (format_line("pos", arguments), _level_line(limit), format_line("go", {"think": None})):
                connection.send(line, self.timeout_seconds)
            seconds = self.timeout_seconds
            if limit.seconds is not None:
                seconds = limit.seconds + min(GRACE_SECONDS, self.timeout_seconds)
            *reports, done = self._answer(connection, "done", seconds)
            self.depth_plies = _reported_depth(reports)
            move = done.arguments.get("move")
            if not move:
                raise Fault("answered without a move")
            return _legal_move(move, board)

    def close(self) -> None:
        """End the program: ask it to quit, then signal it, then kill it and everything it started."""
        if self._connection is not None:
            if self._connection.is_alive:
                with contextlib.suppress(Fault, OSError):
                    self._connection.send(format_line("quit"), QUIT_SECONDS)
                    self._connection.wait(QUIT_SECONDS)
            self._connection.end()
            self._connection = None

    def abandon(self) -> None:
        """Kill the program from another thread, so that a thread waiting for its answer fails at once."""
        connection = self._connection
        if connection is not None:
            connection.end()

    def _start(self) -> None:
        self._kill()
        try:
            self._connection = Connection(self.command)
        except Fault as fault:
            raise EngineFailure(self.command, str(fault)) from None
        with self._failing() as connection:
            self._shake_hands(connection)

    def _shake_hands(self, connection: Connection) -> None:
        connection.send(format_line("hub"), self.timeout_seconds)
        variant: dict[str, str] = {}
        for line in self._answer(connection, "wait", self.timeout_seconds):
            if line.command == "param" and line.arguments.get("name") == "variant":
                variant = line.arguments
        known = variant.get("values", "").split()
        if known and VARIANT not in known:
            raise Fault(f"does not play variant {VARIANT}, only {clean(', '.join(known), 60)}")
        if variant and variant.get("value") != VARIANT:
            choice = {"name": "variant", "value": VARIANT}
            connection.send(format_line("set-param", choice), self.timeout_seconds)
        connection.send(format_line("init"), self.timeout_seconds)
        self._answer(connection, "ready", self.timeout_seconds)

    @staticmethod
    def _answer(connection: Connection, command: str, seconds: float) -> list[Line]:
        """All lines up to the one with that command. Unreadable lines before it are skipped, as Hub demands."""
        *earlier, last = connection.read_until((command, "error"), seconds)
        try:
            answer = parse_line(last)
        except HubError:
            raise Fault(f"unreadable answer '{clean(last, 60)}'") from None
        if answer.command == "error":
            raise Fault(f"answered with an error: {clean(answer.arguments.get('message', ''), 100)}")
        lines = []
        for text in earlier:
            with contextlib.suppress(HubError):
                lines.append(parse_line(text))
        return [*lines, answer]

    @contextlib.contextmanager
    def _failing(self) -> Iterator[Connection]:
        """End the program on any fault inside, and raise the fault as a failure."""
        if self._connection is None:
            raise EngineFailure(self.command, "is not running")
        try:
            yield self._connection
        except Fault as fault:
            self._kill()
            raise EngineFailure(self.command, str(fault)) from None
        except BaseException:  # interrupted: its next answer would be to an old question
            self._kill()
            raise

    def _kill(self) -> None:
        if self._connection is not None:
            self._connection.end()
            self._connection = None


def _reported_depth(lines: Sequence[Line]) -> int | None:
    """The last depth that an engine reported; anything but a sensible number is skipped."""
    depths = [line.arguments.get("depth", "") for line in lines if line.command == "info"]
    return next((int(text) for text in reversed(depths) if re.fullmatch("[0-9]{1,3}", text)), None)


def _level_line(limit: Limit) -> str:
    if limit.plies is not None:
        return format_line("level", {"depth": str(limit.plies)})
    if limit.seconds is not None:
        return format_line("level", {"move-time": f"{max(limit.seconds, 0.001):.3f}"})
    return format_line("level", {"nodes": str(limit.nodes)})


def _legal_move(text: str, board: Board) -> Move:
    try:
        return parse_move(text, board)
    except IllegalMoveError:
        raise Fault(f"illegal move {clean(text, 40)}") from None
    except AmbiguousMoveError as error:
        raise Fault(f"ambiguous move {clean(text, 40)}, {error.fault}") from None
    except MoveTextError:
        raise Fault(f"unreadable move '{clean(text, 40)}'") from None


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
