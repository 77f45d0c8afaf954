"""What can be done with games on the page. Every change is stored before it is reported. Games are returned as JSON.

The event loop owns the games: a change loads, alters and stores a game in one go, without waiting in between. Waiting
for a search or a file happens before that, and the change is refused if the game has changed meanwhile.
"""

import asyncio
import time
from dataclasses import replace

from evocheckers.page.games.engines import Engines
from evocheckers.page.games.levels import level_of
from evocheckers.page.games.players import CHAMPION, HUMAN
from evocheckers.page.games.searches import grant_limit
from evocheckers.page.games.views import OVERTIME, GameViews
from evocheckers.page.models import Side, side_of
from evocheckers.page.responses import ConflictError, NotFoundError
from evocheckers.page.store import Store, StoredGame
from evocheckers.page.worker.client import WorkerClient
from evocheckers.page.worker.queues import Queue
from evocheckers.page.worker.server import Tasks
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Reason
from evocheckers.search.limit import Limit
from evocheckers.tournaments.match import search_alike

DRAW_FROM_PLY, DRAW_MARGIN = 40, 0.3
"""From this ply on an engine accepts a draw, unless it believes it is ahead by more than this margin, in men."""
DRAW_LIMIT = Limit(plies=6)


class GameService:
    """The games of a server."""

    def __init__(
        self, store: Store, engines: Engines, worker: WorkerClient, views: GameViews, repetition: bool = True
    ) -> None:
        """With ``repetition``, the third occurrence of a position ends games that begin here as draws."""
        self.store, self.engines, self.worker, self.views = store, engines, worker, views
        self.repetition = repetition
        self._engine_moves: dict[tuple[str, tuple[str, ...]], asyncio.Task[str]] = {}

    def load(self, game_id: str) -> StoredGame:
        """A game by id."""
        game = self.store.load(game_id)
        if game is None:
            raise NotFoundError("no such game")
        return game

    async def ready(self, game_id: str) -> StoredGame:
        """A game by id, ready for use: long games are replayed by the worker."""
        game = self.load(game_id)
        if self.views.replays.lacks(game):
            replay = await self.worker.call(Queue.GAMES, Tasks.play_through, game)
            self.views.replays.keep(game, replay)
            game = self.load(game_id)
        return game

    async def show(self, game_id: str) -> str:
        """The current state of a game."""
        return self.views.show(await self.ready(game_id))

    async def shared(self, view: str) -> str:
        """The current state of a game, for viewers who may not play."""
        return self.views.show(await self.ready(self._shown(view).id), for_others=True)

    async def shared_pdn(self, view: str) -> str:
        """A shared game as PDN."""
        return await self.pdn(self._shown(view).id)

    def _shown(self, view: str) -> StoredGame:
        game = self.store.load_view(view)
        if game is None:
            raise NotFoundError("no such game")
        return game

    async def play(self, game_id: str, text: str, ply: int) -> str:
        """Play a person's move."""
        game = await self.ready(game_id)
        board = self.open_board(game, ply)
        side = side_of(board.turn)
        if game.seat(side).player != HUMAN:
            raise ConflictError("it is the engine's turn")
        left = game.clock.left(side) if game.clock else None
        if left == 0:
            return self._end_by_time(game, side)
        board.push(text)
        return self._keep(_moved(game, board, left))

    def _end_by_time(self, game: StoredGame, side: Side) -> str:
        return self._keep(replace(game, ended=("white" if side == "black" else "black", OVERTIME)))

    async def flag(self, game_id: str) -> str:
        """End the game as lost if the person to move has no time left."""
        game = await self.ready(game_id)
        side = side_of(self.open_board(game, len(game.moves)).turn)
        if game.clock is None or game.seat(side).player != HUMAN or game.clock.left(side) > 0:
            raise ConflictError("there is time left")
        return self._end_by_time(game, side)

    async def play_engine(self, game_id: str, ply: int) -> str:
        """Play the engine's move at this ply; repeated requests get the same move, whether still searched or played."""
        game = await self.ready(game_id)
        if ply < len(game.moves) and game.seat(game.side_at(ply)).player != HUMAN:
            return self.views.show(game)
        board = self.open_board(game, ply)
        if game.seat(side_of(board.turn)).player == HUMAN:
            raise ConflictError("it is a person's turn")
        key = game_id, game.moves
        if key not in self._engine_moves:
            task = asyncio.ensure_future(self._search_move(game, board))
            self._engine_moves[key] = task
            task.add_done_callback(lambda done: self._forget_engine_move(key, done))
        return await asyncio.shield(self._engine_moves[key])

    def _forget_engine_move(self, key: tuple[str, tuple[str, ...]], done: "asyncio.Task[str]") -> None:
        del self._engine_moves[key]
        if not done.cancelled():
            done.exception()  # reported to whoever asked, if still connected

    async def _search_move(self, game: StoredGame, board: Board) -> str:
        contestant = await self._contestant(game, board.turn)
        began = time.monotonic()
        move, result = await self.engines.choose(contestant, board, game.seed)
        spent = time.monotonic() - began if result is None else result.seconds
        game, side = self._same(game), side_of(board.turn)
        left = game.clock.left(side) - spent if game.clock else None
        if left is not None and left <= 0:
            return self._end_by_time(game, side)
        board.push(move)
        return self._keep(_moved(game, board, left), None if result is None else result.depth_plies)

    async def _contestant(self, game: StoredGame, color: Color) -> Contestant:
        """The engine of a side; as on the command line, one without an extension rule takes the other's."""
        seats = game.seat(side_of(color)), game.seat(side_of(color.opponent))
        own, *others = [
            await self.engines.player(one.player, grant_limit(one.limit).limit) for one in seats if one.player != HUMAN
        ]
        return search_alike(own, others[0])[0] if others else own

    async def take_back(self, game_id: str, ply: int) -> str:
        """Go back to the person's last turn before this."""
        game = await self.ready(game_id)
        if ply != len(game.moves):
            raise ConflictError(f"the game has {len(game.moves)} plies, not {ply}")
        if game.rated:
            raise ConflictError("moves of a rated game cannot be taken back")
        persons = [plies for plies in range(len(game.moves)) if game.seat(game.side_at(plies)).player == HUMAN]
        if not persons:
            raise ConflictError("there is no move to take back")
        left = persons[-1]
        scores = {plies: value for plies, value in game.scores.items() if int(plies) <= left}
        clock = game.clock.resumed(person_next=True) if game.clock else None
        return self._keep(replace(game, moves=game.moves[:left], ended=None, scores=scores, clock=clock))

    async def resign(self, game_id: str, side: Side) -> str:
        """A person resigns, whoever is to move."""
        game = await self.ready(game_id)
        self.open_board(game, len(game.moves))
        if game.seat(side).player != HUMAN:
            raise ConflictError("only a person can resign")
        winner = "white" if side == "black" else "black"
        return self._keep(replace(game, ended=(winner, str(Reason.RESIGNATION))))

    async def offer_draw(self, game_id: str) -> str:
        """A person offers a draw; the engine accepts it if it sees nothing to win."""
        game = await self.ready(game_id)
        board = self.open_board(game, len(game.moves))
        engines = [color for color in Color if game.seat(side_of(color)).player != HUMAN]
        if len(engines) == 2:
            raise ConflictError("no person plays this game")
        if not engines:
            return self._keep(replace(game, ended=("draw", "agreed")))
        if len(game.moves) < DRAW_FROM_PLY:
            return self.views.show(game, f"not before move {DRAW_FROM_PLY // 2}")
        player = await self.engines.player(game.seat(side_of(engines[0])).player, DRAW_LIMIT)
        if player.evaluator is None:
            player = await self.engines.player(CHAMPION, DRAW_LIMIT)
        result = await self.engines.search(player, board)
        game = self._same(game)
        score = result.score if board.turn is engines[0] else -result.score
        if score > DRAW_MARGIN:
            return self.views.show(game, "declined: the engine believes that it can win")
        return self._keep(replace(game, ended=("draw", "agreed")))

    async def pdn(self, game_id: str) -> str:
        """A game as PDN."""
        return self.views.pdn(await self.ready(game_id))

    def _same(self, game: StoredGame) -> StoredGame:
        """The current version of a game, if it has the same moves and result."""
        now = self.load(game.id)
        if now.moves != game.moves or now.ended != game.ended:
            raise ConflictError("the game has changed meanwhile")
        return now

    def open_board(self, game: StoredGame, ply: int) -> Board:
        """The board of a game in progress."""
        if ply != len(game.moves):
            raise ConflictError(f"the game has {len(game.moves)} plies, not {ply}")
        board = self.views.open_board(game)
        if board is None:
            raise ConflictError("the game is over")
        return board

    def _keep(self, game: StoredGame, searched: int | None = None) -> str:
        """Store a changed game and, if it has ended and is rated, the person's result."""
        over = self.views.ending(game)
        result = None
        if over and game.rated:
            person: Side = "black" if game.black.player == HUMAN else "white"
            other = game.seat("white" if person == "black" else "black")
            level = level_of(other.player, other.limit)
            if level is not None:
                result = 0.5 if over.winner == "draw" else float(over.winner == person), float(level.rating)
        return self.views.show(self.store.update(game, result), searched=searched)


def _moved(game: StoredGame, board: Board, left: float | None) -> StoredGame:
    """The game with a board's last move added; its side had ``left`` seconds."""
    side, other = side_of(board.turn.opponent), side_of(board.turn)
    game = game.played(str(board.moves[-1]))
    if game.clock is None or left is None:
        return game
    return replace(game, clock=game.clock.moved(side, left, game.seat(other).player == HUMAN))
