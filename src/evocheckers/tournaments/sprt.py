"""Sequential tests: a match between two versions goes on until it has shown which of two hypotheses fits better.

The hypotheses are rating differences, LOW and HIGH. This is the generalised sequential probability ratio test (GSPRT)
with the normal approximation, as engine authors use it. The unit is a pair, one opening with both colours, since its
two games are not independent. The mean and scatter of the pairs' results give the log-likelihood ratio

    N (s1 - s0) (2 mean - s0 - s1) / (2 variance)

with N pairs, and s0 and s1 the shares of the points that LOW and HIGH imply. The test ends when the ratio leaves the
bounds that the two error rates set. It is valid for pairs in their order, not in the order in which they happen to end.
"""

import math
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

from evocheckers.errors import EvocheckersError
from evocheckers.games.game import PlayedGame
from evocheckers.tournaments.match import first_color
from evocheckers.tournaments.score import MAX_ELO

PAIR_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The five possible results of a pair: the share of its two points."""
UNSEEN = 1.0
"""Added to the count of every result for the variance. Without it, a few pairs that end alike would decide a test: of
equal players, one in four would pass."""
ERRORS = 0.05
_NUMBER = r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?"


class SprtError(EvocheckersError):
    """A sequential test with invalid numbers."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test, and how often each of the five results of a pair has occurred in it."""

    low: float
    high: float
    alpha: float = ERRORS
    """Rate at which HIGH is accepted although LOW is true."""
    beta: float = ERRORS
    """Rate at which LOW is accepted although HIGH is true."""
    counts: tuple[int, ...] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if not -MAX_ELO <= self.low < self.high <= MAX_ELO:
            raise SprtError(
                f"a test of {self.low:g} against {self.high:g}: LOW must be below HIGH, both within ±{MAX_ELO:g} points"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SprtError(f"error rates of {self.alpha:g} and {self.beta:g} are not between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """``LOW,HIGH`` or ``LOW,HIGH,ALPHA,BETA``."""
        if not re.fullmatch(rf"{_NUMBER},{_NUMBER}(,{_NUMBER},{_NUMBER})?", text):
            raise SprtError(f"sequential test {text[:60]!r}: write LOW,HIGH as points, such as 0,20")
        low, high, *rates = map(float, text.split(","))
        alpha, beta = rates or (ERRORS, ERRORS)
        return cls(low, high, alpha, beta)

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def bounds(self) -> tuple[float, float]:
        """LOW is accepted at or below the first, HIGH at or above the second (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def log_likelihood_ratio(self) -> float:
        """The log-likelihood ratio of HIGH to LOW."""
        if not self.pairs:
            return 0.0
        mean = sum(count * share for count, share in zip(self.counts, PAIR_SHARES, strict=True)) / self.pairs
        weights = [count + UNSEEN for count in self.counts]
        squares = sum(weight * (share - mean) ** 2 for weight, share in zip(weights, PAIR_SHARES, strict=True))
        s0, s1 = expected_share(self.low), expected_share(self.high)
        return self.pairs * (s1 - s0) * (2 * mean - s0 - s1) * sum(weights) / (2 * squares)

    @property
    def accepted(self) -> str | None:
        """``low`` or ``high`` once the test is decided."""
        lower, upper = self.bounds
        ratio = self.log_likelihood_ratio
        return "high" if ratio >= upper else "low" if ratio <= lower else None

    def add(self, share: float) -> "Sprt":
        """The test after one more pair."""
        place = PAIR_SHARES.index(share)
        return replace(self, counts=tuple(count + (i == place) for i, count in enumerate(self.counts)))

    def to_json(self) -> dict[str, Any]:
        """The test in numbers."""
        lower, upper = self.bounds
        return {
            "low": self.low,
            "high": self.high,
            "alpha": self.alpha,
            "beta": self.beta,
            "pairs": list(self.counts),
            "log_likelihood_ratio": self.log_likelihood_ratio,
            "lower_bound": lower,
            "upper_bound": upper,
            "accepted": self.accepted,
        }

    @property
    def ratio_text(self) -> str:
        """The ratio and its bounds."""
        lower, upper = self.bounds
        return f"log-likelihood ratio {self.log_likelihood_ratio:+.2f} ({lower:.2f}, {upper:.2f})"

    def __str__(self) -> str:
        verdict = {"high": f"{self.high:+g} points accepted", "low": f"{self.low:+g} points accepted"}
        shown = verdict.get(self.accepted or "", "undecided")
        counts = "-".join(map(str, self.counts))
        claims = f"{self.low:+g} against {self.high:+g} points"
        return f"sequential test of {claims}: {shown} after {self.pairs} pairs ({counts}), {self.ratio_text}"


def expected_share(elo: float) -> float:
    """The share of the points that a rating difference implies."""
    return 1 / (1 + 10 ** (-elo / 400))


def play_until_decided(
    games: Generator[PlayedGame, None, None], test: Sprt
) -> Iterator[tuple[PlayedGame, PlayedGame, Sprt]]:
    """The pairs of a match in order, each with the test after it, until the test is decided.

    Games may arrive in any order. Games of pairs after the deciding one are not yielded, so that the same games give
    the same test for any number of workers.
    """
    waiting: dict[int, PlayedGame] = {}
    number = 1
    try:
        for game in games:
            waiting[game.number] = game
            while number in waiting and number + 1 in waiting:
                pair = waiting.pop(number), waiting.pop(number + 1)
                number += 2
                test = test.add(sum(1 + game.value_to(first_color(game)) for game in pair) / 4)
                yield *pair, test
                if test.accepted:
                    return
    finally:
        games.close()
