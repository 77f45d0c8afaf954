"""How strong a network is against piece differential at equal depth: the curve that matters.

All 43 two-move ballots with both colours, 86 games. The opponent is piece differential with K = 1.5 and a little noise
on every leaf, which plays better than drawing among equal root moves alone. Both search as the network was evolved.
Draws are split by who is ahead in pieces.
"""

from collections.abc import Sequence

from evocheckers.evaluation.evaluator import piece_differential
from evocheckers.evaluation.material import KING_VALUE
from evocheckers.evaluation.network import Network
from evocheckers.games.batch import Executor, GameRules
from evocheckers.games.openings import ballots
from evocheckers.players.player import Contestant
from evocheckers.players.spec import MATERIAL_NOISE
from evocheckers.search.searcher import Limit
from evocheckers.tournaments.match import Match, play_match
from evocheckers.tournaments.score import Score

BALLOTS = ballots()


def contestant(name: str, network: Network, plies: int) -> Contestant:
    """A network as a player that looks so many plies ahead."""
    return Contestant(name, network.evaluator(), Limit(plies=plies), extensions=network.extensions)


def network_match(
    first: Network,
    second: Network,
    plies: int,
    executor: Executor,
    seed: int = 0,
    lines: Sequence[str] = BALLOTS,
    max_plies: int = GameRules().max_plies,
) -> Score:
    """Two networks at equal depth, every opening with both colours."""
    pair = contestant("first", first, plies), contestant("second", second, plies)
    return Match("first", "second", list(play_match(*pair, lines, executor, seed, max_plies))).score


def against_material(network: Network, plies: int, executor: Executor, seed: int = 0) -> Score:
    """The measurement of this module's docstring."""
    opponent = piece_differential(KING_VALUE, MATERIAL_NOISE)
    pair = (
        contestant("network", network, plies),
        Contestant("material", opponent, Limit(plies=plies)),
    )
    return Match("network", "material", list(play_match(*pair, BALLOTS, executor, seed))).score
