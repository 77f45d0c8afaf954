"""Database files, and where they live.

A file is a line of JSON and the values, compressed by zlib. The line holds ``format`` (``evocheckers-endgames``),
``version``, ``pieces``, ``counts`` (number of pieces, positions, wins, draws, losses) and ``sha256``, the digest of the
rest of that line and of all that follows, so that no damage passes. Values are little-endian words.
"""

import hashlib
import json
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.endgames.errors import DataFolderError, EndgameFileError
from evocheckers.endgames.index import MAX_PIECES, MIN_PIECES, value_words
from evocheckers.unfinished import Unfinished

FORMAT = "evocheckers-endgames"
VERSION = 1

VARIABLE = "EVOCHECKERS_DATA"
"""The environment variable that names the folder for databases, games and networks."""

_NAME = re.compile(r"endgames-(?P<pieces>\d+)\.wdl")
_LONGEST_LINE = 1 << 14
_LEVEL = 6


def file_name(pieces: int) -> str:
    """The name of a database file in its folder."""
    return f"endgames-{pieces}.wdl"


def _folders() -> Iterator[Path]:
    """The places where databases may live, the first choice first. Who sets ``EVOCHECKERS_DATA`` means that alone."""
    if chosen := os.environ.get(VARIABLE):
        yield Path(chosen)
        return
    if user := os.environ.get("XDG_DATA_HOME"):
        yield Path(user) / "evocheckers"
    elif home := os.environ.get("HOME"):
        yield Path(home) / ".local" / "share" / "evocheckers"
    elif local := os.environ.get("LOCALAPPDATA"):
        yield Path(local) / "evocheckers"
    yield Path(tempfile.gettempdir()) / f"evocheckers-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def default_folder() -> Path:
    """``EVOCHECKERS_DATA``, which must be writable; or the first writable of the user's data and temporary files."""
    for folder in _folders():
        fault = _fault(folder)
        if not fault:
            return folder
    advice = f"{VARIABLE} must name a folder that can be written"
    raise DataFolderError(folder, fault, advice)


def _fault(folder: Path) -> str:
    """Why a folder cannot be written, made first where it is missing; empty if it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except FileExistsError:
        return "is not a folder"
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""


def ready_folder(folder: Path | str | None = None) -> Path:
    """A folder that can be written, made where it is missing; the default one unless told otherwise."""
    if folder is None:
        return default_folder()
    if fault := _fault(Path(folder)):
        raise DataFolderError(folder, fault)
    return Path(folder)


def largest_file(max_pieces: int | None = None, folder: Path | str | None = None) -> Path | None:
    """The file with the most pieces in a folder, or in all places for databases; None where there is none."""
    limit = MAX_PIECES if max_pieces is None else min(max_pieces, MAX_PIECES)
    best, most = None, 0
    for place in [Path(folder)] if folder else _folders():
        try:
            names = sorted(os.listdir(place))
        except OSError:
            continue
        for name in names:
            match = _NAME.fullmatch(name)
            if match and most < int(match["pieces"]) <= limit:
                best, most = place / name, int(match["pieces"])
    return best


def _line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _digest(fields: dict[str, Any], compressed: bytes) -> str:
    """The digest of a whole file but for itself."""
    rest = {name: value for name, value in fields.items() if name != "sha256"}
    return hashlib.sha256(_line(rest) + compressed).hexdigest()


def write(path: Path | str, pieces: int, counts: list[list[int]], values: np.ndarray) -> None:
    """Write a file; it appears whole or not at all."""
    path = Path(path)
    compressed = zlib.compress(values.astype("<u4", copy=False).tobytes(), _LEVEL)
    fields = {"format": FORMAT, "version": VERSION, "pieces": pieces, "counts": counts}
    fields["sha256"] = _digest(fields, compressed)
    try:
        with Unfinished(path) as part:
            part.path.write_bytes(_line(fields) + compressed)
            part.finish()
    except OSError as error:
        raise EndgameFileError(path, (error.strerror or str(error)).lower()) from None


def read(path: Path | str) -> tuple[int, list[list[int]], np.ndarray]:
    """Read and check a file: pieces, counts as the file gives them, values."""
    try:
        with Path(path).open("rb") as file:
            line = file.readline(_LONGEST_LINE)
            compressed = file.read()
    except OSError as error:
        raise EndgameFileError(path, (error.strerror or str(error)).lower()) from None
    fields = _read_line(line, path)
    if _digest(fields, compressed) != fields["sha256"]:
        raise EndgameFileError(path, "cut short or damaged: its contents do not match their digest")
    size = 4 * value_words(fields["pieces"])
    unpacker = zlib.decompressobj()
    try:
        payload = unpacker.decompress(compressed, size + 1)
    except zlib.error as error:
        raise EndgameFileError(path, f"its values cannot be unpacked ({error})") from None
    if len(payload) != size or not unpacker.eof or unpacker.unused_data:
        raise EndgameFileError(path, f"its values are not the {size} bytes that they should be")
    return fields["pieces"], fields["counts"], np.frombuffer(payload, "<u4")


def _read_line(line: bytes, path: Path | str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise EndgameFileError(path, "does not begin with a line of JSON") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise EndgameFileError(path, f"its first line does not say format={FORMAT}")
    if fields.get("version") != VERSION:
        shown = str(fields.get("version"))[:20]
        raise EndgameFileError(path, f"version {shown}; this program reads version {VERSION}")
    if set(fields) != {"format", "version", "pieces", "counts", "sha256"} or _line(fields) != line:
        raise EndgameFileError(path, "its first line is not as this program writes it")
    pieces = fields["pieces"]
    if type(pieces) is not int or not MIN_PIECES <= pieces <= MAX_PIECES:
        raise EndgameFileError(path, f"{str(pieces)[:20]} pieces, not {MIN_PIECES} to {MAX_PIECES}")
    return fields
