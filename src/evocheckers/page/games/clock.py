"""Clocks. A person's clock runs from the start of their turn, an engine's only while it thinks.

So nobody wins by leaving: a person who closes the page loses time, and an engine that nobody asks loses none. The first
turn of a game is free.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

Now = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that both sides have left."""

    initial: float
    increment: float
    """Added after every move."""
    black: float
    white: float
    since: float | None = None
    """When the person's turn began, in seconds since the epoch; None while no person's time runs."""

    @classmethod
    def of(cls, initial: float, increment: float) -> "Clock":
        """A clock at the start of a game."""
        return cls(initial, increment, initial, initial)

    def left(self, side: str, now: Now = time.time) -> float:
        """Seconds that the person to move has left now."""
        kept = self.black if side == "black" else self.white
        return max(0.0, kept - (0.0 if self.since is None else max(0.0, now() - self.since)))

    def moved(self, side: str, left: float, person_next: bool, now: Now = time.time) -> "Clock":
        """The clock after a move by ``side``, which had ``left`` seconds."""
        since = now() if person_next else None
        kept = left + self.increment
        return replace(self, black=kept, since=since) if side == "black" else replace(self, white=kept, since=since)

    def resumed(self, person_next: bool, now: Now = time.time) -> "Clock":
        """The clock after a move was taken back."""
        return replace(self, since=now() if person_next else None)
