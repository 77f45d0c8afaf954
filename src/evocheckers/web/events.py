"""Server-sent events for pages that follow a run while it grows."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from evocheckers.errors import EvocheckersError

POLL_SECONDS = 1.0
LOOKS = 4
"""How often between two polls a stream looks whether the server ends."""
MAX_STREAMS = 50
STREAM_SECONDS = 600.0
"""A page asks again after that; who has gone without a word holds no place for ever."""

State = tuple[int, int] | None
"""Generations and measurements of a run; None if it cannot be read."""


class StreamsError(EvocheckersError):
    """Too many pages follow runs already."""


class Streams:
    """The pages that follow runs."""

    def __init__(self, read: Callable[[str], Awaitable[State]]) -> None:
        """``read`` tells the state of a run by its name."""
        self._read = read
        self._states: dict[str, asyncio.Future[State]] = {}
        self._streams = 0
        self._ended = False

    def end(self) -> None:
        """End all streams."""
        self._ended = True

    def follow(self, name: str) -> "EventStream":
        """A server-sent event for every generation and measurement that is recorded from now on."""
        if self._streams >= MAX_STREAMS:
            raise StreamsError("too many pages follow runs already; reload to see more")
        self._streams += 1
        return EventStream(self._events(name), self._give_back)

    def _give_back(self) -> None:
        self._streams -= 1

    async def _events(self, name: str) -> AsyncIterator[str]:
        told: State = None
        end = time.monotonic() + STREAM_SECONDS
        yield "retry: 3000\n\n"
        while not self._ended and time.monotonic() < end:
            now = await self._state(name)
            if now is not None and now != told:
                told = now
                yield f"data: {json.dumps({'generation': now[0], 'measurements': now[1]})}\n\n"
            else:
                yield ": still here\n\n"
            for _ in range(LOOKS):
                if not self._ended:
                    await asyncio.sleep(POLL_SECONDS / LOOKS)

    async def _state(self, name: str) -> State:
        """How far a run is, read once for all who ask at the same time."""
        if name not in self._states:
            task = asyncio.ensure_future(self._read(name))
            self._states[name] = task
            task.add_done_callback(lambda _: self._states.pop(name))
        try:
            return await asyncio.shield(self._states[name])
        except EvocheckersError:
            return None


class EventStream(StreamingResponse):
    """Events, for one of the places that there are; it is given back whatever becomes of the answer."""

    def __init__(self, events: AsyncIterator[str], give_back: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._give_back = give_back

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._give_back()
