"""What is a result worth? Strength against number of games, for every way to use results, from equal starting points.

Chellapilla and Fogel ask how much there is to learn from "win, lose, or draw". Their algorithm adds up the results of
five games and keeps or drops a network. An evolution strategy asks of every pair of games which of two networks was
better. A learner labels every position of a game with how it ended. Nine systems are compared, from a single sum of
points to every position of the game. All play at 4 plies without extensions, so that a game costs every system about
the same. Settings are the presets' except for those below. Learners keep one learning rate: no system knows how many
games it will get, so every point of a curve shows what that many games are worth.

Runs are in ``runs/``, measurements in ``steps/``. All systems and seeds advance together, checkpoint by checkpoint, so
after an interruption the data is complete up to some number of games. ``worth.json`` holds all measurements.
"""

import hashlib
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evocheckers.analysis.ensemble import Ensemble, measure, played_out
from evocheckers.games.adjudication import PLIES
from evocheckers.games.openings import ballots
from evocheckers.networks.network import Network
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.report import Report, Table
from evocheckers.papers.scores import counts, gain
from evocheckers.runs.file import Run
from evocheckers.tournaments.score import Score, elo_of

LIFE = 5
"""Generations between two selections among learners: 2,500 games."""
_LEARNER: dict[str, Any] = {
    "depths": [4],
    "games": [500],
    "changes": [],
    "steps": 60,
    "batch": 4096,
    "rate": 0.002,
    "rate_end": 0.002,
    "trust": 0.0,
    "jitter": 0.02,
    "jitter_end": 0.02,
}
_EIGHT: dict[str, Any] = {**_LEARNER, "learners": 8, "copies": 4, "select_every": 0, "social": 0.0}
_SELECTED: dict[str, Any] = {"select_every": LIFE}
_SHARED: dict[str, Any] = {"social": 0.5}


@dataclass(frozen=True)
class System:
    """A way to use results."""

    key: str
    """Prefix of its runs' names."""
    name: str
    preset: str
    games: int
    """Games per generation."""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def generation(self, games: int) -> int:
        """The generation after which about ``games`` games have been played."""
        return max(1, round(games / self.games)) if games else 0


SYSTEMS = (
    System("anaconda", "Anaconda", "anaconda", 150, {"extensions": 0}),
    System("c10-rr", "C10-RR", "c10-rr", 870, {"extensions": 0}),
    System("es", "evolution strategy", "es", 300),
    System("one", "one learner", "self-play", 500, _LEARNER),
    System("own", "eight, own games", "self-play", 500, _EIGHT),
    System("own-selected", "eight, own games, selection", "lamarck", 500, _EIGHT | _SELECTED),
    System("shared", "eight, shared games", "self-play", 500, _EIGHT | _SHARED),
    System("shared-selected", "eight, shared games, selection", "lamarck", 500, _EIGHT | _SHARED | _SELECTED),
    System(
        "not-inherited",
        "eight, shared games, selection, not inherited",
        "baldwin",
        500,
        _EIGHT | _SHARED | _SELECTED,
    ),
)

_QUICK_LEARNER: dict[str, Any] = {"depths": [2], "games": [20], "steps": 2, "batch": 256}
_QUICK: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    "anaconda": (20, {"parents": 2, "plies": 2}),
    "c10-rr": (12, {"parents": 2, "plies": 2}),
    "es": (20, {"pairs": 10, "plies": 2}),
    **dict.fromkeys(("self-play", "lamarck", "baldwin"), (20, _QUICK_LEARNER)),
}


def quick(system: System) -> System:
    """The same system with small generations of shallow games."""
    games, settings = _QUICK[system.preset]
    if system.settings.get("select_every"):
        settings = {**settings, "select_every": 2}
    return System(system.key, system.name, system.preset, games, {**system.settings, **settings})


NOISE = "material:noise"
NAMES = {system.key: system.name for system in SYSTEMS}
COMPARED = (
    ("a label for every position instead of a sum of points", "one", "anaconda"),
    ("a label for every position instead of a pair of games", "one", "es"),
    ("selection, where each learns from its own games", "own-selected", "own"),
    ("selection, where games are shared", "shared-selected", "shared"),
    ("sharing games", "shared", "own"),
    ("sharing games, with selection", "shared-selected", "own-selected"),
    ("inheriting what was learnt", "shared-selected", "not-inherited"),
    ("one learner in place of eight that share", "one", "shared"),
)
"""The ingredient, the system with it, and the system without it."""
BEGINNING = 500
"""Where the beginning is placed on a logarithmic axis."""
SHOWN = (-150, 300)
"""Range of points in the figure; intervals from few runs and few games may exceed it."""


@dataclass(frozen=True)
class Point:
    """A network of one run against one opponent."""

    system: str
    seed: int
    games: int
    """Games that its run had played."""
    checkpoint: int
    """Number of games asked for, which ``games`` approximates."""
    opponent: str
    plies: int
    raw: Score
    played_out: Score | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        values = {name: value for name, value in vars(self).items() if value is not None}
        return {name: counts(value) if isinstance(value, Score) else value for name, value in values.items()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Point":
        """The inverse of ``to_json``."""
        return cls(**data | {name: Score(*data[name]) for name in ("raw", "played_out") if name in data})


class Curves:
    """All measurements."""

    def __init__(self, points: Iterable[Point]) -> None:
        self.points = list(points)

    @property
    def systems(self) -> list[str]:
        """The measured systems, in their usual order."""
        found = {point.system for point in self.points}
        return [key for key in NAMES if key in found]

    @property
    def seeds(self) -> int:
        """The number of runs of each system."""
        return len({point.seed for point in self.points})

    @property
    def depths(self) -> list[int]:
        """The depths of the measurements, shallowest first."""
        return sorted({point.plies for point in self.points})

    @property
    def checkpoints(self) -> list[int]:
        """The checkpoints in order."""
        return sorted({point.checkpoint for point in self.points})

    @property
    def last(self) -> int:
        """The last checkpoint at which all systems were measured."""
        found = {(point.system, point.checkpoint) for point in self.points}
        return max(c for c in self.checkpoints if all((key, c) in found for key in self.systems))

    def at(
        self, system: str, checkpoint: int, plies: int, opponent: str = NOISE, played_out: bool = False
    ) -> Ensemble | None:
        """The scores of a system's runs, in the order of seeds; None if not measured."""
        wanted = (system, checkpoint, plies, opponent)
        found = [p for p in self.points if (p.system, p.checkpoint, p.plies, p.opponent) == wanted]
        found.sort(key=lambda point: point.seed)
        scores = [point.played_out if played_out else point.raw for point in found]
        return Ensemble([score for score in scores if score is not None]) if any(scores) else None

    def games(self, system: str, checkpoint: int) -> float:
        """How many games its runs had played at a checkpoint, on average."""
        found = [p.games for p in self.points if (p.system, p.checkpoint) == (system, checkpoint)]
        return float(np.mean(found))

    def by_games(self, plies: int) -> Table:
        """Points at one depth, by number of games."""
        columns = {f"{c:,} games": (c, plies, NOISE, False) for c in self.checkpoints}
        return self._points(columns)

    def at_the_end(self, checkpoint: int, opponent: str) -> Table:
        """Points at both depths, as played and played out."""
        columns = {
            f"{plies} plies, {'played out' if out else 'as played'}": (checkpoint, plies, opponent, out)
            for plies in self.depths
            for out in (False, True)
        }
        return self._points(columns)

    def _points(self, columns: dict[str, tuple[int, int, str, bool]]) -> Table:
        """A row per system, and a column for each of ``columns`` that was measured."""
        there = {name: what for name, what in columns.items() if any(self.at(key, *what) for key in self.systems)}
        rows = [[NAMES[key], *(_elo(self.at(key, *what)) for what in there.values())] for key in self.systems]
        return Table(("system", *there), rows)

    def differences(self, checkpoint: int) -> Table:
        """What each ingredient adds, seed by seed, in per cent of the points."""
        rows = []
        for what, more, less in COMPARED:
            cells = []
            for plies in self.depths:
                first, second = self.at(more, checkpoint, plies), self.at(less, checkpoint, plies)
                cells.append(_gain_text(*gain(first, second)) if first and second else "")
            rows.append([what, f"{NAMES[more]} − {NAMES[less]}", *cells])
        header = ("what is added", "systems", *(f"{plies} plies" for plies in self.depths))
        return Table(header, rows)

    def ranking(self, checkpoint: int) -> str:
        """What each way to use a result comes to, the one that uses most of it first."""
        found = [(NAMES[key], self.at(key, checkpoint, self.depths[0])) for key in reversed(_WAYS)]
        return ", ".join(f"{name} {ensemble.elo_text}" for name, ensemble in found if ensemble)

    def plot(self, plt: Any) -> None:
        """Points by games on a logarithmic axis: ways to use a result, and ways to learn."""
        figure = plt.gcf()
        figure.set_size_inches(11, 5.4)
        panels = figure.subplots(1, 2, sharey=True)
        titles = ("Ways to use a result", "Learners, one and eight")
        for axis, title, group in zip(panels, titles, (_WAYS, _LEARNERS), strict=True):
            keys = [key for key in group if key in self.systems]
            for number, key in enumerate(keys):
                self._plot_one(axis, key, 1 + 0.03 * (number - (len(keys) - 1) / 2))
            axis.axhline(0, color="grey", linewidth=0.8, linestyle="--")
            axis.set(xscale="log", xlabel="games played", title=title, ylim=SHOWN)
            places = [max(checkpoint, BEGINNING) for checkpoint in self.checkpoints]
            axis.set_xticks(places, [f"{checkpoint:,}" for checkpoint in self.checkpoints])
            axis.minorticks_off()
            axis.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.14))
        panels[0].set_ylabel(f"points against {NOISE}, {self.depths[0]} plies, 95% over runs")

    def _plot_one(self, axis: Any, key: str, shift: float) -> None:
        found = [(c, self.at(key, c, self.depths[0])) for c in self.checkpoints]
        there = [(checkpoint, ensemble) for checkpoint, ensemble in found if ensemble is not None]
        places = [max(self.games(key, checkpoint), BEGINNING) * shift for checkpoint, _ in there]
        heights = np.array([elo_of(ensemble.share) for _, ensemble in there])
        low, high = np.array([[elo_of(end) for end in ensemble.interval] for _, ensemble in there]).T
        bars = {"elinewidth": 0.9, "capsize": 2.5, "marker": "o", "markersize": 4}
        errors = [heights - low, high - heights]
        axis.errorbar(places, heights, errors, color=_COLOURS[key], linestyle=_STYLES[key], label=NAMES[key], **bars)


_WAYS = ("anaconda", "c10-rr", "es", "one")
_LEARNERS = ("one", "own", "own-selected", "shared", "shared-selected", "not-inherited")
_COLOURS = {
    "anaconda": "tab:blue",
    "c10-rr": "tab:cyan",
    "es": "tab:green",
    "one": "tab:red",
    "own": "tab:purple",
    "own-selected": "tab:purple",
    "shared": "tab:orange",
    "shared-selected": "tab:orange",
    "not-inherited": "tab:grey",
}
_STYLES = {key: "--" if key.endswith("-selected") else "-" for key in NAMES} | {"not-inherited": ":"}


def _elo(ensemble: Ensemble | None) -> str:
    return ensemble.elo_text if ensemble else ""


def verdict(low: float, high: float) -> str:
    """An interval in words."""
    if low > 0:
        return "more"
    return "less" if high < 0 else "not significant"


def _gain_text(mean: float, low: float, high: float) -> str:
    return f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]: {verdict(low, high)}"


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
    return report_on(Curves(found.values()), command)


def report_on(curves: Curves, command: str) -> Report:
    """The report that measurements make."""
    shallow, deep, last = curves.depths[0], curves.depths[-1], curves.last
    report = Report("ours/worth", command)
    report.state(systems=len(curves.systems), seeds=curves.seeds, games=f"{last:,}", shallow=shallow, deep=deep)
    report.fact("ranking", curves.ranking(last))
    tables = {
        "by-games": curves.by_games(shallow),
        "by-games-deep": curves.by_games(deep),
        "at-the-end": curves.at_the_end(last, NOISE),
        "against-counting": curves.at_the_end(last, "material"),
        "differences": curves.differences(last),
    }
    for name, table in tables.items():
        report.table(name, table.header, table.rows)
    report.figure("strength-by-games", curves.plot)
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
