"""Run files that are wrong on purpose, each made by a seeded generator from a healthy one."""

# ruff: noqa: S608

import json
import random
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.evolution.evolve import digest_of
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.runs.schema import pack, unpack

Random = random.Random
Columns = dict[str, np.ndarray]

HEALTHY: dict[str, dict[str, Any]] = {
    "anaconda": {"plies": 1, "parents": 3, "opponents": 2, "moves_per_side": 15},
    "c10": {"plies": 1, "parents": 2, "opponents": 2, "moves_per_side": 15, "individual_every": 2, "social_every": 3},
    "es": {"plies": 1, "pairs": 4, "moves_per_side": 15},
    "over-the-hill": {"iterations": 3, "moves_per_side": 15},
    "lamarck": {
        "learners": 2,
        "copies": 2,
        "depths": [1],
        "games": [12],
        "changes": [],
        "steps": 2,
        "batch": 32,
        "moves_per_side": 15,
        "select_every": 2,
        "plies": 1,
    },
}
"""Small runs of every scheme."""
GENERATIONS = 4

WORDS = ("", "x", "\x1b[2J\x1b]0;owned\x07", "a\nb", "\u202eabc", "-1", "9" * 5000, "1e999", "nan", "[" * 3000, "null")
NUMBERS = (-1, 0, 1, 2, 7, 127, 2**31, 2**53 + 1, 2**63 - 1, -(2**63))
TYPES: tuple[Any, ...] = (
    *("|O", "<U5", "|V8", "<m8[s]", "<M8[s]", ">i8", "<f2", "|b1", "<i8", "<f8", "|S4", "<c16", "i8,i8"),
    *(7, None, []),
)
SHAPES: tuple[Any, ...] = (
    *([-1], [0], [2**62, 4], [1 << 40], [], [3, 3, 3], ["4"], [True], [1.5], [0, 2**40], [10**30]),
    None,
)


def healthy(folder: Path) -> list[Path]:
    """Make a run of every scheme."""
    paths = []
    for preset, settings in HEALTHY.items():
        path = folder / f"{preset}.sqlite"
        with open_run(preset, path, GENERATIONS, 1, settings, measure_every=0) as run:
            list(carry_on(run, ThreadExecutor(1)))
        paths.append(path)
        _execute(path, "INSERT INTO strength VALUES (2, 3, 4, 5, 1, 1)")
    return paths


def craft(source: Path, path: Path, number: int) -> str:
    """Copy a run and make it wrong in one or two ways; returns a description."""
    generator = random.Random(number)
    path.write_bytes(source.read_bytes())
    told = []
    for _ in range(generator.choice((1, 1, 2))):
        way = generator.choice(WAYS)
        told.append(way.__name__.strip("_"))
        try:
            way(path, generator)
        except (
            sqlite3.Error,
            zlib.error,
            LookupError,
            TypeError,
            ValueError,
        ):  # nothing is left to damage a second time
            told[-1] += " (in vain)"
        if way is _schemas:
            break  # its endless views would hang us too
    return " and ".join(told)


def tamper(source: Path, path: Path, number: int) -> str:
    """Copy a run and change its state; half of the time the digest is adjusted, as a skilled attacker would do."""
    generator = random.Random(number)
    path.write_bytes(source.read_bytes())
    packed = _one(path, "SELECT columns FROM state")
    columns = unpack(packed)
    name = generator.choice(sorted(columns))
    way = generator.choice((_other_values, _other_shape, _other_type, _without, _swapped))
    changed = way(columns, name, generator)
    _execute(path, "UPDATE state SET columns = ?", [pack(changed, 0)])
    told = f"{way.__name__.strip('_')} of {name}"
    if generator.random() < 0.5:
        told += ", with a digest that fits"
        _refit(path, changed)
    return told


def _refit(path: Path, columns: Columns) -> None:
    """Set the digest that matches a changed state."""
    with Run.open(path) as run:
        last = run.generation
        scheme, individuals, games = run.scheme, run.individuals(last), run.games(last)
        before = run.existing_summary(last - 1).digest
        recorded = games.results.codes
        codes = np.zeros((len(recorded), run.settings.rules().max_plies), np.uint32)
        codes[:, : recorded.shape[1]] = recorded
    played = games._replace(results=replace(games.results, codes=codes))
    try:
        digest = digest_of(scheme, before, columns, individuals, played)
    except KeyError:  # none fits a state without this column
        return
    _execute(path, "UPDATE generations SET digest = ? WHERE number = ?", [digest, last])


def _other_values(columns: Columns, name: str, generator: Random) -> Columns:
    array = columns[name].copy()
    values = (np.nan, np.inf, -np.inf, 1e38, -1e38, 0) if array.dtype.kind == "f" else NUMBERS
    chosen = generator.choice(values)
    with np.errstate(all="ignore"):
        one = np.array(chosen).astype(array.dtype)
    flat = array.reshape(-1)
    if flat.size:
        flat[generator.randrange(flat.size) if generator.random() < 0.5 else slice(None)] = one
    return {**columns, name: array}


def _other_shape(columns: Columns, name: str, generator: Random) -> Columns:
    array = columns[name]
    other = generator.choice((array[None], array.reshape(-1), np.repeat(array[None], 2, 0), array.reshape(-1)[:1]))
    if array.ndim and generator.random() < 0.5:
        other = generator.choice((array[:0], array[:-1], np.concatenate([array, array])))
    return {**columns, name: other}


def _other_type(columns: Columns, name: str, generator: Random) -> Columns:
    kind = generator.choice(("<f8", "<f4", "<i8", "<i4", "|i1", "|b1", "<u8", "<f2"))
    with np.errstate(all="ignore"):
        return {**columns, name: columns[name].astype(kind)}


def _without(columns: Columns, name: str, generator: Random) -> Columns:
    left = {key: column for key, column in columns.items() if key != name}
    return left if generator.random() < 0.5 else {**left, f"{name}_too": columns[name]}


def _swapped(columns: Columns, name: str, generator: Random) -> Columns:
    return {**columns, name: columns[generator.choice(sorted(columns))]}


def _texts(path: Path, generator: Random) -> None:
    keys = ("format", "version", "program", "preset", "scheme", "package", "seed", "generations", "keep", "settings")
    value: object = generator.choice((*WORDS, b"\xff\xfe", 7, 2.5))
    _execute(path, "UPDATE meta SET value = ? WHERE key = ?", [value, generator.choice(keys)])


def _settings(path: Path, generator: Random) -> None:
    settings = json.loads(_one(path, "SELECT value FROM meta WHERE key = 'settings'"))
    settings[generator.choice(sorted(settings))] = generator.choice((*WORDS, *NUMBERS, None, [], {}, [[[1]]], 1e308))
    _execute(path, "UPDATE meta SET value = ? WHERE key = 'settings'", [json.dumps(settings)])


def _rows(path: Path, generator: Random) -> None:
    table = generator.choice(("generations", "strength", "state"))
    columns = {
        "generations": ("number", "digest", "best_id", "games", "draws", "plies", "evaluations", "seconds"),
        "strength": ("generation", "wins", "draws", "losses", "ahead", "behind"),
        "state": ("generation",),
    }[table]
    value = generator.choice((*NUMBERS, "x", "\x1b[31m", b"\x00", 1e300, float("inf"), 0.5))
    _execute(path, f"UPDATE OR REPLACE {table} SET {generator.choice(columns)} = ?", [value])


def _headers(path: Path, generator: Random) -> None:
    """A header that does not match its columns."""
    table, packed = _some_columns(path, generator)
    raw = zlib.decompressobj().decompress(packed, 1 << 22)  # it may be a bomb already
    length = int.from_bytes(raw[:4], "little")
    header = json.loads(raw[4 : 4 + length])
    form = generator.choice(header)
    what = generator.randrange(6)
    if what == 0:
        form[1] = generator.choice(TYPES)
    elif what == 1:
        form[2] = generator.choice(SHAPES)
    elif what == 2:
        form[0] = generator.choice((*WORDS[:5], "ids", "codes", 7, None, "__class__"))
    elif what == 3:
        header = generator.choice(([], {}, None, 7, "x", [[]], [[1]], header * 20))
    elif what == 4:
        header.remove(form)
    else:
        form[2] = [2 * length for length in form[2]]
    text = json.dumps(header).encode()
    size = len(text) if generator.random() < 0.9 else generator.choice((0, 2**31, 2**32 - 1))
    _put(path, table, zlib.compress(size.to_bytes(4, "little") + text + raw[4 + length :]))


def _values(path: Path, generator: Random) -> None:
    table, packed = _some_columns(path, generator)
    columns = unpack(packed)
    name = generator.choice(sorted(columns))
    way = generator.choice((_other_values, _other_values, _other_shape, _other_type, _without, _swapped))
    _put(path, table, pack(way(columns, name, generator)))


def _families(path: Path, generator: Random) -> None:
    """An individual that is its own grandparent."""
    for (number,) in _all(path, "SELECT generation FROM individuals"):
        columns = unpack(_one(path, "SELECT columns FROM individuals WHERE generation = ?", [number]))
        columns["parents"] = generator.choice((columns["ids"], np.roll(columns["ids"], 1), columns["ids"][::-1].copy()))
        _execute(path, "UPDATE individuals SET columns = ? WHERE generation = ?", [pack(columns), number])


def _bombs(path: Path, generator: Random) -> None:
    """Little data that expands to a lot."""
    table, packed = _some_columns(path, generator)
    raw = zlib.decompressobj().decompress(packed, 1 << 22)  # it may be a bomb already
    length = int.from_bytes(raw[:4], "little")
    header = json.loads(raw[4 : 4 + length])
    if generator.random() < 0.7:
        for form in header if generator.random() < 0.5 else [generator.choice(header)]:
            form[2] = [generator.choice((10**6, 10**7, 1 << 27, 1 << 28, 1 << 31)), *form[2][1:]]
    text = json.dumps(header).encode()
    packer = zlib.compressobj(9)
    parts = [packer.compress(len(text).to_bytes(4, "little") + text)]
    parts += [packer.compress(bytes(1 << 22)) for _ in range(generator.choice((4, 60, 250)))]
    _put(path, table, b"".join([*parts, packer.flush()]))


def _networks(path: Path, generator: Random) -> None:
    best = bytearray(_one(path, "SELECT best FROM generations ORDER BY number DESC LIMIT 1"))
    length = int.from_bytes(best[:8], "little")
    header = json.loads(best[8 : 8 + length])
    if generator.random() < 0.5:
        header["__metadata__"] = generator.choice(
            (None, {}, [], "x", {"format": None}, {"format": "evocheckers-network"})
        )
    else:
        key = generator.choice(sorted(header["__metadata__"]))
        header["__metadata__"][key] = generator.choice(WORDS)
    text = json.dumps(header).encode()
    value = len(text).to_bytes(8, "little") + text + best[8 + length :]
    if generator.random() < 0.2:
        value = generator.choice((b"", bytes(1 << 25), b"\xff" * 16))
    _execute(path, "UPDATE generations SET best = ?", [value])


def _schemas(path: Path, generator: Random) -> None:
    """Endless views, triggers, computed columns, tables that do not belong there."""
    table = generator.choice(("meta", "generations", "games", "individuals", "state", "strength"))
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x"
    statements = generator.choice(
        (
            [f"ALTER TABLE {table} RENAME TO old", f"CREATE VIEW {table} AS SELECT * FROM old, ({endless} FROM n)"],
            [f"ALTER TABLE {table} RENAME TO old", f"CREATE VIEW {table} AS {endless}, x, x, x FROM n"],
            [f"CREATE VIEW other AS {endless} FROM n"],
            [f"CREATE TRIGGER t BEFORE UPDATE ON {table} BEGIN DELETE FROM generations; END"],
            [f"ALTER TABLE {table} ADD COLUMN more AS (hex(zeroblob(100000000)))"],
            [f"DROP TABLE {table}"],
            [f"DROP TABLE {table}", f"CREATE TABLE {table} (number, key, value, generation, columns, digest)"],
            ["CREATE TABLE evil (a)"],
            [f"DELETE FROM {table}"],
            ["CREATE INDEX i ON generations (digest)"],
        )
    )
    for statement in statements:
        _execute(path, statement)


def _bytes(path: Path, generator: Random) -> None:
    """Damage to the medium."""
    data = bytearray(path.read_bytes())
    for _ in range(generator.choice((1, 10, 200))):
        data[generator.randrange(len(data))] = generator.randrange(256)
    path.write_bytes(data if generator.random() < 0.7 else data[: generator.randrange(len(data))])


def _pages(path: Path, generator: Random) -> None:
    """Pages in place of others, so that a tree may contain cycles."""
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    for _ in range(generator.choice((1, 3))):
        one, other = (size * generator.randrange(1, len(data) // size) for _ in range(2))
        data[one : one + size] = data[other : other + size]
    path.write_bytes(data)


WAYS: tuple[Callable[[Path, Random], None], ...] = (
    *(_texts, _settings, _rows, _headers, _headers, _values, _values, _families),
    *(_bombs, _networks, _schemas, _bytes, _pages),
)


def _some_columns(path: Path, generator: Random) -> tuple[str, bytes]:
    table = generator.choice(("games", "individuals", "state"))
    return table, _one(path, f"SELECT columns FROM {table} ORDER BY generation DESC LIMIT 1")


def _put(path: Path, table: str, packed: bytes) -> None:
    last = f"(SELECT MAX(generation) FROM {table})"
    _execute(path, f"UPDATE {table} SET columns = ? WHERE generation = {last}", [packed])


def _all(path: Path, query: str, values: list[Any] | None = None) -> list[tuple]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query, values or []).fetchall()
    finally:
        connection.close()


def _one(path: Path, query: str, values: list[Any] | None = None) -> Any:
    rows = _all(path, query, values)
    if not rows:
        raise sqlite3.Error("no row")
    return rows[0][0]


def _execute(path: Path, statement: str, values: list[Any] | None = None) -> None:
    connection = sqlite3.connect(path)
    try:
        connection.execute(statement, values or [])
        connection.commit()
    finally:
        connection.close()
