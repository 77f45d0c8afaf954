"""Schemes by name: those of this package, and those of other packages.

Another package offers a scheme by an entry point of the group ``evocheckers.schemes`` whose object is a ``Scheme``.
"""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

from evocheckers.errors import EvocheckersError
from evocheckers.evolution import anaconda, es, hill_climbing, lamarck, social
from evocheckers.evolution.scheme import Scheme

GROUP = "evocheckers.schemes"

SCHEMES: Mapping[str, Scheme[Any, Any]] = MappingProxyType(
    {
        scheme.name: scheme
        for scheme in (anaconda.SCHEME, social.SCHEME, hill_climbing.SCHEME, es.SCHEME, lamarck.SCHEME)
    }
)
"""The schemes of this package."""


class SchemeError(EvocheckersError):
    """A scheme that is not available; ``name`` says which."""

    def __init__(self, name: str, fault: str) -> None:
        self.name, self.fault = name, fault
        super().__init__(f"scheme {name!r}: {fault}")


def foreign_schemes() -> dict[str, EntryPoint]:
    """Entry points of other packages by name, not loaded; our own schemes take precedence."""
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in SCHEMES}


def find_scheme(name: str) -> Scheme[Any, Any]:
    """A scheme by name, ours or another package's."""
    if name in SCHEMES:
        return SCHEMES[name]
    point = foreign_schemes().get(name)
    if point is None:
        raise SchemeError(name, "neither this package nor any other that is installed has it")
    try:
        scheme = point.load()
    except Exception as error:  # another package's code can raise anything
        raise SchemeError(name, f"{point.value} cannot be loaded: {error}") from None
    if not isinstance(scheme, Scheme):
        raise SchemeError(name, f"{point.value} is not a Scheme")
    return scheme


def package_of(name: str) -> str:
    """The package that a scheme comes from, with its version; empty for ours."""
    point = foreign_schemes().get(name)
    return f"{point.dist.name} {point.dist.version}" if point is not None and point.dist is not None else ""
