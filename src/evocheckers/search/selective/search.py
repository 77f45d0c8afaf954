"""The selective search as ``Searcher`` calls it: its arrays, its threads, and one search of a position.

Each thread has arrays of its own, and all threads share the tables and the signal to stop. Tables and histories are
kept from move to move.
"""

import threading
from typing import Any, NamedTuple

import numpy as np

from evocheckers.endgames.databases import Databases
from evocheckers.endgames.index import FIRST_ROW, LAST_ROW
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import aligned, f32, pointer_to, u32, u64
from evocheckers.native.randomness import key
from evocheckers.native.threads import NAME
from evocheckers.networks.evaluator import Evaluator, evaluate_positions
from evocheckers.networks.registry import SCRATCH, margins
from evocheckers.networks.search_rules import FIXED_BIT, MOVER_BIT
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.search.result import RawResult
from evocheckers.search.selective.deepening import Deepening, RootLines, deepen
from evocheckers.search.selective.selectivity import Selectivity, reductions
from evocheckers.search.selective.state import PLACES, Endgames, SelectiveState
from evocheckers.search.selective.table import AGES, BUCKET_ENTRIES, BUCKET_WORDS, ENTRY_WORDS, hash_of
from evocheckers.search.state import (
    COUNTERS,
    DEADLINE_COUNTER,
    EVALUATIONS_COUNTER,
    FRAME,
    GIVE_UP,
    HISTORY,
    LINE,
    MAX_DEPTH_PLIES,
    MAX_LINE,
    MOVE_NOW,
    MOVE_ROOM,
    NODE_LIMIT_COUNTER,
    NODES_COUNTER,
    STOPPED_COUNTER,
    PackedEvaluator,
)

MAX_LINES = 64
"""The most lines that can be requested; no position without captures has more than 48 moves."""
MAX_PATH = 512
"""The most positions of the game that count for repetitions; earlier ones are forgotten."""


class SharedArrays(NamedTuple):
    """The arrays that all threads of a search share."""

    reductions: np.ndarray
    table: np.ndarray
    leaves: np.ndarray
    stop: np.ndarray

    @classmethod
    def create(cls, table_bits: int, selectivity: Selectivity, stop: np.ndarray) -> "SharedArrays":
        """Tables of 2^``table_bits`` entries."""
        buckets = max(1, (1 << table_bits) // BUCKET_ENTRIES)
        return cls(
            reductions=reductions(selectivity),
            table=aligned(buckets * BUCKET_WORDS, np.uint64),
            leaves=aligned((1 << table_bits) * ENTRY_WORDS, np.uint64),
            stop=stop,
        )


class SelectiveArrays(NamedTuple):
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
    def create(cls, shared: SharedArrays, databases: Databases | None) -> "SelectiveArrays":
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


class _Parameters(NamedTuple):
    """A position and how to search it, as compiled code takes it."""

    own: u32
    opp: u32
    kings: u32
    root_is_white: bool
    deepening: Deepening
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
def selective_state_of(arrays: Any, packed: Any, parameters: Any) -> SelectiveState:
    """The state from ``SelectiveArrays``, a ``PackedEvaluator`` and ``_Parameters``; the arrays must outlive it."""
    evaluator = PackedEvaluator(packed.kind, packed.flags, pointer_to(packed.weights))
    return SelectiveState(
        evaluator,
        margins(evaluator.kind, evaluator.weights),
        parameters.man,
        parameters.selectivity,
        pointer_to(arrays.reductions),
        pointer_to(arrays.scratch),
        pointer_to(arrays.moves),
        pointer_to(arrays.words),
        pointer_to(arrays.numbers),
        pointer_to(arrays.places),
        pointer_to(arrays.path),
        parameters.path_start,
        parameters.repetition,
        pointer_to(arrays.history),
        pointer_to(arrays.replies),
        pointer_to(arrays.lines),
        pointer_to(arrays.keys),
        pointer_to(arrays.table),
        arrays.table.size // BUCKET_WORDS - 1,
        pointer_to(arrays.leaves),
        arrays.leaves.size // ENTRY_WORDS - 1,
        parameters.age,
        parameters.game,
        parameters.sided,
        pointer_to(arrays.counters),
        pointer_to(arrays.stop),
        parameters.salt,
        parameters.root_is_white,
        Endgames(
            pointer_to(arrays.endgame_header),
            pointer_to(arrays.distances),
            parameters.distances_pieces,
            pointer_to(arrays.endgame_values),
            parameters.values_pieces,
        ),
    )


FIRST_DEPTH = 2
"""The depth that is always searched, whatever the limit."""


@entry
def _search(arrays: Any, packed: Any, parameters: Any, earlier: np.ndarray) -> tuple[int, int]:
    """Search as ``_Parameters`` say with a ``PackedEvaluator``; returns the number of moves and the depth.

    ``earlier``: the game's positions since the last irreversible move, as rows of words.
    """
    s = selective_state_of(arrays, packed, parameters)
    for i in range(earlier.shape[0]):
        ply = parameters.deepening.first_ply - earlier.shape[0] + i
        s.path[s.path_start + ply] = hash_of(s, earlier[i, 0], earlier[i, 1], earlier[i, 2], ply)
    found = RootLines(
        pointer_to(arrays.order), pointer_to(arrays.scores), pointer_to(arrays.depths), pointer_to(arrays.codes)
    )
    return deepen(s, found, (parameters.own, parameters.opp, parameters.kings), parameters.deepening, parameters.number)


def man_value(evaluator: Evaluator) -> float:
    """An evaluator's value of a man: the mean over the men of the start position. 0 if a man is worth nothing."""
    own, opp, kings = Board().mover_words
    positions = [(own, opp, kings)] + [(own & ~(1 << bit), opp, kings) for bit in range(12)]
    values = evaluate_positions(evaluator, np.array(positions, np.uint32))
    return max(0.0, float(values[0] - values[1:].mean()))


class Options(NamedTuple):
    """How to search, as ``Searcher`` says it."""

    nodes: int
    number: int
    """Decides which move is tried first, and thus chooses among equal moves."""
    salt: int
    extensions: int
    """Only for ``UNSELECTIVE``; otherwise ``Selectivity`` limits how often a line is extended."""
    viewer: Color
    lines: int = 1
    repetition: bool = True
    last_depth: int = MAX_DEPTH_PLIES
    deadline: int = 0
    """Time by the clock of compiled code (``native.clock``); 0 for none."""


class SelectiveSearch:
    """The selective search of one ``Searcher``, with tables kept from move to move and arrays for each thread."""

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
        self._shared = SharedArrays.create(table_bits, selectivity, stop)
        self._threads = [SelectiveArrays.create(self._shared, databases) for _ in range(threads)]
        self._searches = self._games = 0

    def forget(self) -> None:
        """Begin a new game: nothing learnt so far is used again."""
        self._games += 1
        for arrays in self._threads:
            arrays.history[:] = 0
            arrays.replies[:] = 0

    def search(self, board: Board, options: Options) -> RawResult:
        """Search until ``stop`` is set, a limit is reached or the last depth is finished."""
        self._searches += 1
        own, opp, kings = map(u32, board.mover_words)
        first_ply = int(options.viewer is not board.turn)
        viewer_is_white = options.viewer is Color.WHITE
        flags = self._packed.flags
        sided = int(flags & MOVER_BIT == 0 or flags & FIXED_BIT != 0)
        past = board.reversible_past()[-MAX_PATH:] if options.repetition else []
        earlier = np.array([Board(position).mover_words for position in past], np.uint32).reshape(-1, 3)
        is_exact = self._selectivity.is_exact
        deepening = Deepening(
            min(FIRST_DEPTH, options.last_depth),
            options.last_depth,
            options.extensions if is_exact else self._selectivity.extensions,
            first_ply,
            options.lines,
            len(past),
        )
        parameters = _Parameters(
            own,
            opp,
            kings,
            viewer_is_white,
            deepening,
            len(past),
            options.repetition,
            f32(self._man),
            self._selectivity,
            self._searches % AGES,
            u64(key(self._games, options.salt, sided and viewer_is_white)),
            sided,
            u64(options.salt),
            u64(options.number),
            *self._pieces_known(board),
        )
        for arrays in self._threads:
            arrays.counters[[EVALUATIONS_COUNTER, NODES_COUNTER]] = 0
            arrays.counters[NODE_LIMIT_COUNTER] = max(1, options.nodes // len(self._threads))
            arrays.counters[DEADLINE_COUNTER] = options.deadline
        count, depth, main = self._run(parameters, earlier)
        found = []
        for line in range(min(options.lines, count)):
            codes = main.codes[line, 1 : 1 + main.codes[line, 0]].tolist()
            if main.depths[line] > 0:
                found.append((float(main.scores[line]), int(main.depths[line]), codes))
        return RawResult(
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

    def _run(self, parameters: _Parameters, earlier: np.ndarray) -> tuple[int, int, SelectiveArrays]:
        """Search on all threads; the result is that of the deepest thread, or of the first among equals.

        A helper that finishes before the others, since it began deeper, ends the search.
        """
        results = {0: (0, 0)}

        def help_out(helper: int, arrays: SelectiveArrays) -> None:
            results[helper] = _search(arrays, self._packed, _as_helper(parameters, helper), earlier)
            if arrays.counters[STOPPED_COUNTER] == 0:
                self._shared.stop[0] = max(self._shared.stop[0], MOVE_NOW)

        helpers = [
            threading.Thread(target=help_out, args=(helper, arrays), daemon=True, name=NAME)
            for helper, arrays in enumerate(self._threads[1:], 1)
        ]
        for thread in helpers:
            thread.start()
        results[0] = _search(self._threads[0], self._packed, parameters, earlier)
        was_given_up = self._shared.stop[0] == GIVE_UP
        if helpers:
            self._shared.stop[0] = GIVE_UP
            for thread in helpers:
                thread.join()
        if was_given_up:
            return 0, 0, self._threads[0]
        best = max(results, key=lambda thread: (results[thread][1], -thread))
        return *results[best], self._threads[best]


def _as_helper(parameters: _Parameters, helper: int) -> _Parameters:
    """The parameters of a helper thread: it tries other moves first, and only every second depth.

    So it is ahead of the first thread, which finds its values in the table. If both searched every depth, they would
    run in step and do the same work twice.
    """
    deepening = parameters.deepening
    first = min(deepening.first + helper % 2, deepening.last)
    return parameters._replace(
        deepening=deepening._replace(first=first, step=2), number=u64(int(parameters.number) + helper)
    )
