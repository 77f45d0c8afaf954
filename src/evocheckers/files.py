"""Untrusted files: read only if they are regular and not too large, and written atomically."""

import errno
import os
import stat
import tempfile
from pathlib import Path

from evocheckers.unfinished import Unfinished

MAX_TEXT_BYTES = 1 << 26
"""The size limit for text files: games, openings, settings."""


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
