"""Neural networks that teach themselves checkers by evolution.

The names below are the public API. They are loaded when first used, so that importing the package stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evocheckers.errors import EvocheckersError
    from evocheckers.evaluation.evaluator import Evaluator, Leaf, View, piece_differential
    from evocheckers.evaluation.network import Network
    from evocheckers.games.batch import Pairing
    from evocheckers.games.play import play_batch
    from evocheckers.rules.board import Board
    from evocheckers.rules.fen import Position
    from evocheckers.rules.move import Color, Move
    from evocheckers.rules.outcome import Outcome, Reason
    from evocheckers.rules.pdn import Game, read_pdn, write_pdn
    from evocheckers.rules.perft import divide, perft
    from evocheckers.search.searcher import Limit, Searcher, SearchResult

_HOMES = {
    "Board": "rules.board",
    "Color": "rules.move",
    "EvocheckersError": "errors",
    "Evaluator": "evaluation.evaluator",
    "Game": "rules.pdn",
    "Leaf": "evaluation.evaluator",
    "Limit": "search.searcher",
    "Move": "rules.move",
    "Network": "evaluation.network",
    "Outcome": "rules.outcome",
    "Pairing": "games.batch",
    "Position": "rules.fen",
    "Reason": "rules.outcome",
    "SearchResult": "search.searcher",
    "Searcher": "search.searcher",
    "View": "evaluation.evaluator",
    "divide": "rules.perft",
    "perft": "rules.perft",
    "piece_differential": "evaluation.evaluator",
    "play_batch": "games.play",
    "read_pdn": "rules.pdn",
    "write_pdn": "rules.pdn",
}

__version__ = "0.1.0"
__all__ = [
    "Board",
    "Color",
    "Evaluator",
    "EvocheckersError",
    "Game",
    "Leaf",
    "Limit",
    "Move",
    "Network",
    "Outcome",
    "Pairing",
    "Position",
    "Reason",
    "SearchResult",
    "Searcher",
    "View",
    "divide",
    "perft",
    "piece_differential",
    "play_batch",
    "read_pdn",
    "write_pdn",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
