"""The rules of English draughts on 32-bit boards, compiled.

The rules
    Squares are numbered 1 to 32; bit ``i`` is square ``i + 1``. Black starts on 1-12, moves first and towards 32.
    Men step and jump forwards, kings in all four directions, one square at a time. Jumping is compulsory; any jump may
    be chosen, and it continues until that piece has no further jump. A man that reaches the last row is crowned, and
    its move ends there. A side without a legal move has lost.

The position
    Three words, always from the view of the side to move, whose men move to higher squares: ``own``, ``opp`` and
    ``kings`` (of both sides). For White the board is turned by 180 degrees: square ``i`` is bit ``31 - i``. After a
    move the words are still the mover's; ``turn`` converts them to the opponent's view.

The move
    Four words: ``own``, ``opp``, ``kings`` after the move, and its code, which holds the whole path (two captures with
    the same ends are two moves). Code: bits 0-4 the start, bit 5 set for a capture, above them the directions, two bits
    each after a leading one; at most twelve jumps, 31 bits.
"""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import Pointer, lowest_bit_index, reverse_bits, reverse_bits_64, u32, u64

MOVE_WORDS = 4
"""Words per generated move: own, opp, kings, code."""

MAX_MOVES = 1024
"""The room that a caller provides for the moves of one position; capture paths beyond this number are not listed."""

_ROOM_BESIDE_STEPS = (MAX_MOVES - 48) * MOVE_WORDS
"""No position has more than 48 steps."""

UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = u32(0), u32(1), u32(2), u32(3)
"""Directions as in a move's code; the opposite of ``d`` is ``3 - d``."""

CAPTURE_BIT = u32(1 << 5)
PATH_SHIFT = u32(6)

_EVEN_ROWS, _ODD_ROWS = u32(0x0F0F0F0F), u32(0xF0F0F0F0)
_EVEN_NOT_LAST, _ODD_NOT_FIRST = u32(0x07070707), u32(0xE0E0E0E0)
_LAST_ROW = u32(0xF0000000)
_ZERO, _ONE, _TWO, _THREE, _FOUR, _FIVE = u32(0), u32(1), u32(2), u32(3), u32(4), u32(5)


@inner
def up_left(x: u32) -> u32:
    """Every piece moved one step up and to the left; pieces at the edge disappear."""
    return u32(((x & _EVEN_ROWS) << _FOUR) | ((x & _ODD_NOT_FIRST) << _THREE))


@inner
def up_right(x: u32) -> u32:
    """Every piece moved one step up and to the right."""
    return u32(((x & _ODD_ROWS) << _FOUR) | ((x & _EVEN_NOT_LAST) << _FIVE))


@inner
def down_left(x: u32) -> u32:
    """Every piece moved one step down and to the left."""
    return u32(((x & _EVEN_ROWS) >> _FOUR) | ((x & _ODD_NOT_FIRST) >> _FIVE))


@inner
def down_right(x: u32) -> u32:
    """Every piece moved one step down and to the right."""
    return u32(((x & _ODD_ROWS) >> _FOUR) | ((x & _EVEN_NOT_LAST) >> _THREE))


@inner
def jumpers(own: u32, opp: u32, kings: u32) -> u32:
    """The pieces of the side to move that can capture."""
    empty = u32(~(own | opp))
    crowned = u32(own & kings)
    up = u32(down_right(u32(down_right(empty) & opp)) | down_left(u32(down_left(empty) & opp)))
    down = u32(up_right(u32(up_right(empty) & opp)) | up_left(u32(up_left(empty) & opp)))
    return u32((own & up) | (crowned & down))


@inner
def is_exposed(own: u32, opp: u32, kings: u32) -> bool:
    """Whether the opponent would have to capture if it were its turn."""
    empty = u32(~(own | opp))
    crowned = u32(opp & kings)
    down = u32(up_right(u32(up_right(empty) & own)) | up_left(u32(up_left(empty) & own)))
    up = u32(down_right(u32(down_right(empty) & own)) | down_left(u32(down_left(empty) & own)))
    return u32((opp & down) | (crowned & up)) != _ZERO


@inner
def steppers(own: u32, opp: u32, kings: u32) -> u32:
    """The pieces of the side to move that have an empty square to step to."""
    empty = u32(~(own | opp))
    crowned = u32(own & kings)
    up = u32(down_right(empty) | down_left(empty))
    down = u32(up_right(empty) | up_left(empty))
    return u32((own & up) | (crowned & down))


@inner
def _emit(moves: Pointer, at: int, own: u32, opp: u32, kings: u32, code: u32) -> int:
    moves[at] = own
    moves[at + 1] = opp
    moves[at + 2] = kings
    moves[at + 3] = code
    return at + MOVE_WORDS


@inner
def _step(x: u32, direction: u32) -> u32:
    if direction < _TWO:
        return up_left(x) if direction == UP_LEFT else up_right(x)
    return down_left(x) if direction == DOWN_LEFT else down_right(x)


@inner
def _list_jumps_of(piece: u32, own: u32, opp: u32, kings: u32, moves: Pointer, at: int, end: int) -> int:
    """Walk the tree of one piece's jumps; the path itself encodes the way back, so no stack is needed."""
    crowned = (kings & piece) != _ZERO
    directions = _FOUR if crowned else _TWO
    start = lowest_bit_index(piece)
    own = u32(own ^ piece)
    kings = u32(kings & ~piece)
    path = _ONE
    direction = _ZERO
    finished = False
    while True:
        if direction < directions:
            over = u32(_step(piece, direction) & opp)
            landing = u32(_step(over, direction) & ~(own | opp))
            if landing == _ZERO:
                direction = u32(direction + _ONE)
            elif not crowned and (landing & _LAST_ROW) != _ZERO:
                left = u32(opp ^ over)
                if at < end:
                    code = u32(start | CAPTURE_BIT | (((path << _TWO) | direction) << PATH_SHIFT))
                    at = _emit(moves, at, u32(own | landing), left, u32((kings & (own | left)) | landing), code)
                finished = False
                direction = u32(direction + _ONE)
            else:
                opp = u32(opp ^ over)
                piece = landing
                path = u32((path << _TWO) | direction)
                direction = _ZERO
                finished = True
        else:
            if finished and at < end:
                crown = piece if crowned else _ZERO
                code = u32(start | CAPTURE_BIT | (path << PATH_SHIFT))
                at = _emit(moves, at, u32(own | piece), opp, u32((kings & (own | opp)) | crown), code)
            if path == _ONE:
                return at
            direction = u32(path & _THREE)
            path = u32(path >> _TWO)
            over = _step(piece, u32(_THREE - direction))
            piece = _step(over, u32(_THREE - direction))
            opp = u32(opp | over)
            direction = u32(direction + _ONE)
            finished = False


@inner
def list_jumps(own: u32, opp: u32, kings: u32, pieces: u32, moves: Pointer, at: int) -> int:
    """Write the captures of ``pieces`` from word ``at`` on; returns the index after the last word."""
    end = at + MAX_MOVES * MOVE_WORDS
    while pieces != _ZERO:
        piece = u32(pieces & (~pieces + _ONE))
        pieces = u32(pieces ^ piece)
        at = _list_jumps_of(piece, own, opp, kings, moves, at, end)
    return at


@inner
def _emit_step(moves: Pointer, at: int, own: u32, opp: u32, kings: u32, start: u32, to: u32, direction: u32) -> int:
    kings = u32(kings ^ (start | to)) if (kings & start) != _ZERO else u32(kings | (to & _LAST_ROW))
    code = u32(lowest_bit_index(start) | ((_FOUR | direction) << PATH_SHIFT))
    return _emit(moves, at, u32(own ^ start ^ to), opp, kings, code)


@inner
def list_steps(own: u32, opp: u32, kings: u32, moves: Pointer, at: int) -> int:
    """Write the moves without capture from word ``at`` on; returns the index after the last word."""
    empty = u32(~(own | opp))
    targets = u32(up_left(own) & empty)
    while targets != _ZERO:
        to = u32(targets & (~targets + _ONE))
        targets = u32(targets ^ to)
        at = _emit_step(moves, at, own, opp, kings, down_right(to), to, UP_LEFT)
    targets = u32(up_right(own) & empty)
    while targets != _ZERO:
        to = u32(targets & (~targets + _ONE))
        targets = u32(targets ^ to)
        at = _emit_step(moves, at, own, opp, kings, down_left(to), to, UP_RIGHT)
    crowned = u32(own & kings)
    if crowned != _ZERO:
        targets = u32(down_left(crowned) & empty)
        while targets != _ZERO:
            to = u32(targets & (~targets + _ONE))
            targets = u32(targets ^ to)
            at = _emit_step(moves, at, own, opp, kings, up_right(to), to, DOWN_LEFT)
        targets = u32(down_right(crowned) & empty)
        while targets != _ZERO:
            to = u32(targets & (~targets + _ONE))
            targets = u32(targets ^ to)
            at = _emit_step(moves, at, own, opp, kings, up_left(to), to, DOWN_RIGHT)
    return at


@inner
def list_moves(own: u32, opp: u32, kings: u32, moves: Pointer, at: int) -> int:
    """Write all legal moves from word ``at`` on; returns the index after the last word."""
    pieces = jumpers(own, opp, kings)
    if pieces != _ZERO:
        return list_jumps(own, opp, kings, pieces, moves, at)
    return list_steps(own, opp, kings, moves, at)


@inner
def list_steps_beside(own: u32, opp: u32, kings: u32, moves: Pointer, at: int, end: int) -> int:
    """Write the steps after the captures listed from ``at`` to ``end``, for games in which jumping is optional."""
    return list_steps(own, opp, kings, moves, end) if end - at <= _ROOM_BESIDE_STEPS else end


@inner
def turn(own: u32, opp: u32, kings: u32) -> tuple[u32, u32, u32]:
    """The same position from the other side's view."""
    both = reverse_bits_64(u64(own) | (u64(opp) << u64(32)))
    return u32(both), u32(both >> u64(32)), reverse_bits(kings)


@inner
def upside_down(own: u32, opp: u32, kings: u32) -> tuple[u32, u32, u32]:
    """The board turned by 180 degrees; the sides stay what they are."""
    return reverse_bits(own), reverse_bits(opp), reverse_bits(kings)
