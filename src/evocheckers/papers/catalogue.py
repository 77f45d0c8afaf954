"""The reproductions by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evocheckers.papers.anaconda import control, cycles, generations, mobility, rating
from evocheckers.papers.anaconda import forced_jumps as forced
from evocheckers.papers.anaconda import published_games as published
from evocheckers.papers.anaconda import six_games as six
from evocheckers.papers.hill import readings as hill_readings
from evocheckers.papers.hill import tables as hill
from evocheckers.papers.hill import variants as hill_variants
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.ours import endings, steadiness, strength, worth
from evocheckers.papers.ours import piece_sum as bare
from evocheckers.papers.ours import strength_by_ply as depth
from evocheckers.papers.report import Report
from evocheckers.papers.social import tables as social


@dataclass(frozen=True)
class Reproduction:
    """A table, figure or match of the papers."""

    name: str
    about: str
    duration: str
    """Duration of the full form, on two cores."""
    run: Callable[[Laboratory, str], Report]
    has_seeds: bool = False
    """Whether it evolves several runs of each system."""
    seeds: int = 3
    """Default number of runs."""
    has_generations: bool = False
    """Whether the number of generations can be set."""


REPRODUCTIONS: Mapping[str, Reproduction] = MappingProxyType(
    {
        found.name: found
        for found in (
            Reproduction(
                "control-equal-depth",
                "Chellapilla and Fogel: the first control match, against piece differential at 8 plies",
                "about 2 minutes",
                control.equal_depth,
            ),
            Reproduction(
                "control-equal-time",
                "Chellapilla and Fogel: the second control match, with equal time",
                "about 8 minutes",
                control.equal_time,
            ),
            Reproduction(
                "control-handicap",
                "Chellapilla and Fogel: equal time as it was, 8 plies against 10",
                "about 4 minutes",
                control.handicap,
            ),
            Reproduction(
                "control-handicap-6",
                "Chellapilla and Fogel: equal time at its worst, 6 plies against 12",
                "about 12 minutes",
                control.large_handicap,
            ),
            Reproduction(
                "forced-jumps",
                "Chellapilla and Fogel: two readings of a forced jump, what they cost, and evolution under the second",
                "about 20 minutes",
                forced.forced_jumps,
                has_seeds=True,
                seeds=8,
                has_generations=True,
            ),
            Reproduction(
                "six-games",
                "Chellapilla and Fogel: the six games of Anaconda against Hoyle, at 6 plies",
                "under a minute",
                six.six_games,
            ),
            Reproduction(
                "rating-165",
                "Chellapilla and Fogel: a rating over 165 games (table 1, figures 4 and 5)",
                "about 3 minutes",
                rating.rating_165,
            ),
            Reproduction(
                "published-games",
                "Chellapilla and Fogel: the two printed games, checked and analysed (figures 6 to 8)",
                "about a minute",
                published.published_games,
            ),
            Reproduction(
                "social-learning",
                "Al-Khateeb and Kendall: tables 2 to 6, the bar chart, and the order of the systems, over equal games",
                "about an hour and a half",
                social.social_learning,
            ),
            Reproduction("over-the-hill", "Horgan: tables 1 to 3 and figure 3", "about a minute", hill.over_the_hill),
            Reproduction(
                "over-the-hill-readings",
                "Horgan: table 1 under every reading, and as the author's program plays",
                "about 4 minutes",
                hill_readings.readings,
                has_seeds=True,
            ),
            Reproduction(
                "over-the-hill-variants",
                "Horgan: three wins of four, 2,000 plies, 128 inputs, more random moves to 100,000 iterations",
                "about 8 minutes",
                hill_variants.variants,
            ),
            Reproduction(
                "strength-by-ply",
                "left open: the networks at 2 to 10 plies, against themselves and piece differential",
                "about 10 minutes",
                depth.strength_by_ply,
            ),
            Reproduction(
                "mobility",
                "Chellapilla and Fogel: does the network see, and restrict, mobility?",
                "about a minute",
                mobility.mobility,
            ),
            Reproduction(
                "cycles",
                'Chellapilla and Fogel: a "rock-paper-scissors" effect among the champions of generations?',
                "about 3 minutes",
                cycles.cycles,
                has_seeds=True,
                seeds=16,
            ),
            Reproduction(
                "generations-250-840",
                "Chellapilla and Fogel: generation 250 against generation 840, over several seeds",
                "about 25 minutes",
                generations.generations_250_840,
                has_seeds=True,
            ),
            Reproduction(
                "without-piece-sum",
                "left open: who learns without the sum of the inputs at the output?",
                "about 2 minutes",
                bare.without_piece_sum,
                has_seeds=True,
            ),
            Reproduction(
                "steadiness",
                "our own: how far do a network's values jump from ply to ply?",
                "about a minute",
                steadiness.steadiness,
            ),
            Reproduction(
                "endings",
                "our own: are won endings won, with the database and without?",
                "under a minute",
                endings.endings,
            ),
            Reproduction(
                "strength",
                "our own: networks of every kind and both piece counters, in tournaments by plies and by time",
                "about an hour",
                strength.strength,
            ),
            Reproduction(
                "worth",
                "left open: how much can be learnt from win, lose or draw?",
                "about 40 minutes",
                worth.worth,
                has_seeds=True,
            ),
        )
    }
)
