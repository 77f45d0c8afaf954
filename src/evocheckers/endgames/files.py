"""Database files and their folders.

A file is a line of JSON followed by the values, compressed by zlib. The line holds ``format`` (that of a ``Form``),
``version``, ``pieces``, ``counts`` (number of pieces, positions, wins, draws, losses) and ``sha256``, the digest of the
rest of that line and of everything after it, so that any damage is detected. Values are little-endian words.
"""

import functools
import hashlib
import json
import os
import re
import tempfile
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evocheckers.endgames.index import MAX_PIECES, MIN_PIECES, DataFolderError, EndgameFileError, value_words
from evocheckers.files import Unfinished, read_regular
from evocheckers.native.private_folders import intrusion, make_private

VERSION = 1

VARIABLE = "EVOCHECKERS_DATA"
"""The environment variable that names the folder for databases, games and networks."""

_NAME = re.compile(r"endgames-(?P<pieces>[0-9]+)\.wdl")


class Form(NamedTuple):
    """What a file stores for each position."""

    format: str
    """As given in the file's first line."""
    suffix: str
    bits: int


VALUES = Form("evocheckers-endgames", "wdl", 2)
"""Wins, draws and losses: a ``Database``."""
DISTANCES = Form("evocheckers-distances", "dtw", 8)
"""Plies to the end: ``distances``. Its counts are empty."""

_LONGEST_LINE = 1 << 14
_MAX_BYTES = 1 << 32
_LEVEL = 6


def file_name(pieces: int, form: Form = VALUES) -> str:
    """The name of a database file in its folder."""
    return f"endgames-{pieces}.{form.suffix}"


def _folders() -> Iterator[Path]:
    """The folder where databases live, if any. ``EVOCHECKERS_DATA``, if set, is the only candidate."""
    if chosen := os.environ.get(VARIABLE):
        yield Path(chosen)
    elif user := os.environ.get("XDG_DATA_HOME"):
        yield Path(user) / "evocheckers"
    elif home := os.environ.get("HOME"):
        yield Path(home) / ".local" / "share" / "evocheckers"
    elif local := os.environ.get("LOCALAPPDATA"):
        yield Path(local) / "evocheckers"


def default_folder() -> Path:
    """``EVOCHECKERS_DATA``, which must be usable, or the user's data folder; failing that, a new one, with a warning.

    It must belong to the user and be writable by nobody else: games and networks are loaded from it without asking.
    """
    fault = "there is no home folder"
    for folder in _folders():
        fault = _fault(folder) or _intrusion(folder)
        if not fault:
            return folder
        if os.environ.get(VARIABLE):
            raise DataFolderError(folder, fault, f"{VARIABLE} must name a folder that you alone can write")
        fault = f"{folder} {fault}"
    return _new_folder(fault)


@functools.cache
def _new_folder(fault: str) -> Path:
    """A folder for this process alone; it is not removed, since games and databases are worth keeping."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="evocheckers-data-"))
    except OSError as error:
        raise DataFolderError(Path(tempfile.gettempdir()), (error.strerror or str(error)).lower()) from None
    warnings.warn(f"{fault}: data goes to {folder}; {VARIABLE} chooses another folder", stacklevel=3)
    return folder


def _intrusion(folder: Path) -> str:
    try:
        return intrusion(folder)
    except OSError as error:
        return (error.strerror or str(error)).lower()


def _fault(folder: Path) -> str:
    """Why a folder cannot be written to, or an empty string if it can. Creates it if missing."""
    try:
        make_private(folder)
        tempfile.TemporaryFile(dir=folder).close()
    except FileExistsError:
        return "is not a folder"
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""


def ready_folder(folder: Path | str | None = None) -> Path:
    """A writable folder, by default the data folder; created if missing."""
    if folder is None:
        return default_folder()
    if fault := _fault(Path(folder)):
        raise DataFolderError(folder, fault)
    return Path(folder)


def largest_file(max_pieces: int | None = None, folder: Path | str | None = None) -> Path | None:
    """The file with the most pieces in a folder, by default the data folder; None if there is none."""
    limit = MAX_PIECES if max_pieces is None else min(max_pieces, MAX_PIECES)
    best, most = None, 0
    for place in [Path(folder)] if folder else [place for place in _folders() if not _intrusion(place)]:
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
    """The digest of a whole file except the digest itself."""
    rest = {name: value for name, value in fields.items() if name != "sha256"}
    return hashlib.sha256(_line(rest) + compressed).hexdigest()


def write(path: Path | str, pieces: int, counts: list[list[int]], values: np.ndarray, form: Form = VALUES) -> None:
    """Write a file atomically."""
    path = Path(path)
    compressed = zlib.compress(values.astype("<u4", copy=False).tobytes(), _LEVEL)
    fields = {"format": form.format, "version": VERSION, "pieces": pieces, "counts": counts}
    fields["sha256"] = _digest(fields, compressed)
    try:
        with Unfinished(path) as part:
            part.path.write_bytes(_line(fields) + compressed)
            part.finish()
    except OSError as error:
        raise EndgameFileError(path, (error.strerror or str(error)).lower()) from None


def read(path: Path | str, form: Form = VALUES) -> tuple[int, list[list[int]], np.ndarray]:
    """Read and check a file; returns its pieces, its counts as stored, and its values."""
    try:
        content = read_regular(path, _MAX_BYTES)
    except OSError as error:
        raise EndgameFileError(path, (error.strerror or str(error)).lower()) from None
    end = content.find(b"\n", 0, _LONGEST_LINE) + 1 or _LONGEST_LINE
    line, compressed = content[:end], content[end:]
    fields = _read_line(line, path, form)
    if _digest(fields, compressed) != fields["sha256"]:
        raise EndgameFileError(path, "cut short or damaged: its contents do not match their digest")
    size = 2 * form.bits * value_words(fields["pieces"])
    unpacker = zlib.decompressobj()
    try:
        payload = unpacker.decompress(compressed, size + 1)
    except zlib.error as error:
        raise EndgameFileError(path, f"its values cannot be unpacked ({error})") from None
    if len(payload) != size or not unpacker.eof or unpacker.unused_data:
        raise EndgameFileError(path, f"its values are not the {size} bytes that they should be")
    return fields["pieces"], fields["counts"], np.frombuffer(payload, "<u4")


def _read_line(line: bytes, path: Path | str, form: Form) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise EndgameFileError(path, "does not begin with a line of JSON") from None
    if not isinstance(fields, dict) or fields.get("format") != form.format:
        raise EndgameFileError(path, f"its first line does not say format={form.format}")
    if fields.get("version") != VERSION:
        shown = str(fields.get("version"))[:20]
        raise EndgameFileError(path, f"version {shown}; this program reads version {VERSION}")
    if set(fields) != {"format", "version", "pieces", "counts", "sha256"} or _line(fields) != line:
        raise EndgameFileError(path, "its first line is not as this program writes it")
    pieces = fields["pieces"]
    if type(pieces) is not int or not MIN_PIECES <= pieces <= MAX_PIECES:
        raise EndgameFileError(path, f"{str(pieces)[:20]} pieces, not {MIN_PIECES} to {MAX_PIECES}")
    return fields
