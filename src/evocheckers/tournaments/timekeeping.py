"""How the two sides of a match used their time: every move is timed from outside, whichever player makes it.

A move overruns a time limit if it exceeds it by more than 3 ms or 2%, whichever is more. Forced moves do not count:
most players make them at once. On a machine that is busy with other work, moves overrun whatever the search does.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evocheckers.games.game import Effort, PlayedGame
from evocheckers.players.player import Contestant
from evocheckers.tournaments.match import first_color

GRACE_SECONDS, GRACE_SHARE = 0.003, 0.02


@dataclass(frozen=True, slots=True)
class Timekeeping:
    """One side's moves, except forced ones, over a whole match."""

    player: str
    limit_seconds: float | None
    """None for limits in plies or nodes."""
    moves: int
    mean_seconds: float
    overruns: int
    """Moves that exceeded the limit and its grace."""
    late_99_seconds: float | None
    """The 99th percentile of the time over the limit; negative if the limit was kept."""
    latest_seconds: float | None
    """The slowest move's time over the limit."""
    mean_plies: float | None
    """Mean search depth; None if the player does not report it."""

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def keep_time(first: Contestant, second: Contestant, games: Sequence[PlayedGame]) -> list[Timekeeping]:
    """For the first and the second contestant of a match; empty for games played in compiled batches."""
    efforts: tuple[list[Effort], list[Effort]] = ([], [])
    for game in games:
        own = first_color(game)
        mover = game.start.turn if len(game.opening) % 2 == 0 else game.start.turn.opponent
        for effort in game.efforts:
            if not effort.is_forced:
                efforts[mover is not own].append(effort)
            mover = mover.opponent
    return [_summary(first, efforts[0]), _summary(second, efforts[1])] if any(efforts) else []


def _summary(contestant: Contestant, efforts: Sequence[Effort]) -> Timekeeping:
    limit = contestant.limit.seconds if contestant.limit else None
    seconds = np.array([effort.seconds for effort in efforts])
    plies = [effort.plies for effort in efforts if effort.plies is not None]
    overruns, late = 0, None
    if limit is not None and len(seconds):
        late = np.sort(seconds - limit)
        overruns = int(np.count_nonzero(late > max(GRACE_SECONDS, GRACE_SHARE * limit)))
    return Timekeeping(
        player=contestant.name,
        limit_seconds=limit,
        moves=len(seconds),
        mean_seconds=float(seconds.mean()) if len(seconds) else 0.0,
        overruns=overruns,
        late_99_seconds=None if late is None else float(np.percentile(late, 99, method="higher")),
        latest_seconds=None if late is None else float(late[-1]),
        mean_plies=sum(plies) / len(plies) if plies else None,
    )
