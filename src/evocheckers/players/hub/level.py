"""How far an engine is to search: the ``level`` command."""

import math
from dataclasses import dataclass, replace

from evocheckers.players.hub.protocol import HubError, clean
from evocheckers.players.hub.time_management import RemainingTime
from evocheckers.search.limit import Limit, SearchError
from evocheckers.search.state import MAX_DEPTH_PLIES

UNLIMITED_NODES = 2**62
MAX_MOVES = 1000
"""Most moves in a clock's period."""


@dataclass(frozen=True, slots=True)
class HubLevel:
    """Search limits: plies or nodes, and a time that is never exceeded. With nothing set, search until ``stop``.

    The time is ``seconds`` for this move, or a ``clock`` for many.
    """

    plies: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: RemainingTime | None = None

    @property
    def limit(self) -> Limit:
        """The search's own limit; the caller enforces any limit of time."""
        if self.plies is not None:
            return Limit(plies=self.plies)
        if self.nodes is not None:
            return Limit(nodes=self.nodes)
        return Limit(nodes=UNLIMITED_NODES)


def parse_level(arguments: dict[str, str], earlier: HubLevel | None = None) -> HubLevel:
    """Parse the arguments of ``level``; they add to those of an earlier line."""
    level = earlier or HubLevel()
    if "depth" in arguments:
        plies = min(int(_number(arguments, "depth")), MAX_DEPTH_PLIES)
        level = replace(level, plies=Limit(plies=plies).plies)
    if "nodes" in arguments:
        level = replace(level, nodes=Limit(nodes=int(_number(arguments, "nodes"))).nodes)
    if "move-time" in arguments:
        seconds = Limit(seconds=_number(arguments, "move-time")).seconds
        level = replace(level, seconds=seconds, clock=None)
    elif "time" in arguments:
        level = replace(level, seconds=None, clock=_clock(arguments))
    if level.plies is not None and level.nodes is not None:
        raise SearchError("a level has either a depth or nodes, not both")
    if "infinite" in arguments:
        return HubLevel()
    if level == HubLevel():
        raise HubError("level needs depth=, nodes=, move-time=, time= or infinite")
    return level


def _clock(arguments: dict[str, str]) -> RemainingTime:
    """Time left, increment, and number of moves that it is for; no number, or 0, means the rest of the game."""
    increment = _number(arguments, "inc") if "inc" in arguments else 0.0
    moves = _number(arguments, "moves") if "moves" in arguments else 0.0
    if increment < 0 or not 0 <= moves <= MAX_MOVES or moves != int(moves):
        raise HubError(f"level needs inc= of at least 0 and moves= from 0 to {MAX_MOVES}")
    return RemainingTime(_number(arguments, "time"), increment, int(moves) or None)


def _number(arguments: dict[str, str], name: str) -> float:
    try:
        number = float(arguments[name].encode("ascii"))  # digits of other alphabets do not count
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise HubError(f"{name}={clean(arguments[name], 40)} is not a number")
    return number
