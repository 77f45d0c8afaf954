"""Runs as the page shows them: what was recorded, generation by generation as it comes."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.experiments.lineage import WITH_FAMILIES, ancestors, family_tree
from evocheckers.experiments.progress import MATRIX_SIZE, cross_matrix
from evocheckers.rules.pdn import write_pdn
from evocheckers.runs.run import Run
from evocheckers.runs.schema import Keep
from evocheckers.tournaments.score import Score

POLL_SECONDS = 1.0
MAX_STREAMS = 50
MAX_TREE = 400
"""Family trees of more than this are not drawn."""


class StreamsError(EvocheckersError):
    """Too many pages follow runs already."""


class Runs:
    """The runs of a folder. Files are opened for reading alone, so they may be growing."""

    def __init__(self) -> None:
        self._seen: dict[Path, dict[int, dict[str, Any]]] = {}
        self._matrices: dict[tuple[Path, int], dict[str, Any]] = {}
        self._streams = 0

    def summary(self, path: Path) -> dict[str, Any]:
        """A line of the list; a file that cannot be read says why."""
        try:
            with Run.open(path) as run:
                return _line(run)
        except EvocheckersError as error:
            return {"name": path.stem, "fault": str(error)}

    def describe(self, path: Path) -> dict[str, Any]:
        """Everything that the page draws."""
        with Run.open(path) as run:
            generations = self._generations(path, run)
            strengths = [_strength(number, score) for number, score in run.strengths().items()]
            settings = {name: str(value) for name, value in run.config.items()}
            tree = _tree(run) if generations else None
            line = _line(run)
        return {**line, "settings": settings, "curve": generations, "strengths": strengths, "tree": tree}

    def _generations(self, path: Path, run: Run) -> list[dict[str, Any]]:
        summaries = run.summaries()
        known = self._seen.setdefault(path, {})
        if known and (len(known) > len(summaries) or known[summaries[0].number]["digest"] != summaries[0].digest):
            known.clear()  # another run took the file's place
        for summary in summaries:
            if summary.number in known:
                continue
            people = run.individuals(summary.number)
            known[summary.number] = {
                "number": summary.number,
                "digest": summary.digest,
                "games": summary.games,
                "drawn": summary.draws / summary.games,
                "plies": summary.plies / summary.games,
                "best": summary.best_id,
                "score": _mean(people.scores),
                "score_best": _most(people.scores),
                "king_value": _mean(people.king_values),
                "step_size": _mean(people.step_sizes),
            }
        return [known[summary.number] for summary in summaries]

    def games(self, path: Path, generation: int) -> list[dict[str, Any]]:
        """The games of a generation."""
        with Run.open(path) as run:
            black, white, result = run.games(generation)
            keeps = run.keep is Keep.MOVES
        return [
            {
                "number": game,
                "black": int(black[game]),
                "white": int(white[game]),
                "result": result.outcome(game).result,
                "plies": int(result.plies[game]),
                "moves": keeps,
            }
            for game in range(len(result))
        ]

    def game_pdn(self, path: Path, generation: int, game: int) -> str:
        """One of them as PDN."""
        with Run.open(path) as run:
            games = run.played_games(generation)
        if game >= len(games):
            raise EvocheckersError(f"generation {generation} has {len(games)} games")
        return write_pdn([games[game]])

    def matrix(self, path: Path) -> dict[str, Any]:
        """Each of some generations against each other."""
        with Run.open(path) as run:
            if run.generation == 0:
                raise EvocheckersError("this run has no generation yet")
            place = (path, run.generation)
            if place not in self._matrices:
                numbers, shares = cross_matrix(run, ThreadExecutor(1), MATRIX_SIZE)
                rows = [[None if np.isnan(share) else round(float(share), 4) for share in row] for row in shares]
                self._matrices[place] = {"generations": numbers, "shares": rows}
        return self._matrices[place]

    def follow(self, path: Path) -> AsyncIterator[str]:
        """A server-sent event for every generation and measurement that is recorded from now on."""
        if self._streams >= MAX_STREAMS:
            raise StreamsError("too many pages follow runs already; reload to see more")
        return self._events(path)

    async def _events(self, path: Path) -> AsyncIterator[str]:
        self._streams += 1
        try:
            told: tuple[int, int] | None = None
            yield "retry: 3000\n\n"
            while True:
                now = await asyncio.to_thread(_state, path)
                if now is not None and now != told:
                    told = now
                    yield f"data: {json.dumps({'generation': now[0], 'measurements': now[1]})}\n\n"
                else:
                    yield ": still here\n\n"
                await asyncio.sleep(POLL_SECONDS)
        finally:
            self._streams -= 1


def _state(path: Path) -> tuple[int, int] | None:
    try:
        with Run.open(path) as run:
            return run.generation, len(run.strengths())
    except EvocheckersError:
        return None


def _line(run: Run) -> dict[str, Any]:
    last = run.summary(run.generation)
    return {
        "name": run.path.stem,
        "preset": run.preset,
        "seed": run.seed,
        "generation": run.generation,
        "generations": run.generations,
        "digest": last.digest[:16] if last else "",
    }


def _mean(values: np.ndarray) -> float | None:
    return round(float(np.mean(values)), 5) if values.size and np.isfinite(values).all() else None


def _most(values: np.ndarray) -> float | None:
    return round(float(np.max(values)), 5) if values.size and np.isfinite(values).all() else None


def _strength(number: int, score: Score) -> dict[str, Any]:
    low, high = score.interval
    counts = {"wins": score.wins, "draws": score.draws, "losses": score.losses}
    return {"generation": number, "share": score.share, "low": low, "high": high, **counts, "text": score.elo_text}


def _tree(run: Run) -> dict[str, Any] | None:
    """The last generation's ancestors, where the scheme has some."""
    if run.scheme_name not in WITH_FAMILIES:
        return None
    places, parents = family_tree(run)
    if len(places) > MAX_TREE:
        return None
    people = [{"id": identity, "born": born, "height": height} for identity, (born, height) in places.items()]
    return {
        "people": people,
        "parents": {str(child): parent for child, parent in parents.items()},
        "line": sorted(ancestors(run.summaries()[-1].best_id, parents)),
    }
