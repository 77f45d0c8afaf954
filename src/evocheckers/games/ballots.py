"""The deck of three-move ballots: the openings of today's tournaments.

These are the 156 that the American Checker Federation plays: its deck of 144 and the twelve added in 2003. Of the 174
three-move openings left without transpositions and immediate losses, 18 stay barred as lost. Two public lists agree on
this deck and its numbering: the one in pydraughts, which a test compares (except for one slip there), and
``three_move_table`` in CheckerBoard (github.com/eygilbert/CheckerBoard), less the openings that it marks as barred.
"""

from collections.abc import Mapping
from types import MappingProxyType

THREE_MOVE: Mapping[str, str] = MappingProxyType(
    {
        "9-13 21-17": "5-9 6-9",
        "9-13 22-17": "13x22",
        "9-13 22-18": "6-9 10-14 10-15 11-15 11-16 12-16",
        "9-13 23-18": "5-9 6-9 10-15 11-15 11-16 12-16",
        "9-13 23-19": "5-9 6-9 10-14 10-15 11-16",
        "9-13 24-19": "5-9 6-9 10-14 11-15 11-16",
        "9-13 24-20": "5-9 6-9 10-14 10-15 11-15 11-16",
        "9-14 22-17": "5-9 6-9 11-15 11-16",
        "9-14 22-18": "5-9 10-15 11-15 11-16",
        "9-14 23-18": "14x23",
        "9-14 23-19": "5-9 11-16 14-18",
        "9-14 24-19": "5-9 11-15 11-16",
        "9-14 24-20": "5-9 10-15 11-15 11-16",
        "10-14 22-17": "7-10 9-13 11-15 11-16 14-18",
        "10-14 22-18": "6-10 7-10 11-15 11-16 12-16",
        "10-14 23-18": "14x23",
        "10-14 23-19": "6-10 7-10 11-15 11-16 14-18",
        "10-14 24-19": "6-10 7-10 11-16 14-18",
        "10-14 24-20": "6-10 7-10 11-15 11-16 14-18",
        "10-15 21-17": "6-10 7-10 9-13 11-16 15-18",
        "10-15 22-17": "6-10 7-10 9-13 11-16 15-19",
        "10-15 22-18": "15x22",
        "10-15 23-18": "6-10 7-10 9-14 11-16 12-16",
        "10-15 23-19": "6-10 7-10 11-16",
        "10-15 24-19": "15x24",
        "10-15 24-20": "6-10 7-10 15-19",
        "11-15 21-17": "8-11 9-13 9-14 15-19",
        "11-15 22-17": "8-11 9-13 15-18 15-19",
        "11-15 22-18": "15x22",
        "11-15 23-18": "8-11 9-14 10-14 12-16 15-19",
        "11-15 23-19": "8-11 9-13 9-14",
        "11-15 24-19": "15x24",
        "11-15 24-20": "8-11 12-16 15-18",
        "11-16 21-17": "7-11 8-11 9-13 9-14 16-20",
        "11-16 22-17": "7-11 8-11 9-13 16-20",
        "11-16 22-18": "7-11 8-11 16-19 16-20",
        "11-16 23-18": "7-11 8-11 9-14 10-14 16-20",
        "11-16 23-19": "16x23",
        "11-16 24-19": "7-11 8-11 16-20",
        "11-16 24-20": "7-11 16-19",
        "12-16 21-17": "9-13 9-14 16-19 16-20",
        "12-16 22-17": "16-19 16-20",
        "12-16 22-18": "16-19 16-20",
        "12-16 23-18": "16-19 16-20",
        "12-16 24-19": "16-20",
        "12-16 24-20": "8-12 10-15",
    }
)
"""For each pair of first moves, the third moves of its ballots."""


def three_move_ballots() -> tuple[str, ...]:
    """The 156 openings, in the federation's order."""
    return tuple(f"{two} {third}" for two, thirds in THREE_MOVE.items() for third in thirds.split())
