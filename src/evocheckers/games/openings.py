"""Where games start: the initial position, the first moves, the ballots of tournament play, a file, or random moves.

An opening is a line of text: moves separated by spaces, played from the initial position or from a FEN before them.

The ballots
    Two-move ballots are all pairs of first moves less the six that lose a man. The three-move ballots are the openings
    of today's tournaments, the 156 that the American Checker Federation plays: its deck of 144 and the twelve added in
    2003. Of the 174 three-move openings left without transpositions and immediate losses, 18 stay barred as lost. Two
    public lists agree on this deck and its numbering: the one in pydraughts, which a test compares (except for one slip
    there), and ``three_move_table`` in CheckerBoard (github.com/eygilbert/CheckerBoard), less the openings that it
    marks as barred.

Random starts
    A few random moves from the initial position, kept if both sides have equally many pieces. They give variety when
    the same networks meet many times; a start depends on its seed alone.

Names
    Most traditional names of openings are Scottish places, people and songs of the nineteenth century. A name belongs
    to a position, so it also applies to the same moves in another order; a game is named after the last such position
    that it reached. First moves without a name of their own, such as 11-15, are not listed.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.files import read_regular
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import i64, pointer_to, popcount, reverse_bits, u32, u64
from evocheckers.native.randomness import hashes, integers, key, mix
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, list_moves, turn
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position, format_fen
from evocheckers.rules.move import Color, Move, RulesError
from evocheckers.rules.pdn import PdnError, iterate_pdn


class OpeningsError(EvocheckersError):
    """Openings that cannot be used: ``source`` is the name or file, ``line`` counts from 1 (0: the file as a whole)."""

    def __init__(self, source: str, fault: str, line: int = 0) -> None:
        self.source, self.fault, self.line = source, fault, line
        super().__init__(f"openings {source!r}{f', line {line}' if line else ''}: {fault}")


NAMES = ("start", "first-moves", "two-move", "three-move")

FIRST_MOVES = ("9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16")
BARRED_BALLOTS = ("9-14 21-17", "9-14 23-18", "10-14 21-17", "10-14 23-18", "11-16 23-19", "12-16 23-19")
"""Pairs of first moves that tournaments leave out because they lose a man."""

THREE_MOVE: Mapping[str, str] = MappingProxyType(
    {
        "9-13 21-17": "5-9 6-9",
        "9-13 22-17": "13x22",
        "9-13 22-18": "6-9 10-14 10-15 11-15 11-16 12-16",
        "9-13 23-18": "5-9 6-9 10-15 11-15 11-16 12-16",
        "9-13 23-19": "5-9 6-9 10-14 10-15 11-16",
        "9-13 24-19": "5-9 6-9 10-14 11-15 11-16",
        "9-13 24-20": "5-9 6-9 10-14 10-15 11-15 11-16",
        "9-14 22-17": "5-9 6-9 11-15 11-16",
        "9-14 22-18": "5-9 10-15 11-15 11-16",
        "9-14 23-18": "14x23",
        "9-14 23-19": "5-9 11-16 14-18",
        "9-14 24-19": "5-9 11-15 11-16",
        "9-14 24-20": "5-9 10-15 11-15 11-16",
        "10-14 22-17": "7-10 9-13 11-15 11-16 14-18",
        "10-14 22-18": "6-10 7-10 11-15 11-16 12-16",
        "10-14 23-18": "14x23",
        "10-14 23-19": "6-10 7-10 11-15 11-16 14-18",
        "10-14 24-19": "6-10 7-10 11-16 14-18",
        "10-14 24-20": "6-10 7-10 11-15 11-16 14-18",
        "10-15 21-17": "6-10 7-10 9-13 11-16 15-18",
        "10-15 22-17": "6-10 7-10 9-13 11-16 15-19",
        "10-15 22-18": "15x22",
        "10-15 23-18": "6-10 7-10 9-14 11-16 12-16",
        "10-15 23-19": "6-10 7-10 11-16",
        "10-15 24-19": "15x24",
        "10-15 24-20": "6-10 7-10 15-19",
        "11-15 21-17": "8-11 9-13 9-14 15-19",
        "11-15 22-17": "8-11 9-13 15-18 15-19",
        "11-15 22-18": "15x22",
        "11-15 23-18": "8-11 9-14 10-14 12-16 15-19",
        "11-15 23-19": "8-11 9-13 9-14",
        "11-15 24-19": "15x24",
        "11-15 24-20": "8-11 12-16 15-18",
        "11-16 21-17": "7-11 8-11 9-13 9-14 16-20",
        "11-16 22-17": "7-11 8-11 9-13 16-20",
        "11-16 22-18": "7-11 8-11 16-19 16-20",
        "11-16 23-18": "7-11 8-11 9-14 10-14 16-20",
        "11-16 23-19": "16x23",
        "11-16 24-19": "7-11 8-11 16-20",
        "11-16 24-20": "7-11 16-19",
        "12-16 21-17": "9-13 9-14 16-19 16-20",
        "12-16 22-17": "16-19 16-20",
        "12-16 22-18": "16-19 16-20",
        "12-16 23-18": "16-19 16-20",
        "12-16 24-19": "16-20",
        "12-16 24-20": "8-12 10-15",
    }
)
"""For each pair of first moves, the third moves of its ballots."""


@cache
def ballots() -> tuple[str, ...]:
    """The 43 two-move ballots."""
    replies = [str(move) for move in Board().child("11-15").legal_moves()]
    pairs = [f"{first} {reply}" for first in FIRST_MOVES for reply in sorted(replies)]
    return tuple(pair for pair in pairs if pair not in BARRED_BALLOTS)


def three_move_ballots() -> tuple[str, ...]:
    """The 156 openings, in the federation's order."""
    return tuple(f"{two} {third}" for two, thirds in THREE_MOVE.items() for third in thirds.split())


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


@cache
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


OPENING_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "9-13": "Edinburgh",
        "9-13 22-18": "Edinburgh Single",
        "9-14": "Double Corner",
        "10-14": "Denny",
        "10-15": "Kelso",
        "10-15 23-18": "Kelso Cross",
        "11-16": "Bristol",
        "11-16 23-18": "Bristol Cross",
        "11-16 24-19": "Paisley",
        "12-16": "Dundee",
        "11-15 21-17": "Switcher",
        "11-15 22-18": "Single Corner",
        "11-15 23-18": "Cross",
        "11-15 23-18 8-11 18-14": "Waterloo",
        "11-15 24-19": "Second Double Corner",
        "11-15 24-20": "Ayrshire Lassie",
        "11-15 22-17 15-19": "Dyke",
        "11-15 22-17 8-11 17-13 15-18": "Maid of the Mill",
        "11-15 22-17 8-11 17-13 4-8 25-22": "Douglas",
        "11-15 22-17 8-11 25-22": "Pioneer",
        "11-15 22-17 9-13 17-14": "Boston",
        "11-15 22-17 9-13 24-20": "Wagram",
        "11-15 23-19 7-11": "Whilter",
        "11-15 23-19 8-11 22-17 3-8": "Alma",
        "11-15 23-19 8-11 22-17 4-8": "Old Fourteenth",
        "11-15 23-19 8-11 22-17 9-13": "Laird and Lady",
        "11-15 23-19 8-11 22-17 9-13 17-14 10x17 19x10 7x14": "Black Doctor",
        "11-15 23-19 8-11 22-17 11-16": "Glasgow",
        "11-15 23-19 8-11 22-17 15-18": "Centre",
        "11-15 23-19 8-11 26-23": "Nailor",
        "11-15 23-19 9-13": "Will o' the Wisp",
        "11-15 23-19 9-14 22-17 5-9": "Fife",
        "11-15 23-19 9-14 22-17 6-9": "Souter",
        "11-15 23-19 9-14 22-17 7-11": "Whilter",
        "11-15 23-19 9-14 27-23": "Defiance",
    }
)
"""The moves that form an opening, and its name."""


def opening_name(position: Position) -> str:
    """The name of the opening that has just been formed; empty if none.

    >>> opening_name(Board().push_all(["11-15", "22-17", "8-11", "23-19", "4-8"]).position)
    'Old Fourteenth'
    """
    return _by_position().get(position, "")


@cache
def _by_position() -> dict[Position, str]:
    return {Board().push_all(moves.split()).position: name for moves, name in OPENING_NAMES.items()}


_WHICH, _WHETHER = range(2)


@entry
def _fill_starts(
    own: u32, opp: u32, kings: u32, seed: u64, low: int, high: int, scratch: np.ndarray, out: np.ndarray
) -> None:
    moves = pointer_to(scratch)
    first_own, first_opp, first_kings = own, opp, kings
    for i in range(out.shape[0]):
        attempt = mix(seed, u64(i))
        while True:
            attempt = mix(attempt, u64(0))
            own, opp, kings = first_own, first_opp, first_kings
            plies = low + i64(mix(attempt, u64(1)) % u64(high - low + 1))
            end = list_moves(own, opp, kings, moves, 0)
            ply = 0
            while ply < plies and end > 0:
                at = i64(mix(attempt, u64(ply + 2)) % u64(end // MOVE_WORDS)) * MOVE_WORDS
                own, opp, kings = turn(moves[at], moves[at + 1], moves[at + 2])
                end = list_moves(own, opp, kings, moves, 0)
                ply += 1
            if end > 0 and popcount(own) == popcount(opp):
                break
        if plies & 1:  # White is to move and sees the board turned
            own, opp, kings = reverse_bits(opp), reverse_bits(own), reverse_bits(kings)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = u32(plies & 1), own, opp, kings


def random_starts(seed: int, count: int, least_plies: int, most_plies: int) -> list[Position]:
    """Positions after ``least_plies`` to ``most_plies`` random moves, with equal pieces and a legal move."""
    rows = np.empty((count, 4), np.uint32)
    own, opp, kings = Board().mover_words
    scratch = np.empty(MAX_MOVES * MOVE_WORDS, np.uint32)
    _fill_starts(u32(own), u32(opp), u32(kings), u64(seed), least_plies, most_plies, scratch, rows)
    return [Position(Color(turn), *boards) for turn, *boards in rows.tolist()]


def mixed_starts(seed: int, count: int, share: float, least_plies: int, most_plies: int) -> list[Position]:
    """Start positions: random starts for a ``share`` of the games, two-move ballots for the rest."""
    ballots = openings("two-move")
    found = [ballots[number] for number in integers(key(seed, _WHICH), count, len(ballots)).tolist()]
    chosen = np.flatnonzero(hashes(key(seed, _WHETHER), count) * 2.0**-64 < share).tolist()
    for game, start in zip(chosen, random_starts(seed, len(chosen), least_plies, most_plies), strict=True):
        found[game] = start
    return found
