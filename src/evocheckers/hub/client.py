"""Another program as a player, over the Hub protocol.

Nothing that the program does can block, mislead or flood this one: every answer has a deadline and a size, and a wrong
answer is an ``EngineFailure`` that says what was wrong. It is never replaced by another move. After a failure the
program is ended; ``new_game`` starts it again. Needs a POSIX system (process groups, pipes that can be waited for).
"""

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import time
import weakref
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import IO, cast

from evocheckers.hub.protocol import (
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
from evocheckers.players.player import PlayerFailure
from evocheckers.rules.board import Board
from evocheckers.rules.errors import AmbiguousMoveError, IllegalMoveError, MoveTextError
from evocheckers.rules.fen import Position
from evocheckers.rules.move import Move
from evocheckers.search.searcher import Limit, SearchError

TIMEOUT_SECONDS = 30.0
GRACE_SECONDS = 5.0
"""How much later than its time limit an engine may answer."""
QUIT_SECONDS = 1.0
"""How long an engine may take to end, first when asked, then when told by a signal."""
POLL_SECONDS = 0.1
"""How often it is looked whether a silent program still lives."""
CHUNK_BYTES = 64 * 1024
MAX_ANSWER_LINES = 10_000
MAX_ANSWER_BYTES = 1024 * 1024


class EngineFailure(PlayerFailure):
    """What an external engine did wrong."""

    def __init__(self, command: str, reason: str) -> None:
        self.command, self.reason = command, reason
        super().__init__(f"engine '{clean(command, 60)}': {reason}")


class _Fault(Exception):  # noqa: N818
    """A reason for an ``EngineFailure``."""


def _end_process(process: subprocess.Popen[bytes]) -> None:
    """End a program and all it started, gently if it lets us; no zombie is left."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(QUIT_SECONDS if sign == signal.SIGTERM else None)


class _Connection:
    """A running program and the lines to and from it; every fault is a ``_Fault``."""

    def __init__(self, command: str) -> None:
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise _Fault(f"cannot read the command: {str(error).lower()}") from None
        if not arguments:
            raise _Fault("the command is empty")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                arguments,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except FileNotFoundError:
            raise _Fault("command not found") from None
        except (OSError, ValueError) as error:
            raise _Fault(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self.end = weakref.finalize(self, _end_process, self._process)
        """Ends the program; also called when this object goes and when Python exits."""
        self._stdin = cast(IO[bytes], self._process.stdin)
        self._stdout = cast(IO[bytes], self._process.stdout)
        os.set_blocking(self._stdin.fileno(), False)
        self._received = bytearray()

    @property
    def is_alive(self) -> bool:
        """Whether the program runs; what a dead one has left running is ended."""
        if self._process.poll() is not None:
            self.end()
        return self.end.alive

    def send(self, line: str, seconds: float) -> None:
        """Write a line; if the program is gone, whoever reads its answer will learn why."""
        rest = memoryview(line.encode() + b"\n")
        deadline = time.monotonic() + seconds
        with contextlib.suppress(BrokenPipeError), selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            while rest:
                if not selector.select(max(deadline - time.monotonic(), 0)):
                    raise _Fault(f"does not read its input for {seconds:g} s")
                with contextlib.suppress(BlockingIOError):
                    rest = rest[os.write(self._stdin.fileno(), rest) :]

    def read_until(self, words: Sequence[str], seconds: float) -> list[str]:
        """The lines of one answer: all up to the first that begins with one of the words."""
        deadline = time.monotonic() + seconds
        lines: list[str] = []
        size = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            while True:
                while (end := self._received.find(b"\n")) >= 0:
                    lines.append(self._received[:end].decode(errors="replace"))
                    del self._received[: end + 1]
                    size += end + 1
                    self._check_size(len(lines), size)
                    if lines[-1].split(maxsplit=1)[:1] in [[word] for word in words]:
                        return lines
                self._check_size(len(lines), size + len(self._received))
                left = deadline - time.monotonic()
                if left <= 0:
                    raise _Fault(f"no answer within {seconds:g} s")
                was_alive = self._process.poll() is None
                if selector.select(min(left, POLL_SECONDS)):
                    text = os.read(self._stdout.fileno(), CHUNK_BYTES)
                    if not text:
                        raise _Fault(self._how_it_ended())
                    self._received += text
                elif not was_alive:  # though something it started still holds the pipe
                    raise _Fault(self._how_it_ended())

    def discard(self) -> None:
        """Forget what came unasked."""
        size = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            while selector.select(0) and (text := os.read(self._stdout.fileno(), CHUNK_BYTES)):
                size += len(text)
                self._check_size(0, size)
                self._received += text
        del self._received[: self._received.rfind(b"\n") + 1]

    def wait(self, seconds: float) -> None:
        """Give the program some time to end by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    @staticmethod
    def _check_size(lines: int, size: int) -> None:
        if lines > MAX_ANSWER_LINES:
            raise _Fault(f"more than {MAX_ANSWER_LINES} lines in one answer")
        if size > MAX_ANSWER_BYTES:
            raise _Fault(f"more than {MAX_ANSWER_BYTES // 1024} KiB in one answer")

    def _how_it_ended(self) -> str:
        self.wait(QUIT_SECONDS)
        status = self._process.poll()
        if status is None:
            return "closed its output"
        return f"died (exit status {status})" if status >= 0 else f"died (signal {-status})"


class ExternalEngine:
    """A Hub engine that is run as a program of its own. For one game at a time.

    ``timeout_seconds`` is how long every answer may take; with a limit of time, that time and a little more.
    """

    def __init__(self, command: str, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        if not 0 < timeout_seconds < float("inf"):
            raise EngineFailure(command, f"a timeout of {timeout_seconds:g} s is not more than 0 and finite")
        self.command = command
        self.timeout_seconds = timeout_seconds
        self._connection: _Connection | None = None
        self._start()

    def __enter__(self) -> "ExternalEngine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_running(self) -> bool:
        """Whether there is a program to play with; ``new_game`` starts one."""
        return self._connection is not None and self._connection.is_alive

    def new_game(self) -> None:
        """Begin another game; a program that has ended is started again."""
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
            move = self._answer(connection, "done", seconds)[-1].arguments.get("move")
            if not move:
                raise _Fault("answered without a move")
            return _legal_move(move, board)

    def close(self) -> None:
        """End the program: ask it, then tell it, then kill it and all it started."""
        if self._connection is not None:
            if self._connection.is_alive:
                with contextlib.suppress(_Fault, OSError):
                    self._connection.send(format_line("quit"), QUIT_SECONDS)
                    self._connection.wait(QUIT_SECONDS)
            self._connection.end()
            self._connection = None

    def abandon(self) -> None:
        """Kill the program from another thread, so that whoever waits for its answer fails at once."""
        connection = self._connection
        if connection is not None:
            connection.end()

    def _start(self) -> None:
        self._kill()
        try:
            self._connection = _Connection(self.command)
        except _Fault as fault:
            raise EngineFailure(self.command, str(fault)) from None
        with self._failing() as connection:
            self._shake_hands(connection)

    def _shake_hands(self, connection: _Connection) -> None:
        connection.send(format_line("hub"), self.timeout_seconds)
        variant: dict[str, str] = {}
        for line in self._answer(connection, "wait", self.timeout_seconds):
            if line.command == "param" and line.arguments.get("name") == "variant":
                variant = line.arguments
        known = variant.get("values", "").split()
        if known and VARIANT not in known:
            raise _Fault(f"does not play variant {VARIANT}, only {clean(', '.join(known), 60)}")
        if variant and variant.get("value") != VARIANT:
            choice = {"name": "variant", "value": VARIANT}
            connection.send(format_line("set-param", choice), self.timeout_seconds)
        connection.send(format_line("init"), self.timeout_seconds)
        self._answer(connection, "ready", self.timeout_seconds)

    @staticmethod
    def _answer(connection: _Connection, command: str, seconds: float) -> list[Line]:
        """All lines up to the one with that command. What cannot be read before it is passed over, as Hub demands."""
        *earlier, last = connection.read_until((command, "error"), seconds)
        try:
            answer = parse_line(last)
        except HubError:
            raise _Fault(f"unreadable answer '{clean(last, 60)}'") from None
        if answer.command == "error":
            raise _Fault(f"answered with an error: {clean(answer.arguments.get('message', ''), 100)}")
        lines = []
        for text in earlier:
            with contextlib.suppress(HubError):
                lines.append(parse_line(text))
        return [*lines, answer]

    @contextlib.contextmanager
    def _failing(self) -> Iterator[_Connection]:
        """What goes wrong inside ends the program and is told as a failure."""
        if self._connection is None:
            raise EngineFailure(self.command, "is not running")
        try:
            yield self._connection
        except _Fault as fault:
            self._kill()
            raise EngineFailure(self.command, str(fault)) from None
        except BaseException:  # interrupted: its next answer would be to an old question
            self._kill()
            raise

    def _kill(self) -> None:
        if self._connection is not None:
            self._connection.end()
            self._connection = None


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
        raise _Fault(f"illegal move {clean(text, 40)}") from None
    except AmbiguousMoveError as error:
        raise _Fault(f"ambiguous move {clean(text, 40)}, {error.fault}") from None
    except MoveTextError:
        raise _Fault(f"unreadable move '{clean(text, 40)}'") from None
