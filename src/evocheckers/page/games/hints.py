"""Help in a game: values of its positions, hints, threats. All of it comes from the champion; rated games have none."""

from dataclasses import replace

from evocheckers.analysis.values import value_position
from evocheckers.page.analysis.positions import VALUE_LIMITS, VALUED_BY, is_current, stored
from evocheckers.page.games.players import CHAMPION
from evocheckers.page.games.service import GameService
from evocheckers.page.models import ValueModel, describe_value
from evocheckers.page.responses import ConflictError
from evocheckers.page.store import StoredGame
from evocheckers.page.worker.queues import Queue
from evocheckers.page.worker.server import Tasks
from evocheckers.rules.board import Board
from evocheckers.search.limit import Limit

HINT_LIMIT = Limit(plies=8)


async def value_board(service: GameService, board: Board) -> ValueModel:
    """The champion's value of a position."""
    players = [await service.engines.player(CHAMPION, limit) for limit in VALUE_LIMITS]
    results = [await service.engines.search(player, board) for player in players]
    return describe_value(value_position(results, board.turn), VALUED_BY)


async def value_ply(service: GameService, game_id: str, ply: int) -> str:
    """The champion's value of a position of the game; stored with it."""
    game = await service.ready(game_id)
    if ply > len(game.moves):
        raise ConflictError(f"the game has {len(game.moves)} plies")
    _refuse_help(service, game, "a rated game is valued when it is over")
    if is_current(game.scores.get(str(ply), {})):
        return service.views.show(game)
    board = await service.worker.call(Queue.GAMES, Tasks.board, game, ply)
    if board.legal_moves():
        value = await value_board(service, board)
        game = service.load(game_id)
        if game.moves[:ply] == tuple(map(str, board.moves)):
            game = service.store.update(replace(game, scores={**game.scores, str(ply): stored(value)}))
    return service.views.show(game)


async def give_hint(service: GameService, game_id: str) -> ValueModel:
    """The champion's choice."""
    board = await _open_board(service, game_id)
    return await _search(service, board)


async def show_threat(service: GameService, game_id: str) -> ValueModel:
    """What the champion would play for the other side if it were its turn."""
    board = await _open_board(service, game_id)
    fen = board.fen()
    other = Board(("W" if fen.startswith("B") else "B") + fen[1:])
    if not other.legal_moves():
        raise ConflictError("the other side could not move")
    return await _search(service, other)


async def _search(service: GameService, board: Board) -> ValueModel:
    result = await service.engines.search(await service.engines.player(CHAMPION, HINT_LIMIT), board)
    return describe_value(value_position([result], board.turn), f"the champion, {result.depth_plies} plies ahead")


async def _open_board(service: GameService, game_id: str) -> Board:
    game = await service.ready(game_id)
    board = service.open_board(game, len(game.moves))
    _refuse_help(service, game, "a rated game has no hints")
    return board


def _refuse_help(service: GameService, game: StoredGame, text: str) -> None:
    if game.rated and service.views.ending(game) is None:
        raise ConflictError(text)
