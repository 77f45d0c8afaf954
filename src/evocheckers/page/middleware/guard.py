"""Rules for every request and response: sizes, hosts, origins, rates, headers.

Rate limit per address for requests that cost the server more than a move: runs, analyses, reviews, PDN.
"""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PER_SECOND, AT_ONCE = 10.0, 60
"""Sustained rate of requests, and the largest burst after a pause."""
KEPT_ADDRESSES = 1000
LARGE_BODY = 2000
"""Size in bytes above which a new game counts as one from PDN."""
_COSTLY = re.compile(r"/api/(runs|analysis|reviews|breeding)\b")


def is_costly(method: str, path: str, length: int) -> bool:
    """Whether a request is rate-limited."""
    return bool(_COSTLY.match(path)) or (method == "POST" and path == "/api/games" and length > LARGE_BODY)


class Allowance:
    """What each address has left."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: how much was left, and when."""

    def take(self, address: str) -> bool:
        """Whether to grant one more request."""
        now = self._clock()
        left, then = self._left.pop(address, (float(AT_ONCE), now))
        left = min(float(AT_ONCE), left + (now - then) * PER_SECOND)
        granted = left >= 1
        self._left[address] = left - granted, now
        while len(self._left) > KEPT_ADDRESSES:
            self._left.popitem(last=False)
        return granted


MAX_BODY = 64 * 1024
TOO_LARGE = f"a body of more than {MAX_BODY} bytes"
TOO_MANY = "too many requests in a short time; try again in a moment"
PATIENCE_SECONDS = 1.0
"""Delay before the answer to a client that asks too often, so that repeated requests cost the server little."""
BODY_SECONDS = 10.0
MAX_TARGET = 2048
"""Maximum bytes of a request's path and query."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_CHANGING = ("POST", "PUT", "PATCH", "DELETE")


class Guard:
    """Refuses what is too large, too frequent, for another host or sent by another site, and sets headers."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], any_address: bool = False) -> None:
        """``hosts`` are the names that the server answers to.

        ``any_address`` adds all numeric addresses: a DNS rebinding attack always comes with a name.
        """
        self.app = app
        self.hosts = {host.lower() for host in hosts}
        self.any_address = any_address
        self._allowance = Allowance()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded = _with_headers(send)
        fault = self._fault(scope, headers)
        if fault is not None:
            status, text = fault
            if text == TOO_MANY:
                await asyncio.sleep(PATIENCE_SECONDS)
            await JSONResponse({"detail": text}, status)(scope, receive, guarded)
            return
        if scope["method"] in _CHANGING:
            try:
                receive = await asyncio.wait_for(_whole_body(receive), BODY_SECONDS)
            except TimeoutError:
                await JSONResponse({"detail": f"the body took longer than {BODY_SECONDS:g} s"}, 408)(
                    scope, receive, guarded
                )
                return
            except _TooLargeError:
                await JSONResponse({"detail": TOO_LARGE}, 413)(scope, receive, guarded)
                return
        await self.app(scope, receive, guarded)

    def _fault(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "").lower()
        if _name(host) not in self.hosts and not (self.any_address and _is_address(_name(host))):
            return 400, "this server does not answer to that host name"
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") > MAX_TARGET:
            return 414, "too long an address"
        length = headers.get("content-length", "0")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > MAX_BODY:
            return 413, TOO_LARGE
        if scope["method"] in _CHANGING:
            origin = headers.get("origin")
            if origin is not None and urlsplit(origin).netloc.lower() != host:
                return 403, "only this page may make changes"
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "only this page may make changes"
            if headers.get("content-type", "").split(";")[0].strip() != "application/json":
                return 415, "send application/json"
        address = (scope.get("client") or ("",))[0]
        if is_costly(scope["method"], scope["path"], int(length)) and not self._allowance.take(address):
            return 503, TOO_MANY
        return None


def _name(host: str) -> str:
    """A host without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    """Whether a host is a numeric address."""
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class _TooLargeError(Exception):
    """The body exceeds the limit."""


async def _whole_body(receive: Receive) -> Receive:
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


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return guarded
