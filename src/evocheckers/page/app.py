"""The server: pages and their JSON API, which other programs may use too; ``/openapi.json`` describes it."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles

from evocheckers.errors import EvocheckersError
from evocheckers.page.analysis.reviews import Reviews, review_router
from evocheckers.page.games.engines import Engines
from evocheckers.page.games.models import AnalysePosition, AnalysisModel, Number, Position, PositionModel, RunName
from evocheckers.page.games.players import Catalogue, UnknownPlayerError
from evocheckers.page.games.routes import add_games, told
from evocheckers.page.games.service import ConflictError, GameService, NotFoundError
from evocheckers.page.games.thinker import Thinker, allow
from evocheckers.page.games.views import Showing, describe_position
from evocheckers.page.middleware.guard import Guard
from evocheckers.page.puzzles.routes import puzzle_router
from evocheckers.page.runs.events import Streams, StreamsError
from evocheckers.page.runs.models import MatrixModel, RecordedGame, RunLine, RunModel, UnreadableRun
from evocheckers.page.runs.process import Breeder, BreedingOffError
from evocheckers.page.runs.routes import breeding_router, growth_router
from evocheckers.page.store import StaleGameError, Store, StoreError
from evocheckers.page.worker.client import AbsentError, Office
from evocheckers.page.worker.queues import HERE, BusyError, Lane, Lanes
from evocheckers.page.worker.server import Desk
from evocheckers.rules.board import Board
from evocheckers.version import PROGRAM_VERSION

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "play"} | {f"/{name}": name for name in ("puzzles", "learn", "evolution", "review", "watch")}
"""By path, the folder of ``static`` that holds what a page does not share with the others."""
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class ServerSettings:
    """Where a server stores games, and where it finds networks and runs."""

    data: Path
    runs: Path
    workers: int | None = None
    hosts: Iterable[str] = LOCAL_HOSTS
    """Host names that the server answers to; requests for others are refused."""
    any_address: bool = False
    """Whether it also answers to any numeric address."""
    office_after_seconds: float | None = None
    """When to start the office even if nobody needs it yet; None to wait until somebody does."""
    breeds: bool = True
    """Whether the page can start evolutions."""
    repetition: bool = True
    """Whether the third occurrence of a position is a draw in games that begin here."""
    threads: int = 1
    """Threads for each search by time."""

    @property
    def networks(self) -> Path:
        """The folder for network files of one's own, which the page offers as players."""
        return self.data / "networks"


_STATUS = (
    (BreedingOffError, 403),
    (NotFoundError, 404),
    (UnknownPlayerError, 404),
    (AbsentError, 404),
    (ConflictError, 409),
    (StaleGameError, 409),
    (BusyError, 503),
    (StreamsError, 503),
    (StoreError, 507),
    (EvocheckersError, 422),
)


def create_app(settings: ServerSettings) -> FastAPI:
    """Create the application."""
    settings.networks.mkdir(parents=True, exist_ok=True)
    store = Store(settings.data / "games.sqlite")
    lanes, thinker = Lanes(HERE, settings.workers), Thinker(settings.threads, settings.repetition)
    catalogue = Catalogue(settings.networks, settings.runs)
    office = Office(settings.networks, settings.runs, settings.workers, settings.threads, settings.repetition)
    engines = Engines(catalogue, thinker, lanes, office)
    showing = Showing(store, catalogue, lambda: thinker.compiling)
    games = GameService(store, engines, office, showing, settings.repetition)
    breeder = Breeder(settings.runs, settings.breeds)
    streams = Streams(lambda name: office.ask(Lane.FILES, Desk.run_state, name))

    def end() -> None:
        """End searches and streams at once; called again when the server has stopped."""
        thinker.end()
        office.end()
        streams.end()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(Board().legal_moves)  # every request needs the rules' machine code
        await asyncio.to_thread(thinker.prepare)
        early = None
        if settings.office_after_seconds is not None:
            early = asyncio.ensure_future(engines.warm_up(settings.office_after_seconds))
        yield
        if early is not None:
            early.cancel()
        end()
        await asyncio.to_thread(breeder.stop)
        await office.close()
        lanes.close()
        store.close()

    app = FastAPI(title="evocheckers", version=PROGRAM_VERSION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.end = end
    app.state.await_code = thinker.await_code
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
    _add_analysis(app, engines)
    _add_runs(app, office, streams)
    app.include_router(review_router(Reviews(games)))
    app.include_router(puzzle_router(office))
    app.include_router(breeding_router(breeder, lanes, office))
    app.include_router(growth_router(office))

    for path in PAGES:
        _add_page(app, path)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _add_page(app: FastAPI, path: str) -> None:
    document = assemble_page(PAGES[path])

    @app.get(path, include_in_schema=False)
    async def page() -> HTMLResponse:
        return HTMLResponse(document)


def assemble_page(name: str) -> str:
    """A page's document: its content in the head and the navigation that all pages share."""
    shared = Template((STATIC / "common" / "page.html").read_text("utf-8"))
    title = "evocheckers" if name == "play" else f"evocheckers – {name}"
    return shared.substitute(name=name, title=title, content=(STATIC / name / f"{name}.html").read_text("utf-8"))


def _add_analysis(app: FastAPI, engines: Engines) -> None:
    """Routes for analysing positions."""
    refusals: dict[int | str, dict[str, object]] = {
        404: {"description": "no such player"},
        503: {"description": "busy"},
    }

    @app.post("/api/position", responses={422: {"description": "no position, or no move in it"}})
    async def position(wanted: Position) -> PositionModel:
        """A position, or the one after a move in it, with its legal moves; nothing is stored."""
        board = Board(wanted.fen)
        if wanted.move:
            board.push(wanted.move)
        return describe_position(board)

    @app.post("/api/analysis", response_model=AnalysisModel, responses=refusals)
    async def analyse(wanted: AnalysePosition) -> Response:
        """Every legal move's value, and what the network sees."""
        board = Board(wanted.fen)
        allowed = allow(wanted.limit)
        contestant = await engines.player(wanted.player, allowed.limit)
        return told(await engines.analyse(contestant, board, allowed.note))


def _add_runs(app: FastAPI, office: Office, streams: Streams) -> None:
    """Routes for evolutions, running or finished; the office reads them all."""
    refusals: dict[int | str, dict[str, object]] = {404: {"description": "no such run"}, 503: {"description": "busy"}}

    @app.get("/api/runs", response_model=list[RunLine | UnreadableRun])
    async def list_runs() -> Response:
        """All run files in the server's folder."""
        return told(await office.ask(Lane.FILES, Desk.run_lines))

    @app.get("/api/runs/{name}", response_model=RunModel, responses=refusals)
    async def describe(name: RunName) -> Response:
        """A run: its settings, the numbers of every generation, strength with intervals, and the family tree."""
        return told(await office.ask(Lane.FILES, Desk.describe_run, name))

    @app.get("/api/runs/{name}/games/{generation}", response_model=list[RecordedGame], responses=refusals)
    async def list_games(name: RunName, generation: Number) -> Response:
        """The games of a generation."""
        return told(await office.ask(Lane.FILES, Desk.run_games, name, generation))

    @app.get("/api/runs/{name}/games/{generation}/{game}/pdn", response_class=PlainTextResponse, responses=refusals)
    async def game_pdn(name: RunName, generation: Number, game: Number) -> Response:
        """One game of a generation as PDN."""
        return PlainTextResponse(await office.ask(Lane.FILES, Desk.run_pdn, name, generation, game))

    @app.get("/api/runs/{name}/matrix", response_model=MatrixModel, responses=refusals)
    async def matrix(name: RunName) -> Response:
        """Some generations against each other, 14 games each."""
        return told(await office.ask(Lane.MATCHES, Desk.matrix, name))

    @app.get("/api/runs/{name}/events", response_class=StreamingResponse, responses=refusals)
    async def events(name: RunName) -> Response:
        """Server-sent events: one for every recorded generation."""
        await office.ask(Lane.GAMES, Desk.check_run, name)
        return streams.follow(name)
