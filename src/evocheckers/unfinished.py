"""A file on its way: it appears when it is whole, and what a killed process left of it is used up by the next one.

The unfinished file lies beside its target under a name that depends on the target alone. So whoever is killed leaves at
most one, and the same command replaces it. Two processes that write one target do so one after the other: each holds a
lock on the unfinished file, given back by the operating system whatever happens to the process.
"""

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

NAME_CHARACTERS = 200
"""Of the target's name that go into the other one, so that it does not become too long."""


class Unfinished:
    """A context manager; ``path`` is to be written, and ``finish`` puts it in its place. Otherwise it is removed."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self.path = target.with_name(f".{target.name[:NAME_CHARACTERS]}.part")
        self._descriptor = -1

    def __enter__(self) -> Self:
        while not self._claim():
            pass
        return self

    def finish(self) -> None:
        """Put the file in its place, with the permissions of the one before it, if there was one."""
        with self.path.open("rb+") as file:
            os.fsync(file.fileno())
        with suppress(OSError):
            self.path.chmod(stat.S_IMODE(self._target.stat().st_mode))
        self.path.replace(self._target)

    def __exit__(self, *exception: object) -> None:
        if self._descriptor < 0 or self._is_ours():
            self.path.unlink(missing_ok=True)
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def _claim(self) -> bool:
        """Make the file, or take over what somebody left, and empty it; False if it has just been put in its place."""
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        if sys.platform == "win32":  # an open file could not be put in its place
            os.close(self._descriptor)
            self._descriptor = -1
            return True
        import fcntl

        with suppress(OSError):  # file systems without locks
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        if not self._is_ours():
            os.close(self._descriptor)
            return False
        os.ftruncate(self._descriptor, 0)
        return True

    def _is_ours(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._descriptor), self.path.stat())
        except FileNotFoundError:
            return False
