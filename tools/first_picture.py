"""The picture at the top of the README: ``python -m tools.first_picture RUN`` plots it from a run of ``make run``.

The share of the points against noisy piece counting at 4 plies, by number of games. The papers' systems are those of
docs/experiments/learning.md, whose tables this reads; ours is the run's own measurements.
"""

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from evocheckers import Run
from evocheckers.analysis.plots import plot_into

DOCS = Path(__file__).resolve().parent.parent / "docs"
TABLES = DOCS / "experiments" / "learning.md"
FIGURE = DOCS / "figures" / "same-games.png"


class Point(NamedTuple):
    """A measurement, in per cent of the points, with its 95% interval."""

    games: int
    share: float
    low: float
    high: float


def paper_points(text: str, system: str, games_per_generation: int) -> list[Point]:
    """A column of the tables by generation in a page."""
    points = []
    column = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
            column = None
        elif cells[0] == "generation":
            column = next((i for i, cell in enumerate(cells) if cell.startswith(f"{system}, ")), None)
        elif column is not None and cells[0].isdigit():
            found = re.search(r"([\d.]+)% \[([\d.]+), ([\d.]+)\]", cells[column])
            if found is not None:
                points.append(Point(int(cells[0]) * games_per_generation, *map(float, found.groups())))
    return points


def run_points(run: Run) -> list[Point]:
    """A run's own measurements."""
    games = {0: 0}
    for summary in run.summaries():
        games[summary.number] = games[summary.number - 1] + summary.games
    points = []
    for generation, score in sorted(run.strengths().items()):
        low, high = score.interval
        points.append(Point(games[generation], 100 * score.share, 100 * low, 100 * high))
    return points


def plot(plt: Any, curves: dict[str, list[Point]]) -> None:
    """All curves, each named at its end, with its intervals as a band."""
    axes = plt.gca()
    axes.axhline(50, color="0.6", linewidth=1, linestyle=":")
    styles = (("C3", "center"), ("C2", "bottom"), ("C0", "top"))
    for (name, points), (color, side) in zip(curves.items(), styles, strict=True):
        games = [point.games / 1000 for point in points]
        axes.plot(games, [point.share for point in points], color=color, linewidth=2.5, marker="o", markersize=4)
        axes.fill_between(
            games,
            [point.low for point in points],
            [point.high for point in points],
            color=color,
            alpha=0.15,
            linewidth=0,
        )
        axes.annotate(
            name,
            (games[-1], points[-1].share),
            xytext=(8, 0),
            textcoords="offset points",
            color=color,
            va=side,
            fontweight="bold",
        )
    axes.set(xlim=(0, None), xlabel="games, in thousands", ylabel="score against noisy piece counting, %")
    axes.set_title("The papers' 5046 numbers, taught in three ways", loc="left")


def main(path: str) -> None:
    """Write the figure."""
    text = TABLES.read_text(encoding="utf-8")
    with Run.open(path) as run:
        own = run_points(run)
    curves = {
        "every position learns\nfrom the result,\ntwo minutes": own,
        "C10-RR, 8 runs;\nin the paper 19 days": paper_points(text, "C10-RR", 870),
        "Anaconda, 16 runs;\nin the paper 6 months": paper_points(text, "Anaconda", 150),
    }
    plot_into(FIGURE, lambda plt: plot(plt, curves))


if __name__ == "__main__":
    main(sys.argv[1])
