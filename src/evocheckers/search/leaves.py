"""How a leaf is valued in both searches: from whose point of view, and when its pieces alone settle its value.

``Leaf`` says whose view it is: the searching player's, the side to move's, or Black's. ``ply`` tells the side to move:
it is even where the player moves for whom the root is searched.
"""

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import f32, u32
from evocheckers.networks.registry import evaluate, sum_of_inputs
from evocheckers.networks.search_rules import BLACK_BIT, FIXED_BIT, MOVER_BIT
from evocheckers.rules.bitboard import turn
from evocheckers.search.state import EVALUATIONS_COUNTER, SearchState
from evocheckers.search.values import INFINITY


@inner
def _is_opponents_view(s: SearchState, ply: int) -> bool:
    """Whether a position is valued from the point of view of the side that is not to move."""
    is_odd = (ply & 1) == 1
    if (s.evaluator.flags & BLACK_BIT) != 0:
        return bool(s.root_is_white != is_odd)
    return is_odd and (s.evaluator.flags & MOVER_BIT) == 0


@pasted
def bound_by_pieces(
    s: SearchState, own: u32, opp: u32, kings: u32, ply: int, alpha: f32, beta: f32
) -> tuple[bool, f32]:
    """Whether the inputs alone show that the value lies outside the window, and if so a bound on it."""
    is_outside, bound = False, f32(0)
    least, most = s.margins
    if most < INFINITY:
        total = sum_of_inputs(s.evaluator.kind, s.evaluator.weights, own, opp, kings)
        if _is_opponents_view(s, ply):
            least, most = -most, -least
        if total + most <= alpha:
            is_outside, bound = True, total + most
        elif total + least >= beta:
            is_outside, bound = True, total + least
    return is_outside, bound


@pasted
def evaluate_leaf(s: SearchState, own: u32, opp: u32, kings: u32, ply: int) -> f32:
    """The evaluation for the side to move."""
    s.counters[EVALUATIONS_COUNTER] += 1
    opponents_view = _is_opponents_view(s, ply)
    mover_is_white = s.root_is_white != ((ply & 1) == 1)
    viewer_is_white = mover_is_white != opponents_view
    turned = (s.evaluator.flags & FIXED_BIT) != 0 and viewer_is_white
    if opponents_view:
        own, opp, kings = turn(own, opp, kings)
    value = evaluate(s.evaluator.kind, s.evaluator.weights, s.scratch, own, opp, kings, turned, s.salt)
    return -value if opponents_view else value
