"""The exact search as ``Searcher`` calls it: its arrays, and one search of a position.

The arrays are allocated once for many searches. A game's table and history are kept from move to move.
"""

from typing import Any, NamedTuple

import numpy as np

from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import aligned, f32, offset, pointer_to, u32, u64
from evocheckers.networks.registry import SCRATCH, margins
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.search.exact.root import Depths, RootMoves, choose_equal, count_equal, search_root, value_moves
from evocheckers.search.exact.state import PLACES, ExactState
from evocheckers.search.exact.table import AGES, ENTRY
from evocheckers.search.result import RawResult
from evocheckers.search.state import (
    COUNTERS,
    EVALUATIONS_COUNTER,
    FRAME,
    GIVE_UP,
    HISTORY,
    LINE,
    MAX_LINE,
    MOVE_ROOM,
    NODE_LIMIT_COUNTER,
    NODES_COUNTER,
    PackedEvaluator,
)


class ExactArrays(NamedTuple):
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
    def create(cls, table_bits: int | None = None) -> "ExactArrays":
        """Fresh arrays; ``table_bits`` None means no transposition table."""
        entries = 0 if table_bits is None else 1 << table_bits
        return cls(
            scratch=aligned(SCRATCH, np.float32),
            moves=aligned(MOVE_ROOM * MOVE_WORDS, np.uint32),
            words=aligned((MAX_LINE + 1) * FRAME, np.uint32),
            numbers=aligned((MAX_LINE + 1) * FRAME, np.float32),
            places=aligned((MAX_LINE + 1) * PLACES, np.int64),
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
def exact_state_of(arrays: Any, evaluator: PackedEvaluator, age: u32, salt: u64, root_is_white: bool) -> ExactState:
    """The search's state from ``ExactArrays``, which must outlive it."""
    return ExactState(
        evaluator,
        margins(evaluator.kind, evaluator.weights),
        pointer_to(arrays.scratch),
        pointer_to(arrays.moves),
        pointer_to(arrays.words),
        pointer_to(arrays.numbers),
        pointer_to(arrays.places),
        pointer_to(arrays.history),
        pointer_to(arrays.lines),
        pointer_to(arrays.keys),
        pointer_to(arrays.table),
        arrays.table.size // ENTRY - 1,
        age,
        pointer_to(arrays.counters),
        pointer_to(arrays.stop),
        salt,
        root_is_white,
    )


class _Parameters(NamedTuple):
    """A position and how to search it, as compiled code takes it."""

    own: u32
    opp: u32
    kings: u32
    viewer_is_white: bool
    depths: Depths
    age: u32
    salt: u64
    number: u64
    """Chooses among equal moves."""


@entry
def _search(
    arrays: Any, packed: Any, parameters: Any, values: np.ndarray, codes: np.ndarray
) -> tuple[int, int, f32, int]:
    """Search as ``_Parameters`` say with a ``PackedEvaluator``, in ``ExactArrays``.

    Returns the number of moves, the finished depth, the value, and the number of equal moves; no moves if the search
    was given up. The line from ``first_ply`` on begins with the chosen move. If ``values`` and ``codes`` have room,
    they get the value and the line of every move.
    """
    evaluator = PackedEvaluator(packed.kind, packed.flags, pointer_to(packed.weights))
    s = exact_state_of(arrays, evaluator, parameters.age, parameters.salt, parameters.viewer_is_white)
    root = RootMoves(pointer_to(arrays.order), pointer_to(arrays.equal))
    count, depth, value = search_root(s, root, parameters.own, parameters.opp, parameters.kings, parameters.depths)
    if count == 0 or s.stop[0] == GIVE_UP:
        return 0, depth, value, 0
    code = s.moves[choose_equal(root, count, parameters.number) * MOVE_WORDS + 3]
    line = offset(s.lines, parameters.depths.first_ply * LINE)
    if line[1] != code:  # one of several equal moves, and the stored line is another's
        line[0], line[1] = u32(1), code
    if values.size >= count:
        depth_of_all = max(depth, parameters.depths.first)
        value_moves(
            s,
            parameters.own,
            parameters.opp,
            parameters.kings,
            parameters.depths,
            depth_of_all,
            pointer_to(values),
            pointer_to(codes),
        )
    return count, depth, value, count_equal(root, count)


class ExactSearch:
    """The exact search of one ``Searcher``, with a table that is kept from move to move."""

    def __init__(self, packed: PackedEvaluator, table_bits: int | None, stop: np.ndarray) -> None:
        self._packed = packed
        self._arrays = ExactArrays.create(table_bits)._replace(stop=stop)
        self._age = 0

    def forget(self) -> None:
        """Begin a new game: nothing learnt so far is used again."""
        self._age += 2
        self._arrays.history[:] = 0
        if self._age >= AGES:
            self._arrays.table[:] = 0
            self._age = 0

    def search(self, board: Board, depths: Depths, number: int, salt: int, viewer: Color, lines: int) -> RawResult:
        """Search to these depths; ``number`` chooses among equal moves. For several lines, every move is valued."""
        arrays = self._arrays
        arrays.counters[[EVALUATIONS_COUNTER, NODES_COUNTER]] = 0
        arrays.counters[NODE_LIMIT_COUNTER] = 2**62
        is_white = viewer is Color.WHITE
        own, opp, kings = map(u32, board.mover_words)
        parameters = _Parameters(own, opp, kings, is_white, depths, u32(self._age + is_white), u64(salt), u64(number))
        room = MAX_MOVES if lines > 1 else 0
        values, codes = np.zeros(room, np.float32), np.zeros((room, LINE), np.uint32)
        count, depth, value, equal = _search(arrays, self._packed, parameters, values, codes)
        found = []
        if count > 0:
            at = depths.first_ply * LINE
            chosen = arrays.lines[at + 1 : at + 1 + arrays.lines[at]].tolist()
            found.append((float(value), depth, chosen))
            for i in np.argsort(-values[:count], kind="stable").tolist() if lines > 1 else []:
                if codes[i, 0] > 0 and codes[i, 1] != chosen[0]:
                    found.append((float(values[i]), depth, codes[i, 1 : 1 + codes[i, 0]].tolist()))
        counters = arrays.counters.tolist()
        return RawResult(depth, equal, found[:lines], counters[NODES_COUNTER], counters[EVALUATIONS_COUNTER])
