"""How strong are the networks? One of every kind and both piece counters in tournaments, by plies and by time."""

import itertools
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.networks.shipped import CHAMPION
from evocheckers.papers.lab import PIECE_COUNTERS, Laboratory, PlayedMatch
from evocheckers.papers.report import Report
from evocheckers.tournaments.ratings import FittedRating, fit_ratings
from evocheckers.tournaments.score import Score

FIELD = (CHAMPION, "self-play-220", "es-190", "anaconda-840", *PIECE_COUNTERS)
"""Who plays besides the networks under test: the champion, the best spatial network, the best by an evolution strategy,
the papers' own, and both readings of their control player."""
LIMITS: Mapping[str, Sequence[str]] = {
    "4": ballots(),
    "8": ballots(),
    "50ms": FIRST_MOVES,
    "1s": FIRST_MOVES[:2],
}
"""The limits of a move, and the openings played at each."""
GAUNTLETS = ("1s",)
"""Limits at which only the champion meets the others: a game at a second a move takes minutes."""
QUICK_LIMITS: Mapping[str, Sequence[str]] = {"1": ballots()[:1], "2": ballots()[:1]}

Results = dict[tuple[str, str], PlayedMatch]
"""Results by pair of players, from the first one's side."""


def strength(lab: Laboratory, command: str) -> Report:
    """A tournament of all players at each limit, with ratings fitted to its games."""
    players = tuple(dict.fromkeys((*FIELD, *lab.players)))
    limits = QUICK_LIMITS if lab.quick else LIMITS
    results = {limit: _tournament(lab, players, limit, lines) for limit, lines in limits.items()}
    ratings = {limit: rate(players, found) for limit, found in results.items()}
    report = Report("ours/strength", command)
    report.fact("except", _except(limits))
    for limit in GAUNTLETS:
        if limit in results:
            total = sum((one.raw for one in results[limit].values()), Score(0, 0, 0))
            report.state(champion=CHAMPION, gauntlet=total.wdl_text, gauntlet_limit=_at(limit).capitalize())
    ordered = sorted(players, key=lambda player: -next(iter(ratings.values()))[player].rating)
    report.table(
        "standings",
        (
            "player",
            *(f"{_at(limit)}, {_games(limit, 2 * len(lines), len(players) - 1)}" for limit, lines in limits.items()),
        ),
        [[f"`{player}`", *(_text(rated[player]) for rated in ratings.values())] for player in ordered],
    )
    report.figure("ratings", partial(_plot, ratings, ordered))
    report.lists["limit"] = list(limits)
    for limit, found in results.items():
        report.fact(f"at-{limit}", _at(limit).capitalize())
        report.table(
            f"scores-{limit}",
            ("", *(f"`{player}`" for player in ordered)),
            [[f"`{one}`", *(_cell(found, one, other) for other in ordered)] for one in ordered],
        )
        for (one, other), result in found.items():
            report.fact(f"{one}-{other}-{limit}", f"{result.raw.wdl_text}, {result.raw.elo_text} points", quoted=True)
    return report


def _at(limit: str) -> str:
    if limit.isdigit():
        return f"at {limit} {'ply' if limit == '1' else 'plies'}"
    return f"at {limit.rstrip('ms')} {limit.lstrip('0123456789')} a move"


def _except(limits: Mapping[str, object]) -> str:
    """Where not every player meets every other."""
    gauntlets = [_at(limit) for limit in limits if limit in GAUNTLETS]
    return f"; {' and '.join(gauntlets)} only `{CHAMPION}` meets the others" if gauntlets else ""


def _games(limit: str, games: int, opponents: int) -> str:
    """How many games everybody plays."""
    if limit in GAUNTLETS:
        return f"{games} games each, `{CHAMPION}` {games * opponents}"
    return f"{games * opponents} games each"


def _tournament(lab: Laboratory, players: Sequence[str], limit: str, lines: Sequence[str]) -> Results:
    return {
        (one, other): lab.match_as_played(
            f"{one}-{other}-{limit}", f"{one}@{limit}", f"{other}@{limit}", lines, repetition=not limit.isdigit()
        )
        for one, other in itertools.combinations(players, 2)
        if limit not in GAUNTLETS or one == CHAMPION
    }


def rate(players: Sequence[str], results: Results) -> dict[str, FittedRating]:
    """Every player's rating, from the games as played."""
    place = {player: number for number, player in enumerate(players)}
    games = [
        (place[one], place[other], (1 + value) / 2)
        for (one, other), result in results.items()
        for value in result.values
    ]
    return dict(zip(players, fit_ratings(len(players), games), strict=True))


def _text(fitted: FittedRating) -> str:
    return f"{fitted.rating:.0f} [{fitted.low:.0f}, {fitted.high:.0f}]"


def _cell(results: Results, one: str, other: str) -> str:
    if (one, other) in results:
        return results[one, other].raw.wdl_text
    if (other, one) in results:
        return "-".join(reversed(results[other, one].raw.wdl_text.split("-")))
    return ""


def _plot(ratings: Mapping[str, Mapping[str, FittedRating]], players: Sequence[str], plt: Any) -> None:
    for number, (limit, rated) in enumerate(ratings.items()):
        middle = [rated[player].rating for player in players]
        errors = [
            [rated[player].rating - rated[player].low for player in players],
            [rated[player].high - rated[player].rating for player in players],
        ]
        places = [place + 0.12 * (number - (len(ratings) - 1) / 2) for place in range(len(players))]
        plt.errorbar(places, middle, errors, fmt="o", capsize=3, label=_at(limit))
    plt.xticks(range(len(players)), players, fontsize=8)
    plt.ylabel("rating; the mean of each tournament is 1600")
    plt.legend(frameon=False)
