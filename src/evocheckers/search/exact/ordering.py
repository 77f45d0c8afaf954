"""The exact search's move ordering. Good guesses make the search fast; no guess changes its result."""

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import Pointer, u32
from evocheckers.rules.bitboard import CAPTURE_BIT, MOVE_WORDS, is_exposed
from evocheckers.search.exact.state import ExactState
from evocheckers.search.ordering import remember_killer, sort_in, step_place
from evocheckers.search.state import FRAME, HISTORY, KILLER_WORD, OLDER_KILLER_WORD

_SAFE_KEY, _OLDER_KILLER_KEY, _KILLER_KEY, _TABLE_KEY = u32(1 << 28), u32(1 << 29), u32((1 << 29) + 1), u32(1 << 30)


@inner
def bring_forward(moves: Pointer, front: int, end: int, code: u32) -> None:
    """Swap the move with that code, if present, to the front."""
    for at in range(front, end, MOVE_WORDS):
        if moves[at + 3] == code:
            for word in range(MOVE_WORDS):
                moves[at + word], moves[front + word] = moves[front + word], moves[at + word]
            return


@pasted
def order_steps(s: ExactState, front: int, end: int, ply: int, table_code: u32) -> None:
    """Sort moves without capture: the table's move, the killers, moves that leave the opponent no jump (cheap to
    search, and mostly better), then the rest; the last two groups by how often a move refuted something.
    """
    moves, keys = s.moves, s.keys
    killer, older_killer = s.words[ply * FRAME + KILLER_WORD], s.words[ply * FRAME + OLDER_KILLER_WORD]
    for i in range((end - front) // MOVE_WORDS):
        at = front + i * MOVE_WORDS
        own, opp, kings, code = moves[at], moves[at + 1], moves[at + 2], moves[at + 3]
        if code == table_code:
            key = _TABLE_KEY
        elif code == killer:
            key = _KILLER_KEY
        elif code == older_killer:
            key = _OLDER_KILLER_KEY
        else:
            key = s.history[step_place(code, ply)]
            if not is_exposed(own, opp, kings):
                key = u32(key + _SAFE_KEY)
        sort_in(moves, keys, front, i, key)


@inner
def remember_refutation(s: ExactState, code: u32, depth: int, ply: int) -> None:
    """Learn from a move that caused a cutoff."""
    if (code & CAPTURE_BIT) != u32(0):
        return
    s.history[step_place(code, ply)] += u32(depth + 1)
    remember_killer(s, code, ply)


@inner
def age_history(s: ExactState) -> None:
    """Begin a new search: old refutations count for less."""
    for i in range(HISTORY):
        s.history[i] = u32(s.history[i] >> u32(3))
