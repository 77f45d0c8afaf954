"""What is a result worth? Strength against number of games, for every way to use results, from equal starting points.

Chellapilla and Fogel ask how much there is to learn from "win, lose, or draw". Their algorithm adds up the results of
five games and keeps or drops a network. An evolution strategy asks of every pair of games which of two networks was
better. A learner tells every position of a game how it ended. See ``systems``.

Runs are in ``runs/``, measurements in ``steps/``. All systems and seeds advance together, checkpoint by checkpoint, so
after an interruption the data is complete up to some number of games. ``worth.json`` holds all measurements.
"""

import hashlib
import json
from collections.abc import Hashable, Iterable, Iterator, Sequence

from evocheckers.analysis.ensemble import measure, played_out
from evocheckers.games.adjudication import PLIES
from evocheckers.games.openings import ballots
from evocheckers.networks.network import Network
from evocheckers.papers.curves import NOISE, Curves, Point, tables
from evocheckers.papers.lab import Laboratory, counts
from evocheckers.papers.report import Report
from evocheckers.papers.systems import SYSTEMS, System, quick
from evocheckers.runs.file import Run
from evocheckers.tournaments.score import Score

CHECKPOINTS = (0, 1000, 2000, 5000, 10_000)
QUICK_CHECKPOINTS = (0, 20, 80)
DATA = "worth.json"


def worth(lab: Laboratory, command: str) -> Report:
    """Evolve all systems, measure them along the way and at the end, and compare."""
    checkpoints = QUICK_CHECKPOINTS if lab.quick else CHECKPOINTS
    shallow, deep = (2, 3) if lab.quick else (4, 8)
    systems = [quick(system) for system in SYSTEMS] if lab.quick else SYSTEMS
    last = checkpoints[-1]
    found: dict[Hashable, Point] = {}
    for checkpoint in checkpoints:
        _keep(lab, found, _measured(lab, systems, checkpoint, NOISE, shallow))
    _keep(lab, found, _measured(lab, systems, last, NOISE, deep))
    for plies in (shallow, deep):
        _keep(lab, found, _measured(lab, systems, last, "material", plies))
    for plies in (deep, shallow):
        _keep(lab, found, _measured(lab, systems, last, NOISE, plies, is_judged=True))
    _keep(lab, found, _measured(lab, systems, checkpoints[-2], NOISE, deep))
    curves = Curves(found.values())
    report = Report("What is a result worth?", command)
    report.text(
        f"{len(systems)} systems, {lab.seeds} seeds each, about {last:,} games a run at {'2' if lab.quick else '4'} "
        f"plies. Points are rating differences against `{NOISE}`; intervals are Student's t over the runs."
    )
    report.text(curves.finding(last))
    by_games, *others = tables(curves, last).values()
    report.parts.append(by_games)
    report.figure("by-games", "Strength by number of games", curves.plot)
    report.parts += others
    return report


def _measured(
    lab: Laboratory,
    systems: Sequence[System],
    checkpoint: int,
    opponent: str,
    plies: int,
    is_judged: bool = False,
) -> Iterator[Point]:
    """Every run's network after about ``checkpoint`` games against one opponent."""
    lines = ballots()[:1] if lab.quick else ballots()
    for seed in range(1, lab.seeds + 1):
        for system in systems:
            generation = system.generation(checkpoint)
            path = lab.evolved(system.preset, max(generation, 1), system.settings, seed, system.key)
            with Run.open(path) as run:
                network = run.network(generation)
                games = sum(summary.games for summary in run.summaries() if summary.number <= generation)
            raw, verdicts = _match(lab, f"{system.key}-{seed}-{generation}", network, opponent, plies, lines, is_judged)
            yield Point(system.key, seed, games, checkpoint, opponent, plies, raw, verdicts)


def _match(
    lab: Laboratory, name: str, network: Network, opponent: str, plies: int, lines: Sequence[str], is_judged: bool
) -> tuple[Score, Score | None]:
    """A stored match, as played and, if asked for, played out."""
    numbers = hashlib.sha256(network.to_bytes()).hexdigest()[:16]
    about = {"network": numbers, "opponent": opponent, "plies": plies, "lines": len(lines), "judged": is_judged}

    def play() -> dict[str, list[int]]:
        matches = measure([network], lab.contestant(f"{opponent}@{plies}"), plies, lab.executor, lines=lines)
        answer = {"raw": counts(matches[0].score)}
        if is_judged:
            answer["played_out"] = counts(
                played_out(matches, lab.endgames(), lab.executor, lab.size(PLIES, 5)).together
            )
        return answer

    answer = lab.step(f"{name}-{opponent.replace(':', '-')}-{plies}", about, play)
    return Score(*answer["raw"]), Score(*answer["played_out"]) if is_judged else None


def _keep(lab: Laboratory, found: dict[Hashable, Point], points: Iterable[Point]) -> None:
    """Add points, replacing any for the same question, and write all measurements so far."""
    for point in points:
        found[point.system, point.seed, point.checkpoint, point.opponent, point.plies] = point
    path = lab.folder / DATA
    unfinished = path.with_suffix(".part")
    lines = ",\n".join(json.dumps(point.to_json()) for point in found.values())
    unfinished.write_text(f"[\n{lines}\n]\n")
    unfinished.replace(path)
