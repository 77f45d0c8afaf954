"""One search of the engine: within its level or by its clock, after pondering if that was asked for.

It runs on a thread of its own; another thread may stop it, or tell it that the opponent has moved as expected.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from evocheckers.hub.clock import LEAST_SECONDS, Clock, allot, may_end
from evocheckers.hub.level import Level
from evocheckers.rules.board import Board
from evocheckers.search.result import SearchResult
from evocheckers.search.searcher import Limit

REPEAT_SECONDS = 0.01
"""Interval at which a stop is repeated until the search obeys: one that has yet to begin would forget it."""


class EngineSearch(Protocol):
    """What an engine needs from a ``Searcher``."""

    def search(self, board: Board, limit: Limit, number: int = 0, *, lines: int = 1) -> SearchResult:
        """Search a position for the best ``lines``; ``number`` breaks ties between equal moves."""
        ...

    def stop(self) -> None:
        """End the search that another thread is running."""
        ...

    def forget(self) -> None:
        """Begin a new game."""
        ...


class Thinking:
    """A position being thought about."""

    def __init__(
        self,
        search: EngineSearch,
        board: Board,
        level: Level,
        number: int = 0,
        ponders: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """With ``ponders``, it thinks without limit until ``hit``, and within its level from then on."""
        self._search, self._board, self._level, self._number, self._now = search, board, level, number, now
        self._ponders = ponders
        self._is_stopped = False
        self._turn = threading.Event()
        """Set once pondering is over."""

    def hit(self) -> None:
        """The opponent has moved as expected: the clock runs."""
        self._turn.set()

    def stop(self) -> None:
        """End with the best move so far; to be called repeatedly until ``think`` has returned."""
        self._is_stopped = True
        self._turn.set()
        self._search.stop()

    def think(self) -> SearchResult:
        """The search's result. What pondering found stays in the search's transposition table."""
        if self._ponders:
            result = self._search_until(lambda _: self._turn.wait(), Level().limit)
            if self._is_stopped:
                return result
        level = self._level
        if level.clock is not None and level.plies is None and level.nodes is None:
            return self._by_clock(level.clock)
        seconds = allot(level.clock).usual_seconds if level.clock is not None else level.seconds
        if seconds is None:
            return self._search.search(self._board, level.limit, self._number)
        return self._search_until(lambda finished: finished.wait(seconds), level.limit)

    def _search_until(self, wait: Callable[[threading.Event], object], limit: Limit) -> SearchResult:
        """Search, and stop when ``wait`` returns; ``wait`` is given an event that is set when the search has ended."""
        finished = threading.Event()

        def end() -> None:
            wait(finished)
            while not finished.is_set():
                self._search.stop()
                finished.wait(REPEAT_SECONDS)

        clock = threading.Thread(target=end, name="clock", daemon=True)
        clock.start()
        try:
            return self._search.search(self._board, limit, self._number)
        finally:
            finished.set()
            clock.join()

    def _by_clock(self, clock: Clock) -> SearchResult:
        """Check the result now and then; a search that goes on finds its earlier work in the transposition table."""
        began = self._now()
        results: list[SearchResult] = []
        for look in allot(clock).looks:
            left = look - (self._now() - began)
            if results and left < LEAST_SECONDS:
                continue
            limit, lines = Limit(seconds=max(left, LEAST_SECONDS)), 1 if results else 2
            results.append(self._search.search(self._board, limit, self._number, lines=lines))
            if self._is_stopped or may_end(results):
                break
        nodes, evaluations = sum(one.nodes for one in results), sum(one.evaluations for one in results)
        return replace(results[-1], nodes=nodes, evaluations=evaluations, seconds=self._now() - began)
