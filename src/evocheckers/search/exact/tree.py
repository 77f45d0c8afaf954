"""The exact search's tree: alpha-beta on an explicit stack, compiled.

The value of a position is defined without reference to the order of search:
    - A side without a legal move has lost; a win is worth ``WIN`` less the plies to it, so sooner is better. Under
      ``Wins.EQUAL`` it is worth ``WIN``.
    - A position whose side to move must jump is extended by two plies, as ``extensions`` says.
    - With no plies left a quiet position is evaluated, from the point of view that ``Leaf`` selects. A position with a
      pending jump is searched until it is quiet, unless the evaluator has no quiescence.

Move ordering, null windows and the transposition table change how fast the value is found, never the value.
"""

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import f32, float_from_bits, offset, u32
from evocheckers.networks.search_rules import EQUAL_WINS_BIT, FREE_BIT, STANDING_BIT
from evocheckers.rules.bitboard import MOVE_WORDS, jumpers, list_jumps, list_steps, list_steps_beside, steppers, turn
from evocheckers.search.exact import table
from evocheckers.search.exact.extensions import after_extension, is_extended
from evocheckers.search.exact.ordering import bring_forward, order_steps, remember_refutation
from evocheckers.search.exact.state import FULL_WINDOW, NULL_WINDOW, PLACES, WIDENED, WINDOW_PLACE, ExactState
from evocheckers.search.leaves import bound_by_pieces, evaluate_leaf
from evocheckers.search.state import (
    ALPHA_NUMBER,
    BEST_CODE_WORD,
    BEST_NUMBER,
    BETA_NUMBER,
    CHILD_DEPTH_PLACE,
    CHILD_EXTENSIONS_PLACE,
    DEPTH_PLACE,
    END_PLACE,
    EXTENSIONS_PLACE,
    FIRST_ALPHA_NUMBER,
    FRAME,
    KINGS_WORD,
    LAST_ROOM,
    LINE,
    MAX_LINE,
    MOVE_PLACE,
    OPP_WORD,
    OWN_WORD,
    is_stopped,
    join_line,
    open_frame,
)
from evocheckers.search.table import AT_LEAST, EXACT, kind_of_bound
from evocheckers.search.values import INFINITY, WIN, just_below

_ZERO = u32(0)


@inner
def _counted_plies(s: ExactState, ply: int) -> int:
    """The plies deducted from the value of a win at ``ply``: none if all wins are equal."""
    return 0 if (s.evaluator.flags & EQUAL_WINS_BIT) != 0 else ply


@pasted
def _leaf_value(s: ExactState, own: u32, opp: u32, kings: u32, ply: int, alpha: f32, beta: f32) -> f32:
    """The evaluation for the side to move, exact within the window.

    Often the inputs alone show that it lies outside. Evaluations are cached.
    """
    is_outside, value = bound_by_pieces(s, own, opp, kings, ply, alpha, beta)
    if is_outside:
        return value
    entry = s.table
    searched = table.what_was_searched(s, table.LEAF_DEPTH, 0, EXACT, ply)
    if s.table_mask >= 0:
        entry = table.entry_of(s, own, opp, kings)
        if table.holds(entry, own, opp, kings) and entry[3] == searched:
            return float_from_bits(entry[5])
    value = evaluate_leaf(s, own, opp, kings, ply)
    if s.table_mask >= 0:
        table.write(entry, own, opp, kings, searched, _ZERO, value, ply)
    return value


@inner
def alpha_beta(
    s: ExactState,
    own: u32,
    opp: u32,
    kings: u32,
    depth: int,
    extensions: int,
    ply: int,
    at: int,
    alpha: f32,
    beta: f32,
) -> f32:
    """The value of a position to its side to move, exact within the window. Moves are listed from word ``at`` on."""
    base = ply
    is_standing, is_free = (s.evaluator.flags & STANDING_BIT) != 0, (s.evaluator.flags & FREE_BIT) != 0
    while True:
        # Enter a position: find its value, or list its moves and go deeper.
        value = f32(0)
        deeper = False
        s.lines[ply * LINE] = _ZERO
        pieces = jumpers(own, opp, kings)
        if (depth <= 0 and (pieces == _ZERO or is_standing)) or ply >= MAX_LINE or at > LAST_ROOM:
            if pieces == _ZERO and steppers(own, opp, kings) == _ZERO:
                value = f32(_counted_plies(s, ply)) - WIN
            else:
                value = _leaf_value(s, own, opp, kings, ply, alpha, beta)
        else:
            if is_stopped(s):
                return f32(0)
            deeper = True
            table_code = _ZERO
            if s.table_mask >= 0 and depth > 0:
                entry = table.entry_of(s, own, opp, kings)
                wanted = table.what_was_searched(s, depth, extensions, EXACT, ply)
                if table.holds(entry, own, opp, kings) and table.is_same_player(entry, wanted):
                    table_code = entry[4]
                    value = table.value_of(entry, _counted_plies(s, ply))
                    # A line that may become the expected play is searched in full, so that it is known to its end.
                    if alpha >= just_below(beta):
                        deeper = not table.answers(entry, wanted, value, alpha, beta)
            if deeper:
                if pieces != _ZERO:
                    end = list_jumps(own, opp, kings, pieces, s.moves, at)
                    if is_free:
                        end = list_steps_beside(own, opp, kings, s.moves, at, end)
                    if table_code != _ZERO:
                        bring_forward(s.moves, at, end, table_code)
                else:
                    end = list_steps(own, opp, kings, s.moves, at)
                    order_steps(s, at, end, ply, table_code)
                if end == at:
                    value = f32(_counted_plies(s, ply)) - WIN
                    deeper = False
                else:
                    open_frame(s, ply, own, opp, kings, s.moves[at + 3], alpha, beta)
                    places = offset(s.places, ply * PLACES)
                    places[DEPTH_PLACE], places[EXTENSIONS_PLACE], places[WINDOW_PLACE] = depth, extensions, FULL_WINDOW
                    if is_extended(s, pieces, end - at, extensions):
                        depth += 2
                        extensions = after_extension(extensions)
                    places[MOVE_PLACE], places[END_PLACE] = at, end
                    places[CHILD_DEPTH_PLACE], places[CHILD_EXTENSIONS_PLACE] = depth - 1, extensions
                    ply += 1
        # Back the value up until some position has a move to try.
        while not deeper:
            if ply == base:
                return value
            words, numbers = offset(s.words, (ply - 1) * FRAME), offset(s.numbers, (ply - 1) * FRAME)
            places = offset(s.places, (ply - 1) * PLACES)
            value = -value
            if places[WINDOW_PLACE] == NULL_WINDOW and numbers[ALPHA_NUMBER] < value < numbers[BETA_NUMBER]:
                places[WINDOW_PLACE] = WIDENED
                break
            if value > numbers[BEST_NUMBER]:
                numbers[BEST_NUMBER] = value
                words[BEST_CODE_WORD] = s.moves[places[MOVE_PLACE] + 3]
                if value > numbers[ALPHA_NUMBER]:
                    numbers[ALPHA_NUMBER] = value
                    if value < numbers[BETA_NUMBER]:
                        join_line(offset(s.lines, (ply - 1) * LINE), words[BEST_CODE_WORD], offset(s.lines, ply * LINE))
            places[MOVE_PLACE] += MOVE_WORDS
            if numbers[BEST_NUMBER] < numbers[BETA_NUMBER] and places[MOVE_PLACE] < places[END_PLACE]:
                break
            ply -= 1
            value = numbers[BEST_NUMBER]
            bound = kind_of_bound(value, numbers[FIRST_ALPHA_NUMBER], numbers[BETA_NUMBER])
            if bound == AT_LEAST:
                remember_refutation(s, words[BEST_CODE_WORD], places[DEPTH_PLACE], ply)
            if s.table_mask >= 0 and places[DEPTH_PLACE] > 0:
                entry = table.entry_of(s, words[OWN_WORD], words[OPP_WORD], words[KINGS_WORD])
                searched = table.what_was_searched(s, places[DEPTH_PLACE], places[EXTENSIONS_PLACE], bound, ply)
                table.write(
                    entry,
                    words[OWN_WORD],
                    words[OPP_WORD],
                    words[KINGS_WORD],
                    searched,
                    words[BEST_CODE_WORD],
                    value,
                    _counted_plies(s, ply),
                )
        # Go to the child that the position at ply - 1 is trying.
        numbers, places = offset(s.numbers, (ply - 1) * FRAME), offset(s.places, (ply - 1) * PLACES)
        move = places[MOVE_PLACE]
        own, opp, kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
        depth, extensions, at = places[CHILD_DEPTH_PLACE], places[CHILD_EXTENSIONS_PLACE], places[END_PLACE]
        alpha, beta = -numbers[BETA_NUMBER], -numbers[ALPHA_NUMBER]
        if places[WINDOW_PLACE] == WIDENED:
            places[WINDOW_PLACE] = FULL_WINDOW
        elif numbers[BEST_NUMBER] > -INFINITY and numbers[ALPHA_NUMBER] > -INFINITY:
            places[WINDOW_PLACE] = NULL_WINDOW
            alpha = just_below(beta)
