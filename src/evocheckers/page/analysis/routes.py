"""The JSON API of analysis: positions, their values, and reviews of games."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from evocheckers.page.analysis.models import AnalysisModel, AnalysisRequest, PositionModel, PositionRequest, ReviewModel
from evocheckers.page.analysis.reviews import Reviews
from evocheckers.page.games.engines import Engines
from evocheckers.page.games.searches import grant_limit
from evocheckers.page.games.views import describe_position
from evocheckers.page.models import GameId
from evocheckers.page.responses import json_response
from evocheckers.rules.board import Board


def analysis_router(engines: Engines, reviews: Reviews) -> APIRouter:
    """Routes for analysis."""
    router = APIRouter()
    busy: dict[int | str, dict[str, Any]] = {503: {"description": "busy"}}
    refusals = {404: {"description": "no such player"}, **busy}
    review_refusals = {404: {"description": "no such game"}, 409: {"description": "the game goes on"}, **busy}

    @router.post("/api/position", responses={422: {"description": "no position, or no move in it"}})
    async def position(wanted: PositionRequest) -> PositionModel:
        """A position, or the one after a move in it, with its legal moves; nothing is stored."""
        board = Board(wanted.fen)
        if wanted.move:
            board.push(wanted.move)
        return describe_position(board)

    @router.post("/api/analysis", response_model=AnalysisModel, responses=refusals)
    async def analyse(wanted: AnalysisRequest) -> Response:
        """Every legal move's value, and the network's activations."""
        board = Board(wanted.fen)
        allowed = grant_limit(wanted.limit)
        contestant = await engines.player(wanted.player, allowed.limit)
        return json_response(await engines.analyse(contestant, board, allowed.note))

    @router.get("/api/reviews/{game_id}", responses=review_refusals)
    async def show_review(game_id: GameId) -> ReviewModel:
        """A game's review as far as it has got."""
        return await reviews.show(game_id)

    @router.post("/api/reviews/{game_id}", responses=review_refusals)
    async def begin_review(game_id: GameId) -> ReviewModel:
        """Begin to review a game; ask again for its progress."""
        return await reviews.begin(game_id)

    return router
