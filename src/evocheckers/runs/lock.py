"""The right to write a run: held by one process at a time, and released however that process ends.

The operating system locks a file beside the run file. The lock file is removed while it is still locked. A process that
opened it before it was removed and locks it afterwards holds a file that no other process can find; so a process that
gets the lock checks whether the file still has that name, and otherwise tries again. Links are followed first: the lock
belongs to the file, under whatever name it was opened.

The lock itself is one call of the system, ``flock`` or, on Windows, ``msvcrt.locking``; the rest is about the file's
name. The package ``filelock`` would replace that call alone: it leaves its file behind, does not notice that the file
was removed or replaced, and on some file systems takes the mere existence of the file, which a killed process leaves
behind, for a lock.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evocheckers.runs.validation import RunError

PATIENCE_SECONDS = 0.2
"""A process that tidies up after reading holds the lock for a moment."""

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        """Lock an open file, unless another process has locked it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        """Lock an open file, unless another process has locked it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class WriteLock:
    """The right to write a run, until it is released."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, Path(f"{path.resolve()}.lock")
        end = time.monotonic() + PATIENCE_SECONDS
        while (descriptor := self._try()) is None:
            if time.monotonic() > end:
                raise RunError(path, "another process is writing it")
            time.sleep(PATIENCE_SECONDS / 10)
        self._descriptor = descriptor

    def _try(self) -> int | None:
        """The locked file; None if another process holds it, or removed it just before it was locked."""
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            if _lock(descriptor) and self._is_named(descriptor):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None

    def _is_named(self, descriptor: int) -> bool:
        """Whether an open file still has the lock's name."""
        return os.path.samestat(os.fstat(descriptor), self._file.stat())

    def check(self) -> None:
        """Refuse to continue without the lock; a removed lock file is made again, unless another process did so."""
        with suppress(FileNotFoundError):
            if self._is_named(self._descriptor):
                return
        again = self._try()
        if again is None:
            raise RunError(self._path, "its lock file was removed, and another process is writing it now")
        os.close(self._descriptor)
        self._descriptor = again

    def release(self) -> None:
        """Release the lock; the file is removed first, while no other process holds it."""
        if self._descriptor >= 0:
            with suppress(OSError):  # gone already, or the folder has become read-only
                if self._is_named(self._descriptor):
                    self._file.unlink()
            os.close(self._descriptor)
            self._descriptor = -1
            if sys.platform == "win32":  # which removes no open file, and none that another process has opened since
                with suppress(OSError):
                    self._file.unlink()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock for the duration of a block."""
    lock = WriteLock(path)
    try:
        yield
    finally:
        lock.release()
