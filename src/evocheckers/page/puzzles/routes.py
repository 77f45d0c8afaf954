"""The JSON API of the package's own puzzles, by number. The browser remembers which were solved."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response

from evocheckers.page.puzzles.models import PuzzleLine, PuzzleModel
from evocheckers.page.responses import json_response
from evocheckers.page.worker.client import WorkerClient
from evocheckers.page.worker.queues import Queue
from evocheckers.page.worker.server import Tasks

PuzzleNumber = Annotated[int, Path(ge=1, le=100_000)]


def puzzles_router(worker: WorkerClient) -> APIRouter:
    """Routes for puzzles."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, Any]] = {404: {"description": "no such puzzle"}, 503: {"description": "busy"}}

    @router.get("/api/puzzles", response_model=list[PuzzleLine], responses=refusals)
    async def list_puzzles() -> Response:
        """All puzzles, without their solutions."""
        return json_response(await worker.call(Queue.GAMES, Tasks.puzzle_lines))

    @router.get("/api/puzzles/{number}", response_model=PuzzleModel, responses=refusals)
    async def puzzle(number: PuzzleNumber) -> Response:
        """A puzzle and its solution, step by step."""
        return json_response(await worker.call(Queue.GAMES, Tasks.puzzle, number))

    return router
