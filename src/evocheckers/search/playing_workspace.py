"""The playing search's arrays: those of each thread, and those that all threads share."""

from typing import Any, NamedTuple

import numpy as np

from evocheckers.endgames.databases import Databases
from evocheckers.evaluation.dispatch import SCRATCH, margins
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import aligned, f32, pointer_to, u32, u64
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS
from evocheckers.search.buckets import BUCKET_ENTRIES, BUCKET_WORDS, ENTRY_WORDS
from evocheckers.search.deepening import Depths
from evocheckers.search.playing_state import FRAME, HISTORY, PLACES, Endgames, PlayingState
from evocheckers.search.selectivity import Selectivity, reductions
from evocheckers.search.state import COUNTERS, LINE, MAX_LINE, MOVE_ROOM, PackedEvaluator

MAX_LINES = 64
"""The most lines that can be requested; no position without captures has more than 48 moves."""
MAX_PATH = 512
"""The most positions of the game that count for repetitions; earlier ones are forgotten."""


class Shared(NamedTuple):
    """The arrays that all threads of a search share."""

    reductions: np.ndarray
    table: np.ndarray
    leaves: np.ndarray
    stop: np.ndarray

    @classmethod
    def create(cls, table_bits: int, selectivity: Selectivity, stop: np.ndarray) -> "Shared":
        """Tables of 2^``table_bits`` entries."""
        buckets = max(1, (1 << table_bits) // BUCKET_ENTRIES)
        return cls(
            reductions=reductions(selectivity),
            table=aligned(buckets * BUCKET_WORDS, np.uint64),
            leaves=aligned((1 << table_bits) * ENTRY_WORDS, np.uint64),
            stop=stop,
        )


class Arrays(NamedTuple):
    """One thread's arrays, and those that all threads share."""

    reductions: np.ndarray
    scratch: np.ndarray
    moves: np.ndarray
    words: np.ndarray
    numbers: np.ndarray
    places: np.ndarray
    path: np.ndarray
    history: np.ndarray
    replies: np.ndarray
    lines: np.ndarray
    keys: np.ndarray
    table: np.ndarray
    leaves: np.ndarray
    counters: np.ndarray
    stop: np.ndarray
    order: np.ndarray
    scores: np.ndarray
    depths: np.ndarray
    codes: np.ndarray
    endgame_header: np.ndarray
    distances: np.ndarray
    endgame_values: np.ndarray

    @classmethod
    def create(cls, shared: Shared, databases: Databases | None) -> "Arrays":
        """Fresh arrays, with the shared ones."""
        return cls(
            reductions=shared.reductions,
            scratch=aligned(SCRATCH, np.float32),
            moves=aligned(MOVE_ROOM * MOVE_WORDS, np.uint32),
            words=aligned((MAX_LINE + 2) * FRAME, np.uint32),
            numbers=aligned((MAX_LINE + 2) * FRAME, np.float32),
            places=aligned((MAX_LINE + 2) * PLACES, np.int64),
            path=aligned(MAX_PATH + MAX_LINE + 2, np.uint64),
            history=aligned(HISTORY, np.int64),
            replies=aligned(HISTORY, np.uint32),
            lines=aligned((MAX_LINE + 2) * LINE, np.uint32),
            keys=aligned(MAX_MOVES, np.int64),
            table=shared.table,
            leaves=shared.leaves,
            counters=np.zeros(COUNTERS, np.int64),
            stop=shared.stop,
            order=np.zeros(MAX_MOVES, np.int64),
            scores=np.zeros(MAX_MOVES, np.float32),
            depths=np.zeros(MAX_MOVES, np.int64),
            codes=np.zeros((MAX_LINES, LINE), np.uint32),
            endgame_header=databases.header if databases else np.zeros(1, np.uint32),
            distances=databases.distances if databases else np.zeros(1, np.uint8),
            endgame_values=databases.values.packed if databases and databases.values else np.zeros(1, np.uint32),
        )


class Asked(NamedTuple):
    """A position and how to search it."""

    own: u32
    opp: u32
    kings: u32
    root_is_white: bool
    depths: Depths
    path_start: int
    repetition: bool
    man: f32
    selectivity: Selectivity
    age: int
    game: u64
    sided: int
    salt: u64
    number: u64
    distances_pieces: int
    values_pieces: int


@inner
def playing_state_of(arrays: Any, given: Any, asked: Any) -> PlayingState:
    """The search's state from arrays, a ``PackedEvaluator`` and an ``Asked``; the arrays must outlive it."""
    evaluator = PackedEvaluator(given.kind, given.flags, pointer_to(given.weights))
    return PlayingState(
        evaluator,
        margins(evaluator.kind, evaluator.weights),
        asked.man,
        asked.selectivity,
        pointer_to(arrays.reductions),
        pointer_to(arrays.scratch),
        pointer_to(arrays.moves),
        pointer_to(arrays.words),
        pointer_to(arrays.numbers),
        pointer_to(arrays.places),
        pointer_to(arrays.path),
        asked.path_start,
        asked.repetition,
        pointer_to(arrays.history),
        pointer_to(arrays.replies),
        pointer_to(arrays.lines),
        pointer_to(arrays.keys),
        pointer_to(arrays.table),
        arrays.table.size // BUCKET_WORDS - 1,
        pointer_to(arrays.leaves),
        arrays.leaves.size // ENTRY_WORDS - 1,
        asked.age,
        asked.game,
        asked.sided,
        pointer_to(arrays.counters),
        pointer_to(arrays.stop),
        asked.salt,
        asked.root_is_white,
        Endgames(
            pointer_to(arrays.endgame_header),
            pointer_to(arrays.distances),
            asked.distances_pieces,
            pointer_to(arrays.endgame_values),
            asked.values_pieces,
        ),
    )
