"""Expert's rating over 165 games: the papers' formula over 5000 orders, trajectory and histogram.

People on an Internet site cannot be had, so the opponents are graded players, rated by a round robin among themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evocheckers.games.openings import ballots
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.report import Report
from evocheckers.tournaments.ratings import ORDERS, FittedRating, class_of, fit_ratings, rate_against
from evocheckers.tournaments.score import Score

GAMES = 165
"""Expert, results: games against people on an Internet site."""
PAPER_RATING = 2045.85
"""Expert, results and table 1: the mean over 5000 orders."""
PAPER_ERROR = 0.48
"""Standard error of the mean over 5000 orders."""
PAPER_PERCENTILE = 99.61
"""Percentage of the site's rated players who were rated lower."""
POOL = (
    "random",
    "material@1",
    "material@2",
    "material:noise@2",
    "material@4",
    "material:noise@4",
    "material@6",
    "material:noise@6",
    "material@8",
    "material:noise@8",
)
SATURATED = 46
"""A mean rating that stays within this many points of the final one has stopped climbing; the paper's passes 2000, 46
points below its end, by game 60."""
EXPERT = 2000
"""The paper's figure 4 sets opponents rated below this apart from those above."""


@dataclass(frozen=True)
class Rated:
    """A network's games against the pool, and its rating after every game in every order."""

    rows: list[list[Any]]
    opponents: list[float]
    outcomes: list[float]
    trajectories: np.ndarray
    as_black: int
    """Number of games played as Black."""

    @property
    def mean(self) -> float:
        return float(self.trajectories[:, -1].mean())

    @property
    def deviation(self) -> float:
        return float(self.trajectories[:, -1].std(ddof=1))

    @property
    def error(self) -> float:
        """Standard error of the mean, as if the orders were independent samples."""
        return self.deviation / float(np.sqrt(len(self.trajectories)))

    def score(self, below: bool) -> Score:
        """The games against opponents rated below ``EXPERT``, or against the others."""
        found = [one for rating, one in zip(self.opponents, self.outcomes, strict=True) if (rating < EXPERT) is below]
        return Score(*(found.count(outcome) for outcome in (1.0, 0.5, 0.0)))

    @property
    def saturated(self) -> int:
        """The game from which the mean rating stays near the final one."""
        apart = np.abs(self.trajectories.mean(axis=0) - self.mean) > SATURATED
        return int(np.flatnonzero(apart)[-1]) + 1 if apart.any() else 0


def rating_165(lab: Laboratory, command: str) -> Report:
    """Rate every network against a pool of graded opponents."""
    plies = lab.size(8, 3)
    games = lab.size(GAMES, 8)
    pool = POOL[:4] if lab.quick else POOL
    ratings = _pool_ratings(lab, pool)
    rated = {player: _rate(lab, player, plies, games, pool, ratings) for player in lab.players}
    report = Report("anaconda/rating-165", command)
    report.lists["player"] = list(lab.players)
    report.state(games=games, plies=plies, pool=len(pool), saturated=SATURATED, expert=EXPERT, orders=ORDERS)
    for player, found in rated.items():
        below = sum(one.rating < found.mean for one in ratings)
        report.fact(f"{player}-mean", f"{found.mean:.2f}")
        report.fact(f"{player}-rating", f"{found.mean:.0f} ± {found.error:.2f}", quoted=True)
        report.fact(f"{player}-error", f"{found.error:.2f}")
        report.fact(f"{player}-class", class_of(found.mean))
        report.fact(f"{player}-below", f"{below} of {len(pool)}", quoted=True)
        report.fact(f"{player}-better-than", below)
        report.fact(f"{player}-percentile", f"{100 * below / len(pool):.0f}%")
        report.fact(f"{player}-saturated", found.saturated)
        report.fact(f"{player}-against-weaker", found.score(True).wdl_text)
        report.fact(f"{player}-against-experts", found.score(False).wdl_text)
        report.fact(f"{player}-colours", f"{found.as_black} as Black, {games - found.as_black} as White", quoted=True)
        header = ("opponent", "rating, 95%", "games", "won-drawn-lost")
        report.table(f"opponents-{player}", header, found.rows)
        report.figure(f"trajectory-{player}", partial(_trajectory, found))
        report.figure(f"histogram-{player}", partial(_histogram, found))
    for opponent, fitted in zip(pool, ratings, strict=True):
        report.fact(opponent, f"{fitted.rating:.0f} [{fitted.low:.0f}, {fitted.high:.0f}]", quoted=True)
    report.table("ratings", _HEADER, [_PAPER_ROW, *(_row(p, r) for p, r in rated.items())])
    report.fact("paper-rating", PAPER_RATING)
    report.fact("paper-error", PAPER_ERROR)
    report.fact("paper-deviation", f"{PAPER_ERROR * np.sqrt(ORDERS):.0f}")
    return report


_HEADER = ("", "rating", "standard error", "deviation of orders", "class", "better than")
_PAPER_ROW = [
    "Chellapilla and Fogel",
    f"{PAPER_RATING}",
    f"{PAPER_ERROR}",
    f"{PAPER_ERROR * np.sqrt(ORDERS):.0f}",
    class_of(PAPER_RATING),
    f"{PAPER_PERCENTILE}% of the site's rated players",
]


def _row(player: str, found: Rated) -> list[str]:
    numbers = [f"{found.mean:.2f}", f"{found.error:.2f}", f"{found.deviation:.2f}"]
    return [f"`{player}`", *numbers, class_of(found.mean), "see above"]


def _pool_ratings(lab: Laboratory, pool: Sequence[str]) -> list[FittedRating]:
    lines = ballots()[:: lab.size(8, 22)]
    results: list[tuple[int, int, float]] = []
    for first in range(len(pool)):
        for second in range(first + 1, len(pool)):
            raw = lab.match(f"pool-{first}-{second}", pool[first], pool[second], lines).raw
            for points, count in ((1.0, raw.wins), (0.5, raw.draws), (0.0, raw.losses)):
                results += [(first, second, points)] * count
    return fit_ratings(len(pool), results)


def _rate(
    lab: Laboratory, player: str, plies: int, games: int, pool: Sequence[str], ratings: Sequence[FittedRating]
) -> Rated:
    share = -(-games // len(pool))
    opponents: list[float] = []
    outcomes: list[float] = []
    rows: list[list[Any]] = []
    as_black = 0
    for number, (opponent, fitted) in enumerate(zip(pool, ratings, strict=True)):
        count = min(share, games - len(outcomes))
        wanted = ballots()[: -(-count // 2)]
        values = lab.match(f"{player}-{number}", f"{player}@{plies}", opponent, wanted).values[:count]
        score = Score(*(values.count(value) for value in (1, 0, -1)))
        opponents += [fitted.rating] * count
        outcomes += [(1 + value) / 2 for value in values]
        as_black += -(-count // 2)
        interval = f"{fitted.rating:.0f} [{fitted.low:.0f}, {fitted.high:.0f}]"
        rows.append([f"`{opponent}`", interval, score.games, score.wdl_text])
    return Rated(rows, opponents, outcomes, rate_against(opponents, outcomes), as_black)


def _trajectory(found: Rated, plt: Any) -> None:
    mean, deviation = found.trajectories.mean(axis=0), found.trajectories.std(axis=0)
    numbers = range(found.trajectories.shape[1])
    plt.fill_between(numbers, mean - deviation, mean + deviation, alpha=0.2, linewidth=0, label="one deviation")
    plt.plot(numbers, mean, label=f"mean over {ORDERS} orders")
    plt.xlabel("game")
    plt.ylabel("rating")
    plt.title("The network's rating, game by game")
    plt.legend(frameon=False, loc="lower right")


def _histogram(found: Rated, plt: Any) -> None:
    ratings, points = np.array(found.opponents), np.array(found.outcomes)
    low, high = np.floor(ratings.min() / 100) * 100, np.ceil(ratings.max() / 100) * 100 + 100
    groups = [ratings[points == value] for value in (1.0, 0.5, 0.0)]
    colours = ["#2b7a3d", "#cccccc", "#b3402a"]
    plt.hist(groups, bins=np.arange(low, high + 1, 100), stacked=True, color=colours, label=["won", "drawn", "lost"])
    plt.xlabel("opponent's rating")
    plt.ylabel("games")
    plt.title("Games by the opponent's rating")
    plt.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.15))
