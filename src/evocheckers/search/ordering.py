"""What both searches' move orderings are made of: sorting, killers, and the history's index."""

from evocheckers.native.compile import inner, pasted
from evocheckers.native.intrinsics import Pointer, i64, u32
from evocheckers.rules.bitboard import MOVE_WORDS, PATH_SHIFT
from evocheckers.search.state import FRAME, KILLER_WORD, MAX_LINE, OLDER_KILLER_WORD, SearchState


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


@inner
def remember_killer(s: SearchState, code: u32, ply: int) -> None:
    """Make a step that caused a cutoff the ply's killer."""
    words = ply * FRAME
    if s.words[words + KILLER_WORD] != code:
        s.words[words + OLDER_KILLER_WORD] = s.words[words + KILLER_WORD]
        s.words[words + KILLER_WORD] = code


@inner
def forget_killers(s: SearchState) -> None:
    """Begin a new search: no ply has killers."""
    for ply in range(MAX_LINE + 1):
        s.words[ply * FRAME + KILLER_WORD] = u32(0)
        s.words[ply * FRAME + OLDER_KILLER_WORD] = u32(0)
