"""How far a search goes: to a depth in plies, for a time, or through a number of nodes."""

from dataclasses import dataclass
from numbers import Real

from evocheckers.errors import EvocheckersError, whole_number
from evocheckers.search.state import MAX_DEPTH_PLIES


class SearchError(EvocheckersError):
    """An impossible search: a bad limit, or no move to choose from."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Search limit: exactly one of plies, seconds or nodes."""

    plies: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if sum(part is not None for part in (self.plies, self.seconds, self.nodes)) != 1:
            raise SearchError("give exactly one of plies, seconds or nodes")
        for name, most in (("plies", MAX_DEPTH_PLIES), ("nodes", 2**62)):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name), 1, most, SearchError)
        if self.seconds is not None and not isinstance(self.seconds, Real):
            raise SearchError(f"seconds = {self.seconds!r:.60}: must be a number")
        if self.seconds is not None and not 0 < self.seconds <= 86_400:
            raise SearchError(f"a limit of {self.seconds:g} seconds is not between 0 and a day")

    def __str__(self) -> str:
        if self.plies is not None:
            return f"{self.plies} plies"
        return f"{self.seconds:g} s" if self.seconds is not None else f"{self.nodes} nodes"
