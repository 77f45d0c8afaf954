"""What ``worth`` compares: ways to use a game's result, from a single sum of points to every position of the game.

All play at 4 plies without extensions, so that a game costs every system about the same. Settings are the presets'
except for those below. Learners keep one learning rate: no system knows how many games it will get, so every point of a
curve shows what that many games are worth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LIFE = 5
"""Generations between two selections among learners: 2,500 games."""
_LEARNER: dict[str, Any] = {
    "depths": [4],
    "games": [500],
    "changes": [],
    "steps": 60,
    "batch": 4096,
    "rate": 0.002,
    "rate_end": 0.002,
    "trust": 0.0,
    "jitter": 0.02,
    "jitter_end": 0.02,
}
_EIGHT: dict[str, Any] = {**_LEARNER, "learners": 8, "copies": 4, "select_every": 0}
_SELECTED: dict[str, Any] = {"select_every": LIFE}
_SHARED: dict[str, Any] = {"social": 0.5}


@dataclass(frozen=True)
class System:
    """A way to use results."""

    key: str
    """Prefix of its runs' names."""
    name: str
    preset: str
    games: int
    """Games per generation."""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def generation(self, games: int) -> int:
        """The generation after which about ``games`` games have been played."""
        return max(1, round(games / self.games)) if games else 0


SYSTEMS = (
    System("anaconda", "Anaconda", "anaconda", 150, {"extensions": 0}),
    System("c10-rr", "C10-RR", "c10-rr", 870, {"extensions": 0}),
    System("es", "evolution strategy", "es", 300),
    System("one", "one learner", "lamarck", 500, _LEARNER),
    System("own", "eight, own games", "lamarck", 500, _EIGHT),
    System("own-selected", "eight, own games, selection", "lamarck", 500, _EIGHT | _SELECTED),
    System("shared", "eight, shared games", "lamarck", 500, _EIGHT | _SHARED),
    System("shared-selected", "eight, shared games, selection", "lamarck", 500, _EIGHT | _SHARED | _SELECTED),
    System(
        "not-inherited",
        "eight, shared games, selection, not inherited",
        "lamarck",
        500,
        _EIGHT | _SHARED | _SELECTED | {"inherit": False},
    ),
)

_QUICK: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    "anaconda": (20, {"parents": 2, "plies": 2}),
    "c10-rr": (12, {"parents": 2, "plies": 2}),
    "es": (20, {"pairs": 10, "plies": 2}),
    "lamarck": (20, {"depths": [2], "games": [20], "steps": 2, "batch": 256}),
}


def quick(system: System) -> System:
    """The same system with small generations of shallow games."""
    games, settings = _QUICK[system.preset]
    if system.settings.get("select_every"):
        settings = {**settings, "select_every": 2}
    return System(system.key, system.name, system.preset, games, {**system.settings, **settings})
