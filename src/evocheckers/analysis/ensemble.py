"""Several runs of a system as one experiment: what their networks score, with runs as the sampling units."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from evocheckers.endgames.values import Database
from evocheckers.games.adjudication import PLIES, adjudicate
from evocheckers.games.batch import Executor
from evocheckers.games.driving import drive_together
from evocheckers.games.openings import ballots
from evocheckers.networks.network import Network
from evocheckers.players.player import Contestant
from evocheckers.tournaments.match import Match, fit_a_batch, match_in_one_batch, play_match, score_of
from evocheckers.tournaments.score import Score, elo_text, mean_interval, share_text


@dataclass(frozen=True)
class Ensemble:
    """What one network of each run scored in the same match.

    The interval is Student's t over the runs, which vary by more than the chance in their games. If they do not differ,
    or there is only one, it is that of the first run's games. All runs play from the same openings against the same
    noise.
    """

    scores: Sequence[Score]

    @property
    def together(self) -> Score:
        """The score over all games."""
        return reduce(add, self.scores)

    @property
    def share(self) -> float:
        return float(np.mean([score.share for score in self.scores]))

    @property
    def interval(self) -> tuple[float, float]:
        return mean_interval([score.share for score in self.scores], self.scores[0].interval)

    @property
    def better(self) -> int:
        """Number of runs whose own interval lies above one half."""
        return sum(score.interval[0] > 0.5 for score in self.scores)

    @property
    def worse(self) -> int:
        return sum(score.interval[1] < 0.5 for score in self.scores)

    @property
    def share_text(self) -> str:
        return share_text(self.share, self.interval)

    @property
    def elo_text(self) -> str:
        return elo_text(self.share, self.interval)

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        counts = [[score.wins, score.draws, score.losses, score.ahead, score.behind] for score in self.scores]
        facts = {"share": self.share, "interval": self.interval, "better": self.better, "worse": self.worse}
        return {**facts, "runs": counts}


class MeasuredGeneration(NamedTuple):
    """One generation of all runs: its games as played, and played out."""

    generation: int
    raw: Ensemble
    played_out: Ensemble | None


def measure(
    networks: Sequence[Network],
    opponent: Contestant,
    plies: int,
    executor: Executor,
    seed: int = 0,
    repetition: bool = False,
    lines: Sequence[str] | None = None,
) -> list[Match]:
    """Play every network against the same opponent, by default the 86 ballot games; in one batch if possible."""
    players = [Contestant.from_network("network", network, plies) for network in networks]
    lines = ballots() if lines is None else lines
    asking = {
        number: match_in_one_batch(player, opponent, lines, seed, repetition=repetition)
        for number, player in enumerate(players)
        if fit_a_batch(player, opponent)
    }
    matches = drive_together(asking, executor)
    for number, player in enumerate(players):
        if number not in matches:
            games = play_match(player, opponent, lines, executor, seed, repetition=repetition)
            matches[number] = Match(player.name, opponent.name, sorted(games, key=lambda game: game.number))
    return [matches[number] for number in range(len(players))]


def played_out(matches: Sequence[Match], database: Database, executor: Executor, plies: int = PLIES) -> Ensemble:
    """The same matches with unfinished games finished by the adjudicator, which searches ``plies`` deep."""
    return Ensemble([score_of(list(adjudicate(match.games, database, executor, plies))) for match in matches])
