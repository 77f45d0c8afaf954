"""Chellapilla and Fogel's control experiments: the network against a player that counts pieces.

Its control player has two readings, and every match is played with both: one chooses at random among equal moves, the
other adds a little noise to every leaf. All results are given as played, and with unfinished games played out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evocheckers.games.openings import FIRST_MOVES
from evocheckers.networks.search_rules import Wins
from evocheckers.papers.lab import AdjudicatedMatch, Laboratory
from evocheckers.papers.report import Report
from evocheckers.papers.scores import DIFFERENCE_HEADER, SCORE_HEADER, difference_cells, score_cells
from evocheckers.tournaments.score import Score

PAPER_DEPTH = Score(10, 3, 1)
"""Expert, results, equal depth: 2 games finished, both won; of the other 12, played out: 8 won, 3 drawn, 1 lost."""
PAPER_DEPTH_RAW = Score(2, 12, 0, ahead=10, behind=2)
"""The same games as they stood when the players toggled."""
PAPER_TIME = Score(8, 4, 2)
"""Expert, results, equal time, after playing out."""
PAPER_PLIES = (8, 10)
"""Depths that the network and the piece counter typically reached in the second experiment."""
PAPER_WORST_PLIES = (6, 12)
"""The same in the network's worst case."""
PIECE_COUNTERS = {"chance": "material", "noise": "material:noise"}
"""The two readings of the control player, by what sets equal moves apart."""
_HEADER = ("network", "control player", "games", *SCORE_HEADER)


@dataclass(frozen=True)
class Series:
    """The same match for every network under test and every reading of the control player."""

    results: Mapping[tuple[str, str], AdjudicatedMatch]
    """By network and reading."""

    def add_to(self, report: Report, paper: Score) -> None:
        """Record every score below the paper's, and how far it is from it, played out."""
        rows = [["the paper's", "", "played out", *score_cells(paper)]]
        differences = []
        for (player, reading), result in self.results.items():
            names = [f"`{player}`", f"`{PIECE_COUNTERS[reading]}`"]
            rows.append([*names, "as played", *score_cells(result.raw)])
            rows.append([*names, "played out", *score_cells(result.played_out)])
            differences.append([*names, *difference_cells(paper, result.played_out)])
            report.fact(f"{player}-{reading}", result.played_out.elo_text, quoted=True)
        report.table("scores", _HEADER, rows)
        report.table("differences", ("network", "control player", *DIFFERENCE_HEADER), differences)


def _series(
    lab: Laboratory,
    name: str,
    limits: tuple[str, str],
    lines: Sequence[str],
    players: Sequence[str] | None = None,
    wins: Wins | None = None,
) -> Series:
    """Play the matches; ``limits`` are the network's and the control player's, such as 8 and 8 plies."""
    own, other = limits
    return Series(
        {
            (player, reading): lab.match(
                f"{name}-{player}-{reading}", f"{player}@{own}", f"{opponent}@{other}", lines, wins=wins
            )
            for player in (lab.players if players is None else players)
            for reading, opponent in PIECE_COUNTERS.items()
        }
    )


def equal_depth(lab: Laboratory, command: str) -> Report:
    """The networks against piece differential at equal depth, from the seven first moves with both colours."""
    plies = lab.size(8, 4)
    limits = str(plies), str(plies)
    lines = FIRST_MOVES[:1] if lab.quick else FIRST_MOVES
    report = Report("anaconda/control-equal-depth", command)
    report.state(plies=plies, games=2 * len(lines))
    sooner = _series(lab, "depth", limits, lines)
    sooner.add_to(report, PAPER_DEPTH)
    _add_endings(report, sooner, _series(lab, "equal-wins", limits, lines, lab.players[:1], Wins.EQUAL))
    return report


def _add_endings(report: Report, sooner: Series, equal: Series) -> None:
    """How many games were left unfinished, with sooner wins preferred and with all wins equal."""
    rows = [["the paper's", "", "equal", *_ending(PAPER_DEPTH_RAW)]]
    for wins, series in (("sooner", sooner), ("equal", equal)):
        for (player, reading), result in series.results.items():
            rows.append([f"`{player}`", f"`{PIECE_COUNTERS[reading]}`", wins, *_ending(result.raw)])
            unfinished = f"{result.raw.draws} of {result.raw.games}"
            report.fact(f"{player}-{reading}-unfinished-{wins}", unfinished, quoted=True)
        both = [series.results[key].raw for key in equal.results]
        report.fact(f"unfinished-{wins}", f"{sum(s.draws for s in both)} of {sum(s.games for s in both)}")
    header = ("network", "control player", "wins", "won-lost", "unfinished", "of them ahead-even-behind")
    report.table("endings", header, rows)
    report.fact("player", next(iter(equal.results))[0])


def _ending(score: Score) -> list[str]:
    even = score.draws - score.ahead - score.behind
    return [f"{score.wins}-{score.losses}", str(score.draws), f"{score.ahead}-{even}-{score.behind}"]


def equal_time(lab: Laboratory, command: str) -> Report:
    """The networks against piece differential with equal time per move."""
    milliseconds = lab.size(100, 5)
    lines = FIRST_MOVES[:1] if lab.quick else FIRST_MOVES
    limit = f"{milliseconds}ms"
    series = _series(lab, "time", (limit, limit), lines)
    report = Report("anaconda/control-equal-time", command)
    report.state(milliseconds=milliseconds, games=2 * len(lines))
    series.add_to(report, PAPER_TIME)
    rows = [["the paper's", "", "8, sometimes 6", "10, sometimes 14"]]
    for (player, reading), result in series.results.items():
        rows.append([f"`{player}`", f"`{PIECE_COUNTERS[reading]}`", *(f"{plies:.1f}" for plies in result.plies)])
        if result.plies:
            plies = " against ".join(f"{plies:.1f}" for plies in result.plies)
            report.fact(f"{player}-{reading}-plies", plies, quoted=True)
    report.table("plies", ("network", "control player", "network's", "its"), rows)
    return report


def handicap(lab: Laboratory, command: str) -> Report:
    """The networks at 8 plies against piece differential at 10, the depths typically reached in equal time."""
    return _handicap(lab, command, *PAPER_PLIES)


def large_handicap(lab: Laboratory, command: str) -> Report:
    """The networks at 6 plies against 12, the paper's worst case."""
    return _handicap(lab, command, *PAPER_WORST_PLIES)


def _handicap(lab: Laboratory, command: str, own: int, other: int) -> Report:
    own, other = lab.size(own, 2), lab.size(other, 4)
    lines = FIRST_MOVES[:1] if lab.quick else FIRST_MOVES
    report = Report("anaconda/control-handicap", command)
    report.state(own=own, other=other, games=2 * len(lines))
    _series(lab, f"handicap-{own}-{other}", (str(own), str(other)), lines).add_to(report, PAPER_TIME)
    return report
