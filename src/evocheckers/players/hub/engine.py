"""A search as a Hub engine: commands come in line by line, answers go out line by line.

Each search runs on a thread of its own, so that ``stop``, ``ping`` and ``quit`` are obeyed meanwhile. Bad input is
answered by an ``error`` line and changes nothing. ``go ponder`` searches without limit until ``ponder-hit``, and within
the level's limits from then on; what it has found by then is in the transposition table and speeds up the rest.
"""

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import ClassVar, Protocol

from evocheckers.errors import EvocheckersError
from evocheckers.players.hub.level import HubLevel, parse_level
from evocheckers.players.hub.protocol import (
    VARIANT,
    HubError,
    Line,
    clean,
    format_line,
    format_move,
    parse_line,
    parse_move,
    parse_position,
    read_lines,
)
from evocheckers.players.hub.time_management import LEAST_SECONDS, RemainingTime, allot, may_end
from evocheckers.rules.board import Board
from evocheckers.search.limit import Limit, SearchError
from evocheckers.search.result import SearchResult

REPEAT_SECONDS = 0.01
"""Interval at which a stop is repeated until the search obeys: one that has yet to begin would forget it."""


class EngineSearcher(Protocol):
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


class RunningSearch:
    """One search of the engine: within its level or by its clock, after pondering if that was asked for.

    It runs on a thread of its own; another thread may stop it, or report that the opponent has moved as expected.
    """

    def __init__(
        self,
        search: EngineSearcher,
        board: Board,
        level: HubLevel,
        number: int = 0,
        ponders: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """With ``ponders``, it searches without limit until ``hit``, and within its level from then on."""
        self._search, self._board, self._level, self._number, self._now = search, board, level, number, now
        self._ponders = ponders
        self._is_stopped = False
        self._turn = threading.Event()
        """Set once pondering is over."""

    def hit(self) -> None:
        """The opponent has moved as expected: the clock runs."""
        self._turn.set()

    def stop(self) -> None:
        """End with the best move so far; to be called repeatedly until ``run`` has returned."""
        self._is_stopped = True
        self._turn.set()
        self._search.stop()

    def run(self) -> SearchResult:
        """The search's result. What pondering found stays in the search's transposition table."""
        if self._ponders:
            result = self._search_until(lambda _: self._turn.wait(), HubLevel().limit)
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

    def _by_clock(self, clock: RemainingTime) -> SearchResult:
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


AUTHOR = "The evocheckers authors"
WON_SCORE = 100.0
"""Scan's score for a won game; each ply until then subtracts a hundredth."""
MOST_SCORE = 90.0
"""Scores of undecided games are clamped to plus or minus this, so that none is taken for a win."""
MODES = ("think", "ponder", "analyze")
OBEYED_WHILE_SEARCHING = ("ping", "ponder-hit", "stop", "quit")


class EngineServer:
    """One engine and its state between commands."""

    def __init__(
        self,
        player_name: str,
        version: str,
        search: EngineSearcher,
        write: Callable[[str], None],
        choice: Callable[[Board], int] = lambda _: 0,
    ) -> None:
        """``write`` gets a line without its end, from one thread at a time; ``choice`` breaks ties between moves."""
        self._name, self._version, self._search, self._write, self._choice = player_name, version, search, write, choice
        self._lock = threading.Lock()
        self._board = Board()
        self._level: HubLevel | None = None
        self._level_is_new = False
        self._is_searching = False
        self._running: RunningSearch | None = None
        self._thread: threading.Thread | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Obey commands until ``quit`` or the end of the input; a search still running is then stopped, and answers."""
        try:
            for text in lines:
                if text.strip() and not self._obey(text):
                    break
        finally:
            self._stop()

    def _obey(self, text: str) -> bool:
        """Obey a line; return false after ``quit``."""
        try:
            line = parse_line(text)
            if line.command not in self._COMMANDS:
                raise HubError(f"unknown command {clean(line.command, 40)!r}")
            with self._lock:
                is_busy = self._is_searching
            if is_busy and line.command not in OBEYED_WHILE_SEARCHING:
                raise HubError(f"{line.command} while thinking; send stop first")
            self._COMMANDS[line.command](self, line)
        except EvocheckersError as error:
            self._say_error(str(error))
            return True
        return line.command != "quit"

    def _hub(self, _: Line) -> None:
        identity = {"name": self._name, "version": self._version, "author": AUTHOR, "country": ""}
        self._say("id", identity)
        self._say("param", {"name": "variant", "value": VARIANT, "type": "enum", "values": VARIANT})
        self._say("wait")

    def _set_param(self, line: Line) -> None:
        name, value = line.arguments.get("name", ""), line.arguments.get("value", "")
        if name != "variant":
            raise HubError(f"no parameter {clean(name, 40)!r}")
        if value != VARIANT:
            raise HubError(f"variant {clean(value, 40)!r} is not played here, only {VARIANT}")

    def _init(self, _: Line) -> None:
        """Search once, so that everything is compiled before the clock runs."""
        for limit in (Limit(plies=1), Limit(nodes=1)):
            self._search.search(Board(), limit)
        self._search.forget()
        self._say("ready")

    def _new_game(self, _: Line) -> None:
        self._search.forget()
        self._board = Board()

    def _pos(self, line: Line) -> None:
        if "pos" not in line.arguments:
            raise HubError("pos needs pos=")
        board = Board(parse_position(line.arguments["pos"]))
        for move in line.arguments.get("moves", "").split():
            board.push(parse_move(move, board))
        self._board = board
        self._level_is_new = False

    def _set_level(self, line: Line) -> None:
        """Several lines after one ``pos`` add up; the first one after a ``pos`` or ``go`` starts afresh."""
        self._level = parse_level(line.arguments, self._level if self._level_is_new else None)
        self._level_is_new = True

    def _go(self, line: Line) -> None:
        modes = [mode for mode in MODES if mode in line.arguments]
        if len(modes) != 1:
            raise HubError(f"go needs one of {', '.join(MODES)}")
        level = self._level
        if level is None:
            if modes != ["analyze"]:
                raise HubError(f"go {modes[0]} needs a level first")
            level = HubLevel()
        moves = self._board.legal_moves()
        if not moves:
            raise SearchError(f"no legal move in {self._board.fen()}")
        if len(moves) == 1 and modes != ["analyze"] and level.plies is None:
            level = HubLevel(plies=1)
        self._level_is_new = False
        self._stop()
        self._is_searching = True
        board = self._board.copy()
        self._running = RunningSearch(self._search, board, level, self._choice(board), modes == ["ponder"])
        self._thread = threading.Thread(
            target=self._search_and_answer, args=(self._running,), name="search", daemon=True
        )
        self._thread.start()

    def _search_and_answer(self, running: RunningSearch) -> None:
        """The work of the search thread."""
        try:
            lines = answer_lines(running.run())
        except Exception as error:  # whatever went wrong, the other side is waiting for an answer
            lines = [format_line("error", {"message": clean(f"the search failed: {error}")})]
        with self._lock:
            self._is_searching = False
            for line in lines:
                self._write(line)

    def _ponder_hit(self, _: Line) -> None:
        if self._running is not None:
            self._running.hit()

    def _stop(self, _: Line | None = None) -> None:
        """End the running search, if any, and wait for its answer."""
        while self._thread is not None and self._running is not None and self._thread.is_alive():
            self._running.stop()
            self._thread.join(REPEAT_SECONDS)
        self._thread = self._running = None

    def _ping(self, _: Line) -> None:
        self._say("pong")

    def _ignore(self, _: Line) -> None:
        """Nothing to do."""

    def _say(self, command: str, arguments: Mapping[str, str | None] | None = None) -> None:
        with self._lock:
            self._write(format_line(command, arguments))

    def _say_error(self, message: str) -> None:
        self._say("error", {"message": clean(message)})

    _COMMANDS: ClassVar[dict[str, Callable[["EngineServer", Line], None]]] = {
        "hub": _hub,
        "set-param": _set_param,
        "init": _init,
        "new-game": _new_game,
        "pos": _pos,
        "level": _set_level,
        "go": _go,
        "ponder-hit": _ponder_hit,
        "stop": _stop,
        "ping": _ping,
        "quit": _ignore,
    }


def answer_lines(result: SearchResult) -> list[str]:
    """The ``info`` and ``done`` lines; as in Scan, scores are in men for the side to move, and ``nps`` in millions."""
    if result.plies_to_end is None:
        score = min(max(result.score, -MOST_SCORE), MOST_SCORE)
    else:
        score = math.copysign(WON_SCORE - result.plies_to_end / 100, result.score)
    line = [format_move(move) for move in result.line]
    info = {
        "depth": str(result.depth_plies),
        "score": f"{score:.2f}",
        "nodes": str(result.nodes),
        "time": f"{result.seconds:.3f}",
        "nps": f"{result.nodes / max(result.seconds, 1e-6) / 1e6:.3f}",
        "pv": " ".join(line),
    }
    done = {"move": format_move(result.move)} | ({"ponder": line[1]} if len(line) > 1 else {})
    return [format_line("info", info), format_line("done", done)]


def serve(
    player_name: str,
    version: str,
    search: EngineSearcher,
    lines_in: Iterable[str],
    write: Callable[[str], None],
    choice: Callable[[Board], int] = lambda _: 0,
) -> None:
    """Run a Hub engine until ``quit`` or the end of the input; ``write`` gets each answer without its line end."""
    EngineServer(player_name, version, search, write, choice).run(lines_in)


def serve_stdio(
    player_name: str, version: str, search: EngineSearcher, choice: Callable[[Board], int] = lambda _: 0
) -> None:
    """Run a Hub engine on standard input and output."""

    def write(line: str) -> None:
        try:
            sys.stdout.buffer.write(line.encode(errors="replace") + b"\n")
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # nobody reads any more; the input will end, too
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    serve(player_name, version, search, read_lines(sys.stdin.buffer), write, choice)
