"""Game reviews in the background: move by move, stored with the game, and available while they progress."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from evocheckers.analysis.mistakes import MARKED_FROM, Mark, accuracy
from evocheckers.page.analysis.models import MoveReview, ReviewModel
from evocheckers.page.analysis.positions import VALUE_STANDARD
from evocheckers.page.games.players import CHAMPION, HUMAN
from evocheckers.page.games.service import GameService
from evocheckers.page.models import Side
from evocheckers.page.responses import BusyError, ConflictError
from evocheckers.page.store import StoredGame, StoreError
from evocheckers.page.worker.queues import Queue
from evocheckers.page.worker.server import Tasks
from evocheckers.search.limit import Limit

PLIES = 8
"""The same depth as for hints."""
MAX_REVIEWS = 20
"""Maximum number of games under review or waiting for it."""
SAVE_EVERY = 10
"""Moves after which the results are stored."""


@dataclass
class _Work:
    """A review in progress."""

    moves: list[MoveReview]
    task: "asyncio.Task[None] | None" = None


class Reviews:
    """The reviews of a server."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._running: dict[str, _Work] = {}

    async def show(self, game_id: str) -> ReviewModel:
        """The current state of a review."""
        game = await self._games.ready(game_id)
        work = self._running.get(game.id)
        found = work.moves if work else self._kept(game)
        return _model(game, found, work is not None)

    async def begin(self, game_id: str) -> ReviewModel:
        """Review a game, or continue an unfinished review."""
        game = await self._games.ready(game_id)
        seats = [game.black.player, game.white.player]
        if self._games.views.ending(game) is None and seats.count(HUMAN) == 1:
            raise ConflictError("a game against an engine can be reviewed once it has ended")
        found = self._kept(game)
        if len(found) < len(game.moves) and game.id not in self._running:
            if len(self._running) >= MAX_REVIEWS:
                raise BusyError("too many games are under review; try again in a moment")
            work = self._running[game.id] = _Work(found)
            work.task = asyncio.ensure_future(self._review(game, work))
        return await self.show(game_id)

    def _kept(self, game: StoredGame) -> list[MoveReview]:
        """Stored results, as far as the game's moves still match and their standard is today's."""
        kept: list[MoveReview] = []
        for played, item in zip(game.moves, self._games.store.load_review(game.id), strict=False):
            if item["move"] != played or item.pop("standard", None) != VALUE_STANDARD:
                break
            kept.append(MoveReview(**item))
        return kept

    async def _review(self, game: StoredGame, work: _Work) -> None:
        """Review all remaining moves."""
        worker = self._games.worker
        try:
            champion = await self._games.engines.player(CHAMPION, Limit(plies=PLIES))
            board = await worker.call(Queue.GAMES, Tasks.board, game, len(work.moves))
            for text in game.moves[len(work.moves) :]:
                work.moves.append(await worker.call(Queue.REVIEWS, Tasks.review_move, champion, board, text))
                board.push(text)
                if len(work.moves) % SAVE_EVERY == 0 or len(work.moves) == len(game.moves):
                    kept = [{**item.model_dump(), "standard": VALUE_STANDARD} for item in work.moves]
                    self._games.store.keep_review(game.id, kept)
        except (BusyError, StoreError):
            return  # the server is ending, or its disk is full; the next request continues from what was stored
        finally:
            del self._running[game.id]


def _model(game: StoredGame, found: Sequence[MoveReview], running: bool) -> ReviewModel:
    sides: tuple[Side, Side] = "black", "white"
    own = {side: [item for item in found if item.side == side] for side in sides}
    return ReviewModel(
        game=game.id,
        by=f"the champion, {PLIES} plies deep",
        plies=len(game.moves),
        done=len(found),
        running=running,
        moves=list(found),
        accuracy={side: accuracy((item.cost_chance, item.choices) for item in own[side]) for side in sides},
        marks={side: {mark: sum(item.mark is mark for item in own[side]) for mark in Mark} for side in sides},
        marked_from=MARKED_FROM,
    )
