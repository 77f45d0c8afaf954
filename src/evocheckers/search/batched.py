"""The search for evaluators that are Python functions: full-width, without cutoffs, and leaves are valued in batches.

The rules are those of the exact search without extensions and with the mover's view of leaves (``exact.tree``): a side
without a move has lost, and a sooner loss is worse; with no plies left a quiet position is valued, and one with a
pending jump is searched until it is quiet. So it finds the same values and the same best moves. Positions are expanded
together, ply by ply; a ply of more than ``BATCH`` positions is split, which bounds memory.
"""

import time

import numpy as np

from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import pointer_to, u32
from evocheckers.networks.python_function import BATCH, FunctionEvaluator
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, jumpers, list_moves, turn
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.search.limit import Limit, SearchError
from evocheckers.search.result import ScoredLine, SearchResult
from evocheckers.search.searcher import Searcher
from evocheckers.search.state import MAX_DEPTH_PLIES
from evocheckers.search.values import DECIDED, WIN

QUIET = -1
"""Replaces a number of moves: nothing to capture, and no plies left."""


@entry
def _count_moves(positions: np.ndarray, only_jumps: bool, room: np.ndarray, counts: np.ndarray) -> int:
    """Count each position's moves, or mark it ``QUIET``; returns the total number of successors."""
    total = 0
    for i in range(positions.shape[0]):
        own, opp, kings = u32(positions[i, 0]), u32(positions[i, 1]), u32(positions[i, 2])
        counts[i] = list_moves(own, opp, kings, pointer_to(room), 0) // MOVE_WORDS
        if only_jumps and counts[i] > 0 and jumpers(own, opp, kings) == u32(0):
            counts[i] = QUIET
        total += max(counts[i], 0)
    return total


@entry
def _list_children(positions: np.ndarray, counts: np.ndarray, room: np.ndarray, children: np.ndarray) -> None:
    """List the positions after every move, from the view of their side to move, grouped by parent."""
    at = 0
    for i in range(positions.shape[0]):
        if counts[i] > 0:
            own, opp, kings = u32(positions[i, 0]), u32(positions[i, 1]), u32(positions[i, 2])
            end = list_moves(own, opp, kings, pointer_to(room), 0)
            for move in range(0, end, MOVE_WORDS):
                children[at, 0], children[at, 1], children[at, 2] = turn(room[move], room[move + 1], room[move + 2])
                at += 1


class _Stopped(Exception):  # noqa: N818
    """A depth that was not finished."""


class BatchedSearcher:
    """One player's search with a function; the counterpart of ``Searcher``. Not safe for concurrent use by threads."""

    def __init__(self, evaluator: FunctionEvaluator) -> None:
        self.evaluator = evaluator
        self.salt = 0
        """Has no effect: a function has no noise but its own."""
        self._room = np.empty(MAX_MOVES * MOVE_WORDS, np.uint32)
        self._stop = False
        self._nodes = self._evaluations = 0
        self._node_limit: int | None = None
        self._deadline: float | None = None
        self._heeds_stop = False

    def forget(self) -> None:
        """Begin a new game; there is nothing to forget."""

    def stop(self) -> None:
        """End a search running in another thread, with the best move so far."""
        self._stop = True

    def search(
        self,
        board: Board,
        limit: Limit,
        number: int = 0,
        viewer: Color | None = None,  # noqa: ARG002
        lines: int = 1,
        last_depth: int = MAX_DEPTH_PLIES,
    ) -> SearchResult:
        """Search a position; ``number`` chooses among equal moves.

        A search by plies deepens in steps of two up to its limit; one by time or nodes, in steps of two from 2 plies up
        to ``last_depth``. The first depth is always finished, and the result is that of the last finished depth. It
        gives only the move, not the expected play after it. Leaves are valued by the side to move, whatever ``viewer``.
        """
        moves = board.legal_moves()
        if not moves:
            raise SearchError(f"no legal move in {board.fen()}")
        root = np.array([board.mover_words], np.uint32)
        children, _ = self._expand(root, only_jumps=False)
        began = time.perf_counter()
        self._stop = self._heeds_stop = False
        self._nodes = self._evaluations = 0
        self._node_limit = limit.nodes
        self._deadline = None if limit.seconds is None else began + limit.seconds
        last = limit.plies or last_depth
        finished, values = 0, np.empty(0, np.float32)
        for depth in range(2 - last % 2, last + 1, 2):
            try:
                values = -self._values(children, depth - 1, 1)
            except _Stopped:
                break
            finished, self._heeds_stop = depth, True
            if limit.plies is None and abs(values.max()) > DECIDED:
                break
        best = np.flatnonzero(values == values.max())
        move = moves[best[number % len(best)]]
        others = [i for i in np.argsort(-values, kind="stable").tolist() if moves[i] != move]
        scored = [ScoredLine(float(values.max()), finished, (move,))]
        scored += [ScoredLine(float(values[i]), finished, (moves[i],)) for i in others[: lines - 1]]
        return SearchResult(
            move=move,
            score=float(values.max()),
            depth_plies=finished,
            line=(move,),
            equal_moves=len(best),
            nodes=self._nodes,
            evaluations=self._evaluations,
            seconds=time.perf_counter() - began,
            lines=tuple(scored),
        )

    def _values(self, positions: np.ndarray, depth: int, ply: int) -> np.ndarray:
        """The value of each position to its side to move."""
        if len(positions) > BATCH:
            parts = [positions[at : at + BATCH] for at in range(0, len(positions), BATCH)]
            return np.concatenate([self._values(part, depth, ply) for part in parts])
        self._check()
        if depth <= 0:
            return self._captured_out(positions, ply)
        children, counts = self._expand(positions, only_jumps=False)
        return _backed_up(counts, self._values(children, depth - 1, ply + 1), ply)

    def _captured_out(self, positions: np.ndarray, ply: int) -> np.ndarray:
        """The same with no plies left: captures are played out, then all quiet positions are valued together."""
        plies, leaves = [], []
        while len(positions):
            children, counts = self._expand(positions, only_jumps=True)
            plies.append(counts)
            leaves.append(positions[counts == QUIET])
            positions = children
        valued = self.evaluator.values_of_rows(np.concatenate(leaves)) if leaves else np.empty(0, np.float32)
        self._evaluations += len(valued)
        values = np.empty(0, np.float32)
        for after, counts in reversed(list(enumerate(plies))):
            own = len(leaves[after])
            values = _backed_up(counts, values, ply + after)
            values[counts == QUIET], valued = valued[len(valued) - own :], valued[: len(valued) - own]
        return values

    def _expand(self, positions: np.ndarray, only_jumps: bool) -> tuple[np.ndarray, np.ndarray]:
        """All positions one move later, and the number of successors of each."""
        counts = np.empty(len(positions), np.int64)
        children = np.empty((_count_moves(positions, only_jumps, self._room, counts), 3), np.uint32)
        _list_children(positions, counts, self._room, children)
        self._nodes += int(np.count_nonzero(counts > 0))
        return children, counts

    def _check(self) -> None:
        """Abandon the current depth if the search is stopped or out of time or nodes."""
        out_of_time = self._deadline is not None and time.perf_counter() > self._deadline
        out_of_nodes = self._node_limit is not None and self._nodes > self._node_limit
        if self._heeds_stop and (self._stop or out_of_time or out_of_nodes):
            raise _Stopped


def _backed_up(counts: np.ndarray, children: np.ndarray, ply: int) -> np.ndarray:
    """Each position's value from those of its successors; a position without a move is lost."""
    values = np.full(len(counts), ply - WIN, np.float32)
    moving = counts > 0
    if moving.any():
        starts = np.concatenate([[0], np.cumsum(counts[moving])[:-1]])
        values[moving] = np.maximum.reduceat(-children, starts)
    return values


AnySearcher = Searcher | BatchedSearcher
