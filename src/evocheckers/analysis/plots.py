"""All plots: of a run, several runs, a game's values, a report. The only module that uses Matplotlib."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.analysis.analyse import PlyAnalysis
from evocheckers.analysis.ensemble import MeasuredGeneration
from evocheckers.analysis.generations import cross_matrix
from evocheckers.analysis.lineage import WITH_FAMILIES, ancestors, family_tree
from evocheckers.analysis.mistakes import Mark
from evocheckers.analysis.values import SHOWN_MEN
from evocheckers.games.batch import Executor
from evocheckers.runs.file import Run
from evocheckers.runs.validation import RunError


def plot_run(run: Run, folder: Path, executor: Executor) -> list[Path]:
    """Plot everything that the run holds; return the files."""
    _prepare()
    summaries = run.summaries()
    if not summaries:
        raise RunError(run.path, "has no generation to plot yet")
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    pictures: dict[str, Any] = {"strength": _strength, "games": _games, "population": _population, "lineage": _lineage}
    for name, plot in pictures.items():
        figure = plot(run)
        if figure is not None:
            files += _save(figure, folder / f"{run.path.stem}-{name}")
    files += _save(_matrix(run, executor), folder / f"{run.path.stem}-generations")
    return files


def plot_ensemble(rows: Sequence[MeasuredGeneration], title: str, file: Path) -> None:
    """Share of the points by generation for several runs: a thin line per run, and their mean with its interval."""
    _prepare()
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    numbers = [row.generation for row in rows]
    for scores in zip(*(row.raw.scores for row in rows), strict=True):
        axes.plot(numbers, [100 * score.share for score in scores], color="tab:blue", alpha=0.25, linewidth=0.8)
    means = {"as played": [row.raw for row in rows], "played out": [row.played_out for row in rows if row.played_out]}
    for (name, found), colour in zip(means.items(), ("tab:blue", "tab:orange"), strict=True):
        if found:
            shares = np.array([100 * one.share for one in found])
            low, high = np.array([one.interval for one in found]).T * 100
            axes.errorbar(numbers, shares, [shares - low, high - shares], color=colour, capsize=3, label=name)
    axes.axhline(50, color="grey", linewidth=0.8, linestyle="--")
    axes.set(xlabel="generation", ylabel="points, %", title=title)
    axes.legend(frameon=False)
    figure.savefig(file, dpi=110, bbox_inches="tight")
    plt.close(figure)


def plot_values(plies: Sequence[PlyAnalysis], title: str, path: Path) -> None:
    """Plot the value over a game, with mistakes and blunders marked."""
    _prepare()
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 3.2))
    numbers = [one.review.ply for one in plies]
    values = [one.men for one in plies]
    axis.axhline(0, color="grey", linewidth=0.8)
    axis.plot(numbers, values, color="tab:blue", linewidth=1.2)
    axis.fill_between(
        numbers, values, 0, where=[men > 0 for men in values], color="black", alpha=0.25, interpolate=True
    )
    axis.fill_between(
        numbers, values, 0, where=[men < 0 for men in values], color="tab:orange", alpha=0.25, interpolate=True
    )
    for one in plies:
        if one.review.mark in (Mark.MISTAKE, Mark.BLUNDER):
            axis.plot(one.review.ply, one.men, "o", color="tab:red", markersize=4)
            axis.annotate(
                str(one.review.move),
                (one.review.ply, one.men),
                fontsize=7,
                xytext=(3, 3),
                textcoords="offset points",
            )
    axis.set_ylim(-SHOWN_MEN - 0.3, SHOWN_MEN + 0.3)
    axis.set_xlabel("ply")
    axis.set_ylabel("value to Black, men")
    axis.set_title(title, fontsize=10)
    figure.savefig(path, dpi=110, bbox_inches="tight")
    plt.close(figure)


def plot_into(path: Path, plot: Callable[[Any], None]) -> None:
    """Save a figure of a report: ``plot`` gets Matplotlib's ``pyplot`` and fills its current figure."""
    _prepare()
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(7, 4))
    plot(plt)
    figure.savefig(path, dpi=110, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def _prepare() -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "evocheckers", "axes.spines.top": False, "axes.spines.right": False})


def _save(figure: Any, stem: Path) -> list[Path]:
    import matplotlib.pyplot as plt

    files = [stem.with_suffix(".png"), stem.with_suffix(".svg")]
    figure.savefig(files[0], dpi=110, bbox_inches="tight", metadata={"Software": None})
    figure.savefig(files[1], bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return files


def _title(run: Run) -> str:
    return f"{run.preset}, seed {run.seed}"


def _strength(run: Run) -> Any:
    """Share of the points against piece differential, by generation, with 95% intervals."""
    import matplotlib.pyplot as plt

    strengths = run.strengths()
    if not strengths:
        return None
    numbers = list(strengths)
    shares = np.array([100 * score.share for score in strengths.values()])
    low, high = np.array([[100 * bound for bound in score.interval] for score in strengths.values()]).T
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 5.5), sharex=True, height_ratios=[2, 1])
    top.axhline(50, color="grey", linewidth=0.8, linestyle="--")
    top.fill_between(numbers, low, high, alpha=0.25, color="tab:blue", linewidth=0, label="95% interval")
    top.plot(numbers, shares, marker="o", markersize=3, color="tab:blue", label="share of points")
    top.set_ylabel("points against piece differential, %")
    top.set_title(f"{_title(run)}: best network against piece differential, {run.settings.plies} plies, 86 games")
    top.legend(frameon=False, loc="upper left")
    draws = np.array([[s.ahead, s.draws - s.ahead - s.behind, s.behind] for s in strengths.values()], float).T
    games = np.array([score.games for score in strengths.values()])
    parts = [np.array([s.wins for s in strengths.values()]), *draws, np.array([s.losses for s in strengths.values()])]
    labels = ("won", "drawn ahead", "drawn level", "drawn behind", "lost")
    colours = ("#2b7a3d", "#9fd0a8", "#dddddd", "#f0b7a4", "#b3402a")
    bottom.stackplot(numbers, *[100 * part / games for part in parts], labels=labels, colors=colours)
    bottom.set_ylabel("games, %")
    bottom.set_xlabel("generation")
    bottom.legend(frameon=False, fontsize=7, ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.35))
    return figure


def _games(run: Run) -> Any:
    """Share of draws and mean length of the evolution's own games."""
    import matplotlib.pyplot as plt

    summaries = run.summaries()
    numbers = [summary.number for summary in summaries]
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 4.5), sharex=True)
    top.plot(numbers, [100 * s.draws / s.games for s in summaries], linewidth=0.9, color="tab:grey")
    top.set_ylabel("drawn, %")
    top.set_ylim(0, 100)
    top.set_title(f"{_title(run)}: games of each generation")
    bottom.plot(numbers, [s.plies / s.games for s in summaries], linewidth=0.9, color="tab:purple")
    bottom.set_ylabel("mean plies")
    bottom.set_xlabel("generation")
    return figure


def _population(run: Run) -> Any:
    """Points, K, and step sizes or learning rates of each generation's individuals."""
    import matplotlib.pyplot as plt

    numbers = [summary.number for summary in run.summaries()]
    people = [run.individuals(number) for number in numbers]
    rows = []
    if any(individuals.scores.any() for individuals in people):  # a single learner meets only itself
        rows.append(("points", "scores", "tab:green"))
    if np.isfinite(people[0].king_values).any():
        rows.append(("K", "king_values", "tab:orange"))
    if np.isfinite(people[0].step_sizes).any():
        learns = any(individuals.losses.size for individuals in people)
        rows.append(("learning rate" if learns else "mean step size", "step_sizes", "tab:red"))
    if not rows:
        return None
    figure, axes = plt.subplots(len(rows), 1, figsize=(7, 2.1 * len(rows)), sharex=True, squeeze=False)
    for (label, name, colour), axis in zip(rows, axes[:, 0], strict=True):
        values = [getattr(individuals, name) for individuals in people]
        axis.fill_between(
            numbers, [v.min() for v in values], [v.max() for v in values], alpha=0.25, color=colour, linewidth=0
        )
        axis.plot(numbers, [v.mean() for v in values], linewidth=0.9, color=colour)
        axis.set_ylabel(label)
    axes[0, 0].set_title(f"{_title(run)}: mean and range of each generation")
    axes[-1, 0].set_xlabel("generation")
    return figure


def _lineage(run: Run) -> Any:
    """The family tree of the last generation, with the best individual's line in colour."""
    import matplotlib.pyplot as plt

    if run.scheme_name not in WITH_FAMILIES:
        return None
    places, parents = family_tree(run)
    figure, axis = plt.subplots(figsize=(7, 4.5))
    line = ancestors(run.summaries()[-1].best_id, parents)
    for child, parent in parents.items():
        (x0, y0), (x1, y1) = places[parent], places[child]
        mine = child in line
        colour, width = ("tab:blue", 1.5) if mine else ("silver", 0.8)
        axis.plot([x0, x0, x1], [y0, y1, y1], color=colour, linewidth=width, zorder=2 if mine else 1)
    axis.set_xlabel("generation of birth")
    axis.set_yticks([])
    axis.set_title(f"{_title(run)}: family tree of the last generation; the best one's {len(line)} ancestors in blue")
    return figure


def _matrix(run: Run, executor: Executor) -> Any:
    """Does a later generation beat an earlier one?"""
    import matplotlib.pyplot as plt

    numbers, shares = cross_matrix(run, executor)
    figure, axis = plt.subplots(figsize=(5.2, 4.4))
    image = axis.imshow(100 * shares, cmap="RdYlGn", vmin=0, vmax=100)
    for row in range(len(numbers)):
        for column in range(len(numbers)):
            if row != column:
                axis.text(column, row, f"{100 * shares[row, column]:.0f}", ha="center", va="center", fontsize=8)
    axis.set_xticks(range(len(numbers)), [str(n) for n in numbers])
    axis.set_yticks(range(len(numbers)), [str(n) for n in numbers])
    axis.set_xlabel("against generation")
    axis.set_ylabel("generation")
    axis.set_title(f"{_title(run)}: points in 14 games, %")
    figure.colorbar(image, shrink=0.8)
    return figure
