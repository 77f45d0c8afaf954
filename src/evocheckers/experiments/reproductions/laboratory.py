"""A reproduction's workplace: its folder, its players, and steps that are stored, so that it can be interrupted."""

import contextlib
import hashlib
import json
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evocheckers.endgames.database import Database
from evocheckers.evaluation.dispatch import Kind
from evocheckers.evaluation.evaluator import Evaluator, Wins
from evocheckers.experiments.contestants import make_contestant
from evocheckers.games.adjudication import PLIES, adjudicate
from evocheckers.games.batch import Executor
from evocheckers.players.player import Contestant
from evocheckers.rules.pdn import write_pdn
from evocheckers.runs.files import has_begun
from evocheckers.runs.recording import carry_on, carry_on_together, open_run
from evocheckers.runs.run import Run
from evocheckers.tournaments.match import Match, first_color, play_match
from evocheckers.tournaments.score import Score, elo_of
from evocheckers.tournaments.timekeeping import keep_time

READINGS = ("material", "material:noise")
"""Two readings of the papers' control player: it chooses at random among equal moves, or every leaf varies."""


@dataclass(frozen=True)
class Result:
    """A match as played and played out; both scores from the first player's side."""

    raw: Score
    played_out: Score
    values: tuple[int, ...] = ()
    """The games as played, in order: 1, 0 or -1 to the first player."""
    plies: tuple[float, ...] = ()
    """Mean plies completed by each side; empty for games of compiled batches."""


def score_cells(score: Score) -> list[str]:
    """A score as table cells, under ``SCORE_HEADER``."""
    return [
        score.wdl_text,
        f"{100 * score.share:.1f}%",
        score.elo_text,
        f"{points_without_draws(score):+.0f}",
        f"{score.sign_test:.2g}",
    ]


SCORE_HEADER = ("W-D-L", "score", "points, 95%", "decided", "p")
"""Won, drawn, lost; share of the points; the rating difference it implies; the same for decided games alone; the sign
test."""


def difference(paper: Score, ours: Score) -> str:
    """How our score differs from the paper's, and whether chance would explain it (Welch's t over the games)."""
    from scipy import stats

    samples = [[1.0] * s.wins + [0.5] * s.draws + [0.0] * s.losses for s in (ours, paper)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a clean sweep has no variance
        p = float(stats.ttest_ind(*samples, equal_var=False).pvalue)
    verdict = "no scatter to judge it by" if math.isnan(p) else f"p = {p:.2g}"
    return f"ours is {100 * (ours.share - paper.share):+.1f}% of the points from the paper's ({verdict})"


def points_without_draws(score: Score) -> float:
    """The rating difference from decided games alone, which is how the papers' figures come out."""
    decided = score.wins + score.losses
    return elo_of(score.wins / decided) if decided else 0.0


@dataclass(frozen=True)
class Laboratory:
    """What every reproduction works with."""

    folder: Path
    executor: Executor
    players: tuple[str, ...]
    """The networks under test, as players without limits; the papers' own first."""
    quick: bool = False
    seeds: int = 3
    """Runs of each system, if several are compared."""
    workers: int | None = None
    tell: Callable[[str], None] = print
    endgames: Callable[[], Database] = lambda: Database.prepare(4)
    generations: int | None = None
    """Generations per run; None for the reproduction's default."""

    @property
    def judge_plies(self) -> int:
        """Search depth of the judge of unfinished games."""
        return self.size(PLIES, 5)

    def size(self, full: int, quick: int) -> int:
        """``quick`` in the quick form, ``full`` otherwise."""
        return quick if self.quick else full

    def step(self, name: str, about: Mapping[str, Any], make: Callable[[], Any]) -> Any:
        """A step's result as JSON data; taken from the folder if the same question was answered there before."""
        question = json.dumps({"step": name, **about}, sort_keys=True)
        path = self.folder / "steps" / f"{file_name(name)}-{hashlib.sha256(question.encode()).hexdigest()[:12]}.json"
        if path.exists():
            with contextlib.suppress(ValueError, KeyError):  # a damaged result is computed again
                return json.loads(path.read_text())["answer"]
        self.tell(f"{name} ...")
        answer = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps({"question": json.loads(question), "answer": answer}, indent=1))
        unfinished.replace(path)
        return answer

    def contestant(self, text: str, wins: Wins | None = None) -> Contestant:
        """A player by its specification."""
        return make_contestant(text, wins=wins)

    def match(
        self, name: str, first: str, second: str, lines: Sequence[str], seed: int = 0, wins: Wins | None = None
    ) -> Result:
        """Play a match, stored with its games as PDN; unfinished games are also played out with an endgame database.

        ``wins`` replaces the way the players' searches value wins.
        """
        pair = self.contestant(first, wins), self.contestant(second, wins)
        about = {"first": identity(pair[0]), "second": identity(pair[1]), "lines": list(lines), "seed": seed}
        about["endgame_pieces"] = self.endgames().pieces

        def play() -> dict[str, Any]:
            games = list(play_match(*pair, lines, self.executor, seed, workers=self.workers))
            games.sort(key=lambda game: game.number)
            judged = list(adjudicate(games, self.endgames(), self.executor, self.judge_plies))
            pdn = self.folder / "games" / f"{file_name(name)}.pdn"
            pdn.parent.mkdir(parents=True, exist_ok=True)
            pdn.write_text(write_pdn(game.to_pdn(name) for game in judged))
            return {
                "raw": counts(Match(first, second, games).score),
                "played_out": counts(Match(first, second, judged).score),
                "values": [game.value_to(first_color(game)) for game in games],
                "plies": [kept.mean_plies or 0 for kept in keep_time(*pair, games)],
            }

        answer = self.step(name, about, play)
        scores = Score(*answer["raw"]), Score(*answer["played_out"])
        return Result(*scores, tuple(answer["values"]), tuple(answer.get("plies", ())))

    def evolved(
        self, preset: str, generations: int, changes: Mapping[str, Any], seed: int = 1, name: str | None = None
    ) -> Path:
        """Begin or resume a preset's run in the folder until it has ``generations``; returns its file."""
        name = f"{name or preset}-{seed}"
        path = self.folder / "runs" / f"{name}.sqlite"
        with open_run(preset, path, _at_least(path, generations), seed, changes) as run:
            if run.generation < generations:
                self.tell(f"evolving {name}: {run.generation} of {generations} generations are done ...")
            for _ in carry_on(run, self.executor, 0):
                pass
        return path

    def evolved_together(
        self, preset: str, generations: int, changes: Mapping[str, Any], seeds: Sequence[int], name: str
    ) -> list[Path]:
        """The same for several seeds, whose games are played together; returns their files."""
        paths = [self.folder / "runs" / f"{name}-{seed}.sqlite" for seed in seeds]
        with ExitStack() as opened:
            runs = [
                opened.enter_context(open_run(preset, path, _at_least(path, generations), seed, changes))
                for path, seed in zip(paths, seeds, strict=True)
            ]
            self.tell(f"evolving {name}: {len(runs)} runs, {generations} generations ...")
            for _ in carry_on_together(runs, self.executor, 0):
                pass
        return paths


def _at_least(path: Path, generations: int) -> int:
    """``generations``, or the number that the run already has if larger."""
    if not has_begun(path):
        return generations
    with Run.open(path) as run:
        return max(generations, run.generation)


def counts(score: Score) -> list[int]:
    """A score as a list."""
    return [score.wins, score.draws, score.losses, score.ahead, score.behind]


def file_name(text: str) -> str:
    """A text that may name players, as a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text)


def identity(contestant: Contestant) -> str:
    """A player's name and a hash of its numbers, to tell networks of the same name apart."""
    evaluator = contestant.evaluator
    compiled = evaluator if isinstance(evaluator, Evaluator) else None
    numbers = compiled.weights.tobytes() if compiled else contestant.name.encode()
    if compiled and compiled.kind is Kind.SPATIAL_BARE:
        numbers += b"bare"  # tells it from the network that has the sum and the same numbers
    sight = (contestant.extensions, compiled.flags if compiled else 0)
    return f"{contestant.name.rpartition('/')[2]} {sight} {hashlib.sha256(numbers).hexdigest()[:16]}"
