"""Players from their texts (see ``grammar``): opens the files and finds the shipped networks.

What a kind of player alone needs is imported once a player of that kind is made: a match between two piece counters
loads neither the Hub protocol nor run files.
"""

import copy
import os
import sys
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any

import numpy as np

from evocheckers.networks.evaluator import Evaluator, piece_differential
from evocheckers.networks.network import Network
from evocheckers.networks.python_function import FunctionEvaluator
from evocheckers.networks.shipped import SHIPPED, shipped_network
from evocheckers.players.grammar import (
    KINDS,
    PLIES,
    SECONDS,
    PlayerError,
    PlayerSpec,
    format_limit,
    parse_material,
    parse_player,
    parse_run,
)
from evocheckers.players.player import Contestant, Player
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


PlayerLike = str | os.PathLike[str] | Contestant | Network | Evaluator | FunctionEvaluator | Callable[..., Any] | Player
"""What can be made a player: its text, a file, a network, an evaluator, a function or PyTorch module that values
positions, or a class (or an object) that plays."""


def make_contestant(player: PlayerLike) -> Contestant:
    """The player that a text names, or that something makes which can play; without a limit, it looks 4 plies ahead.

    A function gets positions as planes; see ``python_function``. A class is called without arguments for each player
    that is needed; of an object that plays, every thread gets a copy.
    """
    if isinstance(player, Contestant):
        return player
    if isinstance(player, str):
        return contestant_of(parse_player(player, _foreign_kinds), network_of)
    if isinstance(player, os.PathLike):
        return make_contestant(os.fspath(player))
    limit = Limit(plies=PLIES)
    if isinstance(player, Network):
        name = str(player.source.get("name") or f"{player.architecture.name} network")
        return Contestant(f"{name}@{PLIES}", player.evaluator(), limit, network=player)
    if isinstance(player, Evaluator | FunctionEvaluator):
        kind = player.kind.name.lower() if isinstance(player, Evaluator) else _name_of(player.function)
        return Contestant(f"{kind}@{PLIES}", player, limit)
    if isinstance(player, type) and hasattr(player, "choose"):
        return Contestant(player.__name__, make=lambda: _whole(player()))
    if hasattr(player, "choose"):
        return Contestant(type(player).__name__, make=lambda: _whole(copy.deepcopy(player)))
    if callable(player) and not isinstance(player, type):
        return Contestant(f"{_name_of(player)}@{PLIES}", FunctionEvaluator(_over_arrays(player)), limit)
    raise PlayerError(
        f"{player!r}", 'is nothing that plays; write "champion@8", or give a network, an evaluator or a function'
    )


def _whole(player: Any) -> Player:
    """A player that has only a method ``choose``, with the other methods of players doing nothing."""
    for name in ("begin", "stop", "close"):
        if not hasattr(player, name):
            setattr(player, name, lambda *_: None)
    return player


def _name_of(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__)).strip("<>")


def _over_arrays(function: Callable[..., Any]) -> Callable[[np.ndarray], Any]:
    """A function over arrays; a PyTorch module is given tensors and asked for no gradients."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(function, torch.nn.Module):
        return function

    def values(planes: np.ndarray) -> Any:
        with torch.no_grad():
            return function(torch.from_numpy(planes)).numpy()

    return values


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
