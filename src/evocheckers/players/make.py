"""Players from their texts (see ``grammar``): opens the files and finds the shipped networks.

What a kind of player alone needs is imported once a player of that kind is made: a match between two piece counters
loads neither the Hub protocol nor run files.
"""

from collections.abc import Callable, Collection
from importlib import import_module

from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.network import Network
from evocheckers.networks.shipped import SHIPPED, shipped_network
from evocheckers.players.grammar import (
    KINDS,
    PLIES,
    SECONDS,
    PlayerSpec,
    format_limit,
    parse_material,
    parse_player,
    parse_run,
)
from evocheckers.players.player import Contestant
from evocheckers.search.limit import Limit

RUN_NETWORKS = "evocheckers.runs.file:network_of_run"
"""What reads networks from run files. It belongs to a folder above and is found by name, like other packages' players,
so that a match without runs loads nothing of evolution."""


def network_of(spec: PlayerSpec) -> Network | None:
    """The network behind a player, if any."""
    if spec.kind == "champion" or spec.kind in SHIPPED:
        return shipped_network(spec.kind)
    if spec.kind == "net":
        return Network.load(spec.argument)
    if spec.kind == "run":
        module, _, name = RUN_NETWORKS.partition(":")
        return getattr(import_module(module), name)(*parse_run(spec))
    return None


def make_contestant(text: str) -> Contestant:
    """The player that a text names."""
    return contestant_of(parse_player(text, _foreign_kinds), network_of)


def _foreign_kinds() -> Collection[str]:
    """The kinds of other packages; looked up only for texts that name none of ours."""
    from evocheckers.players.plugins import foreign_kinds

    return foreign_kinds()


def contestant_of(spec: PlayerSpec, find_network: Callable[[PlayerSpec], Network | None]) -> Contestant:
    """The player of a parsed specification; ``find_network`` returns its network, if any."""
    if spec.kind not in KINDS:
        from evocheckers.players.plugins import foreign_contestant

        return foreign_contestant(spec)
    if spec.kind == "random":
        return Contestant("random")
    if spec.kind == "engine":
        from evocheckers.players.hub.client import EnginePlayer

        limit = spec.limit or Limit(seconds=SECONDS)
        return Contestant(_name(spec, limit), limit=limit, make=lambda: EnginePlayer(spec.argument, limit))
    limit = spec.limit or Limit(plies=PLIES)
    network = find_network(spec)
    evaluator = piece_differential(*parse_material(spec)) if network is None else network.evaluator()
    return Contestant(_name(spec, limit), evaluator, limit, network=network, databases=spec.databases)


def _name(spec: PlayerSpec, limit: Limit) -> str:
    return spec.text.strip() if spec.limit else f"{spec.text.strip()}@{format_limit(limit)}"
