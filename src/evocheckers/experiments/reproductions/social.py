"""Al-Khateeb and Kendall's tables 2 to 6: C10-RR against C0, Blondie24-RR and C10."""

from evocheckers.experiments.reproductions.laboratory import SCORE_HEADER, Laboratory, difference, score_cells
from evocheckers.experiments.reproductions.report import Report
from evocheckers.games.openings import ballots
from evocheckers.tournaments.ratings import class_of, orderings_test, rate_match
from evocheckers.tournaments.score import Score

GENERATIONS = 140
PLIES = 4
OPPONENTS = {"C0": "anaconda", "Blondie24-RR": "blondie24-rr", "C10": "c10"}
PAPER_BALLOTS = {"C0": Score(49, 20, 17), "Blondie24-RR": Score(41, 22, 23), "C10": Score(35, 23, 28)}
"""Tables 2, 3 and 4, from C10-RR's side."""
PAPER_RATINGS = {
    "C0": ((1405.51, 27.54), (1264.71, 26.66)),
    "Blondie24-RR": ((1250.44, 28.71), (1171.91, 27.61)),
    "C10": ((1229.99, 29.08), (1188.00, 27.86)),
}
"""Table 6: mean and deviation of C10-RR and of its opponent."""
_SMALL = {"parents": 4, "plies": 2}


def social_learning(lab: Laboratory, command: str) -> Report:
    """Evolve all four systems, and rebuild the tables."""
    generations = lab.size(GENERATIONS, 2)
    plies = lab.size(PLIES, 2)
    lines = ballots()[:4] if lab.quick else ballots()
    changes = _SMALL if lab.quick else {}
    players = {}
    for preset in (*OPPONENTS.values(), "c10-rr"):
        path = lab.evolved(preset, generations, changes)
        players[preset] = f"run:{path}#{generations}@{plies}"
    report = Report("Round robin with individual and social learning: tables 2 to 6", command)
    report.text(
        f"Four systems, {generations} generations each, seed 1; the best network of the last generation plays at "
        f"{plies} plies. Ballots: {2 * len(lines)} games. The paper does not give the depth of its matches."
    )
    ours: dict[str, Score] = {}
    rows, starts = [], []
    for number, (name, preset) in enumerate(OPPONENTS.items(), 2):
        result = lab.match(f"ballots-{preset}", players["c10-rr"], players[preset], lines)
        ours[name] = result.raw
        rows.append([f"table {number}: {name}", "paper", *score_cells(PAPER_BALLOTS[name])])
        rows.append(["", "ours, as played", *score_cells(result.raw)])
        rows.append(["", "ours, played out", *score_cells(result.played_out)])
        start = lab.match(f"start-{preset}", players["c10-rr"], players[preset], ("",))
        starts.append([name, "2-0-0", start.raw.wdl_text, start.played_out.wdl_text])
    report.table("C10-RR over the two-move ballots", ("against", "", *SCORE_HEADER), rows)
    report.table(
        "Table 5: C10-RR from the usual start", ("against", "paper", "ours, as played", "ours, played out"), starts
    )
    report.table("Table 6: ratings over 5000 orders", _RATING_HEADER, _rating_rows(ours))
    report.text(
        "The paper's t-test takes the 5000 orders of the same 86 games for 5000 independent samples, so its p value is "
        "tiny whatever the games say. What the games say is the score's interval and the sign test above."
    )
    gaps = [rate_match(s.wins, s.draws, s.losses) for s in PAPER_BALLOTS.values()]
    found = ", ".join(f"{float(first.mean() - second.mean()):.0f}" for first, second in gaps)
    printed = ", ".join(f"{first[0] - second[0]:.0f}" for first, second in PAPER_RATINGS.values())
    report.text(
        f"From a start of 1600 for both, the paper's own results give differences of {found}. Its table has "
        f"{printed}: the first two are close, the third and the levels (all far below 1600) do not follow from the "
        "start that it states."
    )
    told = "; ".join(f"against {name} {difference(PAPER_BALLOTS[name], score)}" for name, score in ours.items())
    report.text(f"Over the ballots, as played: {told}.")
    return report


_RATING_HEADER = ("against", "", "C10-RR", "opponent", "difference", "classes", "t-test over orders, p")


def _rating_rows(ours: dict[str, Score]) -> list[list[str]]:
    rows = []
    for name, score in ours.items():
        (first, first_sd), (second, second_sd) = PAPER_RATINGS[name]
        rows.append(_rating_row([name, "paper, printed"], (first, first_sd), (second, second_sd), "< 0.05"))
        for label, counted in (("paper's games, from 1600", PAPER_BALLOTS[name]), ("ours", score)):
            ratings = rate_match(counted.wins, counted.draws, counted.losses)
            means = [(float(r.mean()), float(r.std(ddof=1))) for r in ratings]
            rows.append(_rating_row(["", label], means[0], means[1], _p_text(orderings_test(*ratings))))
    return rows


def _p_text(p: float) -> str:
    return f"{p:.2g}" if p > 0 else "below 1e-300"


def _rating_row(names: list[str], first: tuple[float, float], second: tuple[float, float], p: str) -> list[str]:
    return [
        *names,
        f"{first[0]:.2f} ± {first[1]:.2f}",
        f"{second[0]:.2f} ± {second[1]:.2f}",
        f"{first[0] - second[0]:+.2f}",
        f"{class_of(first[0])}, {class_of(second[0])}",
        p,
    ]
