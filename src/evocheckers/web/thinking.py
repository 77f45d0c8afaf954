"""Searches for many games at once, bounded: a few threads, a queue that is not endless, a limit on plies and time."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from evocheckers.errors import EvocheckersError
from evocheckers.experiments.analysis import MoveAnalysis, value_move
from evocheckers.native.randomness import key
from evocheckers.players.words import parse_limit
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move
from evocheckers.search.searcher import Limit, Searcher, SearchResult
from evocheckers.web.catalogue import Opponent

MAX_PLIES, MAX_SECONDS = 12, 10.0
MAX_WAITING = 1000
_TABLE_BITS = 16

T = TypeVar("T")


class BusyError(EvocheckersError):
    """Too many searches wait already."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A limit as the server grants it."""

    limit: Limit
    note: str
    """What was asked for and is too much, in words; empty if nothing."""


def allow(text: str) -> Allowed:
    """Read a limit and cut it down to what the server grants."""
    if text.isascii() and text.isdigit() and (len(text) > 3 or int(text) > MAX_PLIES):
        return Allowed(Limit(plies=MAX_PLIES), f"this server looks at most {MAX_PLIES} plies ahead")
    limit = parse_limit(text)
    if limit.seconds is not None and limit.seconds > MAX_SECONDS:
        return Allowed(Limit(seconds=MAX_SECONDS), f"this server thinks at most {MAX_SECONDS:g} seconds")
    return Allowed(limit, "")


class Thinker:
    """The threads that search."""

    def __init__(self, workers: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(workers or os.cpu_count() or 1, thread_name_prefix="thinker")
        self._waiting = 0
        self._active: set[Searcher] = set()
        self._closing = False

    async def run(self, work: Callable[[], T]) -> T:
        """Do work on one of the threads."""
        if self._waiting >= MAX_WAITING:
            raise BusyError("too many games are waiting for the engine; try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._waiting -= 1

    async def choose(
        self, opponent: Opponent, board: Board, limit: Limit, seed: int
    ) -> tuple[Move, SearchResult | None]:
        """A player's move, and what it thought if it thinks."""
        moves = board.legal_moves()
        if opponent.evaluator is None:
            return moves[key(seed, len(board.moves)) % len(moves)], None
        result = await self.run(lambda: self.search(opponent, board, limit, seed))
        return result.move, result

    def search(self, opponent: Opponent, board: Board, limit: Limit, seed: int = 0) -> SearchResult:
        """Search a position on this thread, never longer than the server grants."""
        searcher = _searcher(opponent, seed)
        with self._guarded(searcher, MAX_SECONDS):
            return searcher.search(board, limit, key(seed, len(board.moves)))

    def analyse(self, opponent: Opponent, board: Board, limit: Limit) -> tuple[SearchResult, list[MoveAnalysis]]:
        """Search a position, and every legal move on its own; the chosen one first."""
        searcher = _searcher(opponent, 0)
        with self._guarded(searcher, MAX_SECONDS):
            chosen = searcher.search(board, limit)
        values = [MoveAnalysis(chosen.move, chosen.score, chosen.score_text, chosen.line)]
        others = [move for move in board.legal_moves() if move != chosen.move]
        for move in others:
            with self._guarded(searcher, MAX_SECONDS / len(others)):
                values.append(value_move(searcher, board, move, chosen.depth_plies))
        return chosen, values

    @contextmanager
    def _guarded(self, searcher: Searcher, seconds: float) -> Iterator[None]:
        """End what a searcher does in here after so many seconds, or when the server ends."""
        guard = threading.Timer(0.001 if self._closing else seconds, searcher.stop)
        guard.daemon = True
        self._active.add(searcher)
        guard.start()
        try:
            yield
        finally:
            guard.cancel()
            self._active.discard(searcher)

    def close(self) -> None:
        """End all searches."""
        self._closing = True
        for searcher in list(self._active):
            searcher.stop()
        self._pool.shutdown(cancel_futures=True)


def _searcher(opponent: Opponent, seed: int) -> Searcher:
    if opponent.evaluator is None:
        raise EvocheckersError(f"{opponent.title} does not evaluate positions")
    return Searcher(opponent.evaluator, opponent.extensions, _TABLE_BITS, salt=key(seed, 1))
