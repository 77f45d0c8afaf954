"""Al-Khateeb and Kendall's tables 2 to 6: C10-RR against C0, Blondie24-RR and C10.

The paper gave every system the same time. Here every system gets the same number of games, which is what time buys; so
those that play fewer games in a generation evolve for more generations.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from evocheckers.games.openings import ballots
from evocheckers.papers.lab import AdjudicatedMatch, Evolution, Laboratory
from evocheckers.papers.report import Report
from evocheckers.papers.scores import DIFFERENCE_HEADER, SCORE_HEADER, difference_cells, score_cells
from evocheckers.tournaments.ratings import ORDERS, class_of, orderings_test, rate_match
from evocheckers.tournaments.score import Score

GENERATIONS = 140
PLIES = 4
SYSTEMS = {"C0": "anaconda", "Blondie24-RR": "blondie24-rr", "C10": "c10", "C10-RR": "c10-rr"}
OPPONENTS = ("C0", "Blondie24-RR", "C10")
PAPER_BALLOTS = {"C0": Score(49, 20, 17), "Blondie24-RR": Score(41, 22, 23), "C10": Score(35, 23, 28)}
"""Tables 2, 3 and 4, from C10-RR's side."""
PAPER_START = "2-0-0"
"""Table 5: from the usual start C10-RR won with both colours against each of them."""
PAPER_RATINGS = {
    "C0": ((1405.51, 27.54), (1264.71, 26.66)),
    "Blondie24-RR": ((1250.44, 28.71), (1171.91, 27.61)),
    "C10": ((1229.99, 29.08), (1188.00, 27.86)),
}
"""Table 6: mean and deviation, for C10-RR and for its opponent."""
_SMALL = {"parents": 4, "plies": 2}


def social_learning(lab: Laboratory, command: str) -> Report:
    """Evolve all four systems for equally many games, and rebuild the tables."""
    generations = generations_of(lab)
    plies = lab.size(PLIES, 2)
    lines = ballots()[:2] if lab.quick else ballots()
    small = _SMALL if lab.quick else {}
    paths = lab.evolved_together(
        [
            Evolution(preset, count, {**small, **({"pool": "printed"} if preset.startswith("c10") else {})})
            for preset, count in generations.items()
        ]
    )
    players = {
        preset: f"run:{path}#{count}@{plies}" for (preset, count), path in zip(generations.items(), paths, strict=True)
    }
    report = Report("social/social-learning", command)
    report.fact("generations", ", ".join(f"{name} {generations[preset]}" for name, preset in SYSTEMS.items()))
    report.state(round_robins=generations["c10-rr"], plies=plies, games=2 * len(lines), orders=ORDERS)
    ours: dict[str, AdjudicatedMatch] = {}
    rows, starts = [], []
    for number, name in enumerate(OPPONENTS, 2):
        preset = SYSTEMS[name]
        result = ours[name] = lab.match(f"ballots-{preset}", players["c10-rr"], players[preset], lines)
        rows.append([f"table {number}: {name}", "paper", *score_cells(PAPER_BALLOTS[name])])
        rows.append(["", "ours, as played", *score_cells(result.raw)])
        rows.append(["", "ours, played out", *score_cells(result.played_out)])
        report.fact(f"ballots-{preset}", _in_words(result.raw), quoted=True)
        report.fact(f"ballots-{preset}-out", _in_words(result.played_out), quoted=True)
        start = lab.match(f"start-{preset}", players["c10-rr"], players[preset], ("",))
        starts.append([name, PAPER_START, start.raw.wdl_text, start.played_out.wdl_text])
        words = f"{start.raw.wdl_text}, played out {start.played_out.wdl_text}"
        report.fact(f"start-{preset}", words, quoted=True)
    report.table("scores", ("against", "", *SCORE_HEADER), rows)
    report.figure("ballots", lambda plt: _draw(plt, ours))
    report.table("start", ("against", "paper", "ours, as played", "ours, played out"), starts)
    _order(lab, report, players, ours, lines)
    report.table("ratings", _RATING_HEADER, _rating_rows({name: result.raw for name, result in ours.items()}))
    gaps = [rate_match(s.wins, s.draws, s.losses) for s in PAPER_BALLOTS.values()]
    report.fact("paper-games-gaps", ", ".join(f"{float(first.mean() - second.mean()):.0f}" for first, second in gaps))
    printed = PAPER_RATINGS.values()
    report.fact("paper-printed-gaps", ", ".join(f"{first[0] - second[0]:.0f}" for first, second in printed))
    differences = [[name, *difference_cells(PAPER_BALLOTS[name], result.raw)] for name, result in ours.items()]
    report.table("differences", ("against", *DIFFERENCE_HEADER), differences)
    return report


def _in_words(score: Score) -> str:
    return f"{score.wdl_text}, {score.elo_text} points"


def generations_of(lab: Laboratory) -> dict[str, int]:
    """Generations of each preset, for as many games as C10-RR plays in round robins of all its players."""
    rounds = lab.size(GENERATIONS, 2)
    players = 2 * lab.size(15, _SMALL["parents"])
    with_five = round(rounds * (players - 1) / 5)
    return {"anaconda": with_five, "blondie24-rr": rounds, "c10": with_five, "c10-rr": rounds}


def _order(
    lab: Laboratory, report: Report, players: dict[str, str], ours: dict[str, AdjudicatedMatch], lines: Sequence[str]
) -> None:
    """Every system against every other: the resulting order."""
    totals = {name: Score(0, 0, 0) for name in SYSTEMS}
    for first, second in combinations(SYSTEMS, 2):
        if second == "C10-RR":
            found = _other_side(ours[first].played_out)
        else:
            pair = SYSTEMS[first], SYSTEMS[second]
            found = lab.match(f"ballots-{pair[0]}-{pair[1]}", players[pair[0]], players[pair[1]], lines).played_out
        totals[first] += found
        totals[second] += _other_side(found)
    order = sorted(totals, key=lambda name: -totals[name].share)
    rows = [[name, *score_cells(totals[name])] for name in order]
    report.table("every-system", ("system", *SCORE_HEADER), rows)
    report.fact("order", ", ".join(f"{name} {100 * totals[name].share:.1f}%" for name in order))


def _other_side(score: Score) -> Score:
    return Score(score.losses, score.draws, score.wins)


def _counts(score: Score) -> tuple[int, int, int]:
    return score.wins, score.draws, score.losses


def _draw(plt: Any, ours: dict[str, AdjudicatedMatch]) -> None:
    """The paper's bar chart with our results next to it."""
    labels, bars = [], []
    for name in OPPONENTS:
        found = ours[name]
        for whose, score in (("paper", PAPER_BALLOTS[name]), ("ours", found.raw), ("played out", found.played_out)):
            labels.append(f"{whose}\n{f'against {name}' if whose == 'ours' else ''}")
            bars.append(_counts(score))
    for at, (word, color) in enumerate((("won", "tab:green"), ("drawn", "tab:gray"), ("lost", "tab:red"))):
        places = [place + 0.27 * (at - 1) for place in range(len(bars))]
        plt.bar(places, [bar[at] for bar in bars], 0.25, label=word, color=color)
    plt.xticks(range(len(labels)), labels, fontsize=8)
    plt.ylabel("games")
    plt.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))


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
