"""The selective search's move ordering, and what it learns from cutoffs."""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, i64, offset, popcount, u32
from evocheckers.rules.bitboard import CAPTURE_BIT, MOVE_WORDS, is_exposed
from evocheckers.search.ordering import remember_killer, sort_in, step_place
from evocheckers.search.selective.state import PLAYED_WORD, SelectiveState
from evocheckers.search.selective.table import CODE_BITS
from evocheckers.search.state import FRAME, HISTORY, KILLER_WORD, OLDER_KILLER_WORD

_TABLE_KEY, _KILLER_KEY, _OLDER_KILLER_KEY, _REPLY_KEY, _SAFE_KEY = (
    1 << 30,
    (1 << 29) + 2,
    (1 << 29) + 1,
    1 << 29,
    1 << 20,
)
_MOST_HISTORY = 1 << 14
"""The scores of steps stay within ± this."""


@inner
def order_moves(s: SelectiveState, front: int, end: int, ply: int, table_code: u32, is_quiet: bool) -> None:
    """Sort moves: the table's move first. Then captures by what they take; or else killers, the reply that last refuted
    the opponent's move, steps that leave the opponent no jump, and the rest, the last two by score.
    """
    moves, keys, words = s.moves, s.keys, offset(s.words, ply * FRAME)
    reply = s.replies[step_place(words[PLAYED_WORD], ply)]
    for i in range((end - front) // MOVE_WORDS):
        at = front + i * MOVE_WORDS
        own, opp, kings, code = moves[at], moves[at + 1], moves[at + 2], moves[at + 3]
        if table_code != u32(0) and u32(code & CODE_BITS) == table_code:
            key = _TABLE_KEY
        elif not is_quiet:
            key = -2 * i64(popcount(opp)) - i64(popcount(u32(opp & kings)))
        elif code == words[KILLER_WORD]:
            key = _KILLER_KEY
        elif code == words[OLDER_KILLER_WORD]:
            key = _OLDER_KILLER_KEY
        elif code == reply:
            key = _REPLY_KEY
        else:
            key = i64(s.history[step_place(code, ply)])
            if not is_exposed(own, opp, kings):
                key += _SAFE_KEY
        sort_in(moves, keys, front, i, key)


@inner
def _change_score(history: Pointer, place: int, change: int) -> None:
    """Move a score towards its upper or lower bound, by less the nearer it is."""
    score = i64(history[place])
    history[place] = score + change - score * abs(change) // _MOST_HISTORY


@inner
def remember_refutation(s: SelectiveState, first: int, move: int, depth: int, ply: int) -> None:
    """Learn from a step that caused a cutoff, and from the steps tried in vain before it."""
    code = s.moves[move + 3]
    if (code & CAPTURE_BIT) != u32(0):
        return
    remember_killer(s, code, ply)
    s.replies[step_place(s.words[ply * FRAME + PLAYED_WORD], ply)] = code
    change = min(depth * depth + 1, 400)
    _change_score(s.history, step_place(code, ply), change)
    for at in range(first, move, MOVE_WORDS):
        _change_score(s.history, step_place(s.moves[at + 3], ply), -change)


@inner
def age_history(s: SelectiveState) -> None:
    """Begin a new search: old scores count for less."""
    for i in range(HISTORY):
        s.history[i] = i64(s.history[i]) // 4
