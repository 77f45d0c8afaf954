"""Random starts: a few random moves from the initial position, kept if both sides have equally many pieces.

They give variety when the same networks meet many times; a start depends on its seed alone.
"""

import numpy as np

from evocheckers.games.openings import openings
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import i64, pointer_to, popcount, reverse_bits, u32, u64
from evocheckers.native.randomness import hashes, integers, key, mix
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, list_moves, turn
from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position
from evocheckers.rules.move import Color

_WHICH, _WHETHER = range(2)


@entry
def _fill_starts(
    own: u32, opp: u32, kings: u32, seed: u64, low: int, high: int, scratch: np.ndarray, out: np.ndarray
) -> None:
    moves = pointer_to(scratch)
    first_own, first_opp, first_kings = own, opp, kings
    for i in range(out.shape[0]):
        attempt = mix(seed, u64(i))
        while True:
            attempt = mix(attempt, u64(0))
            own, opp, kings = first_own, first_opp, first_kings
            plies = low + i64(mix(attempt, u64(1)) % u64(high - low + 1))
            end = list_moves(own, opp, kings, moves, 0)
            ply = 0
            while ply < plies and end > 0:
                at = i64(mix(attempt, u64(ply + 2)) % u64(end // MOVE_WORDS)) * MOVE_WORDS
                own, opp, kings = turn(moves[at], moves[at + 1], moves[at + 2])
                end = list_moves(own, opp, kings, moves, 0)
                ply += 1
            if end > 0 and popcount(own) == popcount(opp):
                break
        if plies & 1:  # White is to move and sees the board turned
            own, opp, kings = reverse_bits(opp), reverse_bits(own), reverse_bits(kings)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = u32(plies & 1), own, opp, kings


def random_starts(seed: int, count: int, least_plies: int, most_plies: int) -> list[Position]:
    """Positions after ``least_plies`` to ``most_plies`` random moves, with equal pieces and a legal move."""
    rows = np.empty((count, 4), np.uint32)
    own, opp, kings = Board().mover_words
    scratch = np.empty(MAX_MOVES * MOVE_WORDS, np.uint32)
    _fill_starts(u32(own), u32(opp), u32(kings), u64(seed), least_plies, most_plies, scratch, rows)
    return [Position(Color(turn), *boards) for turn, *boards in rows.tolist()]


def mixed_starts(seed: int, count: int, share: float, least_plies: int, most_plies: int) -> list[Position]:
    """Start positions: random starts for a ``share`` of the games, two-move ballots for the rest."""
    ballots = openings("two-move")
    found = [ballots[number] for number in integers(key(seed, _WHICH), count, len(ballots)).tolist()]
    chosen = np.flatnonzero(hashes(key(seed, _WHETHER), count) * 2.0**-64 < share).tolist()
    for game, start in zip(chosen, random_starts(seed, len(chosen), least_plies, most_plies), strict=True):
        found[game] = start
    return found
