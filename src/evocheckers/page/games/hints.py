"""Help in a game: values of its positions, hints, threats. All of it comes from the judge; rated games have none."""

from dataclasses import replace

from evocheckers.page.analysis.values import JUDGE_LIMITS, is_current, opinion_of, stored
from evocheckers.page.games.models import Thought
from evocheckers.page.games.players import CHAMPION
from evocheckers.page.games.service import GameService
from evocheckers.page.responses import ConflictError
from evocheckers.page.store import StoredGame
from evocheckers.page.worker.queues import Queue
from evocheckers.page.worker.server import Tasks
from evocheckers.rules.board import Board
from evocheckers.search.limit import Limit

HINT_LIMIT = Limit(plies=8)


async def opinion_on(service: GameService, board: Board) -> Thought:
    """The judge's opinion of a position."""
    judges = [await service.engines.player(CHAMPION, limit) for limit in JUDGE_LIMITS]
    return opinion_of([await service.engines.judge(judge, board) for judge in judges], board.turn)


async def value_position(service: GameService, game_id: str, ply: int) -> str:
    """The judge's opinion of a position of the game; stored with it."""
    game = await service.ready(game_id)
    if ply > len(game.moves):
        raise ConflictError(f"the game has {len(game.moves)} plies")
    _refuse_help(service, game, "a rated game is valued when it is over")
    if is_current(game.scores.get(str(ply), {})):
        return service.views.show(game)
    board = await service.worker.call(Queue.GAMES, Tasks.board, game, ply)
    if board.legal_moves():
        thought = await opinion_on(service, board)
        game = service.load(game_id)
        if game.moves[:ply] == tuple(map(str, board.moves)):
            game = service.store.update(replace(game, scores={**game.scores, str(ply): stored(thought)}))
    return service.views.show(game)


async def give_hint(service: GameService, game_id: str) -> Thought:
    """The champion's choice."""
    board = await _open_board(service, game_id)
    return await _look(service, board)


async def show_threat(service: GameService, game_id: str) -> Thought:
    """What the champion would play for the other side if it were its turn."""
    board = await _open_board(service, game_id)
    fen = board.fen()
    other = Board(("W" if fen.startswith("B") else "B") + fen[1:])
    if not other.legal_moves():
        raise ConflictError("the other side could not move")
    return await _look(service, other)


async def _look(service: GameService, board: Board) -> Thought:
    result = await service.engines.judge(await service.engines.player(CHAMPION, HINT_LIMIT), board)
    return opinion_of([result], board.turn, f"the champion, {result.depth_plies} plies ahead")


async def _open_board(service: GameService, game_id: str) -> Board:
    game = await service.ready(game_id)
    board = service.open_board(game, len(game.moves))
    _refuse_help(service, game, "a rated game has no hints")
    return board


def _refuse_help(service: GameService, game: StoredGame, text: str) -> None:
    if game.rated and service.views.ending(game) is None:
        raise ConflictError(text)
