"""The laboratory of a reproduction: its folder, its players, and steps that are stored, so that it can be interrupted.

A step is a question (which players, which openings, which limits) and its answer as JSON. The answer is in the folder
``steps`` under a hash of the question, so a reproduction that is started again does nothing twice. Games are in
``games`` as PDN, runs in ``runs``.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evocheckers.endgames.values import Database
from evocheckers.games.adjudication import PLIES, adjudicate
from evocheckers.games.batch import Executor
from evocheckers.games.game import PlayedGame
from evocheckers.networks.evaluator import Evaluator
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import Wins
from evocheckers.papers.scores import counts
from evocheckers.players.make import make_contestant
from evocheckers.players.player import Contestant
from evocheckers.rules.pdn import write_pdn
from evocheckers.runs.file import Run, run_exists
from evocheckers.runs.recorder import carry_on_together, open_run
from evocheckers.tournaments.match import Match, first_color, play_match
from evocheckers.tournaments.score import Score
from evocheckers.tournaments.timekeeping import keep_time

PIECE_COUNTERS = ("material", "material:noise")
"""The papers' control player in its two readings: it chooses at random among equal moves, or every leaf varies."""


@dataclass(frozen=True)
class PlayedMatch:
    """A match as played, from the first player's side."""

    raw: Score
    values: tuple[int, ...]
    """The games in order: 1, 0 or -1 to the first player."""
    plies: tuple[float, ...]
    """Mean plies completed by each side; empty for games of compiled batches."""


@dataclass(frozen=True)
class AdjudicatedMatch(PlayedMatch):
    """A match whose unfinished games were also played out."""

    played_out: Score


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
    log: Callable[[str], None] = print
    """Gets a line about every step that begins."""
    endgames: Callable[[], Database] = lambda: Database.prepare(4)
    generations: int | None = None
    """Generations per run; None for the reproduction's default."""

    @property
    def adjudicator_plies(self) -> int:
        """Search depth of the player that adjudicates unfinished games."""
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
        self.log(f"{name} ...")
        answer = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps({"question": json.loads(question), "answer": answer}, indent=1))
        unfinished.replace(path)
        return answer

    def contestant(self, text: str, wins: Wins | None = None) -> Contestant:
        """A player by its specification."""
        contestant = make_contestant(text)
        return contestant if wins is None else contestant.with_rules(wins=wins)

    def match(
        self, name: str, first: str, second: str, lines: Sequence[str], seed: int = 0, wins: Wins | None = None
    ) -> AdjudicatedMatch:
        """Play a match, stored with its games as PDN; unfinished games are also played out with an endgame database.

        ``wins`` replaces the way the players' searches value wins.
        """
        pair = self.contestant(first, wins), self.contestant(second, wins)
        about = {**_about(pair, lines), "seed": seed, "endgame_pieces": self.endgames().pieces}

        def play() -> dict[str, Any]:
            games = self._games(pair, lines, seed)
            adjudicated = list(adjudicate(games, self.endgames(), self.executor, self.adjudicator_plies))
            self._write_games(name, adjudicated)
            return {**_as_played(pair, games), "played_out": counts(Match(first, second, adjudicated).score)}

        answer = self.step(name, about, play)
        return AdjudicatedMatch(*_played(answer), Score(*answer["played_out"]))

    def match_as_played(
        self, name: str, first: str, second: str, lines: Sequence[str], repetition: bool = False
    ) -> PlayedMatch:
        """Play a match, stored with its games; with ``repetition``, a position's third occurrence is a draw."""
        pair = self.contestant(first), self.contestant(second)

        def play() -> dict[str, Any]:
            games = self._games(pair, lines, repetition=repetition)
            self._write_games(name, games)
            return _as_played(pair, games)

        return PlayedMatch(*_played(self.step(name, {**_about(pair, lines), "repetition": repetition}, play)))

    def _games(
        self, pair: tuple[Contestant, Contestant], lines: Sequence[str], seed: int = 0, repetition: bool = False
    ) -> list[PlayedGame]:
        games = play_match(*pair, lines, self.executor, seed, workers=self.workers, repetition=repetition)
        return sorted(games, key=lambda game: game.number)

    def _write_games(self, name: str, games: Sequence[PlayedGame]) -> None:
        path = self.folder / "games" / f"{file_name(name)}.pdn"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write_pdn(game.to_pdn(name) for game in games))

    def evolved(
        self, preset: str, generations: int, changes: Mapping[str, Any], seed: int = 1, name: str | None = None
    ) -> Path:
        """Begin or resume a preset's run in the folder until it has ``generations``; returns its file."""
        return self.evolved_together([Evolution(preset, generations, changes, seed, name)])[0]

    def evolved_together(self, evolutions: Sequence["Evolution"]) -> list[Path]:
        """The same for several runs, whose games are played together; returns their files."""
        paths = [self.folder / "runs" / f"{one.name or one.preset}-{one.seed}.sqlite" for one in evolutions]
        with ExitStack() as opened:
            runs = [
                opened.enter_context(
                    open_run(one.preset, path, _at_least(path, one.generations), one.seed, one.changes)
                )
                for path, one in zip(paths, evolutions, strict=True)
            ]
            for run in runs:
                if run.generation < run.generations:
                    done = f"{run.generation} of {run.generations} generations are done"
                    self.log(f"evolving {run.path.stem}: {done} ...")
            for _ in carry_on_together(runs, self.executor, 0):
                pass
        return paths


class Evolution(NamedTuple):
    """A run that a reproduction needs."""

    preset: str
    generations: int
    changes: Mapping[str, Any] = {}
    seed: int = 1
    name: str | None = None
    """The beginning of its file's name, if not the preset's."""


def _about(pair: tuple[Contestant, Contestant], lines: Sequence[str]) -> dict[str, Any]:
    return {"first": identity(pair[0]), "second": identity(pair[1]), "lines": list(lines)}


def _as_played(pair: tuple[Contestant, Contestant], games: Sequence[PlayedGame]) -> dict[str, Any]:
    """A match as a stored answer."""
    return {
        "raw": counts(Match(pair[0].name, pair[1].name, games).score),
        "values": [game.value_to(first_color(game)) for game in games],
        "plies": [kept.mean_plies or 0 for kept in keep_time(*pair, games)],
    }


def _played(answer: Mapping[str, Any]) -> tuple[Score, tuple[int, ...], tuple[float, ...]]:
    """A match from a stored answer."""
    return Score(*answer["raw"]), tuple(answer["values"]), tuple(answer["plies"])


def _at_least(path: Path, generations: int) -> int:
    """``generations``, or the number that the run already has if larger."""
    if not run_exists(path):
        return generations
    with Run.open(path) as run:
        return max(generations, run.generation)


def file_name(text: str) -> str:
    """A text that may name players, as a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text)


def identity(contestant: Contestant) -> str:
    """A player's name and a hash of its numbers, to tell networks of the same name apart."""
    evaluator = contestant.evaluator
    compiled = evaluator if isinstance(evaluator, Evaluator) else None
    numbers = compiled.weights.tobytes() if compiled else contestant.name.encode()
    if compiled and compiled.kind is Kind.SPATIAL_BARE:
        numbers += b"bare"  # the network that has the sum may have the same numbers
    rules = (compiled.rules.extensions, compiled.rules.flags) if compiled else (None, 0)
    return f"{contestant.name.rpartition('/')[2]} {rules} {hashlib.sha256(numbers).hexdigest()[:16]}"
