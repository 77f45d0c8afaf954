"""The interface of an evolution scheme.

A scheme is a settings class, a first state, and a step. A step is a generator: it yields the games that it needs and is
sent their results, so its caller decides where they are played, and can drive many at once. It returns the next state
and a report. States are tuples of arrays: code that stores them needs to know nothing else. A ``Layout`` says what the
arrays of a state must look like, so that a bad state from a file is refused before it is used.

Random numbers are derived from the run's seed, the generation and a purpose, never from a stream.

Messages and lists give the range of a setting in words:

>>> from evocheckers.evolution.evolution_strategy import EsSettings
>>> range_of(EsSettings, "pairs"), range_of(EsSettings, "sigma")
('a whole number between 1 and 1000000', 'a number above 0, at most 10')
>>> range_of(EsSettings, "openings")
"one of 'start', 'first-moves', 'two-move', 'three-move'"
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from evocheckers.errors import EvocheckersError, NumberError, whole_number
from evocheckers.games.batch import BatchResult, GameRules, Precision
from evocheckers.games.driving import BatchGenerator
from evocheckers.networks.network import Network
from evocheckers.networks.search_rules import EXTENSIONS, MAX_EXTENSIONS, Leaf, SearchRules, View

OPENING, GAME, OPPONENT, TIE, MUTATION, CREATION, SOCIETY, LEARNING = range(8)
"""The purposes of random numbers."""

MAX_SEED = 2**64 - 1


class ConfigError(EvocheckersError):
    """An invalid setting; ``name`` and ``value`` say which."""

    def __init__(self, fault: str, name: str = "", value: Any = None) -> None:
        self.name, self.value = name, value
        super().__init__(fault)


def check_seed(seed: int) -> int:
    """The seed of a run, checked."""
    try:
        return whole_number("seed", seed, 0, MAX_SEED)
    except NumberError as error:
        raise ConfigError(str(error), "seed", seed) from None


class Settings(BaseModel):
    """Settings of every scheme. Unknown keys, wrong types, infinities and NaN are refused."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    plies: int = Field(4, ge=1, le=12)
    """Search depth of both players, in plies. Chellapilla and Fogel: 4."""
    extensions: int = Field(EXTENSIONS, ge=0, le=MAX_EXTENSIONS)
    """Most extensions by two plies on one line of the search. Our choice; the papers set no limit."""
    moves_per_side: int = Field(100, ge=1, le=500)
    """A game is a draw after this many moves by each side. All papers but Horgan's: 100."""
    view: Literal["own-side", "fixed"] = "own-side"
    """How a network sees the board: from its own side (own-side), or the same way round for both players (fixed). Our
    choice: own-side."""
    leaf: Literal["root", "mover", "black"] = "root"
    """Whose point of view a leaf is valued from: the searching player's (root), the side to move's (mover), or always
    Black's (black). Our choice: root."""

    precision: Literal["fp32", "fp16"] = "fp32"
    """Precision of the networks' arithmetic. Half precision (fp16) needs a GPU and gives slightly different games."""

    @property
    def search_rules(self) -> SearchRules:
        """How the networks are searched."""
        return SearchRules(View(self.view), Leaf(self.leaf), extensions=self.extensions)

    def rules(self) -> GameRules:
        """The rules of the games."""
        return GameRules(2 * self.moves_per_side, precision=Precision(self.precision))

    def memory_bytes(self) -> int:
        """Approximate memory of a generation in bytes; 0 for a scheme that does not say."""
        return 0

    def games_bytes(self, games: int) -> int:
        """Approximate memory of this many games in bytes."""
        return games * (16 * self.moves_per_side + 1000)

    def notices(self, generations: int) -> list[str]:  # noqa: ARG002
        """Warnings for a run of this many generations, such as a schedule that is longer than the run."""
        return []


def check_king(least: float, first: float, most: float) -> None:
    """Refuse bounds of K that leave no room, and an initial K outside them."""
    if least > most:
        raise ConfigError(f"setting king_min = {least}: must not be above king_max = {most}", "king_min", least)
    if not least <= first <= most:
        fault = f"must be between king_min = {least} and king_max = {most}"
        raise ConfigError(f"setting king_value = {first}: {fault}", "king_value", first)


def scheduled(first: float, last: float, generation: int, length: int) -> float:
    """A number that changes linearly from the first generation to the last of a schedule, as it is in a generation."""
    done = min((generation - 1) / max(length - 1, 1), 1.0)
    return first + (last - first) * done


NOTHING_LEARNT = np.empty(0)


class Individuals(NamedTuple):
    """Everybody who took part in a generation, one per row."""

    ids: np.ndarray
    parents: np.ndarray
    """The id of each one's parent, or -1."""
    scores: np.ndarray
    king_values: np.ndarray
    """NaN for networks without K."""
    step_sizes: np.ndarray
    """Mean step size, or learning rate; NaN if there is none."""
    losses: np.ndarray = NOTHING_LEARNT
    """Mean loss of each one's learning; no rows if nobody learns."""


@dataclass(frozen=True, eq=False)
class GenerationReport:
    """What happened in a generation."""

    individuals: Individuals
    best_id: int
    best: Network
    black_ids: np.ndarray
    """Who played Black in each game."""
    white_ids: np.ndarray
    games: BatchResult


def best_headline(report: GenerationReport) -> str:
    """The best individual's points, and its K if it has one."""
    best = report.individuals.ids.tolist().index(report.best_id)
    points = f"best {report.individuals.scores[best]:+g}"
    return points if report.best.king_value is None else f"{points}, K {report.best.king_value:.2f}"


S = TypeVar("S", bound=Settings)
T = TypeVar("T", bound=tuple)

Step = BatchGenerator[tuple[T, GenerationReport]]
"""Yields the games of a generation; returns the next state and a report."""


class RecordedGames(NamedTuple):
    """The games of a recorded generation."""

    black_ids: np.ndarray
    """Who played Black in each game."""
    white_ids: np.ndarray
    results: BatchResult


MAX_NUMBER = 1 << 53
"""No id, count or score exceeds plus or minus this."""


class StateError(EvocheckersError):
    """A state from which its scheme cannot continue; ``column`` says where the fault is."""

    def __init__(self, column: str, fault: str) -> None:
        self.column, self.fault = column, fault
        super().__init__(f"column {column} of the state {fault}")


@dataclass(frozen=True)
class Column:
    """What a column must look like: its type as NumPy writes it, its shape, and its smallest value."""

    dtype: str
    shape: tuple[int | str, ...]
    """A named length is free, but the same for all columns that name it."""
    least: float = -MAX_NUMBER


Layout = Mapping[str, Column]

IDS = 0
"""The least id."""
PARENT_OR_NONE = -1
"""The least id of a parent, or number of a row: -1 for none."""


def layout_of(columns: Mapping[str, Any]) -> Layout:
    """A layout by example: the same types, and the same shapes except for their first length."""
    arrays = {name: np.asarray(column) for name, column in columns.items()}
    return {
        name: Column(array.dtype.str, (name, *array.shape[1:]) if array.ndim else (), -np.inf)
        for name, array in arrays.items()
    }


def bytes_of(layout: Layout) -> int:
    """The size of a state, except for free lengths."""
    return sum(
        np.dtype(column.dtype).itemsize * math.prod(length for length in column.shape if isinstance(length, int))
        for column in layout.values()
    )


def check_columns(layout: Layout, columns: Mapping[str, np.ndarray]) -> None:
    """Refuse columns that are missing, superfluous, of another type or shape, or out of range."""
    for name in sorted(layout.keys() ^ columns.keys()):
        raise StateError(name, "is missing" if name in layout else "belongs to no state of this scheme")
    lengths: dict[str, int] = {}
    for name, wanted in layout.items():
        found = columns[name]
        if found.dtype.str != wanted.dtype:
            raise StateError(name, f"is of type {found.dtype.str}, not {wanted.dtype}")
        if found.ndim != len(wanted.shape):
            raise StateError(name, f"has {found.ndim} dimensions, not {len(wanted.shape)}")
        for length, known in zip(found.shape, wanted.shape, strict=True):
            needed = lengths.setdefault(known, length) if isinstance(known, str) else known
            if length != needed:
                raise StateError(name, f"is of shape {found.shape}, with {length} in the place of {needed}")
        if wanted.least > -np.inf and found.size and not _lies_within(found, wanted.least):
            raise StateError(name, f"holds values below {wanted.least:g}, above {MAX_NUMBER}, or not numbers")


def _lies_within(array: np.ndarray, least: float) -> bool:
    """Check the range without copies, since a population may be large; NaN is out of range."""
    return bool(array.min() >= least and array.max() <= MAX_NUMBER)


def _all_columns(columns: Mapping[str, Any]) -> Iterable[Any]:
    return columns.values()


@dataclass(frozen=True)
class ReplayBuffer(Generic[S]):
    """The column of a state that follows from the last generations' games, and so is not recorded."""

    column: str
    generations: Callable[[S], int]
    """How many generations back it goes."""
    rebuild: Callable[[S, Sequence[RecordedGames]], Any]
    """The column, computed from the games of those generations, oldest first."""


@dataclass(frozen=True)
class Scheme(Generic[S, T]):
    """A way of evolving, typed by its settings and its state."""

    name: str
    settings: type[S]
    state: type[T]
    begin: Callable[[S, int], T]
    """From settings and seed to the first state."""
    step: Callable[[S, int, int, T], Step[T]]
    """From settings, seed, generation (from 1) and state to the next state."""
    first_network: Callable[[S, T], Network]
    """A network of the first state, to measure what evolution began with."""
    replay_buffer: ReplayBuffer[S] | None = None
    """What a state holds of earlier games; None if it needs none of them."""
    layout: Callable[[S], Layout] | None = None
    """The columns of a state under given settings, to check files against; by default, as in the first state."""
    headline: Callable[[GenerationReport], str] = best_headline
    """A generation's main figures, in a few words."""
    digested: Callable[[Mapping[str, Any]], Iterable[Any]] = _all_columns
    """The arrays that the digest of a run covers, from the recorded columns of a state; by default, all of them."""

    def recorded_columns(self, state: T) -> dict[str, Any]:
        """The columns of a state that do not follow from recorded games."""
        columns: dict[str, Any] = state._asdict()  # type: ignore[attr-defined]
        return {name: column for name, column in columns.items() if not self._is_replayed(name)}

    def check_state(self, settings: S, seed: int, columns: Mapping[str, np.ndarray]) -> None:
        """Refuse recorded columns of a state that no generation could have left."""
        if self.layout is not None:
            return check_columns(self.layout(settings), columns)
        return check_columns(layout_of(self.recorded_columns(self.begin(settings, seed))), columns)

    def _is_replayed(self, name: str) -> bool:
        return self.replay_buffer is not None and name == self.replay_buffer.column


_NUMBERS = {"integer": "a whole number", "number": "a number"}


def range_of(settings: type[Settings], name: str) -> str:
    """The values that a setting may take."""
    return _range(settings.model_json_schema()["properties"][name])


def _range(schema: dict[str, Any]) -> str:
    if "enum" in schema or "const" in schema:
        choices = schema.get("enum", [schema.get("const")])
        return f"one of {', '.join('none' if choice is None else repr(choice) for choice in choices)}"
    if "anyOf" in schema:
        return " or ".join("none" if one.get("type") == "null" else _range(one) for one in schema["anyOf"])
    if "prefixItems" in schema:
        return f"{len(schema['prefixItems'])} values, each {_range(schema['prefixItems'][0])}"
    if "items" in schema:
        return f"several values, each {_range(schema['items'])}"
    if schema.get("type") in _NUMBERS:
        return f"{_NUMBERS[schema['type']]}{_bounds(schema)}"
    return {"boolean": "true or false", "string": "a text"}.get(schema.get("type", ""), "of another form")


def _bounds(schema: dict[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema:
        steps = f" in steps of {schema['multipleOf']}" if "multipleOf" in schema else ""
        return f" between {schema['minimum']:.15g} and {schema['maximum']:.15g}{steps}"
    words = {
        "minimum": "at least",
        "exclusiveMinimum": "above",
        "maximum": "at most",
        "exclusiveMaximum": "below",
    }
    bounds = [f"{word} {schema[key]:.15g}" for key, word in words.items() if key in schema]
    return f" {', '.join(bounds)}" if bounds else ""
