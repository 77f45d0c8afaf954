"""Move ordering. Good guesses make the search fast; no guess changes its result."""

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import Pointer, i64, u32
from evocheckers.rules.bitboard import CAPTURE_BIT, MOVE_WORDS, PATH_SHIFT, is_exposed
from evocheckers.search.exact.state import FRAME, HISTORY, KILLER_WORD, OLDER_KILLER_WORD, SearchState
from evocheckers.search.shared import MAX_LINE

_SAFE_KEY, _OLDER_KILLER_KEY, _KILLER_KEY, _KNOWN_KEY = u32(1 << 28), u32(1 << 29), u32((1 << 29) + 1), u32(1 << 30)


@inner
def bring_forward(moves: Pointer, front: int, end: int, code: u32) -> None:
    """Swap the move with that code, if present, to the front."""
    for at in range(front, end, MOVE_WORDS):
        if moves[at + 3] == code:
            for word in range(MOVE_WORDS):
                moves[at + word], moves[front + word] = moves[front + word], moves[at + word]
            return


@inner
def step_place(code: u32, ply: int) -> int:
    """The index of a step in a history: side, start and direction."""
    return ((ply & 1) << 7) | (i64(code & u32(31)) << 2) | i64((code >> PATH_SHIFT) & u32(3))


@pasted
def sort_in(moves: Pointer, keys: Pointer, front: int, i: int, key: int | u32) -> None:
    """Insert the move at index ``i`` before all earlier moves with smaller keys."""
    at = front + i * MOVE_WORDS
    own, opp, kings, code = moves[at], moves[at + 1], moves[at + 2], moves[at + 3]
    place = i
    while place > 0 and keys[place - 1] < key:
        keys[place] = keys[place - 1]
        to = front + place * MOVE_WORDS
        for word in range(to, to + MOVE_WORDS):
            moves[word] = moves[word - MOVE_WORDS]
        place -= 1
    keys[place] = key
    if place < i:
        to = front + place * MOVE_WORDS
        moves[to], moves[to + 1], moves[to + 2], moves[to + 3] = own, opp, kings, code


@pasted
def order_steps(s: SearchState, front: int, end: int, ply: int, known: u32) -> None:
    """Sort moves without capture: the table's move, the killers, moves that leave the opponent no jump (cheap to
    search, and mostly better), then the rest; the last two groups by how often a move refuted something.
    """
    moves, keys = s.moves, s.keys
    killer, older_killer = s.words[ply * FRAME + KILLER_WORD], s.words[ply * FRAME + OLDER_KILLER_WORD]
    for i in range((end - front) // MOVE_WORDS):
        at = front + i * MOVE_WORDS
        own, opp, kings, code = moves[at], moves[at + 1], moves[at + 2], moves[at + 3]
        if code == known:
            key = _KNOWN_KEY
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
def remember_refutation(s: SearchState, code: u32, depth: int, ply: int) -> None:
    """Learn from a move that caused a cutoff."""
    if (code & CAPTURE_BIT) != u32(0):
        return
    s.history[step_place(code, ply)] += u32(depth + 1)
    words = ply * FRAME
    if s.words[words + KILLER_WORD] != code:
        s.words[words + OLDER_KILLER_WORD] = s.words[words + KILLER_WORD]
        s.words[words + KILLER_WORD] = code


@inner
def forget_killers(s: SearchState) -> None:
    """Begin a new search: killers are dropped, and old refutations count for less."""
    for ply in range(MAX_LINE + 1):
        s.words[ply * FRAME + KILLER_WORD] = u32(0)
        s.words[ply * FRAME + OLDER_KILLER_WORD] = u32(0)
    for i in range(HISTORY):
        s.history[i] = u32(s.history[i] >> u32(3))
