"""The office's work: everything that takes long, or reads files of unknown origin.

``python -m evocheckers.page.worker.server NETWORKS RUNS WORKERS THREADS REPETITION`` is that process. Requests arrive
on standard input and answers go to standard output, each a length and a pickle; it ends when its input does. Only
``office`` starts it.

Reading a PDN that a user gives to the page.
"""

import os
import pickle
import re
import signal
import sys
import threading
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from evocheckers.errors import EvocheckersError
from evocheckers.page.analysis.mistakes import MoveReview, describe_review, review_move
from evocheckers.page.analysis.positions import analysis_of
from evocheckers.page.games.players import Catalogue, UnknownPlayerError
from evocheckers.page.games.thinker import Thinker
from evocheckers.page.games.views import Replay, play_through
from evocheckers.page.puzzles.models import PuzzleLine, UnknownPuzzleError, describe_puzzle, puzzle_lines
from evocheckers.page.runs.generations import Growth
from evocheckers.page.runs.models import RecordedGame, RunLine, UnreadableRun
from evocheckers.page.runs.recorded import Runs
from evocheckers.page.store import StoredGame
from evocheckers.page.worker.queues import OFFICE, BusyError, Lane, Lanes
from evocheckers.players.grammar import PLIES
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.pdn import Game, read_pdn
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchResult

MAX_PDN_MOVES = 2000
"""Longer texts, counting variations, are not read."""


def only_game(text: str) -> Game:
    """The single game of a PDN."""
    if len(re.findall(r"[0-9]\s?[-xX:]\s?[0-9]", text)) > MAX_PDN_MOVES:
        raise EvocheckersError(f"the PDN holds more than {MAX_PDN_MOVES} moves")
    games = read_pdn(text)
    if len(games) != 1:
        raise EvocheckersError(f"the PDN holds {len(games)} games, not one")
    return games[0]


LENGTH_BYTES = 8
MAX_MEMORY = 3 << 29
"""Bytes that the process may use beyond its code, on Linux: one and a half gigabytes."""
REFUSED, ABSENT, BUSY, BROKEN = range(4)
"""Kinds of answers that are not results."""

_LINES = TypeAdapter(list[RunLine | UnreadableRun])
_GAMES = TypeAdapter(list[RecordedGame])
_PUZZLES = TypeAdapter(list[PuzzleLine])


class Desk:
    """The work, by name; the page's process calls each method."""

    def __init__(self, networks: Path, runs: Path, threads: int = 1, repetition: bool = True) -> None:
        self.catalogue = Catalogue(networks, runs)
        self.thinker = Thinker(threads, repetition)
        self._runs = Runs()
        self._growth = Growth(self.thinker)

    def prepare(self) -> None:
        """Load the machine code for searches."""
        self.thinker.prepare()

    def read_pdn(self, text: str) -> Game:
        """The game of a PDN."""
        return only_game(text)

    def play_through(self, game: StoredGame) -> Replay:
        """Replay a game from its start."""
        return play_through(game)

    def board(self, game: StoredGame, plies: int) -> Board:
        """The board after ``plies`` plies of a game."""
        return Board(game.start).push_all(game.moves[:plies])

    def contestant(self, words: str, limit: Limit) -> Contestant:
        """A player whose network comes from a file."""
        return self.catalogue.get(words, limit)

    def search(self, contestant: Contestant, board: Board, seed: int) -> SearchResult:
        """A player's search of a position."""
        return self.thinker.search(contestant, board, seed)

    def analyse(self, contestant: Contestant, board: Board, note: str) -> str:
        """An ``AnalysisModel`` as JSON."""
        return analysis_of(self.thinker, contestant, board, note)

    def review_move(self, contestant: Contestant, board: Board, text: str) -> MoveReview:
        """What a move of a game cost."""
        move, limit = board.parse(text), contestant.limit or Limit(plies=PLIES)
        found = self.thinker.with_searcher(contestant, lambda search: review_move(search, board, move, limit))
        return describe_review(found)

    def puzzle_lines(self) -> bytes:
        """All puzzles: ``PuzzleLine`` objects, as JSON."""
        return _PUZZLES.dump_json(puzzle_lines())

    def puzzle(self, number: int) -> str:
        """A ``PuzzleModel`` as JSON."""
        return describe_puzzle(number).model_dump_json()

    def growth(self, name: str, fen: str) -> str:
        """A ``GrowthModel`` as JSON."""
        return self._growth.ask(self.catalogue.run_path(name), fen).model_dump_json()

    def run_line(self, name: str) -> tuple[Path, RunLine | UnreadableRun]:
        """A run's file and progress."""
        path = self.catalogue.run_path(name)
        return path, self._runs.summary(path)

    def check_run(self, name: str) -> None:
        """Raise an error if there is no such run."""
        self.catalogue.run_path(name)

    def run_lines(self) -> bytes:
        """All run files: ``RunLine`` or ``UnreadableRun`` objects, as JSON."""
        return _LINES.dump_json([self._runs.summary(path) for path in self.catalogue.runs().values()])

    def describe_run(self, name: str) -> str:
        """A ``RunModel`` as JSON."""
        return self._runs.describe(self.catalogue.run_path(name)).model_dump_json()

    def run_games(self, name: str, generation: int) -> bytes:
        """The games of a generation: ``RecordedGame`` objects, as JSON."""
        return _GAMES.dump_json(self._runs.games(self.catalogue.run_path(name), generation))

    def run_pdn(self, name: str, generation: int, game: int) -> str:
        """One game of a generation as PDN."""
        return self._runs.game_pdn(self.catalogue.run_path(name), generation, game)

    def matrix(self, name: str) -> str:
        """A ``MatrixModel`` as JSON."""
        path = self.catalogue.run_path(name)
        return self._runs.matrix(path, self.thinker.refuse_if_closing).model_dump_json()

    def run_state(self, name: str) -> tuple[int, int] | None:
        """Numbers of generations and measurements of a run; None if it cannot be read."""
        return self._runs.state(self.catalogue.run_path(name))


class _Answers:
    """Sends back results and errors."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def give(self, number: int, done: "Future[Any]") -> None:
        """Send the outcome of a request."""
        kind, value = None, None
        try:
            value = done.result()
        except MemoryError:
            kind, value = REFUSED, "takes more memory than there is"
        except EvocheckersError as error:
            kind, value = _kind_of(error), str(error)
        except Exception as error:  # a bug: raised again in the page's process
            kind, value = BROKEN, repr(error)
        data = pickle.dumps((number, kind, value))
        with self._lock:
            self._out.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
            self._out.flush()


def _kind_of(error: EvocheckersError) -> int:
    if isinstance(error, UnknownPlayerError | UnknownPuzzleError):
        return ABSENT
    return BUSY if isinstance(error, BusyError) else REFUSED


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = MAX_MEMORY if most == resource.RLIM_INFINITY else min(MAX_MEMORY, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def main() -> None:
    """Work until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the page handles Ctrl-C; when it ends, so does this
    answers = _Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # keeps stray prints out of the answers
    _limit_memory()
    networks, runs, workers, threads, repetition = sys.argv[1:]
    desk = Desk(Path(networks), Path(runs), int(threads), bool(int(repetition)))
    lanes = Lanes(OFFICE, int(workers))
    asked = sys.stdin.buffer
    while length := asked.read(LENGTH_BYTES):
        number, lane, name, values = pickle.loads(asked.read(int.from_bytes(length, "big")))  # noqa: S301 the page's
        work = partial(getattr(desk, name), *values)
        lanes.submit(Lane[lane], work).add_done_callback(partial(answers.give, number))
    os._exit(0)  # nobody waits for work in progress


if __name__ == "__main__":
    main()
