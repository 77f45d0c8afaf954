"""The players, and where they search: quick moves on threads of this process, all others in the worker.

Players from other packages stay here: they may consist of anything, so they cannot be sent to another process.
"""

import asyncio
from contextlib import suppress

from evocheckers.networks.python_function import FunctionEvaluator
from evocheckers.page.analysis.positions import analysis_of
from evocheckers.page.games.models import PlayerModel
from evocheckers.page.games.players import Catalogue
from evocheckers.page.games.searches import Searches, is_quick
from evocheckers.page.responses import BusyError
from evocheckers.page.worker.client import WorkerClient
from evocheckers.page.worker.queues import Queue, Queues
from evocheckers.page.worker.server import Tasks
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchResult

_LOOK_SECONDS = 0.1


def _is_foreign(contestant: Contestant) -> bool:
    return contestant.make is not None or isinstance(contestant.evaluator, FunctionEvaluator)


class Engines:
    """The players of a server."""

    def __init__(self, catalogue: Catalogue, searches: Searches, queues: Queues, worker: WorkerClient) -> None:
        self.catalogue, self._searches, self._queues, self._worker = catalogue, searches, queues, worker

    async def entries(self) -> list[PlayerModel]:
        """All players."""
        return await self._queues.run(Queue.PLUGINS, self.catalogue.entries)

    async def player(self, player: str, limit: Limit) -> Contestant:
        """A player by its specification."""
        if self.catalogue.is_own(player):
            return self.catalogue.get(player, limit)
        if self.catalogue.needs_file(player):
            return await self._worker.call(Queue.FILES, Tasks.contestant, player, limit)
        return await self._queues.run(Queue.PLUGINS, lambda: self.catalogue.get(player, limit))

    async def choose(self, contestant: Contestant, board: Board, seed: int) -> tuple[Move, SearchResult | None]:
        """A player's move, and its search result if it searches."""
        if contestant.evaluator is None:
            queue = Queue.PLUGINS if _is_foreign(contestant) else Queue.QUICK
            return await self._queues.run(queue, lambda: self._searches.choose(contestant, board, seed)), None
        if is_quick(contestant) and not _is_foreign(contestant):
            result = await self._queues.run(Queue.QUICK, lambda: self._searches.search(contestant, board, seed))
        else:
            result = await self.search(contestant, board, seed)
        return result.move, result

    async def warm_up(self, after_seconds: float) -> None:
        """Start the worker in advance."""
        await asyncio.sleep(after_seconds)
        with suppress(BusyError):
            await self._await_code()
            await self._worker.call(Queue.LONG, Tasks.prepare)

    async def _await_code(self) -> None:
        """Wait for machine code: it is compiled once, here; the worker loads it from disk."""
        while self._searches.compiling:
            self._searches.refuse_if_closing()
            await asyncio.sleep(_LOOK_SECONDS)

    async def search(self, contestant: Contestant, board: Board, seed: int = 0) -> SearchResult:
        """A player's search of a position, however long it takes."""
        if _is_foreign(contestant):
            return await self._queues.run(Queue.PLUGINS, lambda: self._searches.search(contestant, board, seed))
        await self._await_code()
        return await self._worker.call(Queue.LONG, Tasks.search, contestant, board, seed)

    async def analyse(self, contestant: Contestant, board: Board, note: str) -> str:
        """An ``AnalysisModel`` as JSON."""
        if _is_foreign(contestant):
            return await self._queues.run(Queue.PLUGINS, lambda: analysis_of(self._searches, contestant, board, note))
        await self._await_code()
        return await self._worker.call(Queue.LONG, Tasks.analyse, contestant, board, note)
