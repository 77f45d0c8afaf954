"""Strength by ply: what the papers leave for future work."""

import itertools
from typing import Any

from evocheckers.experiments.reproductions.laboratory import SCORE_HEADER, Laboratory, score_cells
from evocheckers.experiments.reproductions.report import Report
from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.tournaments.score import Score


def strength_by_ply(lab: Laboratory, command: str) -> Report:
    """The network at each depth against itself two plies shallower, and against piece differential as deep."""
    depths = (2, 4) if lab.quick else (2, 4, 6, 8, 10)
    lines = FIRST_MOVES if lab.quick else ballots()
    report = Report("Strength by ply", command)
    report.text(
        "Looking further ahead helps any evaluation. How much does it help this one, and does the network keep its "
        f"lead over piece differential when both look further? {2 * len(lines)} games a line."
    )
    rows, same = [], {}
    for depth in depths:
        result = lab.match(f"material-{depth}", f"{lab.player}@{depth}", f"material:noise@{depth}", lines)
        same[depth] = result
        rows.append([f"{depth} plies, as played", *score_cells(result.raw)])
        rows.append([f"{depth} plies, played out", *score_cells(result.played_out)])
    report.table("Against piece differential with noise, at equal depth", ("", *SCORE_HEADER), rows)
    rows = []
    for shallow, deep in itertools.pairwise(depths):
        result = lab.match(f"itself-{deep}", f"{lab.player}@{deep}", f"{lab.player}@{shallow}", lines)
        rows.append([f"{deep} against {shallow} plies, as played", *score_cells(result.raw)])
        rows.append([f"{deep} against {shallow} plies, played out", *score_cells(result.played_out)])
    report.table("Against itself, two plies shallower", ("", *SCORE_HEADER), rows)
    report.figure(
        "by-ply",
        "Score against piece differential by depth",
        lambda plt: _draw(plt, {depth: (result.raw, result.played_out) for depth, result in same.items()}),
    )
    report.text(f"The network is `{lab.player}`.")
    return report


def _draw(plt: Any, scores: dict[int, tuple[Score, Score]]) -> None:
    depths = list(scores)
    for which, label in ((0, "as played"), (1, "played out")):
        shares = [100 * scores[depth][which].share for depth in depths]
        errors = [
            [100 * (scores[d][which].share - scores[d][which].interval[0]) for d in depths],
            [100 * (scores[d][which].interval[1] - scores[d][which].share) for d in depths],
        ]
        plt.errorbar([depth + 0.1 * which for depth in depths], shares, errors, marker="o", capsize=3, label=label)
    plt.axhline(50, color="grey", linewidth=0.8, linestyle="--")
    plt.xlabel("plies, both players")
    plt.ylabel("points against piece differential, %")
    plt.legend(frameon=False)
