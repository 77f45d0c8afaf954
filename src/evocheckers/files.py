"""Untrusted files: read only if they are regular and not too large, and written whole or not at all.

A file appears only when it is complete, and the remains of a killed process are used up by the next. The unfinished
file lies beside its target under a name that depends on the target alone. So a killed process leaves at most one, and
the same command replaces it. Two processes that write the same target take turns: each holds a lock on the unfinished
file, which the operating system releases whatever happens to the process.
"""

import errno
import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self

MAX_TEXT_BYTES = 1 << 26
"""The size limit for text files: games, openings, settings."""
NAME_CHARACTERS = 200
"""Characters of the target's name used in the unfinished file's name, so that it does not become too long."""


def read_regular(path: Path | str, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """The contents of a file; ``OSError`` for large files, folders, and pipes and devices, which may be endless."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        kind = os.fstat(descriptor)
        if stat.S_ISDIR(kind.st_mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder, not a file", str(path))
        if not stat.S_ISREG(kind.st_mode):
            raise OSError(errno.EINVAL, "is not a regular file", str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(max_bytes + 1) if kind.st_size <= max_bytes else None
    finally:
        os.close(descriptor)
    if data is None or len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"is larger than {max_bytes >> 20} megabytes", str(path))
    return data


def write_whole(path: Path | str, data: bytes | str) -> None:
    """Write a file atomically; pipes and devices are written directly."""
    content = data.encode("utf-8", "replace") if isinstance(data, str) else data
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            file.write(content)
        return
    target = target.resolve()  # write the file that a link points to, not the link
    with Unfinished(target) as part:
        part.path.write_bytes(content)
        part.finish()


def writing_fault(path: Path) -> str:
    """Why a file cannot be written, or an empty string if it can. The check leaves nothing behind."""
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            return "" if os.access(path, os.W_OK) else os.strerror(errno.EACCES).lower()
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        tempfile.TemporaryFile(dir=path.resolve().parent).close()
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""


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
