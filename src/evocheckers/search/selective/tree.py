"""The playing search's tree: principal variation search on an explicit stack, compiled.

The value of a position is defined as in the exact search (``alphabeta``), and ``FULL_WIDTH`` finds exactly that value.
Otherwise late quiet moves are searched less deeply, or not at all near the leaves; positions that are far ahead are cut
off early; table entries of deeper searches are also used; and a position that has occurred before is a draw. So a value
depends on what was searched before, but a forced win or loss is real: nothing is skipped while all moves so far lose.

How the playing search saves work: moves that are reduced, skipped, or refuted by the table.
"""

from evocheckers.native.clock import nanoseconds
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, i64, offset, u32
from evocheckers.networks.search_rules import STANDING_BIT
from evocheckers.rules.bitboard import (
    CAPTURE_BIT,
    MAX_MOVES,
    MOVE_WORDS,
    jumpers,
    list_jumps,
    list_steps,
    steppers,
    turn,
)
from evocheckers.search.exact.tree import just_below
from evocheckers.search.selective import table as buckets
from evocheckers.search.selective.leaves import EXACT, UNKNOWN, WINNER, in_database, is_repeated, leaf_value
from evocheckers.search.selective.ordering import order_moves, remember_refutation
from evocheckers.search.selective.selectivity import REDUCTION_DEPTHS, REDUCTION_MOVES
from evocheckers.search.selective.state import (
    ALPHA_NUMBER,
    BEST_CODE_WORD,
    BEST_NUMBER,
    BETA_NUMBER,
    CHILD_DEPTH_PLACE,
    CHILD_EXTENSIONS_PLACE,
    DEPTH_PLACE,
    EMPTY,
    END_PLACE,
    EXTENSIONS_PLACE,
    FIRST_ALPHA_NUMBER,
    FIRST_PLACE,
    FRAME,
    KINGS_WORD,
    MOVE_PLACE,
    NEXT,
    OPEN,
    OPP_WORD,
    OWN_WORD,
    PLACES,
    PLAYED_WORD,
    PROBE,
    QUIET_PLACE,
    REDUCED,
    REPEATS_PLACE,
    RETRIED,
    REVERSIBLE_PLACE,
    STAGE_PLACE,
    WIDENED,
    PlayingState,
)
from evocheckers.search.shared import (
    CLOCK_COUNTER,
    DEADLINE_COUNTER,
    DECIDED,
    HEEDED_LIMIT_COUNTER,
    IGNORED_STOP_COUNTER,
    INFINITY,
    KNOWN_LEAST,
    LINE,
    MAX_LINE,
    MOVE_NOW,
    MOVE_ROOM,
    NODES_COUNTER,
    STOPPED_COUNTER,
    WIN,
    extend_line,
)


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


_LAST_ROOM = (MOVE_ROOM - MAX_MOVES) * MOVE_WORDS
_ZERO = u32(0)
_CLOCK_NODES = 256
"""The clock is read once per this many positions: every tenth of a millisecond or so."""


@inner
def _is_late(s: PlayingState) -> bool:
    deadline = s.counters[DEADLINE_COUNTER]
    return deadline != 0 and nanoseconds(offset(s.counters, CLOCK_COUNTER)) >= deadline


@inner
def is_stopped(s: PlayingState) -> bool:
    """Count a position and check whether the search must stop."""
    s.counters[NODES_COUNTER] += 1
    if s.counters[NODES_COUNTER] % _CLOCK_NODES == 0 and _is_late(s):
        s.stop[0] = max(s.stop[0], i64(MOVE_NOW))
    too_many = s.counters[NODES_COUNTER] > s.counters[HEEDED_LIMIT_COUNTER]
    if too_many or s.stop[0] > s.counters[IGNORED_STOP_COUNTER]:
        s.counters[STOPPED_COUNTER] = 1
        return True
    return False


@inner
def come_to_child(s: PlayingState, own_kings: u32, move: int, ply: int, reversible: int) -> None:
    """Record how the position at ``ply`` is reached: by the listed ``move`` of a side with these kings."""
    code = s.moves[move + 3]
    is_reversible = (code & CAPTURE_BIT) == _ZERO and ((own_kings >> u32(code & u32(31))) & u32(1)) != _ZERO
    s.words[ply * FRAME + PLAYED_WORD] = code
    s.places[ply * PLACES + REVERSIBLE_PLACE] = reversible + 1 if is_reversible else 0


@inner
def play_tree(
    s: PlayingState,
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
    """The value of a position to its side to move, exact within the window. Moves are listed from word ``at`` on.

    ``come_to_child`` must have been called for it.
    """
    base = ply
    is_standing = (s.evaluator.flags & STANDING_BIT) != 0
    while True:
        # Enter a position: find its value, or list its moves and go deeper.
        value = f32(0)
        deeper = False
        repeats = 0
        s.lines[ply * LINE] = _ZERO
        pieces = jumpers(own, opp, kings)
        is_quiet = pieces == _ZERO
        key = buckets.hash_of(s, own, opp, kings, ply)
        s.path[s.path_start + ply] = key
        reversible = s.places[ply * PLACES + REVERSIBLE_PLACE]
        told, known_value = UNKNOWN, f32(0)
        if s.endgames.distances_pieces > 0:
            told, known_value = in_database(s, own, opp, kings, ply)
        settles = told == EXACT or (
            told == WINNER and (beta <= KNOWN_LEAST if known_value > f32(0) else alpha >= -KNOWN_LEAST)
        )
        if s.repetition and reversible >= 4 and is_repeated(s, key, ply, reversible):
            repeats = 1
        elif settles:
            value = known_value if told == EXACT else (KNOWN_LEAST if known_value > f32(0) else -KNOWN_LEAST)
        elif (depth <= 0 and (is_quiet or is_standing)) or ply >= MAX_LINE or at > _LAST_ROOM:
            if is_quiet and steppers(own, opp, kings) == _ZERO:
                value = f32(ply) - WIN
            else:
                value = known_value + leaf_value(s, own, opp, kings, key, ply, alpha - known_value, beta - known_value)
        else:
            if is_stopped(s):
                return f32(0)
            deeper = True
            known = _ZERO
            is_open = alpha < just_below(beta)
            if depth > 0:
                data = buckets.find(s, key)
                if data != buckets.NONE:
                    known = buckets.code_in(data)
                    value = buckets.value_in(data, ply)
                    # A line that may become the expected play is searched in full, so that it is known to its end.
                    if not is_open:
                        is_exact = s.selectivity.is_exact
                        deeper = not buckets.answers(data, depth, extensions, is_exact, value, alpha, beta)
            is_plain = not is_open and is_quiet and told == UNKNOWN and s.man > f32(0) and abs(beta) < DECIDED
            if deeper and is_plain and 0 < depth <= s.selectivity.futile_plies:
                ahead = beta + s.man * f32(s.selectivity.futile_margin) * f32(depth)
                value = leaf_value(s, own, opp, kings, key, ply, just_below(ahead), ahead)
                deeper = bool(value < ahead) or steppers(own, opp, kings) == _ZERO
            if deeper:
                if is_quiet:
                    end = list_steps(own, opp, kings, s.moves, at)
                else:
                    end = list_jumps(own, opp, kings, pieces, s.moves, at)
                order_moves(s, at, end, ply, known, is_quiet)
                if end == at:
                    value = f32(ply) - WIN
                    deeper = False
                else:
                    words, numbers = offset(s.words, ply * FRAME), offset(s.numbers, ply * FRAME)
                    places = offset(s.places, ply * PLACES)
                    words[OWN_WORD], words[OPP_WORD], words[KINGS_WORD] = own, opp, kings
                    words[BEST_CODE_WORD] = s.moves[at + 3]
                    numbers[ALPHA_NUMBER], numbers[BETA_NUMBER] = alpha, beta
                    numbers[BEST_NUMBER], numbers[FIRST_ALPHA_NUMBER] = -INFINITY, alpha
                    places[DEPTH_PLACE], places[EXTENSIONS_PLACE] = depth, extensions
                    places[FIRST_PLACE], places[MOVE_PLACE], places[END_PLACE] = at, at, end
                    places[QUIET_PLACE], places[REPEATS_PLACE] = i64(is_quiet), 0
                    places[STAGE_PLACE] = NEXT
                    if is_plain and depth >= s.selectivity.probe_plies > 0:
                        places[STAGE_PLACE] = PROBE
                    if extensions > 0:
                        if not is_quiet:
                            depth += s.selectivity.jump_plies
                            extensions -= 1
                        elif end == at + MOVE_WORDS and s.selectivity.reply_plies > 0:
                            depth += s.selectivity.reply_plies
                            extensions -= 1
                    places[CHILD_DEPTH_PLACE], places[CHILD_EXTENSIONS_PLACE] = depth - 1, extensions
                    if not is_open and places[DEPTH_PLACE] >= s.selectivity.glance_plies > 0:
                        move, refutation = refuted_by_table(s, at, end, ply, depth - 1, extensions, beta)
                        if move >= 0:
                            value = refutation
                            deeper = False
                    if deeper:
                        ply += 1
        # Back the value up until some position has a move to try.
        while not deeper:
            if ply == base:
                return value
            words, numbers = offset(s.words, (ply - 1) * FRAME), offset(s.numbers, (ply - 1) * FRAME)
            places = offset(s.places, (ply - 1) * PLACES)
            value = -value
            stage = places[STAGE_PLACE]
            if stage == PROBE:
                margin = s.man * f32(s.selectivity.probe_margin)
                if value >= numbers[BETA_NUMBER] + margin:
                    numbers[BEST_NUMBER] = max(value - margin, numbers[BETA_NUMBER])
                    words[BEST_CODE_WORD] = s.moves[places[MOVE_PLACE] + 3]
                else:
                    places[MOVE_PLACE] += MOVE_WORDS
                    if places[MOVE_PLACE] == places[END_PLACE]:
                        places[STAGE_PLACE], places[MOVE_PLACE] = NEXT, places[FIRST_PLACE]
                    break
            else:
                if stage == REDUCED and value > numbers[ALPHA_NUMBER]:
                    places[STAGE_PLACE] = RETRIED
                    break
                if stage == EMPTY and numbers[ALPHA_NUMBER] < value < numbers[BETA_NUMBER]:
                    places[STAGE_PLACE] = WIDENED
                    break
                if value > numbers[BEST_NUMBER]:
                    numbers[BEST_NUMBER] = value
                    words[BEST_CODE_WORD] = s.moves[places[MOVE_PLACE] + 3]
                    places[REPEATS_PLACE] = repeats
                    if value > numbers[ALPHA_NUMBER]:
                        numbers[ALPHA_NUMBER] = value
                        if value < numbers[BETA_NUMBER]:
                            extend_line(s, ply - 1, words[BEST_CODE_WORD])
                if numbers[BEST_NUMBER] < numbers[BETA_NUMBER]:
                    places[STAGE_PLACE] = NEXT
                    places[MOVE_PLACE] += MOVE_WORDS
                    before = (places[MOVE_PLACE] - places[FIRST_PLACE]) // MOVE_WORDS
                    if places[MOVE_PLACE] < places[END_PLACE] and not skips_the_rest(s, ply - 1, before):
                        break
            ply -= 1
            value = numbers[BEST_NUMBER]
            repeats = places[REPEATS_PLACE]
            bound = buckets.EXACT
            if value >= numbers[BETA_NUMBER]:
                bound = buckets.AT_LEAST
                remember_refutation(s, places[FIRST_PLACE], places[MOVE_PLACE], places[DEPTH_PLACE], ply)
            elif value <= numbers[FIRST_ALPHA_NUMBER]:
                bound = buckets.AT_MOST
            if places[DEPTH_PLACE] > 0 and repeats == 0:
                code = words[BEST_CODE_WORD] if bound != buckets.AT_MOST else _ZERO
                buckets.keep(
                    s,
                    s.path[s.path_start + ply],
                    places[DEPTH_PLACE],
                    places[EXTENSIONS_PLACE],
                    bound,
                    code,
                    value,
                    ply,
                )
        # Go to the child that the position at ply - 1 is trying.
        words, numbers = offset(s.words, (ply - 1) * FRAME), offset(s.numbers, (ply - 1) * FRAME)
        places = offset(s.places, (ply - 1) * PLACES)
        move = places[MOVE_PLACE]
        own_kings = u32(words[OWN_WORD] & words[KINGS_WORD])
        come_to_child(s, own_kings, move, ply, places[REVERSIBLE_PLACE])
        own, opp, kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
        depth, extensions, at = places[CHILD_DEPTH_PLACE], places[CHILD_EXTENSIONS_PLACE], places[END_PLACE]
        alpha, beta = -numbers[BETA_NUMBER], -numbers[ALPHA_NUMBER]
        stage = places[STAGE_PLACE]
        if stage == PROBE:
            alpha = -(numbers[BETA_NUMBER] + s.man * f32(s.selectivity.probe_margin))
            beta = -just_below(-alpha)
            depth = max(depth - s.selectivity.probe_reduction, 0)
        elif stage == WIDENED:
            places[STAGE_PLACE] = OPEN
        elif numbers[BEST_NUMBER] > -INFINITY and numbers[ALPHA_NUMBER] > -INFINITY:
            alpha = just_below(beta)
            places[STAGE_PLACE] = EMPTY
            if stage == NEXT:
                plies = reduction(s, ply - 1, (move - places[FIRST_PLACE]) // MOVE_WORDS)
                if plies > 0:
                    places[STAGE_PLACE] = REDUCED
                    depth -= plies
        else:
            places[STAGE_PLACE] = OPEN
