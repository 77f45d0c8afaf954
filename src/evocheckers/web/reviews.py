"""Games looked over in the background: each move in its turn, kept with the game, and told as far as it has come."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.search.searcher import Limit
from evocheckers.web.catalogue import CHAMPION, HUMAN
from evocheckers.web.costs import MARKED_FROM, Mark, ReviewedMove, accuracy, review_move
from evocheckers.web.lanes import BusyError, Lane
from evocheckers.web.opinion import chance_of
from evocheckers.web.parameters import GameId
from evocheckers.web.service import ConflictError, GameService, board_of
from evocheckers.web.showing import side_of
from evocheckers.web.store import StoredGame

PLIES = 8
"""As deep as hints."""
MAX_REVIEWS = 20
"""So many games are looked over at once or wait for it."""
SAVE_EVERY = 10
"""Moves after which what was found is kept."""

Side = Literal["black", "white"]


class MoveReview(BaseModel):
    """What a move cost."""

    ply: int
    side: Side
    move: str
    best: str
    line: list[str] = Field(description="the play that was expected after the better move, that move first")
    score: float = Field(description="of the move that was played, in men within ±6, to the side that moved")
    best_score: float = Field(description="of the best move")
    chance: float = Field(description="the side's chance of winning after its move, a draw counting half")
    best_chance: float
    men: float = Field(description="what the move cost in men")
    cost: float = Field(description="what it cost in chance")
    mark: Mark | None
    choices: int = Field(description="how many legal moves there were")


class ReviewModel(BaseModel):
    """A game looked over, as far as it has come."""

    game: str
    judge: str
    plies: int = Field(description="moves of the game")
    done: int = Field(description="moves looked over so far")
    running: bool
    moves: list[MoveReview]
    accuracy: dict[Side, float | None] = Field(description="from 0 to 100")
    marks: dict[Side, dict[Mark, int]]
    marked_from: dict[Mark, float] = Field(description="the cost in chance from which on a move has a mark")


@dataclass
class _Work:
    """A review under way."""

    found: list[MoveReview]
    task: "asyncio.Task[None] | None" = None


class Reviews:
    """The reviews of a server."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._running: dict[str, _Work] = {}

    async def show(self, game_id: str) -> ReviewModel:
        """A review as it stands."""
        game = await self._games.ready(game_id)
        work = self._running.get(game.id)
        found = work.found if work else self._kept(game)
        return _model(game, found, work is not None)

    async def begin(self, game_id: str) -> ReviewModel:
        """Look a game over, or go on where a review ended."""
        game = await self._games.ready(game_id)
        seats = [game.black.player, game.white.player]
        if self._games.showing.ending(game) is None and seats.count(HUMAN) == 1:
            raise ConflictError("a game against an engine is looked over when it has ended")
        found = self._kept(game)
        if len(found) < len(game.moves) and game.id not in self._running:
            if len(self._running) >= MAX_REVIEWS:
                raise BusyError("too many games are being looked over; try again in a moment")
            work = self._running[game.id] = _Work(found)
            work.task = asyncio.ensure_future(self._look(game, work))
        return await self.show(game_id)

    def _kept(self, game: StoredGame) -> list[MoveReview]:
        """What was found earlier, as far as the game still goes that way."""
        kept: list[MoveReview] = []
        for played, item in zip(game.moves, self._games.store.load_review(game.id), strict=False):
            if item["move"] != played:
                break
            kept.append(MoveReview(**item))
        return kept

    async def _look(self, game: StoredGame, work: _Work) -> None:
        """Look at every move that was not looked at yet."""
        lanes = self._games.thinker.lanes
        try:
            judge = await self._games.player(CHAMPION, Limit(plies=PLIES))
            board = await lanes.run(Lane.GAMES, lambda: board_of(game, len(work.found)))
            for text in game.moves[len(work.found) :]:
                work.found.append(await self._value(judge, board.copy(), text))
                board.push(text)
                if len(work.found) % SAVE_EVERY == 0 or len(work.found) == len(game.moves):
                    self._games.store.keep_review(game.id, [item.model_dump() for item in work.found])
        except BusyError:
            return  # the server ends; what was kept is gone on with
        finally:
            del self._running[game.id]

    async def _value(self, judge: Contestant, board: Board, text: str) -> MoveReview:
        """Value one move where that keeps nobody waiting."""
        thinker = self._games.thinker

        def look() -> MoveReview:
            move = board.parse(text)
            return _describe(thinker.with_searcher(judge, lambda searcher: review_move(searcher, board, move, PLIES)))

        return await thinker.lanes.run(Lane.REVIEWS, look)


def _describe(found: ReviewedMove) -> MoveReview:
    """A move for the page."""
    return MoveReview(
        ply=found.ply,
        side=side_of(found.color),
        move=str(found.move),
        best=str(found.best),
        line=[str(move) for move in found.line],
        score=round(found.own_men, 3),
        best_score=round(found.best_men, 3),
        chance=round(chance_of(found.own_men), 4),
        best_chance=round(chance_of(found.best_men), 4),
        men=round(found.men, 3),
        cost=round(found.chance, 4),
        mark=found.mark,
        choices=found.choices,
    )


def _model(game: StoredGame, found: Sequence[MoveReview], running: bool) -> ReviewModel:
    sides: tuple[Side, Side] = "black", "white"
    own = {side: [item for item in found if item.side == side] for side in sides}
    return ReviewModel(
        game=game.id,
        judge=f"the champion, {PLIES} plies deep",
        plies=len(game.moves),
        done=len(found),
        running=running,
        moves=list(found),
        accuracy={side: accuracy((item.cost, item.choices) for item in own[side]) for side in sides},
        marks={side: {mark: sum(item.mark is mark for item in own[side]) for mark in Mark} for side in sides},
        marked_from=MARKED_FROM,
    )


def review_router(reviews: Reviews) -> APIRouter:
    """Reviews over HTTP."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, Any]] = {
        404: {"description": "no such game"},
        409: {"description": "the game goes on"},
        503: {"description": "busy"},
    }

    @router.get("/api/reviews/{game_id}", responses=refusals)
    async def show(game_id: GameId) -> ReviewModel:
        """A game's review as far as it has come."""
        return await reviews.show(game_id)

    @router.post("/api/reviews/{game_id}", responses=refusals)
    async def begin(game_id: GameId) -> ReviewModel:
        """Have a game looked over; ask again for how far it has come."""
        return await reviews.begin(game_id)

    return router
