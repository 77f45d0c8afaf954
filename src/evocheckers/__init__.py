"""Neural networks that teach themselves checkers by evolution.

The names below are the public API. They are loaded when first used, so that importing the package stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from evocheckers.version import PROGRAM_VERSION

if TYPE_CHECKING:
    from evocheckers.errors import EvocheckersError
    from evocheckers.evolution.evolve import Generation, evolve
    from evocheckers.evolution.registry import PRESETS, Preset
    from evocheckers.evolution.scheme import GenerationReport, Individuals, Scheme, Settings
    from evocheckers.executors.threads import ThreadExecutor
    from evocheckers.games.batch import GameBatch, GameRules, Pairing, play_batch
    from evocheckers.networks.evaluator import Evaluator, piece_differential
    from evocheckers.networks.network import Network
    from evocheckers.networks.registry import Kind
    from evocheckers.networks.search_rules import Forced, Leaf, SearchRules, View, Wins
    from evocheckers.players.make import make_contestant
    from evocheckers.players.player import Contestant, Player
    from evocheckers.rules.board import Board
    from evocheckers.rules.fen import Position
    from evocheckers.rules.move import Color, Move
    from evocheckers.rules.outcome import Outcome, Reason
    from evocheckers.rules.pdn import Game, read_pdn, write_pdn
    from evocheckers.rules.perft import divide, perft
    from evocheckers.runs.file import Run
    from evocheckers.search.limit import Limit
    from evocheckers.search.result import SearchInterrupted, SearchResult
    from evocheckers.search.searcher import Searcher
    from evocheckers.tournaments.match import Match, play_match
    from evocheckers.tournaments.score import Score


_HOMES = {
    "PRESETS": "evolution.registry",
    "Board": "rules.board",
    "Color": "rules.move",
    "Contestant": "players.player",
    "Evaluator": "networks.evaluator",
    "EvocheckersError": "errors",
    "Forced": "networks.search_rules",
    "Game": "rules.pdn",
    "GameBatch": "games.batch",
    "GameRules": "games.batch",
    "Generation": "evolution.evolve",
    "GenerationReport": "evolution.scheme",
    "Individuals": "evolution.scheme",
    "Kind": "networks.registry",
    "Leaf": "networks.search_rules",
    "Limit": "search.limit",
    "Match": "tournaments.match",
    "Move": "rules.move",
    "Network": "networks.network",
    "Outcome": "rules.outcome",
    "Pairing": "games.batch",
    "Player": "players.player",
    "Position": "rules.fen",
    "Preset": "evolution.registry",
    "Reason": "rules.outcome",
    "Run": "runs.file",
    "Scheme": "evolution.scheme",
    "Score": "tournaments.score",
    "SearchInterrupted": "search.result",
    "SearchResult": "search.result",
    "SearchRules": "networks.search_rules",
    "Searcher": "search.searcher",
    "Settings": "evolution.scheme",
    "ThreadExecutor": "executors.threads",
    "View": "networks.search_rules",
    "Wins": "networks.search_rules",
    "divide": "rules.perft",
    "evolve": "evolution.evolve",
    "make_contestant": "players.make",
    "perft": "rules.perft",
    "piece_differential": "networks.evaluator",
    "play_batch": "games.batch",
    "play_match": "tournaments.match",
    "read_pdn": "rules.pdn",
    "write_pdn": "rules.pdn",
}

__version__ = PROGRAM_VERSION
__all__ = [
    "PRESETS",
    "Board",
    "Color",
    "Contestant",
    "Evaluator",
    "EvocheckersError",
    "Forced",
    "Game",
    "GameBatch",
    "GameRules",
    "Generation",
    "GenerationReport",
    "Individuals",
    "Kind",
    "Leaf",
    "Limit",
    "Match",
    "Move",
    "Network",
    "Outcome",
    "Pairing",
    "Player",
    "Position",
    "Preset",
    "Reason",
    "Run",
    "Scheme",
    "Score",
    "SearchInterrupted",
    "SearchResult",
    "SearchRules",
    "Searcher",
    "Settings",
    "ThreadExecutor",
    "View",
    "Wins",
    "divide",
    "evolve",
    "make_contestant",
    "perft",
    "piece_differential",
    "play_batch",
    "play_match",
    "read_pdn",
    "write_pdn",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
