"""The playing search as ``Searcher`` calls it: its arrays, its threads, and one search."""

import threading
from typing import Any, NamedTuple

import numpy as np

from evocheckers.endgames.databases import Databases
from evocheckers.endgames.index import FIRST_ROW, LAST_ROW
from evocheckers.evaluation.evaluator import FIXED_BIT, MOVER_BIT, Evaluator, evaluate_positions
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import f32, pointer_to, u32, u64
from evocheckers.native.randomness import key
from evocheckers.native.threads import NAME
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.search.buckets import AGES, hash_of
from evocheckers.search.deepening import Depths, Lines, deepen
from evocheckers.search.playing_workspace import MAX_PATH, Arrays, Asked, Shared, playing_state_of
from evocheckers.search.selectivity import Selectivity
from evocheckers.search.state import (
    DEADLINE_COUNTER,
    EVALUATIONS_COUNTER,
    GIVE_UP,
    MAX_DEPTH_PLIES,
    MOVE_NOW,
    NODE_LIMIT_COUNTER,
    NODES_COUNTER,
    STOPPED_COUNTER,
    Found,
    PackedEvaluator,
)

FIRST_DEPTH = 2
"""The depth that is always searched, whatever the limit."""


@entry
def _play(arrays: Any, given: Any, asked: Any, earlier: np.ndarray) -> tuple[int, int]:
    """Search as ``Asked`` with a ``PackedEvaluator``; returns the number of moves and the depth.

    ``earlier``: the game's positions since the last irreversible move, as rows of words.
    """
    s = playing_state_of(arrays, given, asked)
    for i in range(earlier.shape[0]):
        ply = asked.depths.first_ply - earlier.shape[0] + i
        s.path[s.path_start + ply] = hash_of(s, earlier[i, 0], earlier[i, 1], earlier[i, 2], ply)
    found = Lines(
        pointer_to(arrays.order), pointer_to(arrays.scores), pointer_to(arrays.depths), pointer_to(arrays.codes)
    )
    return deepen(s, found, asked.own, asked.opp, asked.kings, asked.depths, asked.number)


def man_value(evaluator: Evaluator) -> float:
    """An evaluator's value of a man: the mean over the men of the start position. 0 if a man is worth nothing."""
    own, opp, kings = Board().mover_words
    positions = [(own, opp, kings)] + [(own & ~(1 << bit), opp, kings) for bit in range(12)]
    values = evaluate_positions(evaluator, np.array(positions, np.uint32))
    return max(0.0, float(values[0] - values[1:].mean()))


class Wanted(NamedTuple):
    """The parameters of a search."""

    nodes: int
    number: int
    """Decides which move is tried first, and thus chooses among equal moves."""
    salt: int
    extensions: int
    """For full width; otherwise ``Selectivity`` limits how often a line is extended."""
    viewer: Color
    lines: int = 1
    repetition: bool = True
    last_depth: int = MAX_DEPTH_PLIES
    deadline: int = 0
    """Time by the clock of compiled code (``native.clock``); 0 for none."""


class PlayingSearch:
    """The playing search of one ``Searcher``, with tables kept from move to move and arrays for each thread."""

    def __init__(
        self,
        evaluator: Evaluator,
        packed: PackedEvaluator,
        table_bits: int,
        threads: int,
        selectivity: Selectivity,
        databases: Databases | None,
        stop: np.ndarray,
    ) -> None:
        self._packed, self._selectivity, self._databases = packed, selectivity, databases
        self._man = man_value(evaluator)
        self._shared = Shared.create(table_bits, selectivity, stop)
        self._threads = [Arrays.create(self._shared, databases) for _ in range(threads)]
        self._searches = self._games = 0

    def forget(self) -> None:
        """Begin a new game: nothing learnt so far is used again."""
        self._games += 1
        for arrays in self._threads:
            arrays.history[:] = 0
            arrays.replies[:] = 0

    def search(self, board: Board, wanted: Wanted) -> Found:
        """Search until ``stop`` is set, a limit is reached or the last depth is finished."""
        self._searches += 1
        own, opp, kings = map(u32, board.mover_words)
        first_ply = int(wanted.viewer is not board.turn)
        viewer_is_white = wanted.viewer is Color.WHITE
        flags = self._packed.flags
        sided = int(flags & MOVER_BIT == 0 or flags & FIXED_BIT != 0)
        past = board.reversible_past()[-MAX_PATH:] if wanted.repetition else []
        earlier = np.array([Board(position).mover_words for position in past], np.uint32).reshape(-1, 3)
        is_exact = self._selectivity.is_exact
        depths = Depths(
            min(FIRST_DEPTH, wanted.last_depth),
            wanted.last_depth,
            wanted.extensions if is_exact else self._selectivity.extensions,
            first_ply,
            wanted.lines,
            len(past),
        )
        asked = Asked(
            own,
            opp,
            kings,
            viewer_is_white,
            depths,
            len(past),
            wanted.repetition,
            f32(self._man),
            self._selectivity,
            self._searches % AGES,
            u64(key(self._games, wanted.salt, sided and viewer_is_white)),
            sided,
            u64(wanted.salt),
            u64(wanted.number),
            *self._pieces_known(board),
        )
        for arrays in self._threads:
            arrays.counters[[EVALUATIONS_COUNTER, NODES_COUNTER]] = 0
            arrays.counters[NODE_LIMIT_COUNTER] = max(1, wanted.nodes // len(self._threads))
            arrays.counters[DEADLINE_COUNTER] = wanted.deadline
        count, depth, main = self._run(asked, earlier)
        found = []
        for line in range(min(wanted.lines, count)):
            codes = main.codes[line, 1 : 1 + main.codes[line, 0]].tolist()
            if main.depths[line] > 0:
                found.append((float(main.scores[line]), int(main.depths[line]), codes))
        return Found(
            depth,
            1,
            found,
            sum(int(arrays.counters[NODES_COUNTER]) for arrays in self._threads),
            sum(int(arrays.counters[EVALUATIONS_COUNTER]) for arrays in self._threads),
        )

    def _pieces_known(self, board: Board) -> tuple[int, int]:
        """How many pieces the databases cover; 0 if an uncrowned man stands on its last row, as in no game."""
        own, opp, kings = board.mover_words
        if self._databases is None or (own & int(LAST_ROW) | opp & int(FIRST_ROW)) & ~kings:
            return 0, 0
        values = self._databases.values
        return self._databases.distances_pieces, values.pieces if values else 0

    def _run(self, asked: Asked, earlier: np.ndarray) -> tuple[int, int, Arrays]:
        """Search on all threads; the result is that of the deepest thread, or of the first among equals.

        A helper that finishes before the others, since it began deeper, ends the search.
        """
        results = {0: (0, 0)}

        def help_out(helper: int, arrays: Arrays) -> None:
            results[helper] = _play(arrays, self._packed, _as_helper(asked, helper), earlier)
            if arrays.counters[STOPPED_COUNTER] == 0:
                self._shared.stop[0] = max(self._shared.stop[0], MOVE_NOW)

        helpers = [
            threading.Thread(target=help_out, args=(helper, arrays), daemon=True, name=NAME)
            for helper, arrays in enumerate(self._threads[1:], 1)
        ]
        for thread in helpers:
            thread.start()
        results[0] = _play(self._threads[0], self._packed, asked, earlier)
        was_given_up = self._shared.stop[0] == GIVE_UP
        if helpers:
            self._shared.stop[0] = GIVE_UP
            for thread in helpers:
                thread.join()
        if was_given_up:
            return 0, 0, self._threads[0]
        best = max(results, key=lambda thread: (results[thread][1], -thread))
        return *results[best], self._threads[best]


def _as_helper(asked: Asked, helper: int) -> Asked:
    """The question for a helper thread: it tries other moves first, and only every second depth.

    So it is ahead of the first thread, which finds its values in the table. If both searched every depth, they would
    run in step and do the same work twice.
    """
    depths = asked.depths
    first = min(depths.first + helper % 2, depths.last)
    return asked._replace(depths=depths._replace(first=first, step=2), number=u64(int(asked.number) + helper))
