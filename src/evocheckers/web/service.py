"""What can be done with games on the page; every change is kept before it is told."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from evocheckers.errors import EvocheckersError
from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Reason
from evocheckers.rules.pdn import read_pdn
from evocheckers.search.searcher import Limit
from evocheckers.tournaments.match import search_alike
from evocheckers.web.catalogue import CHAMPION, HUMAN, Catalogue
from evocheckers.web.models import GameModel, NewGame, Side, Thought
from evocheckers.web.showing import MAX_GAME_PLIES, REPETITIONS, Showing, side_of, thought_of
from evocheckers.web.store import Seat, Store, StoredGame
from evocheckers.web.thinking import Thinker, allow

DRAW_FROM_PLY, DRAW_MARGIN = 40, 0.3
"""An engine takes a draw from this ply on, unless it believes to be ahead by more than this, in men."""
HINT_LIMIT = Limit(plies=8)
SCORE_LIMIT = Limit(plies=6)


class NotFoundError(EvocheckersError):
    """No such game."""


class ConflictError(EvocheckersError):
    """What was asked does not fit the game as it stands."""


def board_of(game: StoredGame, plies: int | None = None) -> Board:
    """The board after all moves, or after so many."""
    return Board(game.start).push_all(game.moves[:plies])


_RESULTS = {
    "1-0": ("black", "as recorded"),
    "0-1": ("white", "as recorded"),
    "1/2-1/2": ("draw", "as recorded"),
}


def _names(tags: dict[str, str]) -> tuple[str, str]:
    """The players of a PDN, where it tells them."""
    black, white = (tags.get(side, "").strip("? ")[:60] for side in ("Black", "White"))
    return black, white


class GameService:
    """The games of a server."""

    def __init__(self, store: Store, catalogue: Catalogue, thinker: Thinker) -> None:
        self.store, self.catalogue, self.thinker = store, catalogue, thinker
        self.showing = Showing(store, catalogue, lambda: thinker.compiling)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def _held(self, game_id: str) -> AsyncIterator[StoredGame]:
        """A game while nobody else changes it."""
        lock = self._locks[game_id]
        try:
            async with lock:
                yield self.load(game_id)
        finally:
            if not lock.locked():
                self._locks.pop(game_id, None)

    def load(self, game_id: str) -> StoredGame:
        """A game by id."""
        game = self.store.load(game_id)
        if game is None:
            raise NotFoundError("no such game")
        return game

    def begin(self, wanted: NewGame) -> GameModel:
        """A new game."""
        seats = {}
        notes = []
        for side in ("black", "white"):
            seat = wanted.black if side == "black" else wanted.white
            allowed = allow(seat.limit)
            notes.append(allowed.note)
            if seat.player != HUMAN:
                self.catalogue.get(seat.player, allowed.limit)
            seats[side] = Seat(seat.player, seat.limit)
        start, moves = Board(wanted.fen) if wanted.fen else Board(), tuple(wanted.opening.split())
        names, ended = ("", ""), None
        if wanted.pdn is not None:
            games = read_pdn(wanted.pdn)
            if len(games) != 1:
                raise EvocheckersError(f"the PDN holds {len(games)} games, not one")
            start, moves = Board(games[0].start), tuple(map(str, games[0].moves))
            names = _names(games[0].tags)
            ended = _RESULTS.get(games[0].result)
        if len(moves) > MAX_GAME_PLIES:
            raise EvocheckersError(f"a game of {len(moves)} plies; at most {MAX_GAME_PLIES} are played here")
        board = Board(start.position).push_all(moves)
        texts = tuple(map(str, board.moves))
        if board.outcome(MAX_GAME_PLIES, REPETITIONS) is not None:
            ended = None
        game = StoredGame(start.fen(), seats["black"], seats["white"], wanted.person.strip(), texts, ended, names=names)
        self.store.save(game)
        return self.showing.show(game, next(filter(None, notes), ""))

    async def play(self, game_id: str, text: str, ply: int) -> GameModel:
        """A person's move."""
        async with self._held(game_id) as game:
            board = self._open_board(game, ply)
            if game.seat(side_of(board.turn)).player != HUMAN:
                raise ConflictError("it is the engine's turn")
            board.push(text)
            return self._keep(game.played(str(board.moves[-1])))

    async def think(self, game_id: str, ply: int) -> GameModel:
        """The engine's move, if it is the engine's turn at this ply."""
        async with self._held(game_id) as game:
            board = self._open_board(game, ply)
            seat = game.seat(side_of(board.turn))
            if seat.player == HUMAN:
                raise ConflictError("it is a person's turn")
            move, result = await self.thinker.choose(self._contestant(game, board.turn), board, game.seed)
            scores = game.scores
            if result is not None:
                thought = thought_of(result, board.turn, allow(seat.limit).note)
                scores = {**scores, str(ply): thought.model_dump()}
            return self._keep(replace(game.played(str(move)), scores=scores))

    def _contestant(self, game: StoredGame, color: Color) -> Contestant:
        """The engine of a side; as on the command line, who has no rule of extension takes the other's."""
        seats = game.seat(side_of(color)), game.seat(side_of(color.opponent))
        own, *others = (self.catalogue.get(one.player, allow(one.limit).limit) for one in seats if one.player != HUMAN)
        return search_alike(own, others[0])[0] if others else own

    async def value(self, game_id: str, ply: int) -> GameModel:
        """What the champion thinks of a position of the game; kept with it."""
        game = self.load(game_id)
        if ply > len(game.moves):
            raise ConflictError(f"the game has {len(game.moves)} plies")
        board = board_of(game, ply)
        if str(ply) not in game.scores and board.legal_moves():
            champion = self.catalogue.get(CHAMPION, SCORE_LIMIT)
            result = await self.thinker.run(lambda: self.thinker.search(champion, board))
            async with self._held(game_id) as game:
                if game.moves[:ply] == tuple(map(str, board.moves)):
                    scores = {**game.scores, str(ply): thought_of(result, board.turn).model_dump()}
                    game = replace(game, scores=scores)
                    self.store.save(game)
        return self.showing.show(game)

    async def hint(self, game_id: str) -> Thought:
        """What the champion would play."""
        game = self.load(game_id)
        board = self._open_board(game, len(game.moves))
        champion = self.catalogue.get(CHAMPION, HINT_LIMIT)
        result = await self.thinker.run(lambda: self.thinker.search(champion, board))
        return thought_of(result, board.turn)

    async def take_back(self, game_id: str, ply: int) -> GameModel:
        """Back to the person's last turn before this."""
        async with self._held(game_id) as game:
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
            return self._keep(replace(game, moves=game.moves[:left], ended=None, scores=scores))

    async def resign(self, game_id: str, side: Side) -> GameModel:
        """A person gives up."""
        async with self._held(game_id) as game:
            self._open_board(game, len(game.moves))
            if game.seat(side).player != HUMAN:
                raise ConflictError("only a person can resign")
            winner = "white" if side == "black" else "black"
            return self._keep(replace(game, ended=(winner, str(Reason.RESIGNATION))))

    async def offer_draw(self, game_id: str) -> GameModel:
        """A person offers a draw; the engine takes it if it sees nothing to win."""
        async with self._held(game_id) as game:
            board = self._open_board(game, len(game.moves))
            engines = [color for color in Color if game.seat(side_of(color)).player != HUMAN]
            if len(engines) == 2:
                raise ConflictError("no person plays this game")
            if not engines:
                return self._keep(replace(game, ended=("draw", "agreed")))
            if len(game.moves) < DRAW_FROM_PLY:
                return self.showing.show(game, f"not before move {DRAW_FROM_PLY // 2}")
            judge = self.catalogue.get(game.seat(side_of(engines[0])).player, SCORE_LIMIT)
            if judge.evaluator is None:
                judge = self.catalogue.get(CHAMPION, SCORE_LIMIT)
            result = await self.thinker.run(lambda: self.thinker.search(judge, board))
            score = result.score if board.turn is engines[0] else -result.score
            if score > DRAW_MARGIN:
                return self.showing.show(game, "declined: the engine believes that it can win")
            return self._keep(replace(game, ended=("draw", "agreed")))

    def pdn(self, game_id: str) -> str:
        """A game as PDN."""
        return self.showing.pdn(self.load(game_id))

    def _open_board(self, game: StoredGame, ply: int) -> Board:
        """The board of a game that goes on."""
        if ply != len(game.moves):
            raise ConflictError(f"the game has {len(game.moves)} plies, not {ply}")
        board = self.showing.open_board(game)
        if board is None:
            raise ConflictError("the game is over")
        return board

    def _keep(self, game: StoredGame) -> GameModel:
        self.store.save(game)
        shown = self.showing.show(game)
        sides = {side: game.seat(side).player for side in ("black", "white")}
        if shown.ending and game.person and set(sides.values()) == {HUMAN, CHAMPION} and game.start == Board().fen():
            person = "black" if sides["black"] == HUMAN else "white"
            outcome = 0.5 if shown.ending.winner == "draw" else float(shown.ending.winner == person)
            self.store.record_result(game, outcome)
            shown.rating = self.showing.rating(game.person)
        return shown


def opening_choices() -> dict[str, list[str]]:
    """The openings by kind."""
    return {"first move": list(FIRST_MOVES), "two-move ballot": list(ballots())}
