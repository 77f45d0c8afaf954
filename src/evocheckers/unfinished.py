"""Atomic writing: a file appears only when it is complete, and the remains of a killed process are reused by the next.

The unfinished file lies beside its target under a name that depends on the target alone. So a killed process leaves at
most one, and the same command replaces it. Two processes that write the same target take turns: each holds a lock on
the unfinished file, which the operating system releases whatever happens to the process.
"""

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

NAME_CHARACTERS = 200
"""Characters of the target's name used in the unfinished file's name, so that it does not become too long."""


class Unfinished:
    """A context manager: write to ``path``, then call ``finish`` to move it into place. Otherwise it is removed."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self.path = target.with_name(f".{target.name[:NAME_CHARACTERS]}.part")
        self._descriptor = -1

    def __enter__(self) -> Self:
        while not self._claim():
            pass
        return self

    def finish(self) -> None:
        """Move the file into place, with the permissions of the file it replaces, if any."""
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
        """Create the file, or take over and empty a leftover one; False if another process just moved it into place."""
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        if sys.platform == "win32":  # an open file could not be moved into place
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
