"""Strength of a network against piece differential at equal depth: the curve that matters.

The match is all 43 two-move ballots with both colours, 86 games. The opponent is piece differential with K = 1.5 and a
little noise on every leaf, which plays better than breaking ties between root moves at random alone. Both search as the
network was evolved. Draws are split by who is ahead in pieces.
"""

from collections.abc import Sequence

from evocheckers.games.batch import Executor, GameRules
from evocheckers.games.driving import Games, drive
from evocheckers.games.openings import ballots
from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.network import Network
from evocheckers.networks.piece_counting import KING_VALUE
from evocheckers.players.grammar import MATERIAL_NOISE
from evocheckers.players.player import Contestant
from evocheckers.search.limit import Limit
from evocheckers.tournaments.match import Match, match_in_one_batch, play_match
from evocheckers.tournaments.score import Score


def contestant(name: str, network: Network, plies: int) -> Contestant:
    """A network as a player with this search depth."""
    return Contestant(name, network.evaluator(), Limit(plies=plies))


def network_match(
    first: Network,
    second: Network,
    plies: int,
    executor: Executor,
    seed: int = 0,
    lines: Sequence[str] | None = None,
    max_plies: int = GameRules().max_plies,
) -> Score:
    """Two networks at equal depth, every opening with both colours; by default the two-move ballots."""
    lines = ballots() if lines is None else lines
    pair = contestant("first", first, plies), contestant("second", second, plies)
    return Match("first", "second", list(play_match(*pair, lines, executor, seed, max_plies))).score


def measurement(network: Network, plies: int, seed: int = 0) -> Games[Score]:
    """The measurement described above: yields its games, is sent their results, returns the score."""
    opponent = Contestant("material", piece_differential(KING_VALUE, MATERIAL_NOISE), Limit(plies=plies))
    match = yield from match_in_one_batch(contestant("network", network, plies), opponent, ballots(), seed)
    return match.score


def against_material(network: Network, plies: int, executor: Executor, seed: int = 0) -> Score:
    """The same measurement, played by an executor."""
    return drive(measurement(network, plies, seed), executor)
