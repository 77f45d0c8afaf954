"""Chellapilla and Fogel's two control experiments."""

from evocheckers.experiments.reproductions.laboratory import (
    SCORE_HEADER,
    Laboratory,
    Result,
    difference,
    score_cells,
)
from evocheckers.experiments.reproductions.report import Report
from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.tournaments.score import Score

PAPER_DEPTH = Score(10, 3, 1)
"""Equal depth: 2 games finished, both won; of the other 12, played out, 8 won, 3 drawn, 1 lost."""
PAPER_TIME = Score(8, 4, 2)
"""Equal time, after playing out."""
_DRAWS = (
    "Points: the rating difference that the score means, draws as half a win. Decided: that of the decided games "
    "alone, which is how the paper's figures of about 400 and 240 come out (10 to 1, 8 to 2; with draws they are "
    "+265 and +159). p: sign test. Noise: the opponent that adds up to 0.01 to every leaf, which makes it stronger "
    "than choosing at random among equal moves."
)


def _rows(name: str, result: Result) -> list[list[str]]:
    return [
        [f"{name}, as played", *score_cells(result.raw)],
        [f"{name}, played out", *score_cells(result.played_out)],
    ]


def equal_depth(lab: Laboratory, command: str) -> Report:
    """The network against piece differential at equal depth, from the seven first moves with both colours."""
    plies = lab.size(8, 4)
    report = Report(f"Control 1: equal depth, {plies} plies", command)
    report.text(
        "Does the network know more than how to count pieces? It plays piece differential (K = 1.5) at the same "
        f"depth, from all seven first moves with both colours. The paper: 8 plies; here: {plies}. The paper had "
        "unfinished games played out by a strong program with an endgame database; here the judge does it."
    )
    rows = [["the paper, played out", *score_cells(PAPER_DEPTH)]]
    differences = []
    opponents = {"ours": f"material@{plies}", "ours, noise": f"material:noise@{plies}"}
    for name, opponent in opponents.items():
        found = lab.match(f"depth-{opponent.partition('@')[0]}", f"{lab.player}@{plies}", opponent, FIRST_MOVES)
        rows += _rows(name, found)
        label = "with noise" if "noise" in name else "without noise"
        differences.append(f"{label} {difference(PAPER_DEPTH, found.played_out)}")
    report.table("14 games from the seven first moves", ("opponent", *SCORE_HEADER), rows)
    if not lab.quick:
        rows = []
        for name, opponent in opponents.items():
            found = lab.match(f"ballots-{opponent.partition('@')[0]}", f"{lab.player}@{plies}", opponent, ballots())
            rows += _rows(name, found)
        report.table("86 games over the two-move ballots", ("opponent", *SCORE_HEADER), rows)
    report.text(f"Played out, over 14 games: {'; '.join(differences)}.")
    report.text(f"The network is `{lab.player}`. {_DRAWS}")
    return report


def equal_time(lab: Laboratory, command: str) -> Report:
    """The network against piece differential with equal time for every move."""
    milliseconds = lab.size(200, 10)
    lines = FIRST_MOVES[:2] if lab.quick else FIRST_MOVES
    report = Report(f"Control 2: equal time, {milliseconds} ms a move", command)
    report.text(
        "Counting pieces is cheaper than a network, so with equal time piece differential looks further ahead. "
        f"{2 * len(lines)} games from the first moves with both colours; time makes them depend on the machine, so "
        "they do not repeat exactly."
    )
    limit = f"{milliseconds}ms"
    rows = [["the paper, played out", *score_cells(PAPER_TIME)]]
    differences = []
    for name, opponent in (("ours", "material"), ("ours, noise", "material:noise")):
        result = lab.match(f"time-{opponent}", f"{lab.player}@{limit}", f"{opponent}@{limit}", lines)
        rows += _rows(name, result)
        label = "with noise" if "noise" in name else "without noise"
        differences.append(f"{label} {difference(PAPER_TIME, result.played_out)}")
    report.table("", ("opponent", *SCORE_HEADER), rows)
    report.text(f"Played out: {'; '.join(differences)}.")
    report.text(f"The network is `{lab.player}`. {_DRAWS}")
    return report
