"""Runs as the page shows them: their records, generation by generation."""

import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from evocheckers.analysis.lineage import WITH_FAMILIES, ancestors, family_tree
from evocheckers.errors import EvocheckersError
from evocheckers.page.games.players import Identity, identity_of, name_of
from evocheckers.page.runs.matrix import SlowRunError, play_matrix
from evocheckers.page.runs.models import (
    FamilyMember,
    FamilyTree,
    GenerationModel,
    MatrixModel,
    RecordedGame,
    RunLine,
    RunModel,
    StrengthModel,
    UnreadableRun,
)
from evocheckers.rules.pdn import write_pdn
from evocheckers.runs.export import pdn_games
from evocheckers.runs.file import Run
from evocheckers.runs.schema import KeptGames
from evocheckers.tournaments.score import Score

READ_SECONDS = 10.0
"""Time limit for reading a run."""
KEPT_RUNS = 32
"""Number of runs whose curves and matrices are cached in memory."""
MAX_TREE = 400
"""Larger family trees are not plotted."""


class Runs:
    """The runs of a folder. Files are opened read-only, so they may be growing."""

    def __init__(self) -> None:
        self._seen: OrderedDict[Path, dict[int, GenerationModel]] = OrderedDict()
        self._matrices: OrderedDict[tuple[Path, Identity], MatrixModel] = OrderedDict()

    def summary(self, path: Path) -> RunLine | UnreadableRun:
        """A line of the list; for an unreadable file, the reason."""
        try:
            with Run.open(path) as run:
                return _line(run)
        except EvocheckersError as error:
            return UnreadableRun(name=name_of(path), fault=str(error))

    def describe(self, path: Path) -> RunModel:
        """All data of a run that the page plots."""
        with Run.open(path) as run:
            generations = self._generations(path, run)
            strengths = [_strength(number, score) for number, score in run.strengths().items()]
            settings = {name: str(value) for name, value in run.config.items()}
            tree = _tree(run) if generations else None
            line = _line(run).model_dump()
        return RunModel(**line, settings=settings, curve=generations, strengths=strengths, tree=tree)

    def _generations(self, path: Path, run: Run) -> list[GenerationModel]:
        summaries = run.summaries()
        end = time.monotonic() + READ_SECONDS
        before = self._seen.pop(path, {})
        known = self._seen[path] = {}  # two threads may fill it, with the same values
        for summary in summaries:
            cached = before.get(summary.number)
            if cached is not None and cached.digest == summary.digest:  # otherwise another run has replaced the file
                known[summary.number] = cached
                continue
            if time.monotonic() > end:
                raise SlowRunError(path, f"takes longer than {READ_SECONDS:g} s to read")
            individuals = run.individuals(summary.number)
            known[summary.number] = GenerationModel(
                number=summary.number,
                digest=summary.digest,
                games=summary.games,
                drawn=summary.draws / summary.games,
                plies=summary.plies / summary.games,
                best=summary.best_id,
                score=_mean(individuals.scores),
                score_best=_most(individuals.scores),
                king_value=_mean(individuals.king_values),
                step_size=_mean(individuals.step_sizes),
            )
        while len(self._seen) > KEPT_RUNS:
            self._seen.popitem(last=False)
        return [known[summary.number] for summary in summaries]

    def games(self, path: Path, generation: int) -> list[RecordedGame]:
        """The games of a generation."""
        with Run.open(path) as run:
            black, white, result = run.games(generation)
            keeps = run.keep is KeptGames.MOVES
        return [
            RecordedGame(
                number=game,
                black=int(black[game]),
                white=int(white[game]),
                result=result.outcome(game).result,
                plies=int(result.plies[game]),
                moves=keeps,
            )
            for game in range(len(result))
        ]

    def game_pdn(self, path: Path, generation: int, game: int) -> str:
        """One game of a generation as PDN."""
        with Run.open(path) as run:
            games = pdn_games(run, generation)
        if game >= len(games):
            raise EvocheckersError(f"generation {generation} has {len(games)} games")
        return write_pdn([games[game]])

    def matrix(self, path: Path, check: Callable[[], None]) -> MatrixModel:
        """A sample of generations against each other; ``check`` is called now and then and may end it."""
        key = path, identity_of(path)
        if key not in self._matrices:
            with Run.open(path) as run:
                self._matrices[key] = play_matrix(run, check)
            while len(self._matrices) > KEPT_RUNS:
                self._matrices.popitem(last=False)
        return self._matrices[key]

    def state(self, path: Path) -> tuple[int, int] | None:
        """Numbers of generations and measurements so far; None if the file cannot be read."""
        try:
            with Run.open(path) as run:
                return run.generation, len(run.strengths())
        except EvocheckersError:
            return None


def _line(run: Run) -> RunLine:
    last = run.summary(run.generation)
    return RunLine(
        name=name_of(run.path),
        preset=run.preset,
        seed=run.seed,
        generation=run.generation,
        generations=run.generations,
        digest=last.digest[:16] if last else "",
    )


def _mean(values: np.ndarray) -> float | None:
    return round(float(np.mean(values)), 5) if values.size and np.isfinite(values).all() else None


def _most(values: np.ndarray) -> float | None:
    return round(float(np.max(values)), 5) if values.size and np.isfinite(values).all() else None


def _strength(number: int, score: Score) -> StrengthModel:
    low, high = score.interval
    return StrengthModel(
        generation=number,
        share=score.share,
        low=low,
        high=high,
        wins=score.wins,
        draws=score.draws,
        losses=score.losses,
        text=score.elo_text,
    )


def _tree(run: Run) -> FamilyTree | None:
    """The last generation's ancestors, if the scheme has any."""
    if run.scheme_name not in WITH_FAMILIES:
        return None
    places, parents = family_tree(run)
    if len(places) > MAX_TREE:
        return None
    return FamilyTree(
        members=[FamilyMember(id=identity, born=born, height=height) for identity, (born, height) in places.items()],
        parents={str(child): parent for child, parent in parents.items()},
        line=sorted(ancestors(run.summaries()[-1].best_id, parents)),
    )
