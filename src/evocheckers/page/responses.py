"""How the page answers: JSON text as a response, and errors with their HTTP status."""

from typing import ClassVar

from fastapi.responses import Response

from evocheckers.errors import EvocheckersError


class PageError(EvocheckersError):
    """A request that the page refuses, with the HTTP status of the refusal. All other errors of input have 422."""

    status: ClassVar[int] = 422


class NotFoundError(PageError):
    """No such game, player, run or puzzle."""

    status = 404


class ConflictError(PageError):
    """A request that does not fit the current state of the game, or of the server."""

    status = 409


class BusyError(PageError):
    """Too much work is waiting, or the server is ending."""

    status = 503


def json_response(text: str | bytes, status: int = 200) -> Response:
    """A response whose content is already JSON."""
    return Response(text, status, media_type="application/json")
