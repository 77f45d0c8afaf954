"""The root of the selective search: iterative deepening with aspiration windows, for one line or several.

The root's moves are kept in the order of the last depth. The first line is searched over all of them, the next one over
the remaining moves, and so on. If a depth is stopped, what it has found so far counts.
"""

from typing import NamedTuple

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, f32, i64, offset, u32, u64
from evocheckers.rules.bitboard import MOVE_WORDS, jumpers, list_moves, turn
from evocheckers.search.ordering import forget_killers
from evocheckers.search.selective import table
from evocheckers.search.selective.ordering import age_history
from evocheckers.search.selective.state import PLACES, REVERSIBLE_PLACE, SelectiveState
from evocheckers.search.selective.tree import record_move, selective_alpha_beta
from evocheckers.search.state import LINE, STOPPED_COUNTER, begin_counting, heed_limits, join_line
from evocheckers.search.values import DECIDED, INFINITY, WIN, just_below

_WINDOW = f32(0.15)
"""Half the width of the first window around the expected value, in men; a value outside widens it fourfold."""


class RootLines(NamedTuple):
    """What is known about the root's moves. The pointers' arrays belong to the caller."""

    order: Pointer
    """The moves, numbered as generated, the best line's first."""
    scores: Pointer
    depths: Pointer
    """The depths of the lines, the best one first."""
    codes: Pointer
    """The expected play of each line: its length, then its codes, ``LINE`` words."""


class Deepening(NamedTuple):
    """How deep to search, ply by ply."""

    first: int
    last: int
    extensions: int
    first_ply: int
    """1 if leaves are valued from the point of view of the side to move's opponent, else 0."""
    lines: int
    reversible: int
    """Plies since the game's last irreversible move."""
    step: int = 1
    """The step from one depth to the next; the last depth is searched in any case."""


@inner
def deepen(
    s: SelectiveState, found: RootLines, position: tuple[u32, u32, u32], deepening: Deepening, number: u64
) -> tuple[int, int]:
    """Search to the last depth or until stopped; returns the number of moves and the last finished depth.

    ``number`` decides the initial order of the moves. The first depth is finished unless the search is given up. The
    search ends early when the value is a forced end that no greater depth can bring nearer.
    """
    own, opp, kings = position
    end = list_moves(own, opp, kings, s.moves, 0)
    count = end // MOVE_WORDS
    for i in range(count):
        found.order[i] = (i + i64(number % u64(max(count, 1)))) % count
    forget_killers(s)
    age_history(s)
    begin_counting(s)
    s.path[s.path_start + deepening.first_ply] = table.hash_of(s, own, opp, kings, deepening.first_ply)
    s.places[deepening.first_ply * PLACES + REVERSIBLE_PLACE] = deepening.reversible
    finished = 0
    lines = min(deepening.lines, count)
    for line in range(lines):
        found.depths[line] = 0
    depth = deepening.first
    while count > 0 and depth <= deepening.last:
        for line in range(lines):
            _search_line(s, found, position, deepening, depth, line, count)
            if s.counters[STOPPED_COUNTER] != 0:
                break
        _sort_lines(found, lines)
        if s.counters[STOPPED_COUNTER] != 0:
            break
        finished = depth
        heed_limits(s)
        if abs(found.scores[0]) > DECIDED and f32(depth) >= WIN - abs(found.scores[0]) and lines == 1:
            break
        depth = max(depth + 1, min(depth + deepening.step, deepening.last))
    return count, finished


@inner
def _search_line(
    s: SelectiveState,
    found: RootLines,
    position: tuple[u32, u32, u32],
    deepening: Deepening,
    depth: int,
    line: int,
    count: int,
) -> None:
    """Find the best of the moves from index ``line`` on: widen the window around the known value until it fits."""
    expected = found.scores[line]
    half = _WINDOW * s.man
    alpha, beta = -INFINITY, INFINITY
    if found.depths[line] > 0 and half > f32(0) and abs(expected) < DECIDED:
        alpha, beta = expected - half, expected + half
    while True:
        value = _search_moves(s, found, position, deepening, depth, line, count, alpha, beta)
        if s.counters[STOPPED_COUNTER] != 0 or alpha < value < beta:
            return
        half *= f32(4)
        if half > f32(8) * s.man:
            alpha, beta = -INFINITY, INFINITY
        elif value <= alpha:
            alpha = value - half
        else:
            beta = value + half


@inner
def _search_moves(
    s: SelectiveState,
    found: RootLines,
    position: tuple[u32, u32, u32],
    deepening: Deepening,
    depth: int,
    line: int,
    count: int,
    alpha: f32,
    beta: f32,
) -> f32:
    """The value of the best of the moves from index ``line`` on; that move is brought to ``line``."""
    own, opp, kings = position
    ply = deepening.first_ply + 1
    end = count * MOVE_WORDS
    left, remaining = depth, deepening.extensions
    if jumpers(own, opp, kings) != u32(0) and remaining > 0:
        left += s.selectivity.jump_plies
        remaining -= 1
    best = -INFINITY
    for place in range(line, count):
        move = found.order[place] * MOVE_WORDS
        next_own, next_opp, next_kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
        record_move(s, u32(own & kings), move, ply, deepening.reversible)
        x = alpha
        if best > -INFINITY and alpha > -INFINITY:
            above = -just_below(-alpha)
            x = -selective_alpha_beta(s, next_own, next_opp, next_kings, left - 1, remaining, ply, end, -above, -alpha)
            if s.counters[STOPPED_COUNTER] != 0:
                break
            if x <= alpha:
                best = max(best, x)
                continue
        if best == -INFINITY or x < beta:
            x = -selective_alpha_beta(s, next_own, next_opp, next_kings, left - 1, remaining, ply, end, -beta, -alpha)
            if s.counters[STOPPED_COUNTER] != 0:
                break
        best = max(best, x)
        if x > alpha:
            alpha = x
            join_line(offset(s.lines, (ply - 1) * LINE), s.moves[move + 3], offset(s.lines, ply * LINE))
            _bring_to(found, place, line, min(deepening.lines, count))
            found.scores[line], found.depths[line] = x, depth
            _keep_line(s, found, deepening.first_ply, line)
            if x >= beta:
                break
    return best


@inner
def _keep_line(s: SelectiveState, found: RootLines, ply: int, line: int) -> None:
    """Copy the expected play at ``ply`` to a line."""
    codes, kept = offset(s.lines, ply * LINE), offset(found.codes, line * LINE)
    for i in range(i64(codes[0]) + 1):
        kept[i] = codes[i]


@inner
def _bring_to(found: RootLines, place: int, line: int, lines: int) -> None:
    """Move a root move forward to a line's index. The others keep their order, and what is known about their lines."""
    move = found.order[place]
    while place > line:
        found.order[place] = found.order[place - 1]
        if place < lines:
            found.scores[place], found.depths[place] = found.scores[place - 1], found.depths[place - 1]
            for i in range(LINE):
                found.codes[place * LINE + i] = found.codes[(place - 1) * LINE + i]
        place -= 1
    found.order[line] = move


@inner
def _sort_lines(found: RootLines, lines: int) -> None:
    """Sort the lines, the best first: a later line may turn out better than an earlier one."""
    for line in range(1, lines):
        place = line
        while place > 0 and found.depths[place] > 0 and found.scores[place] > found.scores[place - 1]:
            found.order[place], found.order[place - 1] = found.order[place - 1], found.order[place]
            found.scores[place], found.scores[place - 1] = found.scores[place - 1], found.scores[place]
            found.depths[place], found.depths[place - 1] = found.depths[place - 1], found.depths[place]
            for i in range(LINE):
                a, b = place * LINE + i, (place - 1) * LINE + i
                found.codes[a], found.codes[b] = found.codes[b], found.codes[a]
            place -= 1
