"""Opponents by name, with their ratings from a tournament among themselves.

``levels.json`` is the output of ``evocheckers tournament`` for nine players; ``docs/page.md`` has the command. As in
every tournament, the mean of the ratings is 1600: a choice, not a measurement.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evocheckers.page.games.models import LevelModel

RATINGS = Path(__file__).parent / "levels.json"


@dataclass(frozen=True, slots=True)
class Level:
    """A player with its limit, under a name; ``rated_as`` is the player that stood in for it in the tournament."""

    name: str
    player: str
    limit: str
    rated_as: str
    note: str


LEVELS = (
    Level("First steps", "random", "1", "random", "moves at random"),
    Level("Beginner", "material", "1", "material@1", "counts pieces, looks at its own move"),
    Level("Casual", "material", "2", "material@2", "counts pieces, sees your reply"),
    Level("Pupil", "champion", "1", "champion@1", "a learnt eye, no look ahead"),
    Level("Club", "champion", "2", "champion@2", "sees your reply"),
    Level("Strong", "champion", "4", "champion@4", "sees two moves of each side"),
    Level("Expert", "champion", "8", "champion@8", "sees four moves of each side"),
    Level("Champion", "champion", "1s", "champion@10", "thinks for a second"),
)


@cache
def _ratings() -> dict[str, float]:
    """Ratings by player."""
    return {row["player"]: row["rating"] for row in json.loads(RATINGS.read_text())["ratings"]}


@cache
def level_models() -> tuple[LevelModel, ...]:
    """The levels for the page, weakest first."""
    return tuple(
        LevelModel(
            name=level.name,
            player=level.player,
            limit=level.limit,
            rating=round(_ratings()[level.rated_as]),
            note=level.note,
        )
        for level in LEVELS
    )


def level_of(player: str, limit: str) -> LevelModel | None:
    """The level that matches a seat, if any; the limit is ignored for random moves."""
    fits = (one for one in level_models() if one.player == player and (one.limit == limit or player == "random"))
    return next(fits, None)
