"""What a run file says about itself: its tables, which must be ours and nothing else, and the texts of ``meta``."""

import json
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evocheckers.errors import printable
from evocheckers.evolution.scheme import check_seed
from evocheckers.runs.files import RunError
from evocheckers.runs.schema import FORMAT, MEASURE_EVERY, TABLES, VERSION, Keep

MAX_TEXT = 1 << 16
"""Most characters in one text."""
MAX_NAME = 200
MAX_NESTING = 8
_MAX_ROWS = 64


@dataclass(frozen=True)
class Meta:
    """How a run was started, checked."""

    program: str
    preset: str
    scheme: str
    package: str
    seed: int
    generations: int
    keep: Keep
    measure_every: int
    config: dict[str, Any]


def read_meta(connection: sqlite3.Connection, path: Path) -> Meta:
    """What a file says about itself; anything but a run of ours is refused."""
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_TEXT)  # longer texts are not even read
    try:
        texts = _read_texts(connection, path)
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)
    config = json.loads(texts["settings"])
    if not isinstance(config, dict) or not _is_shallow(config, MAX_NESTING):
        raise ValueError("settings are not values by name")
    for name in ("program", "preset", "scheme", "package"):
        if len(texts.get(name, "")) > MAX_NAME or printable(texts.get(name, "")) != texts.get(name, ""):
            raise ValueError(f"{name} {texts[name][:60]}")
    return Meta(
        texts["program"],
        texts["preset"],
        texts["scheme"],
        texts.get("package", ""),
        check_seed(_number(texts, "seed")),
        _number(texts, "generations"),
        Keep(texts["keep"] if "keep" in texts else {"kept": "moves", "dropped": "results"}[texts["moves"]]),
        _number(texts, "measure_every") if "measure_every" in texts else MEASURE_EVERY,
        config,
    )


def _read_texts(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    wanted = {_words(statement) for statement in TABLES.split(";") if statement.strip()}
    found = connection.execute("SELECT type, sql FROM sqlite_master LIMIT ?", [_MAX_ROWS]).fetchall()
    named = {_words(text) for kind, text in found if kind == "table" and isinstance(text, str)}
    if not any(text.startswith("create table meta ") for text in named):
        raise RunError(path, "not a run of evocheckers")
    if named == wanted and len(found) == len(wanted):  # until then it is not queried: a view can be anything
        rows = connection.execute("SELECT key, value FROM meta LIMIT ?", [_MAX_ROWS]).fetchall()
        texts = {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}
        if texts.get("format") != FORMAT:
            raise RunError(path, "not a run of evocheckers")
        if texts.get("version") != VERSION:
            shown = texts.get("version", "none")[:20]
            raise RunError(path, f"version {shown}; this program reads version {VERSION}")
        return texts
    raise RunError(path, "not a run of evocheckers: it has other tables, views or triggers")


def _words(statement: str) -> str:
    return " ".join(statement.split()).lower()


def _number(texts: dict[str, str], name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,20}", texts[name]):
        raise ValueError(f"{name} {texts[name][:40]!r}")
    return int(texts[name])


def _is_shallow(value: Any, levels: int) -> bool:
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_is_shallow(one, levels - 1) for one in inside)
    return True
