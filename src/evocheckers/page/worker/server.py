"""The worker process: it performs ``Tasks``, everything that takes long or reads files of unknown origin.

``python -m evocheckers.page.worker.server NETWORKS RUNS WORKERS THREADS REPETITION`` is started by ``worker.client``
alone. Calls arrive on standard input and results go to standard output, each a length and a pickle; the process ends
when its input does, so it ends with the server, even if that is killed. On Linux its memory is limited.
"""

import os
import pickle
import signal
import sys
import threading
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from evocheckers.analysis.mistakes import review_move
from evocheckers.errors import EvocheckersError
from evocheckers.page.analysis.models import MoveReview, describe_review
from evocheckers.page.analysis.positions import analysis_of
from evocheckers.page.games.players import Catalogue
from evocheckers.page.games.replays import Replay, play_through, read_single_game
from evocheckers.page.games.searches import Searches
from evocheckers.page.puzzles.models import PuzzleLine, describe_puzzle, puzzle_lines
from evocheckers.page.responses import PageError
from evocheckers.page.runs.generations import PositionHistories
from evocheckers.page.runs.models import RecordedGame, RunLine, UnreadableRun
from evocheckers.page.runs.recorded import Runs
from evocheckers.page.store import StoredGame
from evocheckers.page.worker.queues import WORKER_QUEUES, Queue, Queues
from evocheckers.players.grammar import PLIES
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.pdn import Game
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchResult

LENGTH_BYTES = 8
MAX_MEMORY = 3 << 29
"""Bytes that the process may use beyond its code, on Linux: one and a half gigabytes."""
SERVER_ERROR = 500
"""The status of a task that failed because of a bug."""

_LINES = TypeAdapter(list[RunLine | UnreadableRun])
_GAMES = TypeAdapter(list[RecordedGame])
_PUZZLES = TypeAdapter(list[PuzzleLine])


class Tasks:
    """The worker's tasks; the page's process calls each method by name."""

    def __init__(self, networks: Path, runs: Path, threads: int = 1, repetition: bool = True) -> None:
        self.catalogue = Catalogue(networks, runs)
        self.searches = Searches(threads, repetition)
        self._runs = Runs()
        self._histories = PositionHistories(self.searches)

    def prepare(self) -> None:
        """Load the machine code for searches."""
        self.searches.prepare()

    def read_pdn(self, text: str) -> Game:
        """The game of a PDN."""
        return read_single_game(text)

    def play_through(self, game: StoredGame) -> Replay:
        """Replay a game from its start."""
        return play_through(game)

    def board(self, game: StoredGame, plies: int) -> Board:
        """The board after ``plies`` plies of a game."""
        return Board(game.start).push_all(game.moves[:plies])

    def contestant(self, player: str, limit: Limit) -> Contestant:
        """A player whose network comes from a file."""
        return self.catalogue.get(player, limit)

    def search(self, contestant: Contestant, board: Board, seed: int) -> SearchResult:
        """A player's search of a position."""
        return self.searches.search(contestant, board, seed)

    def analyse(self, contestant: Contestant, board: Board, note: str) -> str:
        """An ``AnalysisModel`` as JSON."""
        return analysis_of(self.searches, contestant, board, note)

    def review_move(self, contestant: Contestant, board: Board, text: str) -> MoveReview:
        """What a move of a game cost."""
        move, limit = board.parse(text), contestant.limit or Limit(plies=PLIES)
        found = self.searches.with_searcher(contestant, lambda search: review_move(search, board, move, limit))
        return describe_review(found)

    def puzzle_lines(self) -> bytes:
        """All puzzles: ``PuzzleLine`` objects, as JSON."""
        return _PUZZLES.dump_json(puzzle_lines())

    def puzzle(self, number: int) -> str:
        """A ``PuzzleModel`` as JSON."""
        return describe_puzzle(number).model_dump_json()

    def position_history(self, name: str, fen: str) -> str:
        """A ``PositionHistory`` as JSON."""
        return self._histories.get(self.catalogue.run_path(name), fen).model_dump_json()

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
        return self._runs.matrix(path, self.searches.refuse_if_closing).model_dump_json()

    def run_state(self, name: str) -> tuple[int, int] | None:
        """Numbers of generations and measurements of a run; None if it cannot be read."""
        return self._runs.state(self.catalogue.run_path(name))


class _Results:
    """Sends back results and errors."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def send(self, number: int, done: "Future[Any]") -> None:
        """Send the outcome of a call: its number, the HTTP status of an error or None, the result or the message."""
        status, value = None, None
        try:
            value = done.result()
        except MemoryError:
            status, value = PageError.status, "takes more memory than there is"
        except EvocheckersError as error:
            status, value = error.status if isinstance(error, PageError) else PageError.status, str(error)
        except Exception as error:  # a bug: raised again in the page's process
            status, value = SERVER_ERROR, repr(error)
        data = pickle.dumps((number, status, value))
        with self._lock:
            self._out.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
            self._out.flush()


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = MAX_MEMORY if most == resource.RLIM_INFINITY else min(MAX_MEMORY, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def main() -> None:
    """Work until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the page handles Ctrl-C; when it ends, so does this
    results = _Results(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # keeps stray prints out of the results
    _limit_memory()
    networks, runs, workers, threads, repetition = sys.argv[1:]
    tasks = Tasks(Path(networks), Path(runs), int(threads), bool(int(repetition)))
    queues = Queues(WORKER_QUEUES, int(workers) or None)
    calls = sys.stdin.buffer
    while length := calls.read(LENGTH_BYTES):
        number, queue, name, values = pickle.loads(calls.read(int.from_bytes(length, "big")))  # noqa: S301 the page's
        work = partial(getattr(tasks, name), *values)
        queues.submit(Queue[queue], work).add_done_callback(partial(results.send, number))
    os._exit(0)  # nobody waits for work in progress


if __name__ == "__main__":
    main()
