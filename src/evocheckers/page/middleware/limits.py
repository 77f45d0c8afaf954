"""Limits of a request: the length of its target, the size and duration of its body, and how often an address may ask.

Only requests that cost the server more than a move are rate-limited: runs, analyses, reviews, PDN. Each address has a
token bucket.
"""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evocheckers.page.middleware.hosts import CHANGING_METHODS

MAX_TARGET = 2048
"""Maximum bytes of a request's path and query."""
MAX_BODY = 64 * 1024
BODY_SECONDS = 10.0
REQUESTS_PER_SECOND, BURST = 10.0, 60
"""Sustained rate of requests, and the largest burst after a pause."""
KEPT_ADDRESSES = 1000
REFUSAL_SECONDS = 1.0
"""Delay before the answer to a client that asks too often, so that repeated requests cost the server little."""
LARGE_BODY = 2000
"""Size in bytes above which a new game counts as one from PDN."""
_TOO_LARGE = f"a body of more than {MAX_BODY} bytes"
_LIMITED = re.compile(r"/api/(runs|analysis|reviews|evolution)\b")


def is_rate_limited(method: str, path: str, length: int) -> bool:
    """Whether a request counts against its address's rate."""
    return bool(_LIMITED.match(path)) or (method == "POST" and path == "/api/games" and length > LARGE_BODY)


class RateLimit:
    """How many requests each address has left."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: how many were left, and when."""

    def take(self, address: str) -> bool:
        """Whether an address may make one more request."""
        now = self._now()
        left, then = self._left.pop(address, (float(BURST), now))
        left = min(float(BURST), left + (now - then) * REQUESTS_PER_SECOND)
        granted = left >= 1
        self._left[address] = left - granted, now
        while len(self._left) > KEPT_ADDRESSES:
            self._left.popitem(last=False)
        return granted


class LimitsMiddleware:
    """Refuses what is too long, too large, too slow or too frequent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._rate_limit = RateLimit()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def refuse(status: int, text: str) -> None:
            await JSONResponse({"detail": text}, status)(scope, receive, send)

        length = Headers(scope=scope).get("content-length", "0")
        address = (scope.get("client") or ("",))[0]
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") > MAX_TARGET:
            await refuse(414, "too long an address")
        elif not re.fullmatch("[0-9]{1,9}", length) or int(length) > MAX_BODY:
            await refuse(413, _TOO_LARGE)
        elif is_rate_limited(scope["method"], scope["path"], int(length)) and not self._rate_limit.take(address):
            await asyncio.sleep(REFUSAL_SECONDS)
            await refuse(503, "too many requests in a short time; try again in a moment")
        elif scope["method"] in CHANGING_METHODS:
            try:
                whole = await asyncio.wait_for(_read_body(receive), BODY_SECONDS)
            except TimeoutError:
                await refuse(408, f"the body took longer than {BODY_SECONDS:g} s")
            except _TooLargeError:
                await refuse(413, _TOO_LARGE)
            else:
                await self.app(scope, whole, send)
        else:
            await self.app(scope, receive, send)


class _TooLargeError(Exception):
    """The body exceeds the limit."""


async def _read_body(receive: Receive) -> Receive:
    """Read a body up to the size limit, and pass it on in one piece."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise _TooLargeError
    waiting = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def read() -> Message:
        return waiting.pop() if waiting else await receive()

    return read
