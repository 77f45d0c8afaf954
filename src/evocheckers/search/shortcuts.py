"""How the playing search saves work: moves that are reduced, skipped, or refuted by the table."""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, offset
from evocheckers.rules.bitboard import MOVE_WORDS, turn
from evocheckers.search import buckets
from evocheckers.search.alphabeta import just_below
from evocheckers.search.playing_state import (
    ALPHA_NUMBER,
    BEST_NUMBER,
    BETA_NUMBER,
    CHILD_DEPTH_PLACE,
    DEPTH_PLACE,
    FRAME,
    PLACES,
    QUIET_PLACE,
    PlayingState,
)
from evocheckers.search.selectivity import REDUCTION_DEPTHS, REDUCTION_MOVES
from evocheckers.search.state import DECIDED, INFINITY


@inner
def reduction(s: PlayingState, ply: int, before: int) -> int:
    """The reduction, in plies, of the next move of the position at ``ply``."""
    places, numbers = offset(s.places, ply * PLACES), offset(s.numbers, ply * FRAME)
    if places[QUIET_PLACE] == 0:
        return 0
    depth = min(places[DEPTH_PLACE], REDUCTION_DEPTHS - 1)
    plies = s.reductions[depth * REDUCTION_MOVES + min(before, REDUCTION_MOVES - 1)]
    if numbers[ALPHA_NUMBER] < just_below(numbers[BETA_NUMBER]):
        plies -= s.selectivity.open_reduction
    return max(0, min(plies, places[CHILD_DEPTH_PLACE] - 1))


@inner
def skips_the_rest(s: PlayingState, ply: int, before: int) -> bool:
    """Whether the remaining moves of the position at ``ply`` are too late to be tried."""
    places, numbers = offset(s.places, ply * PLACES), offset(s.numbers, ply * FRAME)
    depth = places[DEPTH_PLACE]
    if depth > s.selectivity.late_plies or places[QUIET_PLACE] == 0 or numbers[BEST_NUMBER] < -DECIDED:
        return False
    if numbers[ALPHA_NUMBER] < just_below(numbers[BETA_NUMBER]) or numbers[BETA_NUMBER] < -DECIDED:
        return False
    return before >= s.selectivity.late_moves << (max(depth, 1) - 1)


@inner
def refuted_by_table(
    s: PlayingState, at: int, end: int, ply: int, depth: int, extensions: int, beta: f32
) -> tuple[int, f32]:
    """The first listed move that reaches ``beta`` according to the table, and its value; -1 if there is none.

    ``depth`` and ``extensions`` are those with which the positions after the moves are searched.
    """
    for move in range(at, end, MOVE_WORDS):
        own, opp, kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
        data = buckets.find(s, buckets.hash_of(s, own, opp, kings, ply + 1))
        if data == buckets.NONE or buckets.bound_in(data) == buckets.AT_LEAST:
            continue
        value = buckets.value_in(data, ply + 1)
        is_exact = s.selectivity.is_exact
        if -value >= beta and buckets.answers(data, depth, extensions, is_exact, value, -beta, INFINITY):
            return move, -value
    return -1, f32(0)
