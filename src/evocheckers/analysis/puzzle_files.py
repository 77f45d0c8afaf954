"""Puzzle files, and the puzzles that come with the package.

A file is JSON: ``format`` (``evocheckers-puzzles``), ``version``, ``judge`` (the player that searched), ``demands``,
``pieces`` of the endgame database, ``source`` (name, digest and command of the games), ``command`` that made the file,
``examined`` (number of games examined so far), and ``puzzles``, each with the fields of ``Puzzle``.
"""

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evocheckers.analysis.puzzles import Demands, Judge, Puzzle, Record, find_puzzle
from evocheckers.errors import EvocheckersError
from evocheckers.files import read_regular, write_whole
from evocheckers.rules.board import Board

FORMAT, VERSION = "evocheckers-puzzles", 1
MAX_BYTES = 1 << 24
MAX_PUZZLES = 10_000
SHIPPED_DIGEST = "96cbbaca99bd587e4b1fe255a8658ba6162495d0fff5163cd9d3a2da1034b2e2"
"""Digest of the puzzles that come with the package."""


class PuzzleFileError(EvocheckersError):
    """A file that is not a valid puzzle file."""

    def __init__(self, path: Path | str, fault: str) -> None:
        self.path, self.fault = str(path), fault
        super().__init__(f"puzzles in {path}: {fault}")


class _Form(BaseModel):
    """The required form of a file."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _PuzzleForm(_Form):
    fen: str = Field(max_length=200)
    moves: list[str] = Field(min_length=1, max_length=20)
    goal: str = Field(pattern="^(win|gain|hold)$")
    score: float = Field(ge=-6, le=6)
    second: float = Field(ge=-6, le=6)
    depth: int = Field(ge=1, le=100)
    played: str = Field(max_length=60)
    source: str = Field(max_length=200)


class _FileForm(_Form):
    format: str
    version: int
    judge: str = Field(max_length=300)
    demands: dict[str, float]
    pieces: int = Field(ge=0, le=20)
    source: dict[str, str]
    command: str = Field(max_length=2000)
    examined: int = Field(ge=0)
    puzzles: list[_PuzzleForm] = Field(max_length=MAX_PUZZLES)


@dataclass(frozen=True)
class Making:
    """How puzzles are made; files made in the same way can be continued."""

    judge: str
    demands: Demands
    pieces: int
    source: dict[str, str]


@dataclass(frozen=True)
class Puzzles:
    """A file of puzzles."""

    making: Making
    command: str = ""
    examined: int = 0
    puzzles: tuple[Puzzle, ...] = ()

    def digest(self) -> str:
        """Digest of the positions and solutions."""
        solutions = [(puzzle.fen, puzzle.moves) for puzzle in self.puzzles]
        return hashlib.sha256(json.dumps(solutions).encode()).hexdigest()

    def save(self, path: Path) -> None:
        """Write the file atomically."""
        making = asdict(self.making)
        head = {"format": FORMAT, "version": VERSION, **making, "command": self.command, "examined": self.examined}
        lines = ",\n".join(f"  {json.dumps(asdict(puzzle))}" for puzzle in self.puzzles)
        text = json.dumps(head, indent=1).removesuffix("\n}")
        write_whole(path, f'{text},\n "puzzles": [\n{lines}\n ]\n}}\n')

    @classmethod
    def load(cls, path: Path) -> "Puzzles":
        """Read a file; every solution must be legal."""
        return cls.from_bytes(read_regular(path, MAX_BYTES), path)

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | str) -> "Puzzles":
        """Parse a file's contents; ``path`` is used in messages."""
        try:
            form = _FileForm.model_validate_json(data)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "the whole"
            raise PuzzleFileError(path, f"{place}: {first['msg'].lower()}") from None
        if (form.format, form.version) != (FORMAT, VERSION):
            raise PuzzleFileError(path, f"not version {VERSION} of {FORMAT}")
        try:
            demands = Demands(**_whole(form.demands))
        except TypeError:
            raise PuzzleFileError(path, "demands that this version does not know") from None
        puzzles = tuple(Puzzle(**{**item.model_dump(), "moves": tuple(item.moves)}) for item in form.puzzles)
        for number, puzzle in enumerate(puzzles, 1):
            try:
                Board(puzzle.fen).push_all(puzzle.moves)
            except EvocheckersError as error:
                raise PuzzleFileError(path, f"puzzle {number}: {error}") from None
        return cls(Making(form.judge, demands, form.pieces, form.source), form.command, form.examined, puzzles)


def _whole(demands: dict[str, float]) -> dict[str, Any]:
    """Make plies integers again: JSON does not distinguish 4 from 4.0."""
    return {name: int(value) if "plies" in name else value for name, value in demands.items()}


def gather(made: Puzzles, records: Iterable[Record], judges: Sequence[Judge], count: int) -> Iterator[Puzzles]:
    """Examine more games until there are ``count`` puzzles, one thread per judge; yields the file after each game.

    The result depends only on the games and their order, not on the number of judges.
    """
    known = {Board(puzzle.fen).mover_words for puzzle in made.puzzles}
    idle: SimpleQueue[Judge] = SimpleQueue()
    for judge in judges:
        idle.put(judge)

    def look(record: Record, seen: set[tuple[int, int, int]]) -> Puzzle | None:
        judge = idle.get()
        try:
            return find_puzzle(record, judge, seen)
        finally:
            idle.put(judge)

    waiting: deque[tuple[Record, Future[Puzzle | None]]] = deque()
    left = islice(records, made.examined, None)
    with ThreadPoolExecutor(len(judges)) as pool:
        try:
            while len(made.puzzles) < count:
                for record in islice(left, 2 * len(judges) - len(waiting)):
                    waiting.append((record, pool.submit(look, record, set(known))))
                if not waiting:
                    return
                record, future = waiting.popleft()
                found = future.result()
                if found is not None and Board(found.fen).mover_words in known:  # since found in another game
                    found = look(record, known)
                if found is not None:
                    known.add(Board(found.fen).mover_words)
                more = (found,) if found is not None else ()
                made = replace(made, examined=made.examined + 1, puzzles=(*made.puzzles, *more))
                yield made
        finally:
            pool.shutdown(cancel_futures=True)


@cache
def shipped_puzzles() -> Puzzles:
    """The puzzles that come with the package; raises an error if the file is not the one that was shipped."""
    path = resources.files("evocheckers") / "analysis" / "puzzles.json"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PuzzleFileError(str(path), (error.strerror or str(error)).lower()) from None
    found = Puzzles.from_bytes(data, str(path))
    if found.digest() != SHIPPED_DIGEST:
        raise PuzzleFileError(str(path), f"wrong digest: {found.digest()[:16]}, not {SHIPPED_DIGEST[:16]}")
    return found
