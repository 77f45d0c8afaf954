"""A program that runs beside this one, and the lines to and from it; nothing that it does can block or flood us."""

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from typing import IO, cast

from evocheckers.players.hub import supervisor
from evocheckers.players.hub.supervisor import KILL_SECONDS, QUIT_SECONDS

POLL_SECONDS = 0.1
"""How often to check whether a silent program is still alive."""
CHUNK_BYTES = 64 * 1024
MAX_ANSWER_LINES = 10_000
MAX_ANSWER_BYTES = 1024 * 1024


class Fault(Exception):  # noqa: N818
    """What a program did wrong, in words."""


def _end_process(process: subprocess.Popen[bytes], life: int) -> None:
    """End a program and everything it started, gently if possible; no zombie is left."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    os.close(life)
    process.terminate()
    process.send_signal(signal.SIGCONT)  # an engine may have stopped its supervisor
    try:
        process.wait(QUIT_SECONDS + KILL_SECONDS + 1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _start(arguments: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start a program under its supervisor; return it and the pipe whose closing ends it, or raise an ``OSError``."""
    life_read, life = os.pipe()
    status, status_write = os.pipe()
    try:
        ends = (life_read, status_write)
        process = subprocess.Popen(  # noqa: S603 - the user names the program
            [sys.executable, "-I", "-S", supervisor.__file__, *map(str, ends), *arguments],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=ends,
        )
        os.close(status_write)
        status_write = -1
        fault = os.read(status, 16)
    except BaseException:
        os.close(life)
        raise
    finally:
        for end in (life_read, status, status_write):
            if end >= 0:
                os.close(end)
    if fault:
        _end_process(process, life)
        raise OSError(int(fault), os.strerror(int(fault)))
    return process, life


class Connection:
    """A running program and the lines to and from it; every error is a ``Fault``."""

    def __init__(self, command: str) -> None:
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise Fault(f"cannot read the command: {str(error).lower()}") from None
        if not arguments:
            raise Fault("the command is empty")
        try:
            self._process, life = _start(arguments)
        except FileNotFoundError:
            raise Fault("command not found") from None
        except (OSError, ValueError) as error:
            raise Fault(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self.end = weakref.finalize(self, _end_process, self._process, life)
        """Ends the program; also called when this object is collected and when Python exits."""
        self._stdin = cast(IO[bytes], self._process.stdin)
        self._stdout = cast(IO[bytes], self._process.stdout)
        os.set_blocking(self._stdin.fileno(), False)
        self._received = bytearray()

    @property
    def is_alive(self) -> bool:
        """Whether the program is running; whatever a dead one has left running is ended."""
        if self._process.poll() is not None:
            self.end()
        return self.end.alive

    def send(self, line: str, seconds: float) -> None:
        """Write a line; if the program is gone, reading its answer will say why."""
        rest = memoryview(line.encode() + b"\n")
        deadline = time.monotonic() + seconds
        with contextlib.suppress(BrokenPipeError), selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            while rest:
                if not selector.select(max(deadline - time.monotonic(), 0)):
                    raise Fault(f"did not read its input for {seconds:g} s")
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
                    raise Fault(f"no answer within {seconds:g} s")
                was_alive = self._process.poll() is None
                if selector.select(min(left, POLL_SECONDS)):
                    text = os.read(self._stdout.fileno(), CHUNK_BYTES)
                    if not text:
                        raise Fault(self._how_it_ended())
                    self._received += text
                elif not was_alive:  # though something it started still holds the pipe
                    raise Fault(self._how_it_ended())

    def discard(self) -> None:
        """Discard lines that came unasked."""
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
            raise Fault(f"more than {MAX_ANSWER_LINES} lines in one answer")
        if size > MAX_ANSWER_BYTES:
            raise Fault(f"more than {MAX_ANSWER_BYTES // 1024} KiB in one answer")

    def _how_it_ended(self) -> str:
        self.wait(QUIT_SECONDS)
        status = self._process.poll()
        if status is None:
            return "closed its output"
        return f"died (exit status {status})" if status >= 0 else f"died (signal {-status})"
