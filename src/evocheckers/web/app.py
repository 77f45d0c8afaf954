"""The server: pages and the JSON API behind them, which is for other programs too; ``/openapi.json`` describes it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles

from evocheckers.errors import EvocheckersError
from evocheckers.rules.board import Board
from evocheckers.version import PROGRAM_VERSION
from evocheckers.web.breeding import Breeder, BreedingOffError
from evocheckers.web.catalogue import Catalogue, UnknownPlayerError
from evocheckers.web.evolving import breeding_router, growth_router
from evocheckers.web.growth import Growth
from evocheckers.web.lanes import BusyError, Lane, Lanes
from evocheckers.web.models import (
    AnalysePosition,
    AnalysisModel,
    AtPly,
    GameModel,
    MoveThought,
    NewGame,
    OptionsModel,
    PlayMove,
    Resign,
    Thought,
)
from evocheckers.web.parameters import GameId, Number, RunName
from evocheckers.web.puzzling import puzzle_router
from evocheckers.web.reviews import Reviews, review_router
from evocheckers.web.run_models import MatrixModel, RecordedGame, RunLine, RunModel, UnreadableRun
from evocheckers.web.runs import Runs, StreamsError
from evocheckers.web.security import Guard
from evocheckers.web.service import (
    ConflictError,
    GameService,
    NotFoundError,
    opening_choices,
)
from evocheckers.web.showing import describe_move, side_of, thought_of
from evocheckers.web.sight import sight_of
from evocheckers.web.store import StaleGameError, Store, StoreError
from evocheckers.web.thinking import GRANTED_PLIES, GRANTED_SECONDS, Thinker, allow

T = TypeVar("T")

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "index.html"} | {
    f"/{name}": f"{name}.html" for name in ("puzzles", "learn", "evolution", "review", "watch")
}
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class ServerSettings:
    """Where a server keeps games, and where it finds networks and runs."""

    data: Path
    runs: Path
    workers: int | None = None
    hosts: Iterable[str] = LOCAL_HOSTS
    """The names that it is asked for by; requests to others are refused."""
    any_address: bool = False
    """Whether it may be asked for by every number of a machine too."""
    breeds: bool = True
    """Whether evolutions can be started from the page."""


_STATUS = (
    (BreedingOffError, 403),
    (NotFoundError, 404),
    (UnknownPlayerError, 404),
    (ConflictError, 409),
    (StaleGameError, 409),
    (BusyError, 503),
    (StreamsError, 503),
    (StoreError, 507),
    (EvocheckersError, 422),
)


def create_app(settings: ServerSettings) -> FastAPI:
    """The application."""
    settings.data.mkdir(parents=True, exist_ok=True)
    store = Store(settings.data / "games.sqlite")
    lanes = Lanes(settings.workers)
    thinker = Thinker(lanes)
    games = GameService(store, Catalogue(settings.data / "networks", settings.runs), thinker)
    runs = Runs(lanes)
    breeder = Breeder(settings.runs, settings.breeds)

    def end() -> None:
        """End searches and streams at once; called again when the server has stopped."""
        thinker.end()
        runs.end()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(Board().legal_moves)  # no request can do without the rules' machine code
        await asyncio.to_thread(thinker.prepare)
        yield
        end()
        await asyncio.to_thread(breeder.stop)
        thinker.close()
        store.close()

    app = FastAPI(title="evocheckers", version=PROGRAM_VERSION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.end = end
    app.add_middleware(Guard, hosts=settings.hosts, any_address=settings.any_address)

    @app.exception_handler(EvocheckersError)
    async def _refuse(_: Request, error: EvocheckersError) -> JSONResponse:
        status = next(status for kind, status in _STATUS if isinstance(error, kind))
        return JSONResponse({"detail": str(error)}, status)

    @app.exception_handler(RequestValidationError)
    async def _refuse_request(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        return JSONResponse({"detail": f"{place}: {first['msg']}" if place else str(first["msg"])}, 422)

    _add_games(app, games)
    _add_analysis(app, games)
    _add_runs(app, games, runs)
    app.include_router(review_router(Reviews(games)))
    app.include_router(puzzle_router(lanes))
    app.include_router(breeding_router(breeder, games.catalogue, lanes))
    app.include_router(growth_router(Growth(thinker), games.catalogue, lanes))

    for path in PAGES:
        _add_page(app, path)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _add_page(app: FastAPI, path: str) -> None:
    @app.get(path, include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(STATIC / PAGES[path])


def _add_games(app: FastAPI, games: GameService) -> None:
    """Playing."""
    refusals: dict[int | str, dict[str, object]] = {
        status: {"description": text, "content": {"application/json": {"schema": {"type": "object"}}}}
        for status, text in (
            (404, "no such game or player"),
            (409, "does not fit the game as it stands"),
            (503, "busy"),
        )
    }

    @app.get("/api/options")
    async def options() -> OptionsModel:
        """Players, openings and the server's limits."""
        players = await games.thinker.lanes.run(Lane.GAMES, games.catalogue.entries)
        return OptionsModel(
            players=players, openings=opening_choices(), max_plies=GRANTED_PLIES, max_seconds=GRANTED_SECONDS
        )

    @app.post("/api/games", status_code=201, responses=refusals)
    async def new_game(wanted: NewGame) -> GameModel:
        """Begin a game."""
        return await games.begin(wanted)

    @app.get("/api/games/{game_id}", responses=refusals)
    async def show(game_id: GameId) -> GameModel:
        """A game as it stands."""
        return await games.show(game_id)

    @app.post("/api/games/{game_id}/moves", responses=refusals)
    async def play(game_id: GameId, wanted: PlayMove) -> GameModel:
        """A person's move."""
        return await games.play(game_id, wanted.move, wanted.ply)

    @app.post("/api/games/{game_id}/engine", responses=refusals)
    async def think(game_id: GameId, wanted: AtPly) -> GameModel:
        """The engine's move, when it is its turn."""
        return await games.think(game_id, wanted.ply)

    @app.post("/api/games/{game_id}/score", responses=refusals)
    async def score(game_id: GameId, wanted: AtPly) -> GameModel:
        """Value a position of the game; the score is kept."""
        return await games.value(game_id, wanted.ply)

    @app.post("/api/games/{game_id}/hint", responses=refusals)
    async def hint(game_id: GameId) -> Thought:
        """What the champion would play."""
        return await games.hint(game_id)

    @app.post("/api/games/{game_id}/takeback", responses=refusals)
    async def take_back(game_id: GameId, wanted: AtPly) -> GameModel:
        """Take the last move of a person back."""
        return await games.take_back(game_id, wanted.ply)

    @app.post("/api/games/{game_id}/resign", responses=refusals)
    async def resign(game_id: GameId, wanted: Resign) -> GameModel:
        """Give up."""
        return await games.resign(game_id, wanted.side)

    @app.post("/api/games/{game_id}/draw", responses=refusals)
    async def draw(game_id: GameId) -> GameModel:
        """Offer a draw."""
        return await games.offer_draw(game_id)

    @app.get("/api/games/{game_id}/pdn", response_class=PlainTextResponse, responses=refusals)
    async def pdn(game_id: GameId) -> Response:
        """A game as a PDN file."""
        name = {"Content-Disposition": f'attachment; filename="evocheckers-{game_id[:8]}.pdn"'}
        return PlainTextResponse(await games.pdn(game_id), headers=name)


def _add_analysis(app: FastAPI, games: GameService) -> None:
    """Looking into positions."""

    @app.post("/api/analysis", responses={404: {"description": "no such player"}, 503: {"description": "busy"}})
    async def analyse(wanted: AnalysePosition) -> AnalysisModel:
        """Every legal move's value, and what the network sees."""
        board = Board(wanted.fen)
        allowed = allow(wanted.limit)
        contestant = await games.player(wanted.player, allowed.limit)
        result, moves = await games.thinker.lanes.run(Lane.LONG, lambda: games.thinker.analyse(contestant, board))
        sight = await games.thinker.lanes.run(Lane.LONG, lambda: sight_of(contestant.network, board))
        described = [
            MoveThought(
                **describe_move(item.move).model_dump(),
                score=max(-1000.0, min(1000.0, item.score)),
                score_text=item.score_text,
                line=[str(move) for move in item.line],
            )
            for item in moves
        ]
        return AnalysisModel(
            fen=board.fen(),
            turn=side_of(board.turn),
            thought=thought_of(result, board.turn),
            moves=described,
            sight=sight,
            note=allowed.note,
        )


def _add_runs(app: FastAPI, games: GameService, runs: Runs) -> None:
    """Evolutions, running or finished."""
    refusals: dict[int | str, dict[str, object]] = {404: {"description": "no such run"}, 503: {"description": "busy"}}
    lanes = games.thinker.lanes

    async def read(work: Callable[[], T]) -> T:
        """Read files where that keeps nobody else waiting."""
        return await lanes.run(Lane.FILES, work)

    async def find(name: str) -> Path:
        """A run's file, by a look into its folder."""
        return await lanes.run(Lane.GAMES, lambda: games.catalogue.run_path(name))

    @app.get("/api/runs")
    async def list_runs() -> list[RunLine | UnreadableRun]:
        """All run files of the server's folder."""
        return await read(lambda: [runs.summary(path) for path in games.catalogue.runs().values()])

    @app.get("/api/runs/{name}", responses=refusals)
    async def describe(name: RunName) -> RunModel:
        """A run: settings, every generation's numbers, strength with its intervals, the family tree."""
        return await read(lambda: runs.describe(games.catalogue.run_path(name)))

    @app.get("/api/runs/{name}/games/{generation}", responses=refusals)
    async def list_games(name: RunName, generation: Number) -> list[RecordedGame]:
        """The games of a generation."""
        return await read(lambda: runs.games(games.catalogue.run_path(name), generation))

    @app.get("/api/runs/{name}/games/{generation}/{game}/pdn", response_class=PlainTextResponse, responses=refusals)
    async def game_pdn(name: RunName, generation: Number, game: Number) -> Response:
        """One of them as PDN."""
        return PlainTextResponse(await read(lambda: runs.game_pdn(games.catalogue.run_path(name), generation, game)))

    @app.get("/api/runs/{name}/matrix", responses=refusals)
    async def matrix(name: RunName) -> MatrixModel:
        """Some generations against each other, 14 games each."""
        path = await find(name)
        return await lanes.run(Lane.MATCHES, lambda: runs.matrix(path, games.thinker.refuse_if_closing))

    @app.get("/api/runs/{name}/events", response_class=StreamingResponse, responses=refusals)
    async def events(name: RunName) -> Response:
        """Server-sent events: one for every generation that is recorded."""
        return runs.follow(await find(name))
