"""Where games start: the usual position, the seven first moves, and the 43 two-move ballots of tournament play."""

import functools

from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position

FIRST_MOVES = ("9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16")
BARRED_BALLOTS = ("9-14 21-17", "9-14 23-18", "10-14 21-17", "10-14 23-18", "11-16 23-19", "12-16 23-19")
"""Pairs of first moves that tournaments leave out, since they lose a man."""


@functools.cache
def first_move_openings() -> tuple[Position, ...]:
    """The positions after each first move."""
    return tuple(Board().child(move).position for move in FIRST_MOVES)


@functools.cache
def ballots() -> tuple[str, ...]:
    """The 43 two-move ballots."""
    replies = [str(move) for move in Board().child("11-15").legal_moves()]
    pairs = [f"{first} {reply}" for first in FIRST_MOVES for reply in sorted(replies)]
    return tuple(pair for pair in pairs if pair not in BARRED_BALLOTS)


@functools.cache
def two_move_openings() -> tuple[Position, ...]:
    """The positions after each ballot."""
    return tuple(Board().push_all(ballot.split()).position for ballot in ballots())


def openings(name: str) -> tuple[Position, ...]:
    """``start``, ``first-moves`` or ``two-move``."""
    if name == "start":
        return (START,)
    return first_move_openings() if name == "first-moves" else two_move_openings()
