"""Strength by number of games over several seeds, as tables and as a figure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evocheckers.analysis.ensemble import Ensemble
from evocheckers.papers.lab import counts
from evocheckers.papers.report import Table
from evocheckers.papers.systems import SYSTEMS
from evocheckers.tournaments.score import Score, elo_of

NOISE = "material:noise"
NAMES = {system.key: system.name for system in SYSTEMS}
COMPARED = (
    ("every position is told, not a sum of points", "one", "anaconda"),
    ("every position is told, not a pair of games", "one", "es"),
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
        return self._points(f"Points against `{NOISE}` at {plies} plies, as played, 95% over runs", columns)

    def at_the_end(self, checkpoint: int, opponent: str) -> Table:
        """Points at both depths, as played and played out."""
        columns = {
            f"{plies} plies, {'played out' if out else 'as played'}": (checkpoint, plies, opponent, out)
            for plies in self.depths
            for out in (False, True)
        }
        return self._points(f"Points against `{opponent}` after {checkpoint:,} games", columns)

    def _points(self, title: str, columns: dict[str, tuple[int, int, str, bool]]) -> Table:
        """A row per system, and a column for each of ``columns`` that was measured."""
        there = {name: what for name, what in columns.items() if any(self.at(key, *what) for key in self.systems)}
        rows = [[NAMES[key], *(_elo(self.at(key, *what)) for what in there.values())] for key in self.systems]
        return Table(title, ("system", *there), rows)

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
        return Table(f"Differences after {checkpoint:,} games, per cent of the points, 95% over seeds", header, rows)

    def finding(self, checkpoint: int) -> str:
        """The result in one sentence."""
        plies = self.depths[0]
        told = [(NAMES[key], self.at(key, checkpoint, plies)) for key in reversed(_TOLD)]
        parts = ", ".join(f"{name} {ensemble.elo_text}" for name, ensemble in told if ensemble)
        return f"After {checkpoint:,} games, in points against `{NOISE}` at {plies} plies: {parts}."

    def plot(self, plt: Any) -> None:
        """Points by games on a logarithmic axis: what is told the result, and what learners do with it."""
        figure = plt.gcf()
        figure.set_size_inches(11, 5.4)
        panels = figure.subplots(1, 2, sharey=True)
        titles = ("Who is told the result", "Learners, one and eight")
        for axis, title, group in zip(panels, titles, (_TOLD, _LEARNERS), strict=True):
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


_TOLD = ("anaconda", "c10-rr", "es", "one")
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


def gain(more: Ensemble, less: Ensemble) -> tuple[float, float, float]:
    """The gain in per cent of the points, seed by seed: mean and interval, which is empty if all seeds agree."""
    from scipy import stats

    gaps = [100 * (a.share - b.share) for a, b in zip(more.scores, less.scores, strict=False)]
    mean = float(np.mean(gaps))
    half = float(stats.t.ppf(0.975, len(gaps) - 1) * stats.sem(gaps)) if len(set(gaps)) > 1 else 0.0
    return mean, mean - half, mean + half


def verdict(low: float, high: float) -> str:
    """An interval in words."""
    if low > 0:
        return "more"
    return "less" if high < 0 else "no difference that shows"


def _gain_text(mean: float, low: float, high: float) -> str:
    return f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]: {verdict(low, high)}"


def tables(curves: Curves, checkpoint: int) -> dict[str, Table]:
    """All tables by name; those at the end are for ``checkpoint`` games."""
    return {
        "by games": curves.by_games(curves.depths[0]),
        "by games, deep": curves.by_games(curves.depths[-1]),
        "at the end": curves.at_the_end(checkpoint, NOISE),
        "against counting": curves.at_the_end(checkpoint, "material"),
        "differences": curves.differences(checkpoint),
    }
