"""The root of the exact search: finds every move that equals the best, and chooses one of them.

The window at the root stays open by one float below the best value, so that moves of equal value are distinguished from
worse ones whatever the order. So any two searches of the same depth offer the same choice of moves.
"""

from typing import NamedTuple

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import Pointer, f32, i64, offset, u32, u64
from evocheckers.networks.search_rules import FREE_BIT
from evocheckers.rules.bitboard import MOVE_WORDS, jumpers, list_moves, list_steps_beside, turn
from evocheckers.search.exact.extensions import after_extension, is_extended
from evocheckers.search.exact.ordering import age_history
from evocheckers.search.exact.state import ExactState
from evocheckers.search.exact.tree import alpha_beta
from evocheckers.search.ordering import forget_killers
from evocheckers.search.state import (
    LINE,
    MAX_DEPTH_PLIES,
    STOPPED_COUNTER,
    begin_counting,
    heed_limits,
    join_line,
)
from evocheckers.search.values import DECIDED, INFINITY, WIN, just_below


class RootMoves(NamedTuple):
    """What is known about the root's moves. The pointers' arrays belong to the caller."""

    order: Pointer
    """The order in which to try the moves, numbered as generated."""
    equal: Pointer
    """One for each move that equals the best, else zero."""


class Depths(NamedTuple):
    """How deep to search, in steps of two plies."""

    first: int
    last: int
    extensions: int
    first_ply: int = 0
    """1 if leaves are valued from the point of view of the side to move's opponent, else 0."""


@pasted
def search_root(s: ExactState, root: RootMoves, own: u32, opp: u32, kings: u32, depths: Depths) -> tuple[int, int, f32]:
    """Search to these depths; returns the number of moves, the last finished depth, and the value.

    The root's moves stay listed at the start of ``s.moves``; ``root.equal`` marks the best, and the line at
    ``depths.first_ply`` is the expected play of the first of them. The first depth is finished unless the search is
    given up. If a later one is stopped, what it has found so far counts, since it began with the best move known. A
    search without a limit of plies ends when the game is decided.
    """
    end = list_moves(own, opp, kings, s.moves, 0)
    jumping = jumpers(own, opp, kings)
    if jumping != u32(0) and (s.evaluator.flags & FREE_BIT) != 0:
        end = list_steps_beside(own, opp, kings, s.moves, 0, end)
    count = end // MOVE_WORDS
    value = -WIN
    ply = depths.first_ply + 1
    finished = 0
    is_longer = is_extended(s, jumping, end, depths.extensions)
    for i in range(count):
        root.order[i] = i
    forget_killers(s)
    age_history(s)
    begin_counting(s)
    depth = depths.first
    while count > 0 and depth <= depths.last and s.counters[STOPPED_COUNTER] == 0:
        left, remaining = depth, depths.extensions
        if is_longer:
            left += 2
            remaining = after_extension(remaining)
        best = -INFINITY
        for turn_number in range(count):
            i = root.order[turn_number]
            move = i * MOVE_WORDS
            next_own, next_opp, next_kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
            x = best
            if best > -INFINITY:  # is it worse than the best? If so, how much worse does not matter
                worse = just_below(best)
                x = -alpha_beta(s, next_own, next_opp, next_kings, left - 1, remaining, ply, end, -best, -worse)
                if s.counters[STOPPED_COUNTER] == 0 and x < best:
                    continue
            if s.counters[STOPPED_COUNTER] == 0:
                x = -alpha_beta(s, next_own, next_opp, next_kings, left - 1, remaining, ply, end, -INFINITY, INFINITY)
            if s.counters[STOPPED_COUNTER] != 0:
                break
            if x > best:
                best = x
                join_line(offset(s.lines, depths.first_ply * LINE), s.moves[move + 3], offset(s.lines, ply * LINE))
                for other in range(count):
                    root.equal[other] = 0
            if x == best:
                root.equal[i] = 1
        if best > -INFINITY:
            value = best
            _best_first(root)
        if s.counters[STOPPED_COUNTER] == 0:
            finished = depth
            heed_limits(s)
            if abs(value) > DECIDED and depths.last == MAX_DEPTH_PLIES:
                break
            depth += 2
    return count, finished, value


@inner
def value_moves(
    s: ExactState, own: u32, opp: u32, kings: u32, depths: Depths, depth: int, values: Pointer, codes: Pointer
) -> None:
    """Find the value of every move at one depth, and its line: the length, which is 0 if stopped, then the codes."""
    ply = depths.first_ply + 1
    end = list_moves(own, opp, kings, s.moves, 0)
    left, remaining = depth, depths.extensions
    if is_extended(s, jumpers(own, opp, kings), end, remaining):
        left += 2
        remaining = after_extension(remaining)
    for i in range(end // MOVE_WORDS):
        move = i * MOVE_WORDS
        kept, rest = offset(codes, i * LINE), offset(s.lines, ply * LINE)
        kept[0] = u32(0)
        if s.counters[STOPPED_COUNTER] == 0:
            next_own, next_opp, next_kings = turn(s.moves[move], s.moves[move + 1], s.moves[move + 2])
            values[i] = -alpha_beta(
                s, next_own, next_opp, next_kings, left - 1, remaining, ply, end, -INFINITY, INFINITY
            )
        if s.counters[STOPPED_COUNTER] == 0:
            join_line(kept, s.moves[move + 3], rest)


@inner
def _best_first(root: RootMoves) -> None:
    """Move the first of the best moves to the front; the others keep their order."""
    best = 0
    while root.equal[best] == 0:
        best += 1
    at = 0
    while root.order[at] != best:
        at += 1
    while at > 0:
        root.order[at] = root.order[at - 1]
        at -= 1
    root.order[0] = best


@inner
def count_equal(root: RootMoves, count: int) -> int:
    """The number of moves that equal the best."""
    equal = 0
    for i in range(count):
        equal += root.equal[i]
    return equal


@inner
def choose_equal(root: RootMoves, count: int, number: u64) -> int:
    """Choose among the moves that equal the best by a random number; they are in the move generator's order."""
    skip = i64(number % u64(count_equal(root, count)))
    for i in range(count):
        if root.equal[i] != 0:
            if skip == 0:
                return i
            skip -= 1
    return 0
