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
from evocheckers.web.catalogue import CHAMPION, Catalogue, UnknownPlayerError
from evocheckers.web.evolving import breeding_router, growth_router
from evocheckers.web.game_routes import add_games
from evocheckers.web.growth import Growth
from evocheckers.web.lanes import BusyError, Lane, Lanes
from evocheckers.web.models import (
    AnalysePosition,
    AnalysisModel,
    MoveThought,
    Position,
    PositionModel,
)
from evocheckers.web.opinion import MAN, chance_of, men_of, opinion_of
from evocheckers.web.parameters import Number, RunName
from evocheckers.web.puzzling import puzzle_router
from evocheckers.web.reviews import Reviews, review_router
from evocheckers.web.run_models import MatrixModel, RecordedGame, RunLine, RunModel, UnreadableRun
from evocheckers.web.runs import Runs, StreamsError
from evocheckers.web.security import Guard
from evocheckers.web.service import ConflictError, GameService, NotFoundError
from evocheckers.web.showing import describe_move, describe_position, side_of
from evocheckers.web.sight import sight_of
from evocheckers.web.store import StaleGameError, Store, StoreError
from evocheckers.web.thinking import Thinker, allow

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

    add_games(app, games)
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


def _add_analysis(app: FastAPI, games: GameService) -> None:
    """Looking into positions."""

    @app.post("/api/position", responses={409: {"description": "does not fit the position"}})
    async def position(wanted: Position) -> PositionModel:
        """A position, or the one after a move in it, with its legal moves; nothing is kept."""
        board = Board(wanted.fen)
        if wanted.move:
            board.push(wanted.move)
        return describe_position(board)

    @app.post("/api/analysis", responses={404: {"description": "no such player"}, 503: {"description": "busy"}})
    async def analyse(wanted: AnalysePosition) -> AnalysisModel:
        """Every legal move's value, and what the network sees."""
        board = Board(wanted.fen)
        allowed = allow(wanted.limit)
        contestant = await games.player(wanted.player, allowed.limit)
        result, moves = await games.thinker.lanes.run(Lane.LONG, lambda: games.thinker.analyse(contestant, board))
        sight = await games.thinker.lanes.run(Lane.LONG, lambda: sight_of(contestant.network, board))
        man = MAN if wanted.player == CHAMPION else 1.0
        sign = 1 if side_of(board.turn) == "black" else -1
        described = [
            MoveThought(
                **describe_move(item.move).model_dump(),
                score=sign * men_of(item.score, man),
                chance=chance_of(sign * men_of(item.score, man)),
                score_text=item.score_text,
                line=[str(move) for move in item.line],
            )
            for item in moves
        ]
        by = f"{games.catalogue.title(wanted.player)}, {result.depth_plies} plies ahead"
        return AnalysisModel(
            fen=board.fen(),
            turn=side_of(board.turn),
            thought=opinion_of([result], board.turn, by, man),
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
