"""The reproductions by paper and name, with what each rebuilds and how long it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evocheckers.papers.anaconda.control import equal_depth, equal_time, handicap, large_handicap
from evocheckers.papers.anaconda.cycles import cycles
from evocheckers.papers.anaconda.forced_jumps import forced_jumps
from evocheckers.papers.anaconda.generations import generations_250_840
from evocheckers.papers.anaconda.mobility import mobility
from evocheckers.papers.anaconda.published_games import published_games
from evocheckers.papers.anaconda.rating import rating_165
from evocheckers.papers.anaconda.six_games import six_games
from evocheckers.papers.hill.over_the_hill import over_the_hill
from evocheckers.papers.hill.readings import readings
from evocheckers.papers.hill.variants import variants
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.ours.endings import endings
from evocheckers.papers.ours.piece_sum import without_piece_sum
from evocheckers.papers.ours.steadiness import steadiness
from evocheckers.papers.ours.strength import strength
from evocheckers.papers.ours.strength_by_ply import strength_by_ply
from evocheckers.papers.ours.worth import worth
from evocheckers.papers.report import Report
from evocheckers.papers.social.social_learning import social_learning


@dataclass(frozen=True)
class Reproduction:
    """A table, figure or match of the papers, or a question of our own."""

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


_ANACONDA = (
    Reproduction(
        "control-equal-depth", "control match 1, against piece differential at 8 plies", "about 2 minutes", equal_depth
    ),
    Reproduction("control-equal-time", "control match 2, with equal time", "about 8 minutes", equal_time),
    Reproduction("control-handicap", "equal time as it was, 8 plies against 10", "about 4 minutes", handicap),
    Reproduction(
        "control-handicap-6", "equal time at its worst, 6 plies against 12", "about 12 minutes", large_handicap
    ),
    Reproduction(
        "forced-jumps",
        "two readings of a forced jump: nodes searched, and evolution under the second",
        "about 20 minutes",
        forced_jumps,
        has_seeds=True,
        seeds=8,
        has_generations=True,
    ),
    Reproduction("six-games", "the six games of Anaconda against Hoyle, at 6 plies", "under a minute", six_games),
    Reproduction("rating-165", "a rating over 165 games (table 1, figures 4 and 5)", "about 3 minutes", rating_165),
    Reproduction(
        "published-games",
        "the two printed games, checked and analysed (figures 6 to 8)",
        "about a minute",
        published_games,
    ),
    Reproduction("mobility", "does the network see, and restrict, mobility?", "about a minute", mobility),
    Reproduction(
        "cycles",
        'a "rock-paper-scissors" effect among the champions of generations?',
        "about 3 minutes",
        cycles,
        has_seeds=True,
        seeds=16,
    ),
    Reproduction(
        "generations-250-840",
        "generation 250 against generation 840, over several seeds",
        "about 25 minutes",
        generations_250_840,
        has_seeds=True,
    ),
)
_SOCIAL = (
    Reproduction(
        "social-learning",
        "tables 2 to 6, the bar chart, and the order of the systems, over equal games",
        "about an hour and a half",
        social_learning,
    ),
)
_HILL = (
    Reproduction("over-the-hill", "tables 1 to 3 and figure 3", "about a minute", over_the_hill),
    Reproduction(
        "over-the-hill-readings",
        "table 1 under every reading, and as the author's program plays",
        "about 4 minutes",
        readings,
        has_seeds=True,
    ),
    Reproduction(
        "over-the-hill-variants",
        "three wins of four, 2,000 plies, 128 inputs, more random moves to 100,000 iterations",
        "about 8 minutes",
        variants,
    ),
)
_OURS = (
    Reproduction(
        "strength-by-ply",
        "the networks at 2 to 10 plies, against themselves and piece differential",
        "about 10 minutes",
        strength_by_ply,
    ),
    Reproduction(
        "without-piece-sum",
        "who learns without the sum of the inputs at the output?",
        "about 2 minutes",
        without_piece_sum,
        has_seeds=True,
    ),
    Reproduction("worth", "how much can be learnt from win, lose or draw?", "about 40 minutes", worth, has_seeds=True),
    Reproduction("steadiness", "how far do a network's values jump from ply to ply?", "about a minute", steadiness),
    Reproduction("endings", "are won endings won, with the database and without?", "under a minute", endings),
    Reproduction(
        "strength",
        "networks of every kind and both piece counters, in tournaments by plies and by time",
        "about an hour",
        strength,
    ),
)
PAPERS: Mapping[str, tuple[Reproduction, ...]] = MappingProxyType(
    {
        "Chellapilla and Fogel: Anaconda (Blondie24)": _ANACONDA,
        "Al-Khateeb and Kendall: individual and social learning": _SOCIAL,
        "Horgan: over the hill": _HILL,
        "What the papers leave open, and our own questions": _OURS,
    }
)
"""The reproductions by paper."""
REPRODUCTIONS: Mapping[str, Reproduction] = MappingProxyType(
    {found.name: found for group in PAPERS.values() for found in group}
)
"""The reproductions by name."""
