"""Searches for many games at once, with limits on plies and time.

Machine code is compiled before any clock runs: the first start on a machine compiles in the background, and searches
wait.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from evocheckers.analysis.analyse import best_lines
from evocheckers.analysis.values import MoveValue, limit_of_reply, value_move
from evocheckers.native.cache import compile_listeners
from evocheckers.native.randomness import key
from evocheckers.networks.evaluator import evaluate_positions, piece_differential
from evocheckers.page.responses import BusyError
from evocheckers.players.grammar import PLIES, parse_limit
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move
from evocheckers.search.batched import AnySearcher
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchResult
from evocheckers.search.searcher import Searcher

T = TypeVar("T")

GRANTED_PLIES, GRANTED_SECONDS = 12, 10.0
"""Maximum depth and time of a search here."""
QUICK_PLIES, QUICK_SECONDS, QUICK_NODES = 6, 0.25, 100_000
"""Moves within these limits are quick."""
_TABLE_BITS = 16
_LINES = 5
"""Number of best lines that an analysis by time finds."""
_LOOK_SECONDS = 0.1
"""How often searches are checked: whether their time is up, or the server is ending."""


class Stoppable(Protocol):
    """A search or a player."""

    def stop(self) -> None:
        """Stop it from another thread."""
        ...


@dataclass(frozen=True, slots=True)
class GrantedLimit:
    """A limit as granted by the server."""

    limit: Limit
    note: str
    """A sentence for the user if this is less than was asked for; empty otherwise."""


def grant_limit(text: str) -> GrantedLimit:
    """Parse a limit and reduce it to what the server grants."""
    if text.isascii() and text.isdigit() and (len(text) > 3 or int(text) > GRANTED_PLIES):
        return GrantedLimit(Limit(plies=GRANTED_PLIES), f"this server looks at most {GRANTED_PLIES} plies ahead")
    limit = parse_limit(text)
    if limit.seconds is not None and limit.seconds > GRANTED_SECONDS:
        return GrantedLimit(Limit(seconds=GRANTED_SECONDS), f"this server thinks at most {GRANTED_SECONDS:g} seconds")
    return GrantedLimit(limit, "")


def is_quick(contestant: Contestant) -> bool:
    """Whether a searching player's move takes only a fraction of a second."""
    limit = contestant.limit or Limit(plies=PLIES)
    if limit.plies is not None:
        return limit.plies <= QUICK_PLIES
    if limit.seconds is not None:
        return limit.seconds <= QUICK_SECONDS
    return (limit.nodes or 0) <= QUICK_NODES


class Searches:
    """Searches on the threads of a process."""

    def __init__(self, threads: int = 1, repetition: bool = True) -> None:
        """``threads`` and ``repetition`` (whether it counts as a draw) apply to searches by time."""
        self._threads, self._repetition = threads, repetition
        self._active: dict[Stoppable, float] = {}
        """Work in progress, and when it must end."""
        self._closing = False
        self._lock = threading.Lock()
        self._compiler: threading.Thread | None = None
        self._compiled = threading.Event()
        self._known = threading.Event()
        """Set once it is known whether anything must be compiled."""
        self._cache_missed = False

    @property
    def compiling(self) -> bool:
        """Whether searches are waiting for machine code to be compiled."""
        return self._cache_missed and not self._compiled.is_set()

    def prepare(self) -> None:
        """Load the machine code for searches; if there is none yet, start compiling in the background."""
        with self._lock:
            if self._compiler is None:
                compile_listeners.append(self._note_compilation)
                self._compiler = threading.Thread(target=self._compile, name="compiler", daemon=True)
                self._compiler.start()
                threading.Thread(target=self._watch, name="watch", daemon=True).start()
        self._known.wait()

    def _note_compilation(self) -> None:
        self._cache_missed = True
        self._known.set()

    def _compile(self) -> None:
        try:
            for limit in (Limit(plies=1), Limit(nodes=1)):
                Searcher(piece_differential(), table_bits=1).search(Board(), limit)
            evaluate_positions(piece_differential(), np.array([Board().mover_words], np.uint32))
        finally:
            self._compiled.set()
            self._known.set()

    def await_code(self) -> None:
        """Wait until the machine code for searches is ready."""
        self._compiled.wait()

    def _await_compiler(self) -> None:
        self.prepare()
        while not self._compiled.wait(_LOOK_SECONDS):
            self.refuse_if_closing()

    def choose(self, contestant: Contestant, board: Board, seed: int) -> Move:
        """The move of a player that does not search: random, or from another package."""
        player = contestant.player()
        try:
            with self._bounded(player, GRANTED_SECONDS):
                player.begin(board.start, seed)
                return player.choose(board)
        finally:
            player.close()

    def search(self, contestant: Contestant, board: Board, seed: int = 0) -> SearchResult:
        """Search a position on this thread, within the time that the server grants."""
        searcher = self._searcher(contestant)
        if isinstance(searcher, Searcher):
            searcher.salt = key(seed, 1)
        with self._bounded(searcher, GRANTED_SECONDS):
            return searcher.search(board, contestant.limit or Limit(plies=PLIES), key(seed, len(board.moves)))

    def _searcher(self, contestant: Contestant) -> AnySearcher:
        """A player's search as this server runs it, once machine code is ready."""
        self._await_compiler()
        return replace(contestant, threads=self._threads, repetition=self._repetition).searcher(_TABLE_BITS)

    def analyse(self, contestant: Contestant, board: Board) -> tuple[SearchResult, list[MoveValue]]:
        """Search a position, best first: by plies also every legal move on its own, by time the best lines."""
        searcher = self._searcher(contestant)
        limit = contestant.limit or Limit(plies=PLIES)
        with self._bounded(searcher, GRANTED_SECONDS):
            chosen = searcher.search(board, limit, lines=1 if limit.plies else _LINES)
        if limit.plies is None:
            return chosen, best_lines(chosen)
        values = [MoveValue(chosen.move, chosen.score, chosen.score_text, chosen.line)]
        others = [move for move in board.legal_moves() if move != chosen.move]
        for move in others:
            with self._bounded(searcher, GRANTED_SECONDS / len(others)):
                values.append(value_move(searcher, board, move, limit_of_reply(limit, chosen)))
        return chosen, values

    def with_searcher(self, contestant: Contestant, work: Callable[[AnySearcher], T]) -> T:
        """Do something with a player's search, within the time that the server grants."""
        self._await_compiler()
        searcher = contestant.searcher(_TABLE_BITS)
        with self._bounded(searcher, GRANTED_SECONDS):
            return work(searcher)

    @contextmanager
    def _bounded(self, running: Stoppable, seconds: float) -> Iterator[None]:
        """Stop a search or player after ``seconds``, or when the server ends."""
        self.refuse_if_closing()
        with self._lock:
            self._active[running] = time.monotonic() + seconds
        try:
            yield
        finally:
            with self._lock:
                del self._active[running]
        self.refuse_if_closing()  # an interrupted search gives no move

    def _watch(self) -> None:
        """Stop whatever takes too long."""
        while not self._closing:
            time.sleep(_LOOK_SECONDS)
            self._stop_all(time.monotonic())

    def _stop_all(self, before: float) -> None:
        """Stop whatever should have ended before ``before``."""
        with self._lock:
            for running, end in self._active.items():
                if end < before:
                    running.stop()

    def refuse_if_closing(self) -> None:
        """Raise an error if the server is ending."""
        if self._closing:
            raise BusyError("the server is shutting down")

    def end(self) -> None:
        """Stop all searches; no more are started."""
        self._closing = True
        self._stop_all(math.inf)
