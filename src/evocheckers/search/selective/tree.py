"""The selective search's tree: principal variation search on an explicit stack, compiled.

The value of a position is defined as in ``exact.tree``, and with ``UNSELECTIVE`` exactly that value is found. Otherwise
    - late quiet moves are searched less deeply, or not at all near the leaves;
    - positions that are far ahead are cut off early, near the leaves by their evaluation (futility), further up by a
      shallow search (ProbCut);
    - table entries of deeper searches are also used, and a move may be refuted by the table before any is searched;
    - a line is extended by ``Selectivity.jump_plies`` and ``reply_plies``;
    - a position that has occurred before is a draw, and databases are asked.

So a value depends on what was searched before, but a forced win or loss is real: nothing is skipped while all moves so
far lose.
"""

from evocheckers.native.clock import nanoseconds
from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import f32, i64, offset, u32
from evocheckers.networks.search_rules import STANDING_BIT
from evocheckers.rules.bitboard import CAPTURE_BIT, MOVE_WORDS, jumpers, list_jumps, list_steps, steppers, turn
from evocheckers.search.selective import table
from evocheckers.search.selective.leaves import UNKNOWN, VALUE, WINNER, in_database, is_repeated, leaf_value
from evocheckers.search.selective.ordering import order_moves, remember_refutation
from evocheckers.search.selective.selectivity import REDUCTION_DEPTHS, REDUCTION_MOVES
from evocheckers.search.selective.state import (
    FIRST_PLACE,
    FULL_WINDOW,
    NEXT,
    NULL_WINDOW,
    PLACES,
    PLAYED_WORD,
    PROBCUT,
    QUIET_PLACE,
    REDUCED,
    REPEATS_PLACE,
    RETRIED,
    REVERSIBLE_PLACE,
    STAGE_PLACE,
    WIDENED,
    SelectiveState,
)
from evocheckers.search.state import (
    ALPHA_NUMBER,
    BEST_CODE_WORD,
    BEST_NUMBER,
    BETA_NUMBER,
    CHILD_DEPTH_PLACE,
    CHILD_EXTENSIONS_PLACE,
    CLOCK_COUNTER,
    DEADLINE_COUNTER,
    DEPTH_PLACE,
    END_PLACE,
    EXTENSIONS_PLACE,
    FIRST_ALPHA_NUMBER,
    FRAME,
    KINGS_WORD,
    LAST_ROOM,
    LINE,
    MAX_LINE,
    MOVE_NOW,
    MOVE_PLACE,
    NODES_COUNTER,
    OWN_WORD,
    is_stopped,
    join_line,
    open_frame,
)
from evocheckers.search.table import AT_LEAST, AT_MOST, kind_of_bound
from evocheckers.search.values import DECIDED, INFINITY, KNOWN_LEAST, WIN, just_below

_ZERO = u32(0)
_CLOCK_NODES = 256
"""The clock is read once per this many positions: every tenth of a millisecond or so."""


@inner
def _reduction(s: SelectiveState, ply: int, before: int) -> int:
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
def _skips_late_moves(s: SelectiveState, ply: int, before: int) -> bool:
    """Whether the remaining moves of the position at ``ply`` are too late to be tried."""
    places, numbers = offset(s.places, ply * PLACES), offset(s.numbers, ply * FRAME)
    depth = places[DEPTH_PLACE]
    if depth > s.selectivity.late_plies or places[QUIET_PLACE] == 0 or numbers[BEST_NUMBER] < -DECIDED:
        return False
    if numbers[ALPHA_NUMBER] < just_below(numbers[BETA_NUMBER]) or numbers[BETA_NUMBER] < -DECIDED:
        return False
    return before >= s.selectivity.late_moves << (max(depth, 1) - 1)


@inner
def _refutation_in_table(
    s: SelectiveState, at: int, end: int, ply: int, depth: int, extensions: int, beta: f32
) -> tuple[int, f32]:
    """The first listed move that reaches ``beta`` according to the table, and its value; -1 if there is none.

    ``depth`` and ``extensions`` are those with which the positions after the moves are searched.
    """
    for move in range(at, end, MOVE_WORDS):
        own, opp, kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
        data = table.find(s, table.hash_of(s, own, opp, kings, ply + 1))
        if data == table.NONE or table.bound_in(data) == AT_LEAST:
            continue
        value = table.value_in(data, ply + 1)
        is_exact = s.selectivity.is_exact
        if -value >= beta and table.answers(data, depth, extensions, is_exact, value, -beta, INFINITY):
            return move, -value
    return -1, f32(0)


@inner
def _watch_clock(s: SelectiveState) -> None:
    """End the search if its deadline has passed; looks at the clock only now and then."""
    deadline = s.counters[DEADLINE_COUNTER]
    if deadline == 0 or (s.counters[NODES_COUNTER] + 1) % _CLOCK_NODES != 0:
        return
    if nanoseconds(offset(s.counters, CLOCK_COUNTER)) >= deadline:
        s.stop[0] = max(s.stop[0], i64(MOVE_NOW))


@inner
def record_move(s: SelectiveState, own_kings: u32, move: int, ply: int, reversible: int) -> None:
    """Record how the position at ``ply`` is reached: by the listed ``move`` of a side with these kings."""
    code = s.moves[move + 3]
    is_reversible = (code & CAPTURE_BIT) == _ZERO and ((own_kings >> u32(code & u32(31))) & u32(1)) != _ZERO
    s.words[ply * FRAME + PLAYED_WORD] = code
    s.places[ply * PLACES + REVERSIBLE_PLACE] = reversible + 1 if is_reversible else 0


@inner
def selective_alpha_beta(
    s: SelectiveState,
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

    ``record_move`` must have been called for it.
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
        key = table.hash_of(s, own, opp, kings, ply)
        s.path[s.path_start + ply] = key
        reversible = s.places[ply * PLACES + REVERSIBLE_PLACE]
        verdict, known_value = UNKNOWN, f32(0)
        if s.endgames.distances_pieces > 0:
            verdict, known_value = in_database(s, own, opp, kings, ply)
        settles = verdict == VALUE or (
            verdict == WINNER and (beta <= KNOWN_LEAST if known_value > f32(0) else alpha >= -KNOWN_LEAST)
        )
        if s.repetition and reversible >= 4 and is_repeated(s, key, ply, reversible):
            repeats = 1
        elif settles:
            value = known_value if verdict == VALUE else (KNOWN_LEAST if known_value > f32(0) else -KNOWN_LEAST)
        elif (depth <= 0 and (is_quiet or is_standing)) or ply >= MAX_LINE or at > LAST_ROOM:
            if is_quiet and steppers(own, opp, kings) == _ZERO:
                value = f32(ply) - WIN
            else:
                value = known_value + leaf_value(s, own, opp, kings, key, ply, alpha - known_value, beta - known_value)
        else:
            _watch_clock(s)
            if is_stopped(s):
                return f32(0)
            deeper = True
            table_code = _ZERO
            is_open = alpha < just_below(beta)
            if depth > 0:
                data = table.find(s, key)
                if data != table.NONE:
                    table_code = table.code_in(data)
                    value = table.value_in(data, ply)
                    # A line that may become the expected play is searched in full, so that it is known to its end.
                    if not is_open:
                        is_exact = s.selectivity.is_exact
                        deeper = not table.answers(data, depth, extensions, is_exact, value, alpha, beta)
            is_plain = not is_open and is_quiet and verdict == UNKNOWN and s.man > f32(0) and abs(beta) < DECIDED
            if deeper and is_plain and 0 < depth <= s.selectivity.futility_plies:
                ahead = beta + s.man * f32(s.selectivity.futility_margin) * f32(depth)
                value = leaf_value(s, own, opp, kings, key, ply, just_below(ahead), ahead)
                deeper = bool(value < ahead) or steppers(own, opp, kings) == _ZERO
            if deeper:
                if is_quiet:
                    end = list_steps(own, opp, kings, s.moves, at)
                else:
                    end = list_jumps(own, opp, kings, pieces, s.moves, at)
                order_moves(s, at, end, ply, table_code, is_quiet)
                if end == at:
                    value = f32(ply) - WIN
                    deeper = False
                else:
                    open_frame(s, ply, own, opp, kings, s.moves[at + 3], alpha, beta)
                    places = offset(s.places, ply * PLACES)
                    places[DEPTH_PLACE], places[EXTENSIONS_PLACE] = depth, extensions
                    places[FIRST_PLACE], places[MOVE_PLACE], places[END_PLACE] = at, at, end
                    places[QUIET_PLACE], places[REPEATS_PLACE] = i64(is_quiet), 0
                    places[STAGE_PLACE] = NEXT
                    if is_plain and depth >= s.selectivity.probcut_plies > 0:
                        places[STAGE_PLACE] = PROBCUT
                    if extensions > 0:
                        if not is_quiet:
                            depth += s.selectivity.jump_plies
                            extensions -= 1
                        elif end == at + MOVE_WORDS and s.selectivity.reply_plies > 0:
                            depth += s.selectivity.reply_plies
                            extensions -= 1
                    places[CHILD_DEPTH_PLACE], places[CHILD_EXTENSIONS_PLACE] = depth - 1, extensions
                    if not is_open and places[DEPTH_PLACE] >= s.selectivity.table_cutoff_plies > 0:
                        move, refutation = _refutation_in_table(s, at, end, ply, depth - 1, extensions, beta)
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
            if stage == PROBCUT:
                margin = s.man * f32(s.selectivity.probcut_margin)
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
                if stage == NULL_WINDOW and numbers[ALPHA_NUMBER] < value < numbers[BETA_NUMBER]:
                    places[STAGE_PLACE] = WIDENED
                    break
                if value > numbers[BEST_NUMBER]:
                    numbers[BEST_NUMBER] = value
                    words[BEST_CODE_WORD] = s.moves[places[MOVE_PLACE] + 3]
                    places[REPEATS_PLACE] = repeats
                    if value > numbers[ALPHA_NUMBER]:
                        numbers[ALPHA_NUMBER] = value
                        if value < numbers[BETA_NUMBER]:
                            rest = offset(s.lines, ply * LINE)
                            join_line(offset(s.lines, (ply - 1) * LINE), words[BEST_CODE_WORD], rest)
                if numbers[BEST_NUMBER] < numbers[BETA_NUMBER]:
                    places[STAGE_PLACE] = NEXT
                    places[MOVE_PLACE] += MOVE_WORDS
                    before = (places[MOVE_PLACE] - places[FIRST_PLACE]) // MOVE_WORDS
                    if places[MOVE_PLACE] < places[END_PLACE] and not _skips_late_moves(s, ply - 1, before):
                        break
            ply -= 1
            value = numbers[BEST_NUMBER]
            repeats = places[REPEATS_PLACE]
            bound = kind_of_bound(value, numbers[FIRST_ALPHA_NUMBER], numbers[BETA_NUMBER])
            if bound == AT_LEAST:
                remember_refutation(s, places[FIRST_PLACE], places[MOVE_PLACE], places[DEPTH_PLACE], ply)
            if places[DEPTH_PLACE] > 0 and repeats == 0:
                code = words[BEST_CODE_WORD] if bound != AT_MOST else _ZERO
                table.keep(
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
        record_move(s, own_kings, move, ply, places[REVERSIBLE_PLACE])
        own, opp, kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
        depth, extensions, at = places[CHILD_DEPTH_PLACE], places[CHILD_EXTENSIONS_PLACE], places[END_PLACE]
        alpha, beta = -numbers[BETA_NUMBER], -numbers[ALPHA_NUMBER]
        stage = places[STAGE_PLACE]
        if stage == PROBCUT:
            alpha = -(numbers[BETA_NUMBER] + s.man * f32(s.selectivity.probcut_margin))
            beta = -just_below(-alpha)
            depth = max(depth - s.selectivity.probcut_reduction, 0)
        elif stage == WIDENED:
            places[STAGE_PLACE] = FULL_WINDOW
        elif numbers[BEST_NUMBER] > -INFINITY and numbers[ALPHA_NUMBER] > -INFINITY:
            alpha = just_below(beta)
            places[STAGE_PLACE] = NULL_WINDOW
            if stage == NEXT:
                plies = _reduction(s, ply - 1, (move - places[FIRST_PLACE]) // MOVE_WORDS)
                if plies > 0:
                    places[STAGE_PLACE] = REDUCED
                    depth -= plies
        else:
            places[STAGE_PLACE] = FULL_WINDOW
