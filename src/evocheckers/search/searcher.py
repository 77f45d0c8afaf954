"""The search as Python calls it: one position, a limit, and what was found."""

import threading
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.evaluator import Evaluator, stack
from evocheckers.evaluation.network import EXTENSIONS, MAX_EXTENSIONS
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import f32, offset, pointer_to, u32, u64
from evocheckers.native.threads import run_interruptibly
from evocheckers.rules.bitboard import MOVE_WORDS
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.search.root import Plan, Root, choose_equal, count_equal, search_root
from evocheckers.search.state import (
    DECIDED,
    EVALUATIONS_COUNTER,
    GIVE_UP,
    GO_ON,
    LINE,
    MAX_DEPTH_PLIES,
    MOVE_NOW,
    NODE_LIMIT_COUNTER,
    NODES_COUNTER,
    WIN,
    PackedEvaluator,
)
from evocheckers.search.table import AGES
from evocheckers.search.workspace import Workspace, state_of

SHORT_PLIES, SHORT_SECONDS, SHORT_NODES = 6, 0.02, 10_000
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
        if self.plies is not None and not 1 <= self.plies <= MAX_DEPTH_PLIES:
            raise SearchError(f"a limit of {self.plies} plies is not between 1 and {MAX_DEPTH_PLIES}")
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
    """How many moves equal the best; one of them was chosen."""
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


class Question(NamedTuple):
    """A position to search, and how."""

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
def _search(work: Any, given: Any, asked: Any) -> tuple[int, int, f32, int]:
    """The answer to a ``Question`` by the eyes of a ``PackedEvaluator``, in a ``Workspace``.

    Returns the number of moves, the finished depth, the value, and the number of equal moves; none if the search was
    given up. The line from ``first_ply`` on begins with the chosen move.
    """
    evaluator = PackedEvaluator(given.kind, given.flags, pointer_to(given.weights))
    s = state_of(work, evaluator, asked.age, asked.salt, asked.viewer_is_white)
    root = Root(pointer_to(work.order), pointer_to(work.equal))
    count, depth, value = search_root(s, root, asked.own, asked.opp, asked.kings, asked.plan)
    if count == 0 or s.stop[0] == GIVE_UP:
        return 0, depth, value, 0
    code = s.moves[choose_equal(root, count, asked.number) * MOVE_WORDS + 3]
    line = offset(s.lines, asked.plan.first_ply * LINE)
    if line[1] != code:  # one of several: the line kept is another one's
        line[0], line[1] = u32(1), code
    return count, depth, value, count_equal(root, count)


def _is_short(limit: Limit) -> bool:
    """Whether a search is over before anybody could interrupt it; a thread for it would cost more than the search."""
    if limit.plies is not None:
        return limit.plies <= SHORT_PLIES
    return limit.seconds <= SHORT_SECONDS if limit.seconds is not None else (limit.nodes or 0) <= SHORT_NODES


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
        self._packed = PackedEvaluator(int(evaluator.kind), evaluator.flags, stack([evaluator]).weights[0])
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
        self._work.stop[0] = max(self._work.stop[0], MOVE_NOW)

    def _give_up(self) -> None:
        self._work.stop[0] = GIVE_UP

    def search(
        self, board: Board, limit: Limit, number: int = 0, deepening: bool = True, viewer: Color | None = None
    ) -> SearchResult:
        """Search a position; ``number`` chooses among equal moves. An interrupt (Ctrl-C) ends it without a result.

        Leaves are valued through the eyes of ``viewer``, by default the side to move; the score is always the side to
        move's. An evaluator whose leaves the mover values (``Leaf.MOVER``) takes no notice of it.
        A limit of plies is reached by twos; without ``deepening`` it is searched at once, as in the papers. A search by
        time or nodes goes by twos from 2 plies, since networks are evolved at even depths.
        """
        began = time.perf_counter()
        work = self._work
        last = limit.plies or MAX_DEPTH_PLIES
        first = last if limit.plies and not deepening else 2 - last % 2
        work.counters[[EVALUATIONS_COUNTER, NODES_COUNTER]] = 0
        work.counters[NODE_LIMIT_COUNTER] = limit.nodes or 2**62
        work.stop[0] = GO_ON
        is_white = (board.turn if viewer is None else viewer) is Color.WHITE
        first_ply = int(viewer is not None and viewer is not board.turn)
        plan = Plan(first, last, self.extensions, first_ply)
        own, opp, kings = map(u32, board.mover_words)
        asked = Question(own, opp, kings, is_white, plan, u32(self._age + is_white), u64(self.salt), u64(number))

        def answer() -> tuple[int, int, f32, int]:
            return _search(work, self._packed, asked)

        timer = threading.Timer(limit.seconds, self.stop) if limit.seconds else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            answered = answer() if _is_short(limit) else run_interruptibly(answer, self._give_up)
        finally:
            if timer:
                timer.cancel()
                timer.join()  # or it might stop the next search
        count, depth, value, equal = answered
        if count == 0:
            raise SearchError(f"no legal move in {board.fen()}")
        score = float(value)
        if abs(score) > DECIDED:  # plies to the end count from here
            score += first_ply if score > 0 else -first_ply
        line: list[Move] = []
        mover = board.turn
        at = first_ply * LINE
        for code in work.lines[at + 1 : at + 1 + work.lines[at]].tolist():
            line.append(Move.from_code(code, mover))
            mover = mover.opponent
        return SearchResult(
            move=line[0],
            score=score,
            depth_plies=depth,
            line=tuple(line),
            equal_moves=equal,
            nodes=int(work.counters[NODES_COUNTER]),
            evaluations=int(work.counters[EVALUATIONS_COUNTER]),
            seconds=time.perf_counter() - began,
        )
