"""A network against the piece counter at equal depth: the curve that matters.

The match is all 43 two-move ballots with both colours, 86 games. The opponent is a piece counter with K = 1.5 and a
little noise on every leaf, which plays better than breaking ties between root moves at random alone. Both search as the
network was evolved. Draws are split by who is ahead in pieces.
"""

from evocheckers.games.batch import Executor
from evocheckers.games.driving import BatchGenerator, drive
from evocheckers.games.openings import ballots
from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.network import Network
from evocheckers.networks.piece_counting import KING_VALUE
from evocheckers.players.grammar import MATERIAL_NOISE
from evocheckers.players.player import Contestant
from evocheckers.search.limit import Limit
from evocheckers.tournaments.match import match_in_one_batch
from evocheckers.tournaments.score import Score


def piece_counter_match(network: Network, plies: int, seed: int = 0) -> BatchGenerator[Score]:
    """The match described above: yields its games, is sent their results, returns the score."""
    opponent = Contestant("material", piece_differential(KING_VALUE, MATERIAL_NOISE), Limit(plies=plies))
    player = Contestant.from_network("network", network, plies)
    match = yield from match_in_one_batch(player, opponent, ballots(), seed)
    return match.score


def against_piece_counter(network: Network, plies: int, executor: Executor, seed: int = 0) -> Score:
    """The same match, played by an executor."""
    return drive(piece_counter_match(network, plies, seed), executor)
