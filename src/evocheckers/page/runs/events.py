"""Server-sent events for pages that follow a growing run."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from evocheckers.errors import EvocheckersError
from evocheckers.page.responses import BusyError

POLL_SECONDS = 1.0
LOOKS = 4
"""How often between two polls a stream checks whether the server is ending."""
MAX_STREAMS = 50
STREAM_SECONDS = 600.0
"""A page reconnects after this, so that clients that vanished do not stay counted for ever."""

State = tuple[int, int] | None
"""Numbers of generations and measurements of a run; None if it cannot be read."""


class Streams:
    """The pages that follow runs."""

    def __init__(self, read: Callable[[str], Awaitable[State]]) -> None:
        """``read`` returns the state of a run by name."""
        self._read = read
        self._states: dict[str, asyncio.Future[State]] = {}
        self._streams = 0
        self._ended = False

    def end(self) -> None:
        """End all streams."""
        self._ended = True

    def follow(self, name: str) -> "EventStream":
        """Server-sent events, one for every generation and measurement recorded from now on."""
        if self._streams >= MAX_STREAMS:
            raise BusyError("too many pages follow runs already; reload to see more")
        self._streams += 1
        return EventStream(self._events(name), self._end_stream)

    def _end_stream(self) -> None:
        self._streams -= 1

    async def _events(self, name: str) -> AsyncIterator[str]:
        sent: State = None
        end = time.monotonic() + STREAM_SECONDS
        yield "retry: 3000\n\n"
        while not self._ended and time.monotonic() < end:
            now = await self._state(name)
            if now is not None and now != sent:
                sent = now
                yield f"data: {json.dumps({'generation': now[0], 'measurements': now[1]})}\n\n"
            else:
                yield ": still here\n\n"
            for _ in range(LOOKS):
                if not self._ended:
                    await asyncio.sleep(POLL_SECONDS / LOOKS)

    async def _state(self, name: str) -> State:
        """The state of a run, read once for all concurrent requests."""
        if name not in self._states:
            task = asyncio.ensure_future(self._read(name))
            self._states[name] = task
            task.add_done_callback(lambda _: self._states.pop(name))
        try:
            return await asyncio.shield(self._states[name])
        except EvocheckersError:
            return None


class EventStream(StreamingResponse):
    """An event stream that counts as one of a limited number until it ends, however it ends."""

    def __init__(self, events: AsyncIterator[str], end_stream: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._end_stream = end_stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._end_stream()
