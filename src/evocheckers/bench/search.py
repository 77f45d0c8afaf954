"""How deep the selective search looks: plies in a given time on fixed positions, nodes a second, branching factor.

The positions (``positions.txt``) are from games of two of our networks: a quarter each from the early game, two stages
of the middle, and the late game. Each is searched on its own, with empty tables. The depth that a number of nodes
reaches does not depend on the machine. The effective branching factor is the factor by which one more ply multiplies
the nodes: if eight times the nodes give d plies more, it is the d-th root of eight. Searches of the shortest time are
repeated to measure how late they end. Two threads are timed to the depth that one reached.
"""

import functools
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.search.limit import Limit

SECONDS = (0.03, 0.1, 0.25)
NODES = (10_000, 80_000)
PUNCTUAL_ROUNDS = 6
"""Searches of every position for the shortest time, to measure how late they end."""
_PERCENTILE = 99
_NO_LIMIT = 10**12
POSITIONS_FILE = Path(__file__).parent / "positions.txt"


@functools.cache
def search_positions() -> tuple[str, ...]:
    """The fixed positions, as FENs."""
    return tuple(line for line in POSITIONS_FILE.read_text().splitlines() if not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class SearchDepth:
    """What a player's search reached, averaged over positions."""

    player: str
    positions: int
    plies_by_time: tuple[float, ...]
    """In each of ``SECONDS``."""
    plies_by_nodes: tuple[float, ...]
    """In each of ``NODES``."""
    nodes_per_second: float
    """In the longest of ``SECONDS``."""
    legal_moves: float
    late: float
    """Seconds by which a search of the shortest of ``SECONDS`` overran, at the 99th percentile."""
    two_threads: float
    """Time of two threads to a depth, relative to that of one."""

    @property
    def branching_factor(self) -> float:
        """The effective branching factor; infinite if more nodes give no more plies."""
        fewer, more = self.plies_by_nodes
        return float((NODES[1] / NODES[0]) ** (1 / (more - fewer))) if more > fewer else float("inf")

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {**asdict(self), "seconds": SECONDS, "nodes": NODES, "branching_factor": self.branching_factor}


def measure_depth(contestant: Contestant, fens: Sequence[str]) -> Iterator[str | SearchDepth]:
    """Search positions by time and by nodes; yields progress messages, and finally the result."""
    searcher, pair = contestant.searcher(), replace(contestant, threads=2).searcher()
    for one in (searcher, pair):
        one.search(Board(), Limit(nodes=100))  # compile everything before timing
    limits = [*(Limit(seconds=seconds) for seconds in SECONDS), *(Limit(nodes=nodes) for nodes in NODES)]
    plies: dict[Limit, list[int]] = {limit: [] for limit in limits}
    nodes, seconds = 0, 0.0
    late: list[float] = []
    needed = {searcher: 0.0, pair: 0.0}
    for number, fen in enumerate(fens, 1):
        yield f"position {number} of {len(fens)}: {contestant.name}"
        for limit in limits:
            searcher.forget()
            result = searcher.search(Board(fen), limit)
            plies[limit].append(result.depth_plies)
            if limit.seconds == SECONDS[-1]:
                nodes, seconds = nodes + result.nodes, seconds + result.seconds
        for _ in range(PUNCTUAL_ROUNDS):
            searcher.forget()
            late.append(searcher.search(Board(fen), limits[0]).seconds - SECONDS[0])
        for one in needed:
            one.forget()
            to_depth = one.search(Board(fen), Limit(nodes=_NO_LIMIT), last_depth=plies[limits[len(SECONDS) - 1]][-1])
            needed[one] += to_depth.seconds
    means = [statistics.mean(plies[limit]) for limit in limits]
    by_time, by_nodes = tuple(means[: len(SECONDS)]), tuple(means[len(SECONDS) :])
    moves = statistics.mean(len(Board(fen).legal_moves()) for fen in fens)
    name = contestant.name.rpartition("@")[0]  # its own limit is not used
    overrun = max(0.0, float(np.percentile(late, _PERCENTILE)))
    shares = needed[pair] / needed[searcher]
    yield SearchDepth(name, len(fens), by_time, by_nodes, nodes / seconds, moves, overrun, shares)
