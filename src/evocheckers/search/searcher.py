"""The search as called from Python: a position, a limit and the result.

A limit of plies runs the exact search, a limit of time or nodes the selective one.
"""

import threading
import time
from collections.abc import Callable
from functools import cached_property

import numpy as np

from evocheckers.endgames.databases import Databases
from evocheckers.errors import whole_number
from evocheckers.native import clock
from evocheckers.native.threads import run_interruptibly
from evocheckers.networks.evaluator import Evaluator, stack
from evocheckers.networks.network import Network
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.search.exact.root import Depths
from evocheckers.search.exact.search import ExactSearch
from evocheckers.search.limit import Limit, SearchError
from evocheckers.search.result import RawResult, SearchInterrupted, SearchResult, scored_lines
from evocheckers.search.selective.search import MAX_LINES, Options, SelectiveSearch
from evocheckers.search.selective.selectivity import SELECTIVITY, Selectivity
from evocheckers.search.state import GIVE_UP, GO_ON, MAX_DEPTH_PLIES, MOVE_NOW, PackedEvaluator

SHORT_PLIES, SHORT_SECONDS, SHORT_NODES = 6, 0.02, 10_000
PATIENCE_SECONDS = 0.05
"""How long an interrupted search may take to answer with its best move; then it is given up."""
MAX_TABLE_BITS = 28
MAX_THREADS = 256
SMALLEST_TABLE_BITS = 2
"""The selective search always has a table."""
TABLE_BITS = 18
"""The selective search's table: 2^18 entries, 8 MB."""


def _is_short(limit: Limit) -> bool:
    """Whether a search is too short to be interrupted; a thread for it would cost more than the search."""
    if limit.plies is not None:
        return limit.plies <= SHORT_PLIES
    return limit.seconds <= SHORT_SECONDS if limit.seconds is not None else (limit.nodes or 0) <= SHORT_NODES


class Searcher:
    """One player's search in one game: tables are kept from move to move. Not safe for concurrent use by threads."""

    def __init__(
        self,
        evaluator: Evaluator | Network,
        *,
        table_bits: int | None = TABLE_BITS,
        salt: int = 0,
        threads: int = 1,
        databases: Databases | None = None,
        repetition: bool = True,
        selectivity: Selectivity = SELECTIVITY,
    ) -> None:
        """The evaluator says by which rules it is searched.

        There are 2^``table_bits`` entries in its table. ``salt`` is for evaluators with noise: a different salt gives
        different noise. The other arguments are for searches by time or nodes: how many ``threads`` they use, which
        endgame ``databases`` they probe, whether a position that has occurred before is a draw (``repetition``), and
        their ``selectivity``. On several threads the same search may find a different move each time.
        """
        if isinstance(evaluator, Network):
            evaluator = evaluator.evaluator()
        if not isinstance(evaluator, Evaluator):
            wanted = 'an evaluator or a network; for names, write evocheckers.load("champion").search(board, plies=8)'
            raise SearchError(f"Searcher takes {wanted}, not {evaluator!r:.60}")
        if table_bits is not None:
            whole_number("table_bits", table_bits, 1, MAX_TABLE_BITS, SearchError)
        whole_number("threads", threads, 1, MAX_THREADS, SearchError)
        whole_number("salt", salt, 0, 2**64 - 1, SearchError)
        self.evaluator = evaluator
        self.extensions = evaluator.rules.most_extensions
        self.salt = salt
        self.repetition = repetition
        self._table_bits, self._thread_count = table_bits, threads
        self._selectivity, self._databases = selectivity, databases
        self._packed = PackedEvaluator(int(evaluator.kind), evaluator.rules.flags, stack([evaluator]).weights[0])
        self._stop = np.zeros(1, np.int64)
        self._busy = threading.Lock()

    @cached_property
    def _exact(self) -> ExactSearch:
        return ExactSearch(self._packed, self._table_bits, self._stop)

    @cached_property
    def _selective(self) -> SelectiveSearch:
        bits = SMALLEST_TABLE_BITS if self._table_bits is None else self._table_bits
        threads, selectivity = self._thread_count, self._selectivity
        return SelectiveSearch(self.evaluator, self._packed, bits, threads, selectivity, self._databases, self._stop)

    def forget(self) -> None:
        """Begin a new game: nothing learnt so far is used again."""
        for name in ("_exact", "_selective"):  # a search that was never used has no arrays and nothing to forget
            if name in self.__dict__:
                getattr(self, name).forget()

    def stop(self) -> None:
        """End a search running in another thread, with the best move so far."""
        self._stop[0] = max(self._stop[0], MOVE_NOW)

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
        """Search a position; ``number`` chooses among equal moves.

        An interrupt (Ctrl-C) ends it as ``SearchInterrupted``, which carries the best result so far.

        A limit of plies runs the exact search, which deepens in steps of two, or without ``deepening`` searches only
        the full depth, as in the papers. A limit of time or nodes runs the selective search, which deepens ply by ply
        up to ``last_depth`` and knows the positions of the board's game. Leaves are valued from the point of view of
        ``viewer``, by default the side to move; the score is always the side to move's. Evaluators with ``Leaf.MOVER``
        ignore ``viewer``.
        """
        whole_number("lines", lines, 1, MAX_LINES, SearchError)
        whole_number("last_depth", last_depth, 1, MAX_DEPTH_PLIES, SearchError)
        number = whole_number("number", number, -(2**63), 2**64 - 1, SearchError) & (2**64 - 1)
        if viewer is not None and not isinstance(viewer, Color):
            raise SearchError(f"viewer = {viewer!r:.60}: must be Color.BLACK, Color.WHITE or None")
        if not isinstance(limit, Limit):
            raise SearchError(f"limit = {limit!r:.60}: must be a Limit, such as Limit(plies=8)")
        began = time.perf_counter()
        viewer = board.turn if viewer is None else viewer
        first_ply = int(viewer is not board.turn)
        if limit.plies is not None:
            first = 2 - limit.plies % 2 if deepening else limit.plies
            depths = Depths(first, limit.plies, self.extensions, first_ply)
            found, is_interrupted = self._run(
                limit, lambda: self._exact.search(board, depths, number, self.salt, viewer, lines)
            )
        else:
            options = Options(
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
            found, is_interrupted = self._run(limit, lambda: self._selective.search(board, options))
        if not found.lines:
            if is_interrupted:
                raise KeyboardInterrupt
            raise SearchError(f"no legal move in {board.fen()}")
        scored = scored_lines(found.lines, board.turn, first_ply)
        result = SearchResult(
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
        if is_interrupted:
            raise SearchInterrupted(result)
        return result

    def _run(self, limit: Limit, answer: Callable[[], RawResult]) -> tuple[RawResult, bool]:
        """Run a search, which a timer ends if compiled code has no clock; returns whether it was interrupted too."""
        if not self._busy.acquire(blocking=False):
            raise SearchError("this Searcher is searching on another thread; give each thread one of its own")
        try:
            self._stop[0] = GO_ON
            timer = threading.Timer(limit.seconds, self.stop) if limit.seconds and not clock.IS_HERE else None
            if timer:
                timer.daemon = True
                timer.start()
            try:
                return (answer(), False) if _is_short(limit) else self._run_interruptibly(answer)
            finally:
                if timer:
                    timer.cancel()
                    timer.join()  # otherwise it might stop the next search
        finally:
            self._busy.release()

    def _run_interruptibly(self, answer: Callable[[], RawResult]) -> tuple[RawResult, bool]:
        """Run a search that an interrupt ends with the best so far, or with nothing if its first depth takes long."""
        found: list[RawResult] = []
        finished = threading.Event()

        def work() -> None:
            try:
                found.append(answer())
            finally:
                finished.set()

        def interrupt() -> None:
            self.stop()
            if not finished.wait(PATIENCE_SECONDS):
                self._stop[0] = GIVE_UP

        try:
            run_interruptibly(work, interrupt)
        except KeyboardInterrupt:
            if not found:
                raise
            return found[0], True
        return found[0], False
