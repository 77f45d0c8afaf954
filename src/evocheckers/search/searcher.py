"""The search as Python calls it: one position, a limit, and what was found."""

import threading
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.dispatch import SCRATCH, margins
from evocheckers.evaluation.evaluator import Evaluator, stack
from evocheckers.evaluation.network import EXTENSIONS, MAX_EXTENSIONS
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import Pointer, aligned, f32, i64, offset, pointer_to, u32, u64
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.search.root import Root, count_equal, draw_equal, search_root
from evocheckers.search.state import (
    COUNTERS,
    DECIDED,
    EVALUATIONS,
    FRAME,
    HISTORY,
    LINE,
    MAX_LINE,
    MAX_PLIES,
    MOVE_ROOM,
    NODE_LIMIT,
    NODES,
    WIN,
    Search,
)
from evocheckers.search.table import AGES, ENTRY

MAX_TABLE_BITS = 28
TABLE_BITS = 18
"""The playing search's table: 2^18 entries, 8 MB."""


class SearchError(EvocheckersError):
    """A search that cannot be done: a bad limit, or no move to choose from."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How far to look: plies, seconds or nodes, exactly one of them."""

    plies: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if sum(part is not None for part in (self.plies, self.seconds, self.nodes)) != 1:
            raise SearchError("a limit is one of plies, seconds and nodes")
        if self.plies is not None and not 1 <= self.plies <= MAX_PLIES:
            raise SearchError(f"a limit of {self.plies} plies is not between 1 and {MAX_PLIES}")
        if self.seconds is not None and not 0 < self.seconds <= 86_400:
            raise SearchError(f"a limit of {self.seconds:g} seconds is not between 0 and a day")
        if self.nodes is not None and not 1 <= self.nodes <= 2**62:
            raise SearchError(f"a limit of {self.nodes} nodes is not between 1 and 2^62")

    def __str__(self) -> str:
        if self.plies is not None:
            return f"{self.plies} plies"
        return f"{self.seconds:g} s" if self.seconds is not None else f"{self.nodes} nodes"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found."""

    move: Move
    score: float
    """To the side to move: the evaluation's pre-activation, or beyond ±``DECIDED`` a forced end."""
    depth_plies: int
    """The depth that was finished."""
    line: tuple[Move, ...]
    """The expected play, the chosen move first."""
    equal_moves: int
    """Among how many best moves the choice was drawn."""
    nodes: int
    evaluations: int
    seconds: float

    @property
    def plies_to_end(self) -> int | None:
        """For a forced win or loss, after how many plies the loser has no move left."""
        return round(float(WIN) - abs(self.score)) if abs(self.score) > DECIDED else None

    @property
    def score_text(self) -> str:
        """The score for people."""
        if self.plies_to_end is None:
            return f"{self.score:+.3f}"
        return f"{'win' if self.score > 0 else 'loss'} in {self.plies_to_end}"


class Workspace(NamedTuple):
    """The arrays that one thread searches in."""

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
def searching(work: Any, kind: int, flags: int, weights: Pointer, age: u32, salt: u64, root_is_white: bool) -> Search:
    """A workspace as the search takes it; the workspace must outlive it."""
    return Search(
        kind,
        flags,
        weights,
        margins(kind, weights),
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


@entry
def _search(
    work: Any,
    kind: int,
    flags: int,
    weights: np.ndarray,
    position: np.ndarray,
    viewer_is_white: bool,
    first_ply: int,
    first_depth: int,
    last_depth: int,
    extensions: int,
    age: u32,
    salt: u64,
    number: u64,
    codes: np.ndarray,
) -> tuple[int, int, f32, int, int]:
    """Returns the number of moves, the finished depth, the value, the number of equal moves, and of codes written."""
    own, opp, kings = position[0], position[1], position[2]
    s = searching(work, kind, flags, pointer_to(weights), age, salt, viewer_is_white)
    root = Root(pointer_to(work.order), pointer_to(work.equal))
    count, depth, value = search_root(s, root, own, opp, kings, first_depth, last_depth, extensions, first_ply)
    if count == 0:
        return 0, depth, value, 0, 0
    code = s.moves[draw_equal(root, count, number) * MOVE_WORDS + 3]
    line = offset(s.lines, first_ply * LINE)
    if line[1] != code:  # drawn from several: the line kept is another one's
        line[0], line[1] = u32(1), code
    for i in range(i64(line[0])):
        codes[i] = line[1 + i]
    return count, depth, value, count_equal(root, count), i64(line[0])


class Searcher:
    """One player's search through one game: the table is kept from move to move. Not for several threads at once."""

    def __init__(
        self,
        evaluator: Evaluator,
        extensions: int = EXTENSIONS,
        table_bits: int | None = TABLE_BITS,
        salt: int = 0,
    ) -> None:
        """``salt`` is for evaluators with noise: another salt, other noise."""
        if not 0 <= extensions <= MAX_EXTENSIONS:
            raise SearchError(f"{extensions} extensions are not between 0 and {MAX_EXTENSIONS}")
        if table_bits is not None and not 1 <= table_bits <= MAX_TABLE_BITS:
            raise SearchError(f"a table of 2^{table_bits} entries is not between 2^1 and 2^{MAX_TABLE_BITS}")
        self.evaluator = evaluator
        self.extensions = extensions
        self.salt = salt
        self._weights = stack([evaluator]).weights[0]
        self._work = Workspace.create(table_bits)
        self._age = 0

    def forget(self) -> None:
        """Begin another game: nothing learnt so far is used again."""
        self._age += 2
        self._work.history[:] = 0
        if self._age >= AGES:
            self._work.table[:] = 0
            self._age = 0

    def stop(self) -> None:
        """End the search that another thread is in, with the best move so far."""
        self._work.stop[0] = 1

    def search(
        self, board: Board, limit: Limit, number: int = 0, deepening: bool = True, viewer: Color | None = None
    ) -> SearchResult:
        """Search a position; ``number`` draws among equal moves.

        Leaves are valued through the eyes of ``viewer``, by default the side to move; the score is always the side to
        move's. An evaluator whose leaves the mover values (``Leaf.MOVER``) takes no notice of it.
        A limit of plies is reached by twos; without ``deepening`` it is searched at once, as in the papers. A search by
        time or nodes goes by twos from 2 plies, since networks are evolved at even depths.
        """
        began = time.perf_counter()
        work = self._work
        last = limit.plies or MAX_PLIES
        first = last if limit.plies and not deepening else 2 - last % 2
        work.counters[[EVALUATIONS, NODES]] = 0
        work.counters[NODE_LIMIT] = limit.nodes or 2**62
        work.stop[0] = 0
        timer = threading.Timer(limit.seconds, self.stop) if limit.seconds else None
        if timer:
            timer.daemon = True
            timer.start()
        codes = np.empty(LINE, np.uint32)
        is_white = (board.turn if viewer is None else viewer) is Color.WHITE
        first_ply = int(viewer is not None and viewer is not board.turn)
        try:
            count, depth, value, equal, written = _search(
                work,
                int(self.evaluator.kind),
                self.evaluator.flags,
                self._weights,
                np.array(board.mover_words, np.uint32),
                is_white,
                first_ply,
                first,
                last,
                self.extensions,
                u32(self._age + is_white),
                u64(self.salt),
                u64(number),
                codes,
            )
        finally:
            if timer:
                timer.cancel()
                timer.join()  # or it might stop the next search
        if count == 0:
            raise SearchError(f"no legal move in {board.fen()}")
        score = float(value)
        if abs(score) > DECIDED:  # plies to the end count from here
            score += first_ply if score > 0 else -first_ply
        line: list[Move] = []
        mover = board.turn
        for code in codes[:written].tolist():
            line.append(Move.from_code(code, mover))
            mover = mover.opponent
        return SearchResult(
            move=line[0],
            score=score,
            depth_plies=depth,
            line=tuple(line),
            equal_moves=equal,
            nodes=int(work.counters[NODES]),
            evaluations=int(work.counters[EVALUATIONS]),
            seconds=time.perf_counter() - began,
        )
