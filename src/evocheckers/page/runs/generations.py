"""A position as successive generations of a run saw it: what they think of it and what they look at."""

from collections import OrderedDict
from pathlib import Path

import numpy as np
from pydantic import BaseModel, Field

from evocheckers.errors import EvocheckersError
from evocheckers.networks.network import Network
from evocheckers.page.analysis.activations import sight_of
from evocheckers.page.games.models import FenText, Request, Sight
from evocheckers.page.games.players import Identity, identity_of
from evocheckers.page.games.thinker import Thinker
from evocheckers.page.games.views import side_of
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.runs.file import Run
from evocheckers.search.limit import Limit

VIEWS = 25
"""Number of generations asked, including the first and the last."""
MAX_PLIES = 4
"""Generations of deeper runs search no deeper than this."""
KEPT_VIEWS = 32


class PositionRequest(Request):
    """A position to ask about."""

    fen: FenText


class GenerationView(BaseModel):
    """What a generation's best network thinks."""

    generation: int
    move: str
    path: list[int]
    score: float = Field(description="in men within ±6, to the side to move")
    line: list[str]
    sight: Sight | None


class GrowthModel(BaseModel):
    """A position through the generations."""

    fen: str
    turn: str
    plies: int
    views: list[GenerationView]


class Growth:
    """Asks generations about positions, and remembers the answers."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._kept: OrderedDict[tuple[Path, Identity, str], GrowthModel] = OrderedDict()

    def ask(self, path: Path, fen: str) -> GrowthModel:
        """What a sample of generations thinks of a position; slow, so call it on a background thread."""
        board = Board(fen)
        if not board.legal_moves():
            raise EvocheckersError("the game is over in this position")
        place = path, identity_of(path), board.fen()
        if place not in self._kept:
            with Run.open(path) as run:
                self._kept[place] = self._ask(run, board)
            while len(self._kept) > KEPT_VIEWS:
                self._kept.popitem(last=False)
        return self._kept[place]

    def _ask(self, run: Run, board: Board) -> GrowthModel:
        plies = min(run.settings.plies, MAX_PLIES)
        numbers = sorted({round(number) for number in np.linspace(0, run.generation, VIEWS)})
        views = [self._view(number, run.network(number), board, plies) for number in numbers]
        return GrowthModel(fen=board.fen(), turn=side_of(board.turn), plies=plies, views=views)

    def _view(self, generation: int, network: Network, board: Board, plies: int) -> GenerationView:
        limit = Limit(plies=plies)
        player = Contestant("", network.evaluator(), limit, network.extensions, network=network)
        found = self._thinker.with_searcher(player, lambda searcher: searcher.search(board, limit))
        return GenerationView(
            generation=generation,
            move=str(found.move),
            path=list(found.move.path),
            score=round(max(-6.0, min(6.0, found.score)), 3),
            line=[str(move) for move in found.line],
            sight=sight_of(network, board),
        )
