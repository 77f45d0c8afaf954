"""The search as Python calls it: one position, a limit, and what was found."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evocheckers.endgames.databases import Databases
from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.evaluator import Evaluator, stack
from evocheckers.evaluation.network import EXTENSIONS, MAX_EXTENSIONS
from evocheckers.native import clock
from evocheckers.native.threads import run_interruptibly
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.search.exact import ExactSearch
from evocheckers.search.playing import PlayingSearch, Wanted
from evocheckers.search.playing_workspace import MAX_LINES
from evocheckers.search.root import Plan
from evocheckers.search.selectivity import SELECTIVITY, Selectivity
from evocheckers.search.state import (
    DECIDED,
    GIVE_UP,
    GO_ON,
    KNOWN_LEAST,
    MAX_DEPTH_PLIES,
    MOVE_NOW,
    WIN,
    Found,
    PackedEvaluator,
)

SHORT_PLIES, SHORT_SECONDS, SHORT_NODES = 6, 0.02, 10_000
MAX_TABLE_BITS = 28
MAX_THREADS = 256
SMALLEST_TABLE_BITS = 2
"""The playing search has a table always."""
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
class ScoredLine:
    """One of several lines that a search found."""

    score: float
    """To the side to move, as in ``SearchResult``."""
    depth: int
    """The plies that it was searched to."""
    moves: tuple[Move, ...]


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
    lines: tuple[ScoredLine, ...] = ()
    """The best lines, the best one first; as many as were asked for, if there are so many moves."""

    @property
    def plies_to_end(self) -> int | None:
        """For a forced win or loss, after how many plies the loser has no move left; None where that is not known."""
        return round(float(WIN) - abs(self.score)) if DECIDED < abs(self.score) < WIN else None

    @property
    def score_text(self) -> str:
        """The score for people."""
        end = "win" if self.score > 0 else "loss"
        if self.plies_to_end is not None:
            return f"{end} in {self.plies_to_end}"
        return end if abs(self.score) >= KNOWN_LEAST else f"{self.score:+.3f}"


def _is_short(limit: Limit) -> bool:
    """Whether a search is over before anybody could interrupt it; a thread for it would cost more than the search."""
    if limit.plies is not None:
        return limit.plies <= SHORT_PLIES
    return limit.seconds <= SHORT_SECONDS if limit.seconds is not None else (limit.nodes or 0) <= SHORT_NODES


class Searcher:
    """One player's search through one game: tables are kept from move to move. Not for several threads at once."""

    def __init__(
        self,
        evaluator: Evaluator,
        extensions: int = EXTENSIONS,
        table_bits: int | None = TABLE_BITS,
        salt: int = 0,
        *,
        threads: int = 1,
        databases: Databases | None = None,
        repetition: bool = True,
        selectivity: Selectivity = SELECTIVITY,
    ) -> None:
        """``salt`` is for evaluators with noise: another salt, other noise.

        The rest is for searches by time or nodes: on how many ``threads`` they run, which endgame ``databases`` they
        probe, whether a position that has occurred before is a draw (``repetition``), and what they look at less
        closely. The same search on several threads may find another move each time.
        """
        if not 0 <= extensions <= MAX_EXTENSIONS:
            raise SearchError(f"{extensions} extensions are not between 0 and {MAX_EXTENSIONS}")
        if table_bits is not None and not 1 <= table_bits <= MAX_TABLE_BITS:
            raise SearchError(f"a table of 2^{table_bits} entries is not between 2^1 and 2^{MAX_TABLE_BITS}")
        if not 1 <= threads <= MAX_THREADS:
            raise SearchError(f"{threads} threads are not between 1 and {MAX_THREADS}")
        self.evaluator = evaluator
        self.extensions = extensions
        self.salt = salt
        self.repetition = repetition
        self._table_bits, self._thread_count = table_bits, threads
        self._selectivity, self._databases = selectivity, databases
        self._packed = PackedEvaluator(int(evaluator.kind), evaluator.flags, stack([evaluator]).weights[0])
        self._stop = np.zeros(1, np.int64)

    @cached_property
    def _exact(self) -> ExactSearch:
        return ExactSearch(self._packed, self._table_bits, self._stop)

    @cached_property
    def _playing(self) -> PlayingSearch:
        bits = SMALLEST_TABLE_BITS if self._table_bits is None else self._table_bits
        threads, selectivity = self._thread_count, self._selectivity
        return PlayingSearch(self.evaluator, self._packed, bits, threads, selectivity, self._databases, self._stop)

    def forget(self) -> None:
        """Begin another game: nothing learnt so far is used again."""
        for name in ("_exact", "_playing"):  # what was never used has nothing to forget, and no arrays
            if name in self.__dict__:
                getattr(self, name).forget()

    def stop(self) -> None:
        """End the search that another thread is in, with the best move so far."""
        self._stop[0] = max(self._stop[0], MOVE_NOW)

    def _give_up(self) -> None:
        self._stop[0] = GIVE_UP

    def search(
        self,
        board: Board,
        limit: Limit,
        number: int = 0,
        deepening: bool = True,
        viewer: Color | None = None,
        lines: int = 1,
        last_depth: int = MAX_DEPTH_PLIES,
    ) -> SearchResult:
        """Search a position; ``number`` chooses among equal moves. An interrupt (Ctrl-C) ends it without a result.

        By plies it is the exact search: a limit is reached by twos, and without ``deepening`` at once, as in the
        papers. By time or nodes it is the playing search, ply by ply up to ``last_depth``, which knows the positions of
        the board's game. Leaves are valued through the eyes of ``viewer``, by default the side to move; the score is
        always the side to move's. An evaluator whose leaves the mover values (``Leaf.MOVER``) takes no notice of it.
        """
        if not 1 <= lines <= MAX_LINES:
            raise SearchError(f"{lines} lines are not between 1 and {MAX_LINES}")
        began = time.perf_counter()
        viewer = board.turn if viewer is None else viewer
        first_ply = int(viewer is not board.turn)
        if limit.plies is not None:
            first = 2 - limit.plies % 2 if deepening else limit.plies
            plan = Plan(first, limit.plies, self.extensions, first_ply)
            found = self._run(limit, lambda: self._exact.search(board, plan, number, self.salt, viewer, lines))
        else:
            wanted = Wanted(
                nodes=limit.nodes or 2**62,
                number=number,
                salt=self.salt,
                extensions=self.extensions,
                viewer=viewer,
                lines=lines,
                repetition=self.repetition,
                last_depth=last_depth,
                deadline=clock.now() + round(1e9 * limit.seconds) if limit.seconds and clock.IS_HERE else 0,
            )
            found = self._run(limit, lambda: self._playing.search(board, wanted))
        if not found.lines:
            raise SearchError(f"no legal move in {board.fen()}")
        scored = _scored(found.lines, board.turn, first_ply)
        return SearchResult(
            move=scored[0].moves[0],
            score=scored[0].score,
            depth_plies=found.depth_plies,
            line=scored[0].moves,
            equal_moves=found.equal_moves,
            nodes=found.nodes,
            evaluations=found.evaluations,
            seconds=time.perf_counter() - began,
            lines=scored,
        )

    def _run(self, limit: Limit, answer: Callable[[], Found]) -> Found:
        """What a search answers, which an interrupt may end, and a timer where compiled code has no clock."""
        self._stop[0] = GO_ON
        timer = threading.Timer(limit.seconds, self.stop) if limit.seconds and not clock.IS_HERE else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            return answer() if _is_short(limit) else run_interruptibly(answer, self._give_up)
        finally:
            if timer:
                timer.cancel()
                timer.join()  # or it might stop the next search


def _scored(found: list[tuple[float, int, list[int]]], mover: Color, first_ply: int) -> tuple[ScoredLine, ...]:
    """Scores, depths and codes as lines; plies to the end count from the position searched."""
    lines = []
    for score, depth, codes in found:
        if DECIDED < abs(score) < WIN:
            score += first_ply if score > 0 else -first_ply
        score += 0.0  # no zero is negative
        sides = (mover, mover.opponent)
        lines.append(
            ScoredLine(score, depth, tuple(Move.from_code(code, sides[i % 2]) for i, code in enumerate(codes)))
        )
    return tuple(lines)
