"""Chellapilla and Fogel's six games against a commercial program: three opponents, both colours.

Hoyle's Classic Games and its "experts" cannot be had, so piece counters that look as far as the network, two plies less
and two plies more take their places.
"""

from evocheckers.papers.lab import PIECE_COUNTERS, Laboratory
from evocheckers.papers.report import Report
from evocheckers.papers.scores import DIFFERENCE_HEADER, SCORE_HEADER, difference_cells, score_cells
from evocheckers.tournaments.score import Score

PAPER_SIX = Score(6, 0, 0)
"""Hoyle, section 4: all six games were won."""


def six_games(lab: Laboratory, command: str) -> Report:
    """Six games at 6 plies for every network, against graded piece counters in both readings."""
    plies = lab.size(6, 3)
    depths = (plies - 2, plies, plies + 2)
    report = Report("anaconda/six-games", command)
    report.state(plies=plies, less=depths[0], more=depths[2])
    games, totals = [], [["Anaconda, generation 840", "Hoyle's experts", "the paper", *score_cells(PAPER_SIX)]]
    differences = []
    for player in lab.players:
        for opponent in PIECE_COUNTERS:
            results = [
                lab.match(f"{player}-{opponent}-{depth}", f"{player}@{plies}", f"{opponent}@{depth}", ("",))
                for depth in depths
            ]
            raw = sum((result.raw for result in results), Score(0, 0, 0))
            played_out = sum((result.played_out for result in results), Score(0, 0, 0))
            cells = [f"{result.raw.wdl_text} ({result.played_out.wdl_text})" for result in results]
            names = [f"`{player}`", f"`{opponent}`"]
            games.append([*names, *cells])
            totals.append([*names, "as played", *score_cells(raw)])
            totals.append([*names, "played out", *score_cells(played_out)])
            differences.append([*names, *difference_cells(PAPER_SIX, played_out)])
            report.fact(f"{player}-{opponent}", played_out.wdl_text, quoted=True)
    report.table("games", ("network", "opponent", *(f"{depth} plies" for depth in depths)), games)
    report.table("totals", ("network", "opponent", "", *SCORE_HEADER), totals)
    report.table("differences", ("network", "opponent", *DIFFERENCE_HEADER), differences)
    return report
