"""The exact search as ``Searcher`` calls it: its arrays, and one search to a fixed depth.

A search's arrays, allocated once for many searches.
"""

from typing import Any, NamedTuple

import numpy as np

from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import aligned, f32, offset, pointer_to, u32, u64
from evocheckers.networks.registry import SCRATCH, margins
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.search.exact.root import Plan, Root, choose_equal, count_equal, search_root, value_moves
from evocheckers.search.exact.state import FRAME, HISTORY, SearchState
from evocheckers.search.exact.table import AGES, ENTRY
from evocheckers.search.shared import (
    COUNTERS,
    EVALUATIONS_COUNTER,
    GIVE_UP,
    LINE,
    MAX_LINE,
    MOVE_ROOM,
    NODE_LIMIT_COUNTER,
    NODES_COUNTER,
    Found,
    PackedEvaluator,
)


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


class _Question(NamedTuple):
    """A position and how to search it."""

    own: u32
    opp: u32
    kings: u32
    viewer_is_white: bool
    plan: Plan
    age: u32
    salt: u64
    number: u64
    """Chooses among equal moves."""


@entry
def _search(work: Any, given: Any, asked: Any, values: np.ndarray, codes: np.ndarray) -> tuple[int, int, f32, int]:
    """Answer a ``_Question`` with a ``PackedEvaluator``, in a ``Workspace``.

    Returns the number of moves, the finished depth, the value, and the number of equal moves; no moves if the search
    was given up. The line from ``first_ply`` on begins with the chosen move. If ``values`` and ``codes`` have room,
    they get the value and the line of every move.
    """
    evaluator = PackedEvaluator(given.kind, given.flags, pointer_to(given.weights))
    s = state_of(work, evaluator, asked.age, asked.salt, asked.viewer_is_white)
    root = Root(pointer_to(work.order), pointer_to(work.equal))
    count, depth, value = search_root(s, root, asked.own, asked.opp, asked.kings, asked.plan)
    if count == 0 or s.stop[0] == GIVE_UP:
        return 0, depth, value, 0
    code = s.moves[choose_equal(root, count, asked.number) * MOVE_WORDS + 3]
    line = offset(s.lines, asked.plan.first_ply * LINE)
    if line[1] != code:  # one of several equal moves, and the stored line is another's
        line[0], line[1] = u32(1), code
    if values.size >= count:
        depth_of_all = max(depth, asked.plan.first_depth)
        value_moves(
            s, asked.own, asked.opp, asked.kings, asked.plan, depth_of_all, pointer_to(values), pointer_to(codes)
        )
    return count, depth, value, count_equal(root, count)


class ExactSearch:
    """The exact search of one ``Searcher``, with a table that is kept from move to move."""

    def __init__(self, packed: PackedEvaluator, table_bits: int | None, stop: np.ndarray) -> None:
        self._packed = packed
        self._work = Workspace.create(table_bits)._replace(stop=stop)
        self._age = 0

    def forget(self) -> None:
        """Begin a new game: nothing learnt so far is used again."""
        self._age += 2
        self._work.history[:] = 0
        if self._age >= AGES:
            self._work.table[:] = 0
            self._age = 0

    def search(self, board: Board, plan: Plan, number: int, salt: int, viewer: Color, lines: int) -> Found:
        """Search as planned; ``number`` chooses among equal moves. For several lines, every move is valued."""
        work = self._work
        work.counters[[EVALUATIONS_COUNTER, NODES_COUNTER]] = 0
        work.counters[NODE_LIMIT_COUNTER] = 2**62
        is_white = viewer is Color.WHITE
        own, opp, kings = map(u32, board.mover_words)
        asked = _Question(own, opp, kings, is_white, plan, u32(self._age + is_white), u64(salt), u64(number))
        room = MAX_MOVES if lines > 1 else 0
        values, codes = np.zeros(room, np.float32), np.zeros((room, LINE), np.uint32)
        count, depth, value, equal = _search(work, self._packed, asked, values, codes)
        found = []
        if count > 0:
            at = plan.first_ply * LINE
            chosen = work.lines[at + 1 : at + 1 + work.lines[at]].tolist()
            found.append((float(value), depth, chosen))
            for i in np.argsort(-values[:count], kind="stable").tolist() if lines > 1 else []:
                if codes[i, 0] > 0 and codes[i, 1] != chosen[0]:
                    found.append((float(values[i]), depth, codes[i, 1 : 1 + codes[i, 0]].tolist()))
        counters = work.counters.tolist()
        return Found(depth, equal, found[:lines], counters[NODES_COUNTER], counters[EVALUATIONS_COUNTER])
