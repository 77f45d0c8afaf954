"""Strength by ply, which the papers leave for future work: what two more plies are worth, and whether leads last.

Every network plays against itself two plies shallower, and against both piece counters at equal depth.
"""

import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any

from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.papers.lab import PIECE_COUNTERS, AdjudicatedMatch, Laboratory
from evocheckers.papers.report import Report
from evocheckers.papers.scores import SCORE_HEADER, score_cells
from evocheckers.tournaments.score import Score

DEEP = 10
"""From this many plies on, only the seven first moves are played."""

Results = dict[int, AdjudicatedMatch]
"""Results by depth."""


def strength_by_ply(lab: Laboratory, command: str) -> Report:
    """Every network at each depth against itself two plies shallower, and against piece differential at equal depth."""
    depths = (2, 4) if lab.quick else (2, 4, 6, 8, 10)
    report = Report("ours/strength-by-ply", command)
    report.lists |= {"player": list(lab.players), "opponent": list(PIECE_COUNTERS)}
    report.fact("games", _games(lab, depths))
    for player in lab.players:
        counting = {
            opponent: {d: _match(lab, f"{player}-{opponent}", f"{player}@{d}", f"{opponent}@{d}", d) for d in depths}
            for opponent in PIECE_COUNTERS
        }
        itself = {
            deep: _match(lab, f"{player}-itself", f"{player}@{deep}", f"{player}@{shallow}", deep)
            for shallow, deep in itertools.pairwise(depths)
        }
        _add(report, player, itself, counting)
    return report


def _add(report: Report, player: str, itself: Results, counting: Mapping[str, Results]) -> None:
    """A network's tables: a summary in points as played, then every score."""
    depths = list(next(iter(counting.values())))
    summary = []
    for opponent, results in counting.items():
        for depth, result in results.items():
            report.fact(f"{player}-{opponent}-{depth}", result.raw.elo_text, quoted=True)
            report.fact(f"{player}-{opponent}-{depth}-out", result.played_out.elo_text, quoted=True)
        rows = [row for depth, result in results.items() for row in _rows(f"{depth} plies", result)]
        report.table(f"scores-{player}-{opponent}", ("", *SCORE_HEADER), rows)
        summary.append([f"lead over `{opponent}` at equal depth", *(one.raw.elo_text for one in results.values())])
    for deep, result in itself.items():
        report.fact(f"{player}-itself-{deep}", result.raw.elo_text, quoted=True)
    rows = [row for deep, result in itself.items() for row in _rows(f"{deep} against {deep - 2} plies", result)]
    report.table(f"scores-{player}-itself", ("", *SCORE_HEADER), rows)
    gains = [itself[depth].raw.elo_text if depth in itself else "" for depth in depths]
    summary.append(["what the last two plies are worth", *gains])
    report.table(f"summary-{player}", ("", *(f"{depth} plies" for depth in depths)), summary)
    report.figure(f"by-ply-{player}", partial(_plot, counting))


def _lines(lab: Laboratory, depth: int) -> tuple[str, ...]:
    if lab.quick:
        return tuple(FIRST_MOVES[:1])
    return tuple(FIRST_MOVES if depth >= DEEP else ballots())


def _games(lab: Laboratory, depths: tuple[int, ...]) -> str:
    counts = {2 * len(_lines(lab, depth)) for depth in depths}
    if len(counts) == 1:
        return f"{counts.pop()} games a line"
    return f"{max(counts)} games a line, {min(counts)} where a network looks {DEEP} plies ahead"


def _match(lab: Laboratory, name: str, first: str, second: str, depth: int) -> AdjudicatedMatch:
    return lab.match(f"{name}-{depth}", first, second, _lines(lab, depth))


def _rows(name: str, result: AdjudicatedMatch) -> list[list[str]]:
    return [
        [f"{name}, as played", *score_cells(result.raw)],
        [f"{name}, played out", *score_cells(result.played_out)],
    ]


def _plot(counting: Mapping[str, Results], plt: Any) -> None:
    shown: list[tuple[str, dict[int, Score]]] = []
    for opponent, results in counting.items():
        shown.append((f"{opponent}, as played", {depth: result.raw for depth, result in results.items()}))
        shown.append((f"{opponent}, played out", {depth: result.played_out for depth, result in results.items()}))
    for number, (label, scores) in enumerate(shown):
        shares = [100 * score.share for score in scores.values()]
        errors = [
            [100 * (score.share - score.interval[0]) for score in scores.values()],
            [100 * (score.interval[1] - score.share) for score in scores.values()],
        ]
        places = [depth + 0.1 * number for depth in scores]
        plt.errorbar(places, shares, errors, marker="o", capsize=3, label=label)
    plt.axhline(50, color="grey", linewidth=0.8, linestyle="--")
    plt.xlabel("plies, both players")
    plt.ylabel("points against piece differential, %")
    plt.legend(frameon=False)
