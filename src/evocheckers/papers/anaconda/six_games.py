"""The six games against a commercial program: three opponents, both colours."""

from evocheckers.papers.lab import READINGS, SCORE_HEADER, Laboratory, difference, score_cells
from evocheckers.papers.report import Report
from evocheckers.tournaments.score import Score

PAPER_SIX = Score(6, 0, 0)


def six_games(lab: Laboratory, command: str) -> Report:
    """Six games at 6 plies for every network, against graded piece counters in both readings."""
    plies = lab.size(6, 3)
    depths = (plies - 2, plies, plies + 2)
    report = Report(f"Six games at {plies} plies", command)
    games, totals = [], [["Anaconda, generation 840", "Hoyle's experts", "the paper", *score_cells(PAPER_SIX)]]
    found = []
    for player in lab.players:
        for reading in READINGS:
            results = [
                lab.match(f"{player}-{reading}-{depth}", f"{player}@{plies}", f"{reading}@{depth}", ("",))
                for depth in depths
            ]
            raw = sum((result.raw for result in results), Score(0, 0, 0))
            played_out = sum((result.played_out for result in results), Score(0, 0, 0))
            cells = [f"{result.raw.wdl_text} ({result.played_out.wdl_text})" for result in results]
            games.append([f"`{player}`", f"`{reading}`", *cells])
            totals.append([f"`{player}`", f"`{reading}`", "as played", *score_cells(raw)])
            totals.append([f"`{player}`", f"`{reading}`", "played out", *score_cells(played_out)])
            report.fact(f"{player}-{reading.replace(':', '-')}", played_out.wdl_text)
            found.append(
                f"`{player}` against `{reading}` {raw.wdl_text} as played, {played_out.wdl_text} played out: "
                f"{difference(PAPER_SIX, played_out)}"
            )
    report.text(f"Won, drawn, lost, all six together: {'; '.join(found)}.")
    report.text(
        "The paper's network beat the three \"experts\" of a commercial program, Hoyle's Classic Games, with both "
        f"colours, at {plies} plies. That program cannot be had here, so only the form of the match is reproduced: "
        f"piece counters that look {depths[0]}, {depths[1]} and {depths[2]} plies ahead take the experts' places, in "
        "both readings of the papers' control player."
    )
    header = ("network", "opponent", *(f"{depth} plies" for depth in depths))
    report.table("Won-drawn-lost of two games, as played (played out), by the opponent's depth", header, games)
    report.table("All six", ("network", "opponent", "", *SCORE_HEADER), totals)
    return report
