"""The score of a match and what may be concluded from it. The distributions are scipy's.

They come from ``scipy.special``, which loads in a fifth of the time that ``scipy.stats`` takes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MAX_ELO = 1200.0
"""Rating differences are clamped to plus or minus this; shares of 0 and 1 have none."""
FEW = 5
"""If fewer games than this ended differently from most, the scatter of a match is not known well enough."""


@dataclass(frozen=True, slots=True)
class Score:
    """A match from the first player's side, with 95% intervals."""

    wins: int
    draws: int
    losses: int
    ahead: int = 0
    """Draws in which the first player had more pieces at the end."""
    behind: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Wins plus half of the draws, as a share of all games; one half if there are no games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95% interval of the share: Student's t over the games.

        If nearly all games ended alike, that would be too narrow; then it is the exact binomial interval for as many
        points.
        """
        from scipy import special

        points, games = self.wins + self.draws / 2, self.games
        if games - max(self.wins, self.draws, self.losses) < FEW:
            low = special.betaincinv(points, games - points + 1, 0.025) if points > 0 else 0.0
            high = special.betaincinv(points + 1, games - points, 0.975) if points < games else 1.0
            return float(low), float(high)
        results = np.repeat([1.0, 0.5, 0.0], [self.wins, self.draws, self.losses])
        half = _half_interval(results)
        return (max(0.0, self.share - half), min(1.0, self.share + half))

    @property
    def elo(self) -> tuple[float, float, float]:
        """The rating difference that the share implies, and the ends of its 95% interval."""
        low, high = self.interval
        return elo_of(self.share), elo_of(low), elo_of(high)

    @property
    def sign_test(self) -> float:
        """Probability of decided games as uneven as these between equal players (two-sided; draws do not count)."""
        from scipy import special

        decided = self.wins + self.losses
        return min(1.0, 2 * float(special.bdtr(min(self.wins, self.losses), decided, 0.5)))

    def __add__(self, other: "Score") -> "Score":
        mine = (self.wins, self.draws, self.losses, self.ahead, self.behind)
        its = (other.wins, other.draws, other.losses, other.ahead, other.behind)
        return Score(*(a + b for a, b in zip(mine, its, strict=True)))

    @property
    def wdl_text(self) -> str:
        """``won-drawn-lost``."""
        return f"{self.wins}-{self.draws}-{self.losses}"

    @property
    def share_text(self) -> str:
        """The share in per cent, with its interval."""
        return share_text(self.share, self.interval)

    @property
    def elo_text(self) -> str:
        """The rating difference, with its interval."""
        return elo_text(self.share, self.interval)

    def __str__(self) -> str:
        drawn = f"{self.ahead}/{self.draws - self.ahead - self.behind}/{self.behind}"
        points, _, interval = self.elo_text.partition(" ")
        return f"{self.wdl_text} (draws ahead/level/behind {drawn}), {self.share_text}, {points} points {interval}"


def mean_interval(shares: Sequence[float], of_equal: tuple[float, float]) -> tuple[float, float]:
    """95% interval of the mean of shares: Student's t over them, or ``of_equal`` if they do not differ."""
    if len(set(shares)) < 2:
        return of_equal
    half = _half_interval(np.array(shares))
    mean = sum(shares) / len(shares)
    return max(0.0, mean - half), min(1.0, mean + half)


def _half_interval(sample: np.ndarray) -> float:
    """Half the width of the 95% interval of a sample's mean."""
    from scipy import special

    return float(special.stdtrit(len(sample) - 1, 0.975) * (sample.std(ddof=1) / np.sqrt(len(sample))))


def share_text(share: float, interval: tuple[float, float]) -> str:
    """A share of the points in per cent, with its interval."""
    low, high = interval
    return f"{100 * share:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def elo_text(share: float, interval: tuple[float, float]) -> str:
    """The rating difference that a share implies, with its interval."""
    low, high = interval
    return f"{elo_of(share):+.0f} [{elo_of(low):+.0f}, {elo_of(high):+.0f}]"


def elo_of(share: float) -> float:
    """The rating difference that a share of the points implies, clamped to ±``MAX_ELO``."""
    if share <= 0.001:
        return -MAX_ELO
    return MAX_ELO if share >= 0.999 else 400 * math.log10(share / (1 - share))


def load_statistics() -> None:
    """Load scipy before games are played, so that an interrupt need not wait for it."""
    import scipy.special  # noqa: F401
