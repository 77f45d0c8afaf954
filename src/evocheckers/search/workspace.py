"""A search's arrays, allocated once for many searches."""

from typing import Any, NamedTuple

import numpy as np

from evocheckers.evaluation.dispatch import SCRATCH, margins
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import aligned, pointer_to, u32, u64
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS
from evocheckers.search.state import (
    COUNTERS,
    FRAME,
    HISTORY,
    LINE,
    MAX_LINE,
    MOVE_ROOM,
    PackedEvaluator,
    SearchState,
)
from evocheckers.search.table import ENTRY


class Workspace(NamedTuple):
    """The arrays of one thread's search."""

    scratch: np.ndarray
    moves: np.ndarray
    words: np.ndarray
    numbers: np.ndarray
    places: np.ndarray
    history: np.ndarray
    lines: np.ndarray
    keys: np.ndarray
    table: np.ndarray
    counters: np.ndarray
    order: np.ndarray
    equal: np.ndarray
    stop: np.ndarray

    @classmethod
    def create(cls, table_bits: int | None = None) -> "Workspace":
        """Fresh arrays; ``table_bits`` None means no transposition table."""
        entries = 0 if table_bits is None else 1 << table_bits
        return cls(
            scratch=aligned(SCRATCH, np.float32),
            moves=aligned(MOVE_ROOM * MOVE_WORDS, np.uint32),
            words=aligned((MAX_LINE + 1) * FRAME, np.uint32),
            numbers=aligned((MAX_LINE + 1) * FRAME, np.float32),
            places=aligned((MAX_LINE + 1) * FRAME, np.int64),
            history=aligned(HISTORY, np.uint32),
            lines=aligned((MAX_LINE + 2) * LINE, np.uint32),
            keys=aligned(MAX_MOVES, np.uint32),
            table=aligned(entries * ENTRY, np.uint32),
            counters=np.zeros(COUNTERS, np.int64),
            order=np.zeros(MAX_MOVES, np.int64),
            equal=np.zeros(MAX_MOVES, np.int64),
            stop=np.zeros(1, np.int64),
        )


@inner
def state_of(work: Any, evaluator: PackedEvaluator, age: u32, salt: u64, root_is_white: bool) -> SearchState:
    """The search's state from a workspace, which must outlive it."""
    return SearchState(
        evaluator,
        margins(evaluator.kind, evaluator.weights),
        pointer_to(work.scratch),
        pointer_to(work.moves),
        pointer_to(work.words),
        pointer_to(work.numbers),
        pointer_to(work.places),
        pointer_to(work.history),
        pointer_to(work.lines),
        pointer_to(work.keys),
        pointer_to(work.table),
        work.table.size // ENTRY - 1,
        age,
        pointer_to(work.counters),
        pointer_to(work.stop),
        salt,
        root_is_white,
    )
