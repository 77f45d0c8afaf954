"""The place of a run that is being written: whether the file of that name is still the one that was opened.

The right to write a run: held by one process at a time, and released whatever happens to that process.

The operating system locks a file beside the run file. The lock file is removed while it is still locked. A process that
opened it before it was removed and locks it afterwards holds a file that no other process can find; so a process that
gets the lock checks whether the file still has that name, and otherwise tries again. Links are followed first: the lock
belongs to the file, under whatever name it was opened.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evocheckers.runs.copy import back_up
from evocheckers.runs.validation import RunError, discard

PATIENCE_SECONDS = 0.2
"""A process that tidies up after reading holds the lock for a moment."""

if sys.platform == "win32":
    from filelock import FileLock, Timeout

    class WriteLock:
        """The right to write a run, until it is released."""

        def __init__(self, path: Path) -> None:
            self._lock = FileLock(f"{path.resolve()}.lock")
            try:
                self._lock.acquire(timeout=PATIENCE_SECONDS)
            except Timeout:
                raise RunError(path, "another process is writing it") from None

        def check(self) -> None:
            """Nothing to check: Windows does not remove open files."""

        def release(self) -> None:
            """Release the lock; Windows removes the file with it."""
            self._lock.release()

else:
    import fcntl

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
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_named(descriptor):
                    return descriptor
            except (FileNotFoundError, BlockingIOError):
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
            """Refuse to continue without the lock; a removed lock file is recreated, unless another process was
            faster."""
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


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock for the duration of a block."""
    lock = WriteLock(path)
    try:
        yield
    finally:
        lock.release()


class Place:
    """A file as it was when it was opened for writing."""

    def __init__(self, path: Path) -> None:
        self._path, self.file = path, path.resolve()
        self._opened = self.file.stat()
        if self._opened.st_nlink > 1:
            fault = f"has {self._opened.st_nlink} names (hard links), and its journal would lie beside one of them"
            raise RunError(path, fault, "'runs copy' makes a file of its own")

    @property
    def is_ours(self) -> bool:
        """Whether the file of that name is still the one that was opened."""
        try:
            return os.path.samestat(self._opened, self.file.stat())
        except OSError:
            return False

    def check(self, connection: sqlite3.Connection, generation: int) -> None:
        """Refuse to write a file that was renamed, deleted or replaced; say where its generations are."""
        if self.is_ours:
            return
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # into the file itself, whatever its name is now
        happened = "replaced" if self.file.exists() else "renamed or deleted"
        raise RunError(
            self._path,
            f"was {happened} while it was being written; {self._kept(connection, generation)}",
            "it was stopped",
        )

    def _kept(self, connection: sqlite3.Connection, generation: int) -> str:
        """Where the recorded generations are; those of a deleted file are saved beside it."""
        recorded = f"its {generation} generations are"
        now = self._name_now()
        if now is not None:
            return f"{recorded} in {now}"
        saved = self.file.with_name(f"{self.file.stem}-rescued.sqlite")
        try:
            back_up(connection, saved)
        except (OSError, sqlite3.Error, RunError):
            return f"{recorded} lost with it"
        return f"{recorded} saved in {saved}"

    def _name_now(self) -> str | None:
        """The current name of the opened file, if the system reports it; None if it no longer has one."""
        with suppress(OSError):
            for descriptor in os.listdir("/proc/self/fd"):
                with suppress(OSError):
                    if os.path.samestat(os.stat(int(descriptor)), self._opened):
                        name = os.readlink(f"/proc/self/fd/{descriptor}")
                        if os.path.samestat(os.stat(name), self._opened):
                            return name
        return None

    def leave(self) -> None:
        """Remove the journal of a file that is no longer there."""
        if not self.file.exists():
            discard(self.file, ("-wal", "-shm"))
