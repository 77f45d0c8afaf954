"""The JSON API of runs: reading and following them, and evolving one from the page."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response, StreamingResponse

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.registry import PRESETS
from evocheckers.page.models import Number, RunName
from evocheckers.page.responses import json_response
from evocheckers.page.runs.events import Streams
from evocheckers.page.runs.models import (
    EvolutionModel,
    HistoryRequest,
    MatrixModel,
    PositionHistory,
    PresetModel,
    RecordedGame,
    ResumeRun,
    RunLine,
    RunModel,
    StartRun,
    UnreadableRun,
)
from evocheckers.page.runs.process import PAGE_PRESETS, EvolutionProcess, most_generations
from evocheckers.page.worker.client import WorkerClient
from evocheckers.page.worker.queues import Queue, Queues
from evocheckers.page.worker.server import Tasks


def runs_router(worker: WorkerClient, streams: Streams) -> APIRouter:
    """Runs, in progress or finished; the worker reads them all."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, Any]] = {404: {"description": "no such run"}, 503: {"description": "busy"}}

    @router.get("/api/runs", response_model=list[RunLine | UnreadableRun])
    async def list_runs() -> Response:
        """All run files in the server's folder."""
        return json_response(await worker.call(Queue.FILES, Tasks.run_lines))

    @router.get("/api/runs/{name}", response_model=RunModel, responses=refusals)
    async def describe(name: RunName) -> Response:
        """A run: its settings, the numbers of every generation, strength with intervals, and the family tree."""
        return json_response(await worker.call(Queue.FILES, Tasks.describe_run, name))

    @router.get("/api/runs/{name}/games/{generation}", response_model=list[RecordedGame], responses=refusals)
    async def list_games(name: RunName, generation: Number) -> Response:
        """The games of a generation."""
        return json_response(await worker.call(Queue.FILES, Tasks.run_games, name, generation))

    @router.get("/api/runs/{name}/games/{generation}/{game}/pdn", response_class=PlainTextResponse, responses=refusals)
    async def game_pdn(name: RunName, generation: Number, game: Number) -> Response:
        """One game of a generation as PDN."""
        return PlainTextResponse(await worker.call(Queue.FILES, Tasks.run_pdn, name, generation, game))

    @router.get("/api/runs/{name}/matrix", response_model=MatrixModel, responses=refusals)
    async def matrix(name: RunName) -> Response:
        """Some generations against each other, 14 games each."""
        return json_response(await worker.call(Queue.MATCHES, Tasks.matrix, name))

    @router.post("/api/runs/{name}/position", response_model=PositionHistory, responses=refusals)
    async def position(name: RunName, wanted: HistoryRequest) -> Response:
        """A position through the generations: what a sample of them would play, and their activations."""
        return json_response(await worker.call(Queue.REVIEWS, Tasks.position_history, name, wanted.fen))

    @router.get("/api/runs/{name}/events", response_class=StreamingResponse, responses=refusals)
    async def events(name: RunName) -> Response:
        """Server-sent events: one for every recorded generation."""
        await worker.call(Queue.GAMES, Tasks.check_run, name)
        return streams.follow(name)

    return router


def evolution_router(evolution: EvolutionProcess, queues: Queues, worker: WorkerClient) -> APIRouter:
    """Starting, following and ending a run."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, Any]] = {
        403: {"description": "this server does not evolve runs"},
        404: {"description": "no such run"},
        409: {"description": "a run is already running"},
        503: {"description": "busy"},
    }

    def state() -> EvolutionModel:
        presets = [
            PresetModel(name=name, about=chosen.about, generations=chosen.generations, most=chosen.most)
            for name, chosen in PAGE_PRESETS.items()
            if name in PRESETS
        ]
        return EvolutionModel(
            allowed=evolution.allowed, running=evolution.running, message=evolution.message, presets=presets
        )

    @router.get("/api/evolution")
    async def show() -> EvolutionModel:
        """The current run."""
        return state()

    @router.post("/api/evolution", status_code=201, responses=refusals)
    async def start(wanted: StartRun) -> EvolutionModel:
        """Begin a run."""
        await queues.run(Queue.PLUGINS, lambda: evolution.start(wanted.preset, wanted.seed, wanted.generations))
        return state()

    @router.post("/api/evolution/resume", responses=refusals)
    async def resume(wanted: ResumeRun) -> EvolutionModel:
        """Resume a run."""
        path, run = await worker.call(Queue.FILES, Tasks.run_line, wanted.run)
        if isinstance(run, UnreadableRun):
            raise EvocheckersError(run.fault)
        last = wanted.generations or run.generations
        most = most_generations(run.preset, run.generation, run.generations)
        if not run.generation < last <= most:
            raise EvocheckersError(f"the run has {run.generation} generations; it can go on to {most} here")
        await queues.run(Queue.PLUGINS, lambda: evolution.resume(wanted.run, path, last))
        return state()

    @router.post("/api/evolution/stop", responses=refusals)
    async def stop() -> EvolutionModel:
        """End the run and keep what it recorded."""
        await queues.run(Queue.PLUGINS, evolution.stop)
        return state()

    return router
