"""The server: pages and their JSON API, which other programs may use too; ``/openapi.json`` describes it."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from evocheckers.errors import EvocheckersError
from evocheckers.page.analysis.reviews import Reviews
from evocheckers.page.analysis.routes import analysis_router
from evocheckers.page.games.engines import Engines
from evocheckers.page.games.players import Catalogue
from evocheckers.page.games.routes import games_router
from evocheckers.page.games.searches import Searches
from evocheckers.page.games.service import GameService
from evocheckers.page.games.views import GameViews
from evocheckers.page.middleware.headers import HeadersMiddleware
from evocheckers.page.middleware.hosts import HostMiddleware
from evocheckers.page.middleware.limits import LimitsMiddleware
from evocheckers.page.puzzles.routes import puzzles_router
from evocheckers.page.responses import PageError
from evocheckers.page.runs.events import Streams
from evocheckers.page.runs.process import EvolutionProcess
from evocheckers.page.runs.routes import evolution_router, runs_router
from evocheckers.page.store import Store
from evocheckers.page.worker.client import WorkerClient
from evocheckers.page.worker.queues import PAGE_QUEUES, Queue, Queues
from evocheckers.page.worker.server import Tasks
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
    worker_after_seconds: float | None = None
    """When to start the worker even if nothing needs it yet; None to wait until something does."""
    evolves: bool = True
    """Whether the page can start evolutions."""
    repetition: bool = True
    """Whether the third occurrence of a position is a draw in games that begin here."""
    threads: int = 1
    """Threads for each search by time."""

    @property
    def networks(self) -> Path:
        """The folder for network files of one's own, which the page offers as players."""
        return self.data / "networks"


def create_app(settings: ServerSettings) -> FastAPI:
    """Create the application."""
    settings.networks.mkdir(parents=True, exist_ok=True)
    store = Store(settings.data / "games.sqlite")
    queues, searches = Queues(PAGE_QUEUES, settings.workers), Searches(settings.threads, settings.repetition)
    catalogue = Catalogue(settings.networks, settings.runs)
    worker = WorkerClient(settings.networks, settings.runs, settings.workers, settings.threads, settings.repetition)
    engines = Engines(catalogue, searches, queues, worker)
    views = GameViews(store, catalogue, lambda: searches.compiling)
    games = GameService(store, engines, worker, views, settings.repetition)
    evolution = EvolutionProcess(settings.runs, settings.evolves)
    streams = Streams(lambda name: worker.call(Queue.FILES, Tasks.run_state, name))

    def end() -> None:
        """End searches and streams at once; called again when the server has stopped."""
        searches.end()
        worker.end()
        streams.end()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(Board().legal_moves)  # every request needs the rules' machine code
        await asyncio.to_thread(searches.prepare)
        early = None
        if settings.worker_after_seconds is not None:
            early = asyncio.ensure_future(engines.warm_up(settings.worker_after_seconds))
        yield
        if early is not None:
            early.cancel()
        end()
        await asyncio.to_thread(evolution.stop)
        await worker.close()
        queues.close()
        store.close()

    app = FastAPI(title="evocheckers", version=PROGRAM_VERSION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.end = end
    app.state.await_code = searches.await_code
    app.add_middleware(LimitsMiddleware)
    app.add_middleware(HostMiddleware, hosts=settings.hosts, any_address=settings.any_address)
    app.add_middleware(HeadersMiddleware)  # the outermost: refusals by the others have headers too

    @app.exception_handler(EvocheckersError)
    async def _refuse(_: Request, error: EvocheckersError) -> JSONResponse:
        status = error.status if isinstance(error, PageError) else PageError.status
        return JSONResponse({"detail": str(error)}, status)

    @app.exception_handler(RequestValidationError)
    async def _refuse_request(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"][1:])
        return JSONResponse({"detail": f"{field}: {first['msg']}" if field else str(first["msg"])}, 422)

    app.include_router(games_router(games))
    app.include_router(analysis_router(engines, Reviews(games)))
    app.include_router(puzzles_router(worker))
    app.include_router(runs_router(worker, streams))
    app.include_router(evolution_router(evolution, queues, worker))
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
