"""HTTP routes for evolutions that the page starts and examines."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, Field

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.registry import PRESETS
from evocheckers.page.games.models import Request, RunName
from evocheckers.page.games.routes import told
from evocheckers.page.runs.generations import GrowthModel, PositionRequest
from evocheckers.page.runs.models import UnreadableRun
from evocheckers.page.runs.process import BREEDABLE, Breeder, most_generations
from evocheckers.page.worker.client import Office
from evocheckers.page.worker.queues import Lane, Lanes
from evocheckers.page.worker.server import Desk


class PresetModel(BaseModel):
    """A preset that the page can evolve."""

    name: str
    about: str
    generations: int
    most: int


class BreedingModel(BaseModel):
    """The current run, and the presets that could be run."""

    allowed: bool
    running: str | None = Field(description="the name of the current run")
    message: str = Field(description="how the last one ended, if it failed")
    presets: list[PresetModel]


class StartRun(Request):
    """A run to begin."""

    preset: Annotated[str, Field(max_length=40)] = "lamarck"
    seed: Annotated[int, Field(ge=0, le=10**9)] = 1
    generations: Annotated[int, Field(ge=1, le=10_000)] = 30


class ResumeRun(Request):
    """A run to resume."""

    run: Annotated[str, Field(max_length=120)]
    generations: Annotated[int | None, Field(ge=1, le=100_000, description="the last one; by default as before")] = None


def breeding_router(breeder: Breeder, lanes: Lanes, office: Office) -> APIRouter:
    """Starting, following and ending a run."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, Any]] = {
        403: {"description": "this server does not evolve runs"},
        404: {"description": "no such run"},
        409: {"description": "a run is already running"},
        503: {"description": "busy"},
    }

    def state() -> BreedingModel:
        presets = [
            PresetModel(name=name, about=chosen.about, generations=chosen.generations, most=chosen.most)
            for name, chosen in BREEDABLE.items()
            if name in PRESETS
        ]
        return BreedingModel(allowed=breeder.allowed, running=breeder.running, message=breeder.message, presets=presets)

    @router.get("/api/breeding")
    async def show() -> BreedingModel:
        """The current run."""
        return state()

    @router.post("/api/breeding", status_code=201, responses=refusals)
    async def start(wanted: StartRun) -> BreedingModel:
        """Begin a run."""
        await lanes.run(Lane.FOREIGN, lambda: breeder.start(wanted.preset, wanted.seed, wanted.generations))
        return state()

    @router.post("/api/breeding/resume", responses=refusals)
    async def resume(wanted: ResumeRun) -> BreedingModel:
        """Resume a run."""
        path, run = await office.ask(Lane.FILES, Desk.run_line, wanted.run)
        if isinstance(run, UnreadableRun):
            raise EvocheckersError(run.fault)
        last = wanted.generations or run.generations
        most = most_generations(run.preset, run.generation, run.generations)
        if not run.generation < last <= most:
            raise EvocheckersError(f"the run has {run.generation} generations; it can go on to {most} here")
        await lanes.run(Lane.FOREIGN, lambda: breeder.resume(wanted.run, path, last))
        return state()

    @router.post("/api/breeding/stop", responses=refusals)
    async def stop() -> BreedingModel:
        """End the run and keep what it recorded."""
        await lanes.run(Lane.FOREIGN, breeder.stop)
        return state()

    return router


def growth_router(office: Office) -> APIRouter:
    """Positions through the generations."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, Any]] = {404: {"description": "no such run"}, 503: {"description": "busy"}}

    @router.post("/api/runs/{name}/position", response_model=GrowthModel, responses=refusals)
    async def ask(name: RunName, wanted: PositionRequest) -> Response:
        """What a sample of generations thinks of a position, and what they see in it."""
        return told(await office.ask(Lane.REVIEWS, Desk.growth, name, wanted.fen))

    return router
