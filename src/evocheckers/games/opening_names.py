"""Traditional names of openings, as players have used them for a century and more.

Most are Scottish places, people and songs of the nineteenth century. A name belongs to a position, so it also applies
to the same moves in another order; a game is named after the last such position that it reached. First moves without a
name of their own, such as 11-15, are not listed.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "9-13": "Edinburgh",
        "9-13 22-18": "Edinburgh Single",
        "9-14": "Double Corner",
        "10-14": "Denny",
        "10-15": "Kelso",
        "10-15 23-18": "Kelso Cross",
        "11-16": "Bristol",
        "11-16 23-18": "Bristol Cross",
        "11-16 24-19": "Paisley",
        "12-16": "Dundee",
        "11-15 21-17": "Switcher",
        "11-15 22-18": "Single Corner",
        "11-15 23-18": "Cross",
        "11-15 23-18 8-11 18-14": "Waterloo",
        "11-15 24-19": "Second Double Corner",
        "11-15 24-20": "Ayrshire Lassie",
        "11-15 22-17 15-19": "Dyke",
        "11-15 22-17 8-11 17-13 15-18": "Maid of the Mill",
        "11-15 22-17 8-11 17-13 4-8 25-22": "Douglas",
        "11-15 22-17 8-11 25-22": "Pioneer",
        "11-15 22-17 9-13 17-14": "Boston",
        "11-15 22-17 9-13 24-20": "Wagram",
        "11-15 23-19 7-11": "Whilter",
        "11-15 23-19 8-11 22-17 3-8": "Alma",
        "11-15 23-19 8-11 22-17 4-8": "Old Fourteenth",
        "11-15 23-19 8-11 22-17 9-13": "Laird and Lady",
        "11-15 23-19 8-11 22-17 9-13 17-14 10x17 19x10 7x14": "Black Doctor",
        "11-15 23-19 8-11 22-17 11-16": "Glasgow",
        "11-15 23-19 8-11 22-17 15-18": "Centre",
        "11-15 23-19 8-11 26-23": "Nailor",
        "11-15 23-19 9-13": "Will o' the Wisp",
        "11-15 23-19 9-14 22-17 5-9": "Fife",
        "11-15 23-19 9-14 22-17 6-9": "Souter",
        "11-15 23-19 9-14 22-17 7-11": "Whilter",
        "11-15 23-19 9-14 27-23": "Defiance",
    }
)
"""The moves that form an opening, and its name."""


def opening_name(position: Position) -> str:
    """The name of the opening that has just been formed; empty if none.

    >>> opening_name(Board().push_all(["11-15", "22-17", "8-11", "23-19", "4-8"]).position)
    'Old Fourteenth'
    """
    return _by_position().get(position, "")


@cache
def _by_position() -> dict[Position, str]:
    return {Board().push_all(moves.split()).position: name for moves, name in NAMES.items()}
