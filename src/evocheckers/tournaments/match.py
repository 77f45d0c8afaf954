"""Matches: two contestants play each of a list of openings with both colours.

Contestants with a depth in plies or random moves are played in compiled batches by an executor; others (time, nodes,
external engines) game by game on threads. Except with time limits, the games are the same for any number of workers:
all random choices come from the match's seed and the game's number.
"""

import hashlib
import queue
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from evocheckers.data_frames import data_frame
from evocheckers.errors import EvocheckersError
from evocheckers.games.batch import BatchResult, Executor, GameBatch, GameRules, Pairing
from evocheckers.games.driving import BatchGenerator
from evocheckers.games.game import Effort, PlayedGame, play_game
from evocheckers.games.openings import ballots, opening_board
from evocheckers.native.randomness import key
from evocheckers.native.threads import thread_count
from evocheckers.networks.evaluator import Evaluator
from evocheckers.networks.network import Network
from evocheckers.networks.search_rules import settle
from evocheckers.players.player import Contestant, Player
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.tournaments.score import Score, elo_of, mean_interval

if TYPE_CHECKING:
    import pandas as pd

_MATCH = 7
"""Keeps these games' random numbers apart from evolution's."""
BATCH = 32
"""Games played between two progress reports."""
STOP_SECONDS = 0.05
"""Interval at which players are stopped again when a match is interrupted."""


@dataclass(frozen=True, repr=False)
class Match:
    """A match, or as much of it as was played."""

    first: str
    second: str
    games: Sequence[PlayedGame]
    """In order of their numbers; the first contestant is Black in odd-numbered games."""

    def __str__(self) -> str:
        low, high = map(elo_of, self.interval_by_opening)
        return (
            f"{self.first} against {self.second}: {self.score.wdl_text} (won-drawn-lost), "
            f"score {100 * self.score.share:.1f}%, Elo {elo_of(self.score.share):+.0f} [{low:+.0f}, {high:+.0f}], "
            f"{self.score.games} games from {len(self.shares_by_opening)} openings"
        )

    def __repr__(self) -> str:
        return f"<Match {self}>"

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each game."""
        return data_frame(
            {
                "number": game.number,
                "black": game.black,
                "white": game.white,
                "opening": " ".join(map(str, game.opening)),
                "result": game.outcome.result,
                "reason": str(game.outcome.reason),
                "points": (1 + game.value_to(first_color(game))) / 2,
                "plies": len(game.moves),
                "moves": " ".join(map(str, game.moves)),
            }
            for game in self.games
        )

    @property
    def score(self) -> Score:
        """From the first contestant's side."""
        return score_of(self.games)

    @property
    def different_games(self) -> int:
        """Number of distinct games: players without random choices repeat a game from the same opening."""
        return len({(game.number % 2, game.start, game.opening, game.moves) for game in self.games})

    @property
    def shares_by_opening(self) -> list[float]:
        """The first contestant's share of the points from each opening."""
        values: dict[object, list[int]] = {}
        for game in self.games:
            values.setdefault((game.start, game.opening), []).append(game.value_to(first_color(game)))
        return [(1 + sum(found) / len(found)) / 2 for found in values.values()]

    @property
    def interval_by_opening(self) -> tuple[float, float]:
        """95% interval of the share over openings: the safer one, since games from one opening are alike."""
        return mean_interval(self.shares_by_opening, self.score.interval)

    @property
    def digest(self) -> str:
        """Digest of all results, reasons and moves."""
        digest = hashlib.sha256()
        for game in self.games:
            moves = " ".join(map(str, (*game.opening, *game.moves)))
            digest.update(f"{game.number} {game.outcome.result} {game.outcome.reason} {moves}\n".encode())
        return digest.hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The match in numbers, from the first contestant's side."""
        score = self.score
        elo, low, high = score.elo
        openings_low, openings_high = map(elo_of, self.interval_by_opening)
        return {
            "first": self.first,
            "second": self.second,
            "games": score.games,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "ahead": score.ahead,
            "behind": score.behind,
            "score": score.share,
            "score_low": score.interval[0],
            "score_high": score.interval[1],
            "elo": elo,
            "elo_low": low,
            "elo_high": high,
            "sign_test": score.sign_test,
            "openings": len(self.shares_by_opening),
            "elo_low_by_opening": openings_low,
            "elo_high_by_opening": openings_high,
            "digest": self.digest,
        }


def first_color(game: PlayedGame) -> Color:
    """The colour of a match's first contestant."""
    return Color.BLACK if game.number % 2 else Color.WHITE


def score_of(games: Sequence[PlayedGame]) -> Score:
    """Count games from the first contestant's side."""
    values = [game.value_to(first_color(game)) for game in games]
    leads = [game.lead_of(first_color(game)) for game, value in zip(games, values, strict=True) if value == 0]
    wins, draws, losses = (values.count(value) for value in (1, 0, -1))
    return Score(wins, draws, losses, sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads))


def play_match(
    first: Contestant,
    second: Contestant,
    lines: Sequence[str],
    executor: Executor,
    seed: int = 0,
    max_plies: int = GameRules().max_plies,
    workers: int | None = None,
    repetition: bool = False,
) -> Generator[PlayedGame, None, None]:
    """Play every opening line with both colours; yield the games as they end, not always in order.

    With ``repetition``, the third occurrence of a position is a draw.
    """
    pair, jobs, terms = search_alike(first, second), _jobs(lines), _Terms(seed, max_plies, repetition)
    if fit_a_batch(first, second):
        yield from _in_batches(pair, jobs, terms, executor)
    else:
        yield from _one_by_one(pair, jobs, terms, workers)


def match_in_one_batch(
    first: Contestant,
    second: Contestant,
    lines: Sequence[str],
    seed: int = 0,
    max_plies: int = GameRules().max_plies,
    repetition: bool = False,
) -> BatchGenerator[Match]:
    """The same games for contestants that batches can play: yields one batch, is sent its result, returns the match."""
    if not fit_a_batch(first, second):
        raise EvocheckersError(f"{first.name} and {second.name} cannot play in a batch")
    jobs = _jobs(lines)
    pair = search_alike(first, second)
    result = yield _batch(pair, jobs, _Terms(seed, max_plies, repetition))
    return Match(first.name, second.name, list(_records(pair, jobs, result)))


def network_match(
    first: Network,
    second: Network,
    plies: int,
    executor: Executor,
    seed: int = 0,
    lines: Sequence[str] | None = None,
    max_plies: int = GameRules().max_plies,
) -> Score:
    """Two networks at equal depth, every opening with both colours; by default the two-move ballots."""
    lines = ballots() if lines is None else lines
    pair = Contestant.from_network("first", first, plies), Contestant.from_network("second", second, plies)
    return score_of(list(play_match(*pair, lines, executor, seed, max_plies)))


def fit_a_batch(first: Contestant, second: Contestant) -> bool:
    """Whether compiled batches can play two contestants: by depth or at random, with equal extensions."""
    pair = search_alike(first, second)
    extensions = {one.evaluator.rules.extensions for one in pair if isinstance(one.evaluator, Evaluator)}
    return all(one.batch_plies is not None for one in pair) and len(extensions) <= 1


def search_alike(first: Contestant, second: Contestant) -> tuple[Contestant, Contestant]:
    """Networks search as they were bred; a player without search rules of its own takes the other's."""
    evaluators = [one.evaluator for one in (first, second)]
    rules = iter(settle([one.rules for one in evaluators if isinstance(one, Evaluator)]))
    one, two = (replace(e, rules=next(rules)) if isinstance(e, Evaluator) else e for e in evaluators)
    return replace(first, evaluator=one), replace(second, evaluator=two)


_Job = tuple[int, Board, int]
"""A game's number, its starting board, and which contestant plays Black."""


class _Terms(NamedTuple):
    """What all games of a match have in common."""

    seed: int
    max_plies: int
    repetition: bool

    def seed_of(self, number: int) -> int:
        """The seed of a game."""
        return key(self.seed, _MATCH, (number - 1) // 2, (number - 1) % 2)


def _jobs(lines: Sequence[str]) -> list[_Job]:
    boards = [opening_board(line) for line in lines]
    return [(2 * number + black + 1, board, black) for number, board in enumerate(boards) for black in (0, 1)]


def _in_batches(
    pair: tuple[Contestant, Contestant], jobs: list[_Job], terms: _Terms, executor: Executor
) -> Iterator[PlayedGame]:
    for at in range(0, len(jobs), BATCH):
        part = jobs[at : at + BATCH]
        result = executor.play(_batch(pair, part, terms))
        yield from _records(pair, part, result)


def _batch(pair: tuple[Contestant, Contestant], jobs: list[_Job], terms: _Terms) -> GameBatch:
    evaluators = [contestant.batch_evaluator for contestant in pair]
    depths = [contestant.batch_plies or 0 for contestant in pair]
    rules = GameRules(terms.max_plies, repetition=terms.repetition)
    pairings = [
        Pairing(black, 1 - black, terms.seed_of(number), depths[black], depths[1 - black], board.position)
        for number, board, black in jobs
    ]
    return GameBatch(evaluators, pairings, rules)


def _records(pair: tuple[Contestant, Contestant], jobs: list[_Job], result: BatchResult) -> Iterator[PlayedGame]:
    for row, (number, board, black) in enumerate(jobs):
        record = result[row]
        names = pair[black].name, pair[1 - black].name
        yield PlayedGame(number, *names, tuple(board.moves), record.moves, record.outcome, start=board.start)


def _one_by_one(
    pair: tuple[Contestant, Contestant], jobs: list[_Job], terms: _Terms, workers: int | None
) -> Iterator[PlayedGame]:
    count = min(thread_count(workers), len(jobs))
    idle: queue.Queue[tuple[Player, Player]] = queue.Queue()
    stop = threading.Event()
    everybody: list[Player] = []

    def play(number: int, board: Board, black: int) -> PlayedGame:
        players = idle.get()
        efforts: list[Effort] = []
        try:
            sides = players[black], players[1 - black]
            played = board.copy()
            outcome, note = play_game(
                *sides, played, terms.max_plies, terms.seed_of(number), stop, efforts.append, terms.repetition
            )
        finally:
            idle.put(players)
        names = pair[black].name, pair[1 - black].name
        given, moves = tuple(board.moves), tuple(played.moves[len(board.moves) :])
        return PlayedGame(number, *names, given, moves, outcome, note, board.start, efforts=tuple(efforts))

    with ExitStack() as cleaning:
        for _ in range(count):
            players = pair[0].player(), pair[1].player()
            for player in players:
                cleaning.callback(player.close)
            everybody.extend(players)
            idle.put(players)
        pool = ThreadPoolExecutor(count, thread_name_prefix="evocheckers match")
        running = [pool.submit(play, *job) for job in jobs]

        def end() -> None:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            while not all(future.done() for future in running):
                for player in everybody:  # repeatedly: a search that has yet to begin forgets it
                    player.stop()
                time.sleep(STOP_SECONDS)

        cleaning.callback(end)
        for future in as_completed(running):
            yield future.result()
