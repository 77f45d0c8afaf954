"""A position through the generations of a run: the move that each would play, and its network's activations."""

from collections import OrderedDict
from pathlib import Path

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.networks.network import Network
from evocheckers.page.analysis.activations import activations_of
from evocheckers.page.games.players import Identity, identity_of
from evocheckers.page.games.searches import Searches
from evocheckers.page.models import side_of
from evocheckers.page.runs.models import GenerationView, PositionHistory
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.runs.file import Run
from evocheckers.search.limit import Limit

HISTORY_GENERATIONS = 25
"""Number of generations in a history, including the first and the last."""
MAX_PLIES = 4
"""Generations of deeper runs search no deeper than this."""
KEPT_HISTORIES = 32


class PositionHistories:
    """The histories of positions, the latest of them cached."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._kept: OrderedDict[tuple[Path, Identity, str], PositionHistory] = OrderedDict()

    def get(self, path: Path, fen: str) -> PositionHistory:
        """How a sample of generations sees a position; slow, so call it on a background thread."""
        board = Board(fen)
        if not board.legal_moves():
            raise EvocheckersError("the game is over in this position")
        key = path, identity_of(path), board.fen()
        if key not in self._kept:
            with Run.open(path) as run:
                self._kept[key] = self._make(run, board)
            while len(self._kept) > KEPT_HISTORIES:
                self._kept.popitem(last=False)
        return self._kept[key]

    def _make(self, run: Run, board: Board) -> PositionHistory:
        plies = min(run.settings.plies, MAX_PLIES)
        numbers = sorted({round(number) for number in np.linspace(0, run.generation, HISTORY_GENERATIONS)})
        views = [self._view(number, run.network(number), board, plies) for number in numbers]
        return PositionHistory(fen=board.fen(), turn=side_of(board.turn), plies=plies, views=views)

    def _view(self, generation: int, network: Network, board: Board, plies: int) -> GenerationView:
        limit = Limit(plies=plies)
        player = Contestant("", network.evaluator(), limit, network=network)
        found = self._searches.with_searcher(player, lambda searcher: searcher.search(board, limit))
        return GenerationView(
            generation=generation,
            move=str(found.move),
            path=list(found.move.path),
            score=round(max(-6.0, min(6.0, found.score)), 3),
            line=[str(move) for move in found.line],
            activations=activations_of(network, board),
        )
