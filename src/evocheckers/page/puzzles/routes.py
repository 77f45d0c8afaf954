"""HTTP routes for the package's own puzzles, by number. The browser remembers which were solved."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response

from evocheckers.page.games.routes import told
from evocheckers.page.puzzles.models import PuzzleLine, PuzzleModel
from evocheckers.page.worker.client import Office
from evocheckers.page.worker.queues import Lane
from evocheckers.page.worker.server import Desk

PuzzleNumber = Annotated[int, Path(ge=1, le=100_000)]


def puzzle_router(office: Office) -> APIRouter:
    """Routes for puzzles."""
    router = APIRouter()
    refusals: dict[int | str, dict[str, Any]] = {404: {"description": "no such puzzle"}, 503: {"description": "busy"}}

    @router.get("/api/puzzles", response_model=list[PuzzleLine], responses=refusals)
    async def list_puzzles() -> Response:
        """All puzzles, without their solutions."""
        return told(await office.ask(Lane.GAMES, Desk.puzzle_lines))

    @router.get("/api/puzzles/{number}", response_model=PuzzleModel, responses=refusals)
    async def puzzle(number: PuzzleNumber) -> Response:
        """A puzzle and its solution, step by step."""
        return told(await office.ask(Lane.GAMES, Desk.puzzle, number))

    return router
