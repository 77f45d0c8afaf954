"""How far an engine shall think: the ``level`` command."""

import math
from dataclasses import dataclass, replace

from evocheckers.hub.protocol import HubError, clean
from evocheckers.search.searcher import Limit, SearchError
from evocheckers.search.state import MAX_DEPTH_PLIES

MOVES_TO_GO = 20
"""With a clock, a move gets this part of the time left."""
LEAST_SECONDS = 0.01
MOST_SECONDS = 86_400.0
UNLIMITED_NODES = 2**62


@dataclass(frozen=True, slots=True)
class Level:
    """How far to think: plies or nodes, and never longer than some time. With nothing set, until told to stop."""

    plies: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    @property
    def limit(self) -> Limit:
        """The search's own limit; ``seconds`` beside plies or nodes are the caller's to keep."""
        if self.plies is not None:
            return Limit(plies=self.plies)
        if self.nodes is not None:
            return Limit(nodes=self.nodes)
        return Limit(nodes=UNLIMITED_NODES)


def parse_level(arguments: dict[str, str], earlier: Level | None = None) -> Level:
    """Read the arguments of ``level``; they add to what an earlier line said."""
    level = earlier or Level()
    if "depth" in arguments:
        plies = min(int(_number(arguments, "depth")), MAX_DEPTH_PLIES)
        level = replace(level, plies=Limit(plies=plies).plies)
    if "nodes" in arguments:
        level = replace(level, nodes=Limit(nodes=int(_number(arguments, "nodes"))).nodes)
    if "move-time" in arguments:
        level = replace(level, seconds=Limit(seconds=_number(arguments, "move-time")).seconds)
    elif "time" in arguments:
        increment = _number(arguments, "inc") if "inc" in arguments else 0.0
        seconds = _number(arguments, "time") / MOVES_TO_GO + increment
        level = replace(level, seconds=min(max(seconds, LEAST_SECONDS), MOST_SECONDS))
    if level.plies is not None and level.nodes is not None:
        raise SearchError("a level has either a depth or nodes, not both")
    if "infinite" in arguments:
        return Level()
    if level == Level():
        raise HubError("level wants depth=, nodes=, move-time=, time= or infinite")
    return level


def _number(arguments: dict[str, str], name: str) -> float:
    try:
        number = float(arguments[name].encode("ascii"))  # other alphabets' digits are none
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise HubError(f"{name}={clean(arguments[name], 40)} is no number")
    return number
