"""A game in progress: the position, its legal moves and its history."""

from collections.abc import Iterable

import numpy as np

from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import pointer_to, u32
from evocheckers.rules import fen
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, list_moves
from evocheckers.rules.move import Color, Move, RulesError, Square, SquareError, square_at
from evocheckers.rules.notation import IllegalMoveError, find_move
from evocheckers.rules.outcome import Outcome, Reason


@entry
def _legal_moves(own: u32, opp: u32, kings: u32, moves: np.ndarray) -> int:
    return list_moves(own, opp, kings, pointer_to(moves), 0) // MOVE_WORDS


def reversed_word(word: int) -> int:
    """A board turned by 180 degrees."""
    return int(f"{word:032b}"[::-1], 2)


def _numbers(position: fen.Position) -> tuple[int, ...]:
    turn, black, white, kings = position
    return int(turn), black, white, kings


def _position(numbers: tuple[int, ...]) -> fen.Position:
    turn, black, white, kings = numbers
    return fen.Position(Color(turn), black, white, kings)


class PositionError(RulesError):
    """Numbers that are no position."""


def _checked(position: fen.Position) -> fen.Position:
    """The position itself, if it is one: compiled code relies on that."""
    if not isinstance(position, fen.Position):
        raise PositionError(f"{position!r:.60} is no position; write Board(FEN) or Board(Position(...))")
    turn, *boards = position
    if not isinstance(turn, Color) or not all(isinstance(board, int) and 0 <= board < 1 << 32 for board in boards):
        raise PositionError(f"{position} is not a colour and three boards of 32 bits")
    _, black, white, kings = position
    if black & white or kings & ~(black | white):
        raise PositionError(f"{position} has two pieces on a square, or kings on empty squares")
    if max(black.bit_count(), white.bit_count()) > fen.MAX_PIECES_PER_SIDE:
        raise PositionError(f"{position} has more than {fen.MAX_PIECES_PER_SIDE} pieces on a side")
    return position


class Board:
    """A position with its history.

    Boards are mutable, so they are not hashable; ``board.position`` is. Two boards are equal if their positions are,
    whatever their histories.

    >>> board = Board()
    >>> [str(move) for move in board.legal_moves()]
    ['9-13', '10-14', '11-15', '12-16', '9-14', '10-15', '11-16']
    >>> board.push("11-15")
    >>> board.fen()
    'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15'
    """

    def __init__(self, position: fen.Position | str = fen.START) -> None:
        self.position = fen.parse_fen(position) if isinstance(position, str) else _checked(position)
        self.moves: list[Move] = []
        """The moves played on this board."""
        self._earlier: list[tuple[int, ...]] = []
        """Tuples of numbers, which Python's garbage collector skips: servers keep many games."""
        self._legal: dict[Move, fen.Position] | None = None

    @property
    def turn(self) -> Color:
        return self.position.turn

    @property
    def start(self) -> fen.Position:
        """The position before the first of ``moves``."""
        return _position(self._earlier[0]) if self._earlier else self.position

    @property
    def mover_words(self) -> tuple[int, int, int]:
        """``own, opp, kings`` as the compiled code takes them: from the view of the side to move."""
        _, black, white, kings = self.position
        if self.turn is Color.BLACK:
            return black, white, kings
        return reversed_word(white), reversed_word(black), reversed_word(kings)

    def _successors(self) -> dict[Move, fen.Position]:
        if self._legal is None:
            words = np.empty(MAX_MOVES * MOVE_WORDS, np.uint32)
            own, opp, kings = self.mover_words
            count = _legal_moves(u32(own), u32(opp), u32(kings), words)
            self._legal = {}
            for own, opp, kings, code in words[: count * MOVE_WORDS].reshape(-1, MOVE_WORDS).tolist():
                if self.turn is Color.BLACK:
                    after = fen.Position(Color.WHITE, own, opp, kings)
                else:
                    after = fen.Position(Color.BLACK, *map(reversed_word, (opp, own, kings)))
                self._legal[Move.from_code(code, self.turn)] = after
        return self._legal

    def legal_moves(self) -> list[Move]:
        """All legal moves, always in the same order."""
        return list(self._successors())

    def parse(self, text: str) -> Move:
        """The legal move that a text denotes: ``11-15``, ``15x22``, or a capture's full path."""
        return find_move(text, self.legal_moves())

    def push(self, move: Move | str) -> None:
        """Play a legal move."""
        if isinstance(move, str):
            move = self.parse(move)
        after = self._successors().get(move)
        if after is None:
            raise IllegalMoveError(str(move), f"not legal in {self.fen()}")
        self._earlier.append(_numbers(self.position))
        self.moves.append(move)
        self.position, self._legal = after, None

    def push_all(self, moves: Iterable[Move | str]) -> "Board":
        """Play several moves; returns the board itself."""
        for move in moves:
            self.push(move)
        return self

    def undo(self) -> Move:
        """Take the last move back."""
        if not self.moves:
            raise IndexError("no move to undo")
        self.position, self._legal = _position(self._earlier.pop()), None
        return self.moves.pop()

    def child(self, move: Move | str) -> "Board":
        """The position after a move, as a new board without history."""
        board = Board(self.position)
        board.push(move)
        return Board(board.position)

    def outcome(self, max_plies: int | None = None, repetitions: int | None = None) -> Outcome | None:
        """How the game ended, or None while it goes on.

        ``max_plies``: a draw after that many plies on this board. ``repetitions``: a draw once the position has
        occurred that many times. By default neither rule applies.
        """
        own, _, _ = self.mover_words
        if not self.legal_moves():
            return Outcome(self.turn.opponent, Reason.NO_MOVES if own else Reason.NO_PIECES)
        if max_plies is not None and len(self.moves) >= max_plies:
            return Outcome(None, Reason.MOVE_LIMIT)
        if repetitions is not None and 1 + self._earlier.count(_numbers(self.position)) >= repetitions:
            return Outcome(None, Reason.REPETITION)
        return None

    def reversible_past(self) -> list[fen.Position]:
        """The positions since the last capture or move of a man, oldest first: those that can occur again."""
        past: list[fen.Position] = []
        for move, numbers in zip(reversed(self.moves), reversed(self._earlier), strict=True):
            before = _position(numbers)
            if move.captured or not before.kings >> (move.path[0] - 1) & 1:
                break
            past.append(before)
        return past[::-1]

    def mirror(self) -> "Board":
        """The board turned by 180 degrees: every square ``s`` becomes ``33 - s``, colours stay. Not the same game."""
        turn, black, white, kings = self.position
        return Board(fen.Position(turn, reversed_word(black), reversed_word(white), reversed_word(kings)))

    def flip_colors(self) -> "Board":
        """The same game with the sides exchanged: the board is turned, and all pieces and the turn change colour."""
        turn, black, white, kings = self.position
        return Board(fen.Position(turn.opponent, reversed_word(white), reversed_word(black), reversed_word(kings)))

    def piece_at(self, square: Square) -> str:
        """``b`` or ``w`` for a man, ``B`` or ``W`` for a king, ``.`` for an empty square."""
        if not 1 <= square <= 32:
            raise SquareError(square, "not between 1 and 32")
        bit = 1 << (square - 1)
        _, black, white, kings = self.position
        letter = "b" if black & bit else "w" if white & bit else "."
        return letter.upper() if kings & bit else letter

    def fen(self) -> str:
        """The canonical FEN."""
        return fen.format_fen(self.position)

    def copy(self) -> "Board":
        """A board with the same position and history."""
        board = Board(self.position)
        board.moves, board._earlier = self.moves.copy(), self._earlier.copy()
        return board

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.position == other.position

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"

    def __str__(self) -> str:
        """The board as printed: Black's side at the top with square 1 at the left, White's at the bottom.

        >>> rows = str(Board("B:W29,32:B1,4")).splitlines()
        >>> rows[0], rows[7]
        ('  b   .   .   b', 'w   .   .   w')
        """
        lines = []
        for row in range(8):
            cells = (self.piece_at(square_at(row, column)) if (row + column) % 2 else " " for column in range(8))
            lines.append(" ".join(cells).rstrip())
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        """The board as a picture for notebooks, with the last move marked."""
        from evocheckers.rules.svg import board_svg

        return board_svg(self.position, self.moves[-1] if self.moves else None)
