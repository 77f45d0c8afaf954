"""What is done in the office: all that takes long, or reads what may come from anywhere.

``python -m evocheckers.web.desk NETWORKS RUNS WORKERS THREADS REPETITION`` is that process. Requests come on standard
input and answers go to standard output, each a length and a pickle; it ends when its input does. Only ``office``
starts it.
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

from evocheckers.errors import EvocheckersError
from evocheckers.players.player import Contestant
from evocheckers.players.words import PLIES
from evocheckers.rules.board import Board
from evocheckers.rules.pdn import Game
from evocheckers.search.searcher import Limit, SearchResult
from evocheckers.web.analysing import analysis_of
from evocheckers.web.catalogue import Catalogue, UnknownPlayerError
from evocheckers.web.costs import MoveReview, describe_review, review_move
from evocheckers.web.growth import Growth
from evocheckers.web.lanes import OFFICE, BusyError, Lane, Lanes
from evocheckers.web.pdn import only_game
from evocheckers.web.puzzle_models import PuzzleLine, UnknownPuzzleError, describe_puzzle, puzzle_lines
from evocheckers.web.run_models import RecordedGame, RunLine, UnreadableRun
from evocheckers.web.runs import Runs
from evocheckers.web.showing import Replay, play_through
from evocheckers.web.store import StoredGame
from evocheckers.web.thinking import Thinker

LENGTH_BYTES = 8
MAX_MEMORY = 3 << 29
"""Bytes that the process may take beyond its code, on Linux: one and a half gigabytes."""
REFUSED, ABSENT, BUSY, BROKEN = range(4)
"""What an answer that is no result says."""

_LINES = TypeAdapter(list[RunLine | UnreadableRun])
_GAMES = TypeAdapter(list[RecordedGame])
_PUZZLES = TypeAdapter(list[PuzzleLine])


class Desk:
    """The work, by name; each method is asked for from the page's process."""

    def __init__(self, networks: Path, runs: Path, threads: int = 1, repetition: bool = True) -> None:
        self.catalogue = Catalogue(networks, runs)
        self.thinker = Thinker(threads, repetition)
        self._runs = Runs()
        self._growth = Growth(self.thinker)

    def prepare(self) -> None:
        """Load the machine code of searches."""
        self.thinker.prepare()

    def read_pdn(self, text: str) -> Game:
        """The game of a PDN."""
        return only_game(text)

    def play_through(self, game: StoredGame) -> Replay:
        """A game from its start."""
        return play_through(game)

    def board(self, game: StoredGame, plies: int) -> Board:
        """The board after so many plies of a game."""
        return Board(game.start).push_all(game.moves[:plies])

    def contestant(self, words: str, limit: Limit) -> Contestant:
        """A player whose network comes from a file."""
        return self.catalogue.get(words, limit)

    def search(self, contestant: Contestant, board: Board, seed: int) -> SearchResult:
        """What a player finds in a position."""
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
        """All puzzles: ``PuzzleLine``, as JSON."""
        return _PUZZLES.dump_json(puzzle_lines())

    def puzzle(self, number: int) -> str:
        """A ``PuzzleModel`` as JSON."""
        return describe_puzzle(number).model_dump_json()

    def growth(self, name: str, fen: str) -> str:
        """A ``GrowthModel`` as JSON."""
        return self._growth.ask(self.catalogue.run_path(name), fen).model_dump_json()

    def run_line(self, name: str) -> tuple[Path, RunLine | UnreadableRun]:
        """A run's file, and how far it has come."""
        path = self.catalogue.run_path(name)
        return path, self._runs.summary(path)

    def check_run(self, name: str) -> None:
        """Refuse the name of a run that is not there."""
        self.catalogue.run_path(name)

    def run_lines(self) -> bytes:
        """All run files: ``RunLine`` or ``UnreadableRun``, as JSON."""
        return _LINES.dump_json([self._runs.summary(path) for path in self.catalogue.runs().values()])

    def describe_run(self, name: str) -> str:
        """A ``RunModel`` as JSON."""
        return self._runs.describe(self.catalogue.run_path(name)).model_dump_json()

    def run_games(self, name: str, generation: int) -> bytes:
        """The games of a generation: ``RecordedGame``, as JSON."""
        return _GAMES.dump_json(self._runs.games(self.catalogue.run_path(name), generation))

    def run_pdn(self, name: str, generation: int, game: int) -> str:
        """One of them as PDN."""
        return self._runs.game_pdn(self.catalogue.run_path(name), generation, game)

    def matrix(self, name: str) -> str:
        """A ``MatrixModel`` as JSON."""
        path = self.catalogue.run_path(name)
        return self._runs.matrix(path, self.thinker.refuse_if_closing).model_dump_json()

    def run_state(self, name: str) -> tuple[int, int] | None:
        """Generations and measurements of a run; None if it cannot be read."""
        return self._runs.state(self.catalogue.run_path(name))


class _Answers:
    """Results, and what went wrong, on their way back."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def give(self, number: int, done: "Future[Any]") -> None:
        """Send what came of a request."""
        kind, value = None, None
        try:
            value = done.result()
        except MemoryError:
            kind, value = REFUSED, "takes more memory than there is"
        except EvocheckersError as error:
            kind, value = _kind_of(error), str(error)
        except Exception as error:  # a fault of ours: the page's process raises it
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
    """Work until there is nobody to work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the page's: when that ends, this does
    answers = _Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # whatever prints does not print among the answers
    _limit_memory()
    networks, runs, workers, threads, repetition = sys.argv[1:]
    desk = Desk(Path(networks), Path(runs), int(threads), bool(int(repetition)))
    lanes = Lanes(OFFICE, int(workers))
    asked = sys.stdin.buffer
    while length := asked.read(LENGTH_BYTES):
        number, lane, name, values = pickle.loads(asked.read(int.from_bytes(length, "big")))  # noqa: S301 the page's
        work = partial(getattr(desk, name), *values)
        lanes.submit(Lane[lane], work).add_done_callback(partial(answers.give, number))
    os._exit(0)  # whatever is in progress is for nobody


if __name__ == "__main__":
    main()
