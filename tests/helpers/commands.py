"""The command line as people call it: in a process of its own, with pipes or on a terminal."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from typing import Self

COMMAND = (sys.executable, "-c", "from evocheckers.cli.app import main; main()")

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command to its end, its output in pipes."""
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


class Terminal:
    """A command on a terminal of some width. A context manager; the command is killed at its end."""

    def __init__(self, columns: int, *arguments: str) -> None:
        self._leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
        environment["TERM"] = "xterm"
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=follower, stdout=follower, stderr=follower, env=environment
        )
        os.close(follower)
        self._received = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._leader)

    @property
    def text(self) -> str:
        """All that was written so far, without the codes that move the cursor and set colours."""
        return _ESCAPE.sub("", self._received.decode(errors="replace"))

    @property
    def lines(self) -> list[str]:
        """Every line, those that were written over included."""
        return [line.rstrip() for line in re.split(r"[\r\n]+", self.text)]

    def read_until(self, pattern: str, seconds: float = 120.0) -> None:
        """Wait for a text that fits a regular expression."""
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            assert time.monotonic() < deadline, self.text[-1000:]
            assert self._read(), self.text[-1000:]

    def finish(self) -> int:
        """Wait for the end; the exit status."""
        while self._read():
            pass
        return self.process.wait()

    def _read(self) -> bool:
        """Whether there may be more: the terminal is gone with its last process."""
        try:
            data = os.read(self._leader, 65536)
        except OSError:
            return False
        self._received += data
        return bool(data)
