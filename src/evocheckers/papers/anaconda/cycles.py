"""Rock, paper, scissors: do the best networks of a run's generations beat each other in cycles?

Chellapilla and Fogel "did not observe any evidence" of it. Here the champions of several generations of a run play a
round robin; a triple in which each beats the next is a cycle. Chance makes cycles too, and more of them the closer the
players are. So the share found is compared with the share among players whose strengths are in one order: ratings are
fitted to the same games, shrunk by the spread that is due to chance, and used to simulate as many games.

A second comparison needs no estimate of strengths: does a cycle in one half of the openings come again in the other?
Among players with ratings it seldom does (see ``AGAIN``).
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.networks.network import Network
from evocheckers.papers.lab import Laboratory, identity
from evocheckers.papers.report import Report
from evocheckers.players.player import Contestant
from evocheckers.runs.file import Run
from evocheckers.tournaments.match import first_color, play_match
from evocheckers.tournaments.ratings import expected, fit_ratings
from evocheckers.tournaments.score import Score

GENERATIONS, EVERY, PLIES = 100, 10, 2
SIMULATIONS = 200
SPLITS = 200
"""How often the openings are split into two halves at random."""
AGAIN = 1 / 8
"""The largest chance that a cycle comes again, the same way round, in other games of players with ratings.

If chances follow from ratings by the logistic curve, with odds u and v for b against a and for c against b, either way
round a cycle has the chance uv / ((1 + u) (1 + v) (1 + uv)). Its maximum is 1/8, at u = v = 1: three equal players."""
COIN = 0.25
"""The share of cycles among triples whose matches are all coin tosses."""

Matches = Mapping[tuple[int, int], Score]
"""Scores by pair of champions, the earlier first and from its side."""
Values = Mapping[tuple[int, int], list[int]]
"""Results of the games by pair of champions, 1, 0 or -1 to the earlier one; two games an opening."""


@dataclass(frozen=True)
class Triples:
    """Triples of players in which every match had a winner, and how many of them are cycles."""

    decided: int
    cycles: int

    def __add__(self, other: "Triples") -> "Triples":
        return Triples(self.decided + other.decided, self.cycles + other.cycles)

    @property
    def share(self) -> float:
        return self.cycles / self.decided if self.decided else 0.0


def cycles(lab: Laboratory, command: str) -> Report:
    """Round robins among the champions of every tenth generation, for each of several runs."""
    generations, every = (4, 2) if lab.quick else (GENERATIONS, EVERY)
    numbers = range(0, generations + 1, every)
    values = [_round_robin(lab, seed, numbers) for seed in range(1, lab.seeds + 1)]
    runs = [{pair: score_of(found) for pair, found in one.items()} for one in values]
    found = sum((triples(len(numbers), signs_of(matches)) for matches in runs), Triples(0, 0))
    generator = np.random.default_rng(1)
    simulated = [
        sum((triples(len(numbers), one) for one in drawn), Triples(0, 0)).share
        for drawn in zip(*(_simulations(len(numbers), matches, generator) for matches in runs), strict=True)
    ]
    low, high = np.quantile(simulated, [0.025, 0.975])
    later = [_later(matches) for matches in runs]
    report = Report("anaconda/cycles", command)
    report.fact("triples", f"{found.cycles} of {found.decided}")
    report.fact("share", f"{100 * found.share:.1f}%")
    report.fact("verdict", "more than" if found.share > high else "fewer than" if found.share < low else "as many as")
    report.fact("chance", f"{100 * np.mean(simulated):.1f}% [{100 * low:.1f}, {100 * high:.1f}]")
    again, low_again, high_again = _replication(len(numbers), values, generator)
    report.fact("again", f"{100 * again:.1f}% [{100 * low_again:.1f}, {100 * high_again:.1f}]")
    report.fact("again-verdict", "more than" if low_again > AGAIN else "not clearly more than")
    report.fact("again-most", f"{100 * AGAIN:.1f}%")
    score, half = 100 * float(np.mean(later)), _half_width(later)
    report.fact("later", f"{score:.1f}% [{score - half:.1f}, {score + half:.1f}]")
    report.state(runs=lab.seeds, plies=PLIES, generations=generations, every=every, games=2 * len(_lines(lab)))
    report.state(simulations=SIMULATIONS, splits=SPLITS)
    rows = []
    for seed, matches in enumerate(runs, 1):
        one = triples(len(numbers), signs_of(matches))
        rows.append([seed, one.decided, one.cycles, f"{100 * one.share:.0f}%", f"{100 * later[seed - 1]:.1f}%"])
    header = ("seed", "decided triples", "cycles", "share", "later against earlier champions")
    report.table("by-run", header, rows)
    report.figure("cycles", lambda plt: _plot(plt, found.share, simulated))
    return report


def _lines(lab: Laboratory) -> list[str]:
    return list(FIRST_MOVES[:2] if lab.quick else ballots())


def _round_robin(lab: Laboratory, seed: int, numbers: range) -> Values:
    """The champions of one run against each other."""
    small = {"parents": 2} if lab.quick else {}
    path = lab.evolved("anaconda", numbers[-1], {"plies": PLIES, "extensions": 0, **small}, seed)
    with Run.open(path) as run:
        champions = [run.network(number) for number in numbers]
    about = {"players": [identity(Contestant.from_network("", n, PLIES)) for n in champions], "lines": len(_lines(lab))}
    pairs = list(itertools.combinations(range(len(champions)), 2))
    answer = lab.step(f"games-{seed}", about, lambda: [_match(lab, champions, *pair) for pair in pairs])
    return dict(zip(pairs, answer, strict=True))


def _match(lab: Laboratory, champions: list[Network], first: int, second: int) -> list[int]:
    one, other = (Contestant.from_network(str(number), champions[number], PLIES) for number in (first, second))
    games = sorted(
        play_match(one, other, _lines(lab), lab.executor, key_of(first, second)), key=lambda game: game.number
    )
    return [game.value_to(first_color(game)) for game in games]


def score_of(values: Sequence[int]) -> Score:
    """Count results, 1, 0 or -1 to the first player."""
    return Score(*(values.count(value) for value in (1, 0, -1)))


def key_of(first: int, second: int) -> int:
    """A seed for a pair."""
    return 1000 * first + second


def signs_of(matches: Matches) -> dict[tuple[int, int], int]:
    """Who beat whom: 1 if the earlier champion has more points, -1 if fewer, 0 if they are level."""
    return {pair: int(np.sign(score.wins - score.losses)) for pair, score in matches.items()}


def triples(players: int, signs: Mapping[tuple[int, int], int]) -> Triples:
    """Count decided triples and cycles: a beats b, b beats c and c beats a, or the reverse."""
    decided = circles = 0
    for a, b, c in itertools.combinations(range(players), 3):
        first, second, third = signs[a, b], signs[b, c], -signs[a, c]
        decided += bool(first and second and third)
        circles += first == second == third != 0
    return Triples(decided, circles)


def _replication(players: int, runs: Sequence[Values], generator: np.random.Generator) -> tuple[float, float, float]:
    """The share of one half's cycles that come again in the other half, with its 95% interval over runs."""
    counted = np.array([repeated(players, values, generator) for values in runs])
    drawn = counted[generator.integers(len(runs), size=(1000, len(runs)))].sum(axis=1)
    shares = drawn[:, 1] / np.maximum(drawn[:, 0], 1)
    again = float(counted[:, 1].sum() / max(counted[:, 0].sum(), 1))
    return again, float(np.quantile(shares, 0.025)), float(np.quantile(shares, 0.975))


def repeated(players: int, values: Values, generator: np.random.Generator) -> tuple[int, int]:
    """Over many random halves of the openings: all cycles, and those that come again in the other half."""
    pairs = list(values)
    by_opening = np.array([values[pair] for pair in pairs]).reshape(len(pairs), -1, 2).sum(axis=2)
    place = {pair: number for number, pair in enumerate(pairs)}
    sides = np.array([[place[a, b], place[b, c], place[a, c]] for a, b, c in itertools.combinations(range(players), 3)])
    cycles_found = again = 0
    for _ in range(SPLITS):
        order = generator.permutation(by_opening.shape[1])
        half = len(order) // 2
        ways = []
        for openings in (order[:half], order[half : 2 * half]):
            first, second, third = np.sign(by_opening[:, openings].sum(axis=1))[sides].T
            ways.append(np.where((first == second) & (second == -third), first, 0))
        cycles_found += int(np.count_nonzero(ways[0]))
        again += int(np.count_nonzero((ways[0] == ways[1]) & (ways[0] != 0)))
    return cycles_found, again


def _simulations(players: int, matches: Matches, generator: np.random.Generator) -> list[dict[tuple[int, int], int]]:
    """Simulate repeatedly who would beat whom if strengths were in one order."""
    games = [
        (*pair, points)
        for pair, score in matches.items()
        for points, count in ((1.0, score.wins), (0.5, score.draws), (0.0, score.losses))
        for _ in range(count)
    ]
    ratings = shrunk(np.array([one.rating for one in fit_ratings(players, games)]), games)
    simulated: list[dict[tuple[int, int], int]] = [{} for _ in range(SIMULATIONS)]
    for (first, second), score in matches.items():
        chances = chances_of(float(expected(ratings[first], ratings[second])), score.draws / score.games)
        drawn = generator.multinomial(score.games, chances, SIMULATIONS)
        for one, (wins, _, losses) in zip(simulated, drawn, strict=True):
            one[first, second] = int(np.sign(wins - losses))
    return simulated


def chances_of(share: float, draws: float) -> list[float]:
    """Chances of a win, a draw and a loss from the shares of points and draws, clipped for strong favourites."""
    win = min(max(share - draws / 2, 0.0), 1 - draws)
    return [win, draws, 1 - draws - win]


def shrunk(ratings: np.ndarray, games: Sequence[tuple[int, int, float]]) -> np.ndarray:
    """Ratings shrunk by the spread that the games' randomness gave them; otherwise chance would seem too rare."""
    first, second, points = (np.array(column) for column in zip(*games, strict=True))
    share = expected(ratings[first.astype(int)], ratings[second.astype(int)])
    squares, slopes = (points - share) ** 2, np.log(10) / 400 * share * (1 - share)
    chance = []
    for player in range(len(ratings)):
        own = (first == player) | (second == player)
        chance.append(squares[own].mean() / own.sum() / slopes[own].mean() ** 2)
    spread = float(ratings.var(ddof=1))
    real = max(0.0, spread - float(np.mean(chance)))
    return ratings.mean() + (ratings - ratings.mean()) * np.sqrt(real / spread if spread else 0.0)


def _later(matches: Matches) -> float:
    """What later champions score against earlier ones."""
    return 1 - float(np.mean([score.share for score in matches.values()]))


def _half_width(shares: list[float]) -> float:
    from scipy import stats

    if len(shares) < 2:
        return 0.0
    return 100 * float(stats.t.ppf(0.975, len(shares) - 1) * stats.sem(shares))


def _plot(plt: Any, share: float, simulated: list[float]) -> None:
    plt.hist([100 * one for one in simulated], bins=20, color="#cccccc", label="strengths in one order, simulated")
    plt.axvline(100 * share, color="tab:red", label="found")
    plt.axvline(100 * COIN, color="grey", linestyle="--", label="tosses of a coin")
    plt.xlabel("cycles among decided triples, %")
    plt.ylabel("simulations")
    plt.legend(frameon=False)
