"""The JSON API of games: starting and playing them, hints, and watching the games of others."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response

from evocheckers.page.games.hints import give_hint, show_threat, value_ply
from evocheckers.page.games.levels import level_models
from evocheckers.page.games.models import AtPly, GameModel, NewGame, OptionsModel, PlayMove, Resign
from evocheckers.page.games.searches import GRANTED_PLIES, GRANTED_SECONDS
from evocheckers.page.games.service import GameService
from evocheckers.page.games.setup import begin_game, opening_choices
from evocheckers.page.models import GameId, ValueModel
from evocheckers.page.responses import json_response


def games_router(games: GameService) -> APIRouter:
    """Routes for playing."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, object]] = {
        status: {"description": text, "content": {"application/json": {"schema": {"type": "object"}}}}
        for status, text in (
            (404, "no such game or player"),
            (409, "does not fit the game as it stands"),
            (503, "busy"),
        )
    }

    @router.get("/api/options")
    async def options() -> OptionsModel:
        """Players, openings and the server's limits."""
        return OptionsModel(
            levels=list(level_models()),
            players=await games.engines.entries(),
            openings=opening_choices(),
            max_plies=GRANTED_PLIES,
            max_seconds=GRANTED_SECONDS,
            repetition=games.repetition,
        )

    @router.post("/api/games", status_code=201, response_model=GameModel, responses=refusals)
    async def new_game(wanted: NewGame) -> Response:
        """Begin a game."""
        return json_response(await begin_game(games, wanted), 201)

    @router.get("/api/games/{game_id}", response_model=GameModel, responses=refusals)
    async def show(game_id: GameId) -> Response:
        """The current state of a game."""
        return json_response(await games.show(game_id))

    @router.post("/api/games/{game_id}/moves", response_model=GameModel, responses=refusals)
    async def play(game_id: GameId, wanted: PlayMove) -> Response:
        """Play a person's move."""
        return json_response(await games.play(game_id, wanted.move, wanted.ply))

    @router.post("/api/games/{game_id}/engine", response_model=GameModel, responses=refusals)
    async def play_engine(game_id: GameId, wanted: AtPly) -> Response:
        """Play the engine's move, if it is its turn."""
        return json_response(await games.play_engine(game_id, wanted.ply))

    @router.post("/api/games/{game_id}/score", response_model=GameModel, responses=refusals)
    async def score(game_id: GameId, wanted: AtPly) -> Response:
        """Value a position of the game; the value is stored."""
        return json_response(await value_ply(games, game_id, wanted.ply))

    @router.post("/api/games/{game_id}/hint", responses=refusals)
    async def hint(game_id: GameId) -> ValueModel:
        """The champion's choice."""
        return await give_hint(games, game_id)

    @router.post("/api/games/{game_id}/threat", responses=refusals)
    async def threat(game_id: GameId) -> ValueModel:
        """The champion's choice for the other side."""
        return await show_threat(games, game_id)

    @router.post("/api/games/{game_id}/flag", response_model=GameModel, responses=refusals)
    async def flag(game_id: GameId) -> Response:
        """Claim that the person to move has no time left."""
        return json_response(await games.flag(game_id))

    @router.post("/api/games/{game_id}/takeback", response_model=GameModel, responses=refusals)
    async def take_back(game_id: GameId, wanted: AtPly) -> Response:
        """Take back a person's last move."""
        return json_response(await games.take_back(game_id, wanted.ply))

    @router.post("/api/games/{game_id}/resign", response_model=GameModel, responses=refusals)
    async def resign(game_id: GameId, wanted: Resign) -> Response:
        """Resign."""
        return json_response(await games.resign(game_id, wanted.side))

    @router.post("/api/games/{game_id}/draw", response_model=GameModel, responses=refusals)
    async def draw(game_id: GameId) -> Response:
        """Offer a draw."""
        return json_response(await games.offer_draw(game_id))

    @router.get("/api/games/{game_id}/pdn", response_class=PlainTextResponse, responses=refusals)
    async def pdn(game_id: GameId) -> Response:
        """A game as a PDN file."""
        name = {"Content-Disposition": f'attachment; filename="evocheckers-{game_id[:8]}.pdn"'}
        return PlainTextResponse(await games.pdn(game_id), headers=name)

    @router.get("/api/shared/{view}", response_model=GameModel, responses=refusals)
    async def shared(view: GameId) -> Response:
        """The current state of a game, for viewers who may not play."""
        return json_response(await games.shared(view))

    @router.get("/api/shared/{view}/pdn", response_class=PlainTextResponse, responses=refusals)
    async def shared_pdn(view: GameId) -> Response:
        """A shared game as a PDN file."""
        name = {"Content-Disposition": f'attachment; filename="evocheckers-{view[:8]}.pdn"'}
        return PlainTextResponse(await games.shared_pdn(view), headers=name)

    return router
