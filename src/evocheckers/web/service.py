"""What can be done with games on the page; every change is kept before it is told. Games are told as JSON.

The event loop owns the games: a change loads a game, alters and keeps it in one go, without waiting in between. What
has to wait, for a search or a file, waits before that, and is refused if the game has gone another way meanwhile.
"""

import asyncio
from dataclasses import replace

from evocheckers.errors import EvocheckersError
from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Reason
from evocheckers.search.searcher import Limit
from evocheckers.tournaments.match import search_alike
from evocheckers.web.catalogue import CHAMPION, HUMAN
from evocheckers.web.desk import Desk
from evocheckers.web.engines import Engines
from evocheckers.web.lanes import Lane
from evocheckers.web.models import NewGame, Side, Thought
from evocheckers.web.office import Office
from evocheckers.web.showing import MAX_GAME_PLIES, Showing, outcome_of, play_through, side_of, thought_of
from evocheckers.web.store import Seat, Store, StoredGame
from evocheckers.web.thinking import allow

DRAW_FROM_PLY, DRAW_MARGIN = 40, 0.3
"""An engine takes a draw from this ply on, unless it believes to be ahead by more than this, in men."""
HINT_LIMIT = Limit(plies=8)
SCORE_LIMIT = Limit(plies=6)


class NotFoundError(EvocheckersError):
    """No such game."""


class ConflictError(EvocheckersError):
    """What was asked does not fit the game as it stands."""


_RESULTS = {
    "1-0": ("black", "as recorded"),
    "0-1": ("white", "as recorded"),
    "1/2-1/2": ("draw", "as recorded"),
}


def _openings() -> list[str]:
    return [line for lines in opening_choices().values() for line in lines]


def _names(tags: dict[str, str]) -> tuple[str, str]:
    """The players of a PDN, where it tells them."""
    black, white = (tags.get(side, "").strip("? ")[:60] for side in ("Black", "White"))
    return black, white


class GameService:
    """The games of a server."""

    def __init__(
        self, store: Store, engines: Engines, office: Office, showing: Showing, repetition: bool = True
    ) -> None:
        """With ``repetition`` the third occurrence of a position ends games that begin here as draws."""
        self.store, self.engines, self._office, self.showing = store, engines, office, showing
        self.repetition = repetition
        self._thinking: dict[tuple[str, tuple[str, ...]], asyncio.Task[str]] = {}

    def load(self, game_id: str) -> StoredGame:
        """A game by id."""
        game = self.store.load(game_id)
        if game is None:
            raise NotFoundError("no such game")
        return game

    async def ready(self, game_id: str) -> StoredGame:
        """A game by id, for whatever comes next: played through where that keeps nobody waiting."""
        game = self.load(game_id)
        if self.showing.replays.lacks(game):
            replay = await self._office.ask(Lane.GAMES, Desk.play_through, game)
            self.showing.replays.keep(game, replay)
            game = self.load(game_id)
        return game

    async def show(self, game_id: str) -> str:
        """A game as it stands."""
        return self.showing.show(await self.ready(game_id))

    async def begin(self, wanted: NewGame) -> str:
        """A new game."""
        seats = {}
        notes = []
        for side in ("black", "white"):
            seat = wanted.black if side == "black" else wanted.white
            allowed = allow(seat.limit)
            notes.append(allowed.note)
            if seat.player != HUMAN:
                await self.engines.player(seat.player, allowed.limit)
            seats[side] = Seat(seat.player, seat.limit)
        start, moves = Board(wanted.fen) if wanted.fen else Board(), tuple(wanted.opening.split())
        names, ended = ("", ""), None
        if wanted.pdn is not None:
            given = await self._office.ask(Lane.GAMES, Desk.read_pdn, wanted.pdn)
            start, moves = Board(given.start), tuple(map(str, given.moves))
            names = _names(given.tags)
            ended = _RESULTS.get(given.result)
        if len(moves) > MAX_GAME_PLIES:
            raise EvocheckersError(f"a game of {len(moves)} plies; at most {MAX_GAME_PLIES} are played here")
        counts = wanted.pdn is None and wanted.fen is None and wanted.opening in ("", *_openings())
        person = wanted.person.strip()
        game = StoredGame(start.fen(), seats["black"], seats["white"], person, moves, names=names, counts=counts)
        game = replace(game, repetition=self.repetition)
        if self.showing.replays.lacks(game):
            replay = await self._office.ask(Lane.GAMES, Desk.play_through, game)
        else:
            replay = play_through(game)
        if outcome_of(game, replay.board) is not None:
            ended = None
        game = replace(game, moves=replay.moves, ended=ended)
        self.showing.replays.keep(game, replay)
        self.store.insert(game)
        return self.showing.show(game, next(filter(None, notes), ""))

    async def play(self, game_id: str, text: str, ply: int) -> str:
        """A person's move."""
        game = await self.ready(game_id)
        board = self._open_board(game, ply)
        if game.seat(side_of(board.turn)).player != HUMAN:
            raise ConflictError("it is the engine's turn")
        board.push(text)
        return self._keep(game.played(str(board.moves[-1])))

    async def think(self, game_id: str, ply: int) -> str:
        """The engine's move, if it is the engine's turn at this ply; asked for twice at once, it is one."""
        game = await self.ready(game_id)
        board = self._open_board(game, ply)
        if game.seat(side_of(board.turn)).player == HUMAN:
            raise ConflictError("it is a person's turn")
        place = game_id, game.moves
        if place not in self._thinking:
            task = asyncio.ensure_future(self._think(game, board))
            self._thinking[place] = task
            task.add_done_callback(lambda done: self._end_thinking(place, done))
        return await asyncio.shield(self._thinking[place])

    def _end_thinking(self, place: tuple[str, tuple[str, ...]], done: "asyncio.Task[str]") -> None:
        del self._thinking[place]
        if not done.cancelled():
            done.exception()  # told to whoever asked, if they are still there

    async def _think(self, game: StoredGame, board: Board) -> str:
        contestant = await self._contestant(game, board.turn)
        move, result = await self.engines.choose(contestant, board, game.seed)
        game = self._same(game)
        if result is not None:
            thought = thought_of(result, board.turn, allow(game.seat(side_of(board.turn)).limit).note)
            game = replace(game, scores={**game.scores, str(len(game.moves)): thought.model_dump()})
        return self._keep(game.played(str(move)))

    async def _contestant(self, game: StoredGame, color: Color) -> Contestant:
        """The engine of a side; as on the command line, who has no rule of extension takes the other's."""
        seats = game.seat(side_of(color)), game.seat(side_of(color.opponent))
        own, *others = [
            await self.engines.player(one.player, allow(one.limit).limit) for one in seats if one.player != HUMAN
        ]
        return search_alike(own, others[0])[0] if others else own

    async def value(self, game_id: str, ply: int) -> str:
        """What the champion thinks of a position of the game; kept with it."""
        game = await self.ready(game_id)
        if ply > len(game.moves):
            raise ConflictError(f"the game has {len(game.moves)} plies")
        if str(ply) in game.scores:
            return self.showing.show(game)
        board = await self._office.ask(Lane.GAMES, Desk.board, game, ply)
        if board.legal_moves():
            result = await self.engines.judge(await self.engines.player(CHAMPION, SCORE_LIMIT), board)
            game = self.load(game_id)
            if game.moves[:ply] == tuple(map(str, board.moves)):
                scores = {**game.scores, str(ply): thought_of(result, board.turn).model_dump()}
                game = self.store.update(replace(game, scores=scores))
        return self.showing.show(game)

    async def hint(self, game_id: str) -> Thought:
        """What the champion would play."""
        game = await self.ready(game_id)
        board = self._open_board(game, len(game.moves))
        result = await self.engines.judge(await self.engines.player(CHAMPION, HINT_LIMIT), board)
        return thought_of(result, board.turn)

    async def take_back(self, game_id: str, ply: int) -> str:
        """Back to the person's last turn before this; the game no longer counts for a rating."""
        game = await self.ready(game_id)
        if ply != len(game.moves):
            raise ConflictError(f"the game has {len(game.moves)} plies, not {ply}")
        first = Board(game.start).turn
        persons = [
            plies
            for plies in range(len(game.moves))
            if game.seat(side_of(first if plies % 2 == 0 else first.opponent)).player == HUMAN
        ]
        if not persons:
            raise ConflictError("there is no move to take back")
        left = persons[-1]
        scores = {plies: thought for plies, thought in game.scores.items() if int(plies) <= left}
        return self._keep(replace(game, moves=game.moves[:left], ended=None, scores=scores, counts=False))

    async def resign(self, game_id: str, side: Side) -> str:
        """A person gives up, whoever is thinking."""
        game = await self.ready(game_id)
        self._open_board(game, len(game.moves))
        if game.seat(side).player != HUMAN:
            raise ConflictError("only a person can resign")
        winner = "white" if side == "black" else "black"
        return self._keep(replace(game, ended=(winner, str(Reason.RESIGNATION))))

    async def offer_draw(self, game_id: str) -> str:
        """A person offers a draw; the engine takes it if it sees nothing to win."""
        game = await self.ready(game_id)
        board = self._open_board(game, len(game.moves))
        engines = [color for color in Color if game.seat(side_of(color)).player != HUMAN]
        if len(engines) == 2:
            raise ConflictError("no person plays this game")
        if not engines:
            return self._keep(replace(game, ended=("draw", "agreed")))
        if len(game.moves) < DRAW_FROM_PLY:
            return self.showing.show(game, f"not before move {DRAW_FROM_PLY // 2}")
        judge = await self.engines.player(game.seat(side_of(engines[0])).player, SCORE_LIMIT)
        if judge.evaluator is None:
            judge = await self.engines.player(CHAMPION, SCORE_LIMIT)
        result = await self.engines.judge(judge, board)
        game = self._same(game)
        score = result.score if board.turn is engines[0] else -result.score
        if score > DRAW_MARGIN:
            return self.showing.show(game, "declined: the engine believes that it can win")
        return self._keep(replace(game, ended=("draw", "agreed")))

    async def pdn(self, game_id: str) -> str:
        """A game as PDN."""
        return self.showing.pdn(await self.ready(game_id))

    def _same(self, game: StoredGame) -> StoredGame:
        """A game as it is now, if it still goes on from where it was."""
        now = self.load(game.id)
        if now.moves != game.moves or now.ended != game.ended:
            raise ConflictError("the game went another way meanwhile")
        return now

    def _open_board(self, game: StoredGame, ply: int) -> Board:
        """The board of a game that goes on."""
        if ply != len(game.moves):
            raise ConflictError(f"the game has {len(game.moves)} plies, not {ply}")
        board = self.showing.open_board(game)
        if board is None:
            raise ConflictError("the game is over")
        return board

    def _keep(self, game: StoredGame) -> str:
        """Keep a changed game, and with its end the person's result, if it counts."""
        over = self.showing.ending(game)
        sides = {side: game.seat(side).player for side in ("black", "white")}
        outcome = None
        if over and game.counts and game.person and set(sides.values()) == {HUMAN, CHAMPION}:
            person = "black" if sides["black"] == HUMAN else "white"
            outcome = 0.5 if over.winner == "draw" else float(over.winner == person)
        return self.showing.show(self.store.update(game, outcome))


def opening_choices() -> dict[str, list[str]]:
    """The openings by kind."""
    return {"first move": list(FIRST_MOVES), "two-move ballot": list(ballots())}
