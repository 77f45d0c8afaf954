"""Where games start: the usual position, the seven first moves, and the 43 two-move ballots of tournament play."""

import functools

from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position

FIRST_MOVES = ("9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16")
BARRED_BALLOTS = ("9-14 21-17", "9-14 23-18", "10-14 21-17", "10-14 23-18", "11-16 23-19", "12-16 23-19")
"""Pairs of first moves that tournaments leave out, since they lose a man."""


NAMES = ("start", "first-moves", "two-move")


@functools.cache
def ballots() -> tuple[str, ...]:
    """The 43 two-move ballots."""
    replies = [str(move) for move in Board().child("11-15").legal_moves()]
    pairs = [f"{first} {reply}" for first in FIRST_MOVES for reply in sorted(replies)]
    return tuple(pair for pair in pairs if pair not in BARRED_BALLOTS)


def opening_lines(name: str) -> tuple[str, ...]:
    """The moves of each opening: ``start`` is one without moves, ``first-moves`` are seven, ``two-move`` are 43."""
    if name == "start":
        return ("",)
    return FIRST_MOVES if name == "first-moves" else ballots()


@functools.cache
def openings(name: str) -> tuple[Position, ...]:
    """The positions after each opening of that name."""
    return tuple(Board().push_all(line.split()).position for line in opening_lines(name))
