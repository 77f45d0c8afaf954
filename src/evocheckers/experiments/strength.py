"""How strong a network is against piece differential at equal depth: the curve that matters.

All 43 two-move ballots with both colours, 86 games. The opponent is piece differential with K = 1.5 and a little noise
on every leaf, which plays better than drawing among equal root moves alone. Draws are split by who is ahead in pieces.
"""

import math
from dataclasses import dataclass

import numpy as np

from evocheckers.evaluation.evaluator import Evaluator, piece_differential
from evocheckers.evaluation.network import Network
from evocheckers.experiments.evolve import Executor
from evocheckers.games.batch import BatchResult, GameBatch, GameRules, Pairing
from evocheckers.games.openings import two_move_openings
from evocheckers.native.randomness import key
from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position

KING_VALUE = 1.5
NOISE = 0.01
_STRENGTH = 7
"""Sets these games' random numbers apart from evolution's."""


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
        """Wins and half of the draws, of all games."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95% interval of the share, by Student's t over the games."""
        from scipy import stats

        results = np.repeat([1.0, 0.5, 0.0], [self.wins, self.draws, self.losses])
        if self.games < 2 or results.std() == 0:
            return (self.share, self.share)
        half = float(stats.t.ppf(0.975, self.games - 1) * stats.sem(results))
        return (max(0.0, self.share - half), min(1.0, self.share + half))

    def __str__(self) -> str:
        low, high = self.interval
        elo = [elo_of(share) for share in (self.share, low, high)]
        drawn = f"{self.ahead}/{self.draws - self.ahead - self.behind}/{self.behind}"
        return (
            f"{self.wins}-{self.draws}-{self.losses} (draws ahead/level/behind {drawn}), {100 * self.share:.1f}% "
            f"[{100 * low:.1f}, {100 * high:.1f}], {elo[0]:+.0f} points [{elo[1]:+.0f}, {elo[2]:+.0f}]"
        )


def elo_of(share: float) -> float:
    """The rating difference that a share of the points means; held within ±1200."""
    if share <= 0.001:
        return -1200.0
    return 1200.0 if share >= 0.999 else -400 * math.log10(1 / share - 1)


def piece_lead(start: Position, record_moves: tuple, player_is_black: bool) -> int:
    """By how many pieces a player leads at the end of a game."""
    position = Board(start).push_all(record_moves).position
    lead = position.black.bit_count() - position.white.bit_count()
    return lead if player_is_black else -lead


def score_match(result: BatchResult, first_is_black: list[bool]) -> Score:
    """Count a match from the first player's side."""
    counts = {1: 0, 0: 0, -1: 0}
    ahead = behind = 0
    for game, is_black in enumerate(first_is_black):
        value = int(result.winners[game]) * (1 if is_black else -1)
        counts[value] += 1
        if value == 0:
            lead = piece_lead(result.starts[game], result[game].moves, is_black)
            ahead, behind = ahead + (lead > 0), behind + (lead < 0)
    return Score(counts[1], counts[0], counts[-1], ahead, behind)


def match(
    first: Evaluator,
    second: Evaluator,
    plies: int,
    executor: Executor,
    seed: int = 0,
    starts: tuple[Position, ...] | None = None,
    rules: GameRules | None = None,
) -> Score:
    """Every opening with both colours."""
    pairings, first_is_black = [], []
    for number, start in enumerate(starts or two_move_openings()):
        for black in (0, 1):
            pairings.append(Pairing(black, 1 - black, key(seed, _STRENGTH, number, black), plies, plies, start))
            first_is_black.append(black == 0)
    result = executor.play(GameBatch([first, second], pairings, rules or GameRules()))
    return score_match(result, first_is_black)


def against_material(network: Network, plies: int, executor: Executor, seed: int = 0) -> Score:
    """The measurement of this module's docstring."""
    return match(network.evaluator(), piece_differential(KING_VALUE, NOISE), plies, executor, seed)
