"""Ratings as the papers compute them, and as a statistician would.

The papers' formula (Chellapilla and Fogel 2001): starting from 1600, each game changes R by C (outcome - W), where
W = 1 / (1 + 10^((opponent - R)/400)) and C is 32 below 2100, 24 below 2400, else 16. Since the order of games matters,
the rating is the mean over 5000 random orders. ``fit_ratings`` gives the maximum-likelihood ratings of a whole
tournament.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

START_RATING = 1600.0
ORDERS = 5000
CLASSES = (
    (2400, "senior master"),
    (2200, "master"),
    (2000, "expert"),
    (1800, "class A"),
    (1600, "class B"),
    (1400, "class C"),
    (1200, "class D"),
    (1000, "class E"),
    (800, "class F"),
    (600, "class G"),
    (400, "class H"),
    (200, "class I"),
)
"""The lowest rating of each class; anything below is class J."""


def class_of(rating: float) -> str:
    """The name of a rating's class."""
    return next((name for least, name in CLASSES if rating >= least), "class J")


def expected(rating: np.ndarray, opponent: np.ndarray) -> np.ndarray:
    """W: the expected share of the points."""
    return 1 / (1 + 10 ** ((opponent - rating) / 400))


def change_limit(rating: np.ndarray) -> np.ndarray:
    """C: the most that one game can change a rating."""
    return np.where(rating < 2100, 32.0, np.where(rating < 2400, 24.0, 16.0))


def _orders(count: int, orders: int, seed: int) -> np.ndarray:
    """Random orders of the games, one per row."""
    return np.random.default_rng(seed).permuted(np.tile(np.arange(count), (orders, 1)), axis=1)


def rate_against(
    opponents: Sequence[float], outcomes: Sequence[float], orders: int = ORDERS, seed: int = 0
) -> np.ndarray:
    """A player's rating after every game against opponents of known ratings: a row for each order, starting at 1600.

    Outcomes are 1, 0.5 and 0. Column 0 is the start.
    """
    known, points = np.asarray(opponents, float), np.asarray(outcomes, float)
    ratings = np.empty((orders, len(points) + 1))
    ratings[:, 0] = START_RATING
    for column, games in enumerate(_orders(len(points), orders, seed).T):
        now = ratings[:, column]
        ratings[:, column + 1] = now + change_limit(now) * (points[games] - expected(now, known[games]))
    return ratings


def rate_in_order(opponents: Sequence[float], outcomes: Sequence[float]) -> float:
    """The rating after the last game, with the games in the order in which they were played."""
    rating = np.array(START_RATING)
    for opponent, points in zip(opponents, outcomes, strict=True):
        rating = rating + change_limit(rating) * (points - expected(rating, np.array(opponent)))
    return float(rating)


def rate_match(
    wins: int, draws: int, losses: int, orders: int = ORDERS, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Both players' ratings after a match, one for each order of its games; both start at 1600."""
    points = np.repeat([1.0, 0.5, 0.0], [wins, draws, losses])
    first = np.full(orders, START_RATING)
    second = first.copy()
    for games in _orders(len(points), orders, seed).T:
        share = expected(first, second)
        gain = points[games] - share
        first, second = first + change_limit(first) * gain, second - change_limit(second) * gain
    return first, second


def orderings_test(first: np.ndarray, second: np.ndarray) -> float:
    """Al-Khateeb and Kendall's test: Welch's t, one tail, over the orders, as if each were a sample of its own.

    They are not samples: all orders are of the same games. The p value says nothing about the players; it is given
    because the paper gives it. For what may be concluded, see ``Score``.
    """
    from scipy import stats

    return float(stats.ttest_ind(first, second, equal_var=False, alternative="greater").pvalue)


@dataclass(frozen=True, slots=True)
class FittedRating:
    """A rating from a tournament, with its 95% interval; the mean of all players is the start rating."""

    rating: float
    low: float
    high: float


def fit_ratings(players: int, games: Sequence[tuple[int, int, float]]) -> list[FittedRating]:
    """Maximum-likelihood ratings from games (first, second, the first's points), with a draw as half a win.

    Each player is also given one draw against the average, which keeps ratings finite and sets the rating of a player
    who won or lost everything. Intervals are the wider of the model's and those from the scatter of the games.
    """
    from scipy import optimize, stats

    scale = np.log(10) / 400
    rows = np.zeros((len(games), players))
    for row, (first, second, _) in zip(rows, games, strict=True):
        row[first], row[second] = 1.0, -1.0
    rows = np.vstack([rows, np.eye(players)])
    points = np.array([*(points for _, _, points in games), *([0.5] * players)])

    def loss(strengths: np.ndarray) -> tuple[float, np.ndarray]:
        z = rows @ strengths
        return float(np.sum(np.logaddexp(0, z) - points * z)), rows.T @ (1 / (1 + np.exp(-z)) - points)

    strengths = optimize.minimize(loss, np.zeros(players), jac=True, method="L-BFGS-B").x
    share = 1 / (1 + np.exp(-(rows @ strengths)))
    bread = np.linalg.inv((rows * (share * (1 - share))[:, None]).T @ rows)
    filling = (rows * ((points - share) ** 2)[:, None]).T @ rows
    centring = np.eye(players) - 1 / players
    scatter = np.diag(centring @ bread @ filling @ bread @ centring)
    model = np.diag(centring @ bread @ centring)
    deviations = np.sqrt(np.maximum(scatter, model)) / scale
    ratings = START_RATING + (strengths - strengths.mean()) / scale
    width = float(stats.norm.ppf(0.975))
    return [
        FittedRating(float(r), float(r - width * d), float(r + width * d))
        for r, d in zip(ratings, deviations, strict=True)
    ]
