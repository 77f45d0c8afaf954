"""Which hosts and origins are answered: requests for other host names, and changes sent by other sites, are refused.

A browser that another site leads here by DNS rebinding names that site as the host. A form or script of another site
names it as the origin, or cannot send JSON without asking first.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

CHANGING_METHODS = ("POST", "PUT", "PATCH", "DELETE")


class HostMiddleware:
    """Refuses requests for other hosts, changes from other origins, and websockets, which the page does not use."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], any_address: bool = False) -> None:
        """``hosts`` are the names that the server answers to.

        ``any_address`` adds all numeric addresses: a DNS rebinding attack always comes with a name.
        """
        self.app = app
        self.hosts = {host.lower() for host in hosts}
        self.any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope)) if scope["type"] == "http" else None
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            status, text = refusal
            await JSONResponse({"detail": text}, status)(scope, receive, send)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """The status and text of a refusal; None for a request that is answered."""
        host = headers.get("host", "").lower()
        name = _without_port(host)
        if name not in self.hosts and not (self.any_address and _is_address(name)):
            return 400, "this server does not answer to that host name"
        if method in CHANGING_METHODS:
            origin = headers.get("origin")
            if origin is not None and urlsplit(origin).netloc.lower() != host:
                return 403, "only this page may make changes"
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "only this page may make changes"
            if headers.get("content-type", "").split(";")[0].strip() != "application/json":
                return 415, "send application/json"
        return None


def _without_port(host: str) -> str:
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
