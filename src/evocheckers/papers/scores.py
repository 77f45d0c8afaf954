"""Scores as the reports show them: cells of tables, differences from a paper's score, and gains over several runs."""

import math
import warnings

import numpy as np

from evocheckers.analysis.ensemble import Ensemble
from evocheckers.tournaments.score import Score, elo_of

SCORE_HEADER = ("W-D-L", "score", "points, 95%", "decided", "p")
"""Won, drawn, lost; share of the points; the rating difference it implies; the same for decided games alone; the sign
test."""
DIFFERENCE_HEADER = ("our score less the paper's", "p")
"""In per cent of the points; Welch's t-test over the games."""


def score_cells(score: Score) -> list[str]:
    """A score as table cells, under ``SCORE_HEADER``."""
    return [
        score.wdl_text,
        f"{100 * score.share:.1f}%",
        score.elo_text,
        f"{points_without_draws(score):+.0f}",
        f"{score.sign_test:.2g}",
    ]


def points_without_draws(score: Score) -> float:
    """The rating difference from decided games alone, which is how the papers' figures come out."""
    decided = score.wins + score.losses
    return elo_of(score.wins / decided) if decided else 0.0


def difference_cells(paper: Score, ours: Score) -> list[str]:
    """How our score differs from the paper's, and whether chance would explain it, under ``DIFFERENCE_HEADER``."""
    from scipy import stats

    samples = [[1.0] * s.wins + [0.5] * s.draws + [0.0] * s.losses for s in (ours, paper)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a clean sweep has no variance
        p = float(stats.ttest_ind(*samples, equal_var=False).pvalue)
    return [f"{100 * (ours.share - paper.share):+.1f}%", "no variance" if math.isnan(p) else f"{p:.2g}"]


def counts(score: Score) -> list[int]:
    """A score as a list, from which ``Score(*counts)`` makes it again."""
    return [score.wins, score.draws, score.losses, score.ahead, score.behind]


def gain(more: Ensemble, less: Ensemble) -> tuple[float, float, float]:
    """The gain in per cent of the points, seed by seed: mean and 95% interval, which is empty if all seeds agree."""
    from scipy import stats

    gaps = [100 * (a.share - b.share) for a, b in zip(more.scores, less.scores, strict=False)]
    mean = float(np.mean(gaps))
    half = float(stats.t.ppf(0.975, len(gaps) - 1) * stats.sem(gaps)) if len(set(gaps)) > 1 else 0.0
    return mean, mean - half, mean + half
