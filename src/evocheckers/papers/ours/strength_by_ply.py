"""Strength by ply, which the papers leave for future work."""

import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any

from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.papers.lab import READINGS, SCORE_HEADER, Laboratory, Result, score_cells
from evocheckers.papers.report import Report
from evocheckers.tournaments.score import Score

DEEP = 10
"""From this many plies on, only the seven first moves are played."""

Results = dict[int, Result]
"""Results by depth."""


def strength_by_ply(lab: Laboratory, command: str) -> Report:
    """Every network at each depth against itself two plies shallower, and against piece differential at equal depth."""
    depths = (2, 4) if lab.quick else (2, 4, 6, 8, 10)
    report = Report("Strength by ply", command)
    found: dict[str, tuple[Results, dict[str, Results]]] = {}
    for player in lab.players:
        counting = {
            reading: {d: _match(lab, f"{player}-{reading}", f"{player}@{d}", f"{reading}@{d}", d) for d in depths}
            for reading in READINGS
        }
        itself = {
            deep: _match(lab, f"{player}-itself", f"{player}@{deep}", f"{player}@{shallow}", deep)
            for shallow, deep in itertools.pairwise(depths)
        }
        found[player] = itself, counting
    for player, (itself, counting) in found.items():
        report.text(_finding(player, itself, counting))
        _keep_facts(report, player, itself, counting)
    report.text(
        "Looking further ahead helps any evaluation. How much does it help each network, and does it keep its lead "
        "over piece differential when both look further? Piece differential in both readings: `material` chooses at "
        f"random among equal moves, `material:noise` adds up to 0.01 to every leaf. {_games(lab, depths)}"
    )
    for player, (itself, counting) in found.items():
        for reading, results in counting.items():
            rows = [row for depth, result in results.items() for row in _rows(f"{depth} plies", result)]
            report.table(f"`{player}` against `{reading}` at equal depth", ("", *SCORE_HEADER), rows)
        rows = [row for deep, result in itself.items() for row in _rows(f"{deep} against {deep - 2} plies", result)]
        report.table(f"`{player}` against itself, two plies shallower", ("", *SCORE_HEADER), rows)
        report.figure(
            f"by-ply-{lab.players.index(player) + 1}",
            f"{player} against piece differential by depth",
            partial(_plot, counting),
        )
    return report


def _lines(lab: Laboratory, depth: int) -> tuple[str, ...]:
    if lab.quick:
        return tuple(FIRST_MOVES[:1])
    return tuple(FIRST_MOVES if depth >= DEEP else ballots())


def _games(lab: Laboratory, depths: tuple[int, ...]) -> str:
    counts = {2 * len(_lines(lab, depth)) for depth in depths}
    if len(counts) == 1:
        return f"{counts.pop()} games a line."
    return f"{max(counts)} games a line, {min(counts)} where a network looks {DEEP} plies ahead."


def _match(lab: Laboratory, name: str, first: str, second: str, depth: int) -> Result:
    return lab.match(f"{name}-{depth}", first, second, _lines(lab, depth))


def _finding(player: str, itself: Results, counting: Mapping[str, Results]) -> str:
    gains = ", ".join(f"{result.raw.elo_text} from {deep - 2} to {deep}" for deep, result in itself.items())
    leads = "; ".join(
        f"against `{reading}` " + ", ".join(f"{r.raw.elo_text} at {depth}" for depth, r in results.items())
        for reading, results in counting.items()
    )
    return f"`{player}`: two plies more are worth, in points as played, {gains}. Its lead at equal depth: {leads}."


def _keep_facts(report: Report, player: str, itself: Results, counting: Mapping[str, Results]) -> None:
    for reading, results in counting.items():
        for depth, result in results.items():
            report.fact(f"{player}-{reading.replace(':', '-')}-{depth}", result.raw.elo_text)
            report.fact(f"{player}-{reading.replace(':', '-')}-{depth}-out", result.played_out.elo_text)
    for deep, result in itself.items():
        report.fact(f"{player}-itself-{deep}", result.raw.elo_text)


def _rows(name: str, result: Result) -> list[list[str]]:
    return [
        [f"{name}, as played", *score_cells(result.raw)],
        [f"{name}, played out", *score_cells(result.played_out)],
    ]


def _plot(counting: Mapping[str, Results], plt: Any) -> None:
    shown: list[tuple[str, dict[int, Score]]] = []
    for reading, results in counting.items():
        shown.append((f"{reading}, as played", {depth: result.raw for depth, result in results.items()}))
        shown.append((f"{reading}, played out", {depth: result.played_out for depth, result in results.items()}))
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
