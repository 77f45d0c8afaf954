"""Chellapilla and Fogel's control experiments."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evocheckers.games.openings import FIRST_MOVES
from evocheckers.networks.evaluator import Wins
from evocheckers.papers.lab import SCORE_HEADER, Laboratory, Result, difference, score_cells
from evocheckers.papers.report import Report
from evocheckers.tournaments.score import Score

PAPER_DEPTH = Score(10, 3, 1)
"""Equal depth: 2 games finished, both won; of the other 12, played out: 8 won, 3 drawn, 1 lost."""
PAPER_DEPTH_RAW = Score(2, 12, 0, ahead=10, behind=2)
"""The same games as they stood when the players toggled."""
PAPER_TIME = Score(8, 4, 2)
"""Equal time, after playing out."""
PAPER_PLIES = (8, 10)
"""Depths that the network and the piece counter typically reached in equal time."""
PAPER_WORST_PLIES = (6, 12)
"""The same in the network's worst case."""
READINGS = {"chance": "material", "noise": "material:noise"}
"""Two readings of the control player: it chooses at random among equal moves, or every leaf varies at random."""
_READINGS_TEXT = (
    'The control player has two readings, side by side. It is "a piece-differential player (using the common heuristic '
    'K = 1.5)": `material` chooses at random among equal moves. And of these very results the paper says that the '
    'network defeats one "that incorporates random variation in evaluating moves": `material:noise` adds up to '
    "±0.01 to every leaf, which breaks ties inside the tree and makes it stronger."
)
_POINTS_TEXT = (
    "Points: the rating difference that the score means, draws as half a win. Decided: that of the decided games "
    "alone, which is how the paper's figures of about 400 and 240 come out (10 to 1, 8 to 2; with draws they are "
    "+265 and +159). p: sign test. Unfinished games are played out by a judge with an endgame database, as the paper "
    "had them played out by a strong program with one."
)
_HEADER = ("network", "control player", "games", *SCORE_HEADER)


@dataclass(frozen=True)
class Series:
    """The same match for every network under test and every reading of the control player."""

    results: Mapping[tuple[str, str], Result]
    """By network and reading."""

    def rows(self) -> list[list[str]]:
        """Rows of a table under ``_HEADER``."""
        return [
            [f"`{player}`", f"`{READINGS[reading]}`", how, *score_cells(score)]
            for (player, reading), result in self.results.items()
            for how, score in (("as played", result.raw), ("played out", result.played_out))
        ]

    def tell(self, report: Report, paper: Score) -> None:
        """Record every result, played out, as a fact, and report how far it is from the paper's."""
        words = []
        for (player, reading), result in self.results.items():
            report.fact(_fact(player, reading), result.played_out.elo_text)
            words.append(f"`{player}` against `{READINGS[reading]}` {difference(paper, result.played_out)}")
        report.text(f"Played out: {'; '.join(words)}.")


def _fact(*parts: str) -> str:
    return re.sub("[^a-z0-9]+", "-", "-".join(part for part in parts if part).lower()).strip("-")


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
            for reading, opponent in READINGS.items()
        }
    )


def _paper_row(score: Score) -> list[str]:
    return ["the paper's", "", "played out", *score_cells(score)]


def equal_depth(lab: Laboratory, command: str) -> Report:
    """The networks against piece differential at equal depth, from the seven first moves with both colours."""
    plies = lab.size(8, 4)
    limits = str(plies), str(plies)
    lines = FIRST_MOVES[:1] if lab.quick else FIRST_MOVES
    report = Report(f"Control 1: equal depth, {plies} plies", command)
    report.text(
        "Does the network know more than how to count pieces? It plays piece differential (K = 1.5) at the same "
        f"depth, from all seven first moves with both colours. The paper: 8 plies; here: {plies}."
    )
    report.text(_READINGS_TEXT)
    first = _series(lab, "depth", limits, lines)
    report.table(f"{2 * len(lines)} games each from the first moves", _HEADER, [_paper_row(PAPER_DEPTH), *first.rows()])
    first.tell(report, PAPER_DEPTH)
    equal = _series(lab, "equal-wins", limits, lines, lab.players[:1], Wins.EQUAL)
    _tell_endings(report, first, equal)
    report.text(_POINTS_TEXT)
    return report


def _tell_endings(report: Report, sooner: Series, equal: Series) -> None:
    """How many games were left unfinished, with sooner wins preferred and with all wins equal."""
    rows = [["the paper's", "", "equal", *_ending(PAPER_DEPTH_RAW)]]
    for wins, series in (("sooner", sooner), ("equal", equal)):
        for (player, reading), result in series.results.items():
            rows.append([f"`{player}`", f"`{READINGS[reading]}`", wins, *_ending(result.raw)])
            report.fact(_fact(player, reading, "unfinished", wins), f"{result.raw.draws} of {result.raw.games}")
    header = ("network", "control player", "wins", "won-lost", "unfinished", "of them ahead-even-behind")
    report.table("How these games ended, as played", header, rows)
    counts = {
        key: (
            sum(found.raw.draws for found in series.results.values()),
            sum(f.raw.games for f in series.results.values()),
        )
        for key, series in (("equal", equal), ("sooner", Series({k: sooner.results[k] for k in equal.results})))
    }
    told = {key: f"{unfinished} of {games}" for key, (unfinished, games) in counts.items()}
    report.fact("unfinished-equal", told["equal"])
    report.fact("unfinished-sooner", told["sooner"])
    player = next(iter(equal.results))[0]
    report.text(
        'The paper gives every won position "a value of exactly 1.0", however far off the win is, and 12 of its 14 '
        "games ended because the players toggled positions. Here a search prefers sooner wins unless told otherwise "
        f"(`--wins equal`). Of `{player}`'s games, over both control players, {told['sooner']} are unfinished after "
        f"100 moves by each side where sooner wins are preferred, and {told['equal']} where all wins are equal."
    )


def _ending(score: Score) -> list[str]:
    even = score.draws - score.ahead - score.behind
    return [f"{score.wins}-{score.losses}", str(score.draws), f"{score.ahead}-{even}-{score.behind}"]


def equal_time(lab: Laboratory, command: str) -> Report:
    """The networks against piece differential with equal time per move."""
    milliseconds = lab.size(100, 5)
    lines = FIRST_MOVES[:1] if lab.quick else FIRST_MOVES
    limit = f"{milliseconds}ms"
    series = _series(lab, "time", (limit, limit), lines)
    report = Report(f"Control 2: equal time, {milliseconds} ms a move", command)
    gaps = {key: result.plies[1] - result.plies[0] for key, result in series.results.items() if len(result.plies) == 2}
    told = [f"{gap:+.1f} for `{player}` against `{READINGS[reading]}`" for (player, reading), gap in gaps.items()]
    report.text(
        "Equal time was not equal depth: in two minutes on a 466 MHz Celeron the paper's network typically completed 8 "
        "plies, sometimes 6, and the piece counter 10, sometimes 14. Here both searches are selective ones by time, "
        "and a network is searched almost as fast as pieces are counted. What the piece counter completed more, in "
        f"plies a move: {', '.join(told)}. So this is not the paper's handicap; `control-handicap` is."
    )
    report.text(
        f"{2 * len(lines)} games each from the first moves with both colours. Results of timed games vary with the "
        "machine and do not repeat exactly."
    )
    report.text(_READINGS_TEXT)
    report.table("", _HEADER, [_paper_row(PAPER_TIME), *series.rows()])
    rows = [["the paper's", "", "8, sometimes 6", "10, sometimes 14"]]
    for (player, reading), result in series.results.items():
        rows.append([f"`{player}`", f"`{READINGS[reading]}`", *(f"{plies:.1f}" for plies in result.plies)])
        if result.plies:
            report.fact(_fact(player, reading, "plies"), " against ".join(f"{plies:.1f}" for plies in result.plies))
    report.table(
        "Plies completed, mean of the moves with a choice", ("network", "control player", "network's", "its"), rows
    )
    series.tell(report, PAPER_TIME)
    report.text(_POINTS_TEXT)
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
    report = Report(f"Control 2 as it was: {own} plies against {other}", command)
    report.text(
        "In the paper's second control experiment both players had two minutes a move. The network typically completed "
        '8 plies, "but in some cases could only complete six ply"; the piece counter normally completed 10 and was '
        '"occasionally as many as six ply" ahead. Here such depths are given: '
        f"{own} plies against {other}."
    )
    report.text(_READINGS_TEXT)
    series = _series(lab, f"handicap-{own}-{other}", (str(own), str(other)), lines)
    title = f"{2 * len(lines)} games each from the first moves"
    report.table(title, _HEADER, [_paper_row(PAPER_TIME), *series.rows()])
    series.tell(report, PAPER_TIME)
    report.text(_POINTS_TEXT)
    return report
