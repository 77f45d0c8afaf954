"""Where games start: the initial position, the first moves, the ballots of tournament play, or openings from a file.

An opening is a line of text: moves separated by spaces, played from the initial position or from a FEN before them.
"""

import functools
from collections.abc import Iterator
from pathlib import Path

from evocheckers.errors import EvocheckersError
from evocheckers.files import read_regular
from evocheckers.games.ballots import three_move_ballots
from evocheckers.rules.board import Board
from evocheckers.rules.errors import PdnError, RulesError
from evocheckers.rules.fen import START, Position, format_fen
from evocheckers.rules.move import Move
from evocheckers.rules.pdn import iterate_pdn

FIRST_MOVES = ("9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16")
BARRED_BALLOTS = ("9-14 21-17", "9-14 23-18", "10-14 21-17", "10-14 23-18", "11-16 23-19", "12-16 23-19")
"""Pairs of first moves that tournaments leave out because they lose a man."""

NAMES = ("start", "first-moves", "two-move", "three-move")


class OpeningsError(EvocheckersError):
    """Openings that cannot be used: ``source`` is the name or file, ``line`` counts from 1 (0: the file as a whole)."""

    def __init__(self, source: str, fault: str, line: int = 0) -> None:
        self.source, self.fault, self.line = source, fault, line
        super().__init__(f"openings {source!r}{f', line {line}' if line else ''}: {fault}")


@functools.cache
def ballots() -> tuple[str, ...]:
    """The 43 two-move ballots."""
    replies = [str(move) for move in Board().child("11-15").legal_moves()]
    pairs = [f"{first} {reply}" for first in FIRST_MOVES for reply in sorted(replies)]
    return tuple(pair for pair in pairs if pair not in BARRED_BALLOTS)


def opening_lines(source: str) -> tuple[str, ...]:
    """The openings of a name or file, one line each.

    ``start`` is one opening without moves; ``first-moves`` has seven, ``two-move`` 43 and ``three-move`` 156. A text
    file has one opening per line; ``#`` begins a comment. In a ``.pdn`` file, the opening of a game is the moves marked
    as such, or else all its moves.
    """
    if source == "start":
        return ("",)
    if source == "first-moves":
        return FIRST_MOVES
    if source == "two-move":
        return ballots()
    if source == "three-move":
        return three_move_ballots()
    lines = tuple(_read_openings(source))
    if not lines:
        raise OpeningsError(source, "there is no opening in this file")
    return lines


@functools.cache
def openings(name: str) -> tuple[Position, ...]:
    """The position after each opening of that name."""
    return tuple(opening_board(line).position for line in opening_lines(name))


def opening_board(line: str) -> Board:
    """The board after the moves of an opening.

    >>> opening_board("9-14 22-18").fen()
    'B:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,14'
    >>> opening_board("W:W18,22:B10,11 18-14").fen()
    'B:W14,22:B10,11'
    """
    words = line.split()
    has_fen = bool(words) and words[0][:2].upper() in ("B:", "W:")
    board = Board(words[0]) if has_fen else Board()
    return board.push_all(words[has_fen:])


def _read_openings(file: str) -> Iterator[str]:
    try:
        text = read_regular(file).decode("utf-8-sig")
    except FileNotFoundError:
        raise OpeningsError(file, f"no such file; names are {', '.join(NAMES)}") from None
    except UnicodeDecodeError:
        raise OpeningsError(file, "not a text file") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        fault = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise OpeningsError(file, fault.lower()) from None
    yield from _read_games(text, file) if Path(file).suffix.lower() == ".pdn" else _read_lines(text, file)


def _read_lines(text: str, file: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        opening = line.partition("#")[0]
        if not opening.strip():
            continue
        try:
            board = opening_board(opening)
        except RulesError as error:
            raise OpeningsError(file, str(error), number) from None
        if board.outcome() is not None:
            raise OpeningsError(file, "the game is over after this opening", number)
        yield _line(board.start, board.moves)


def _read_games(text: str, file: str) -> Iterator[str]:
    try:
        for number, game in enumerate(iterate_pdn(text), 1):
            moves = game.opening or game.moves
            if Board(game.start).push_all(moves).outcome() is not None:
                raise OpeningsError(file, f"game {number} is over after its moves, so they cannot be an opening")
            yield _line(game.start, moves)
    except PdnError as error:
        raise OpeningsError(file, f"column {error.column}: {error.fault}", error.line) from None


def _line(start: Position, moves: list[Move]) -> str:
    fen = () if start == START else (format_fen(start),)
    return " ".join((*fen, *map(str, moves)))
