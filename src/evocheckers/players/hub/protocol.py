"""The text of the Hub protocol, version 2, as Fabien Letouzey's Scan 3 speaks it (``protocol.txt`` in its sources).

A line is ``command name=value name="quoted value" flag``. Hub was made for the 10x10 game; for English draughts
(``variant=english``) a position is 33 characters, and squares are numbered 1 to 32 as everywhere here. A capture is
written as start, end and captured squares, ``10x19x15``, not as a path. No text can mean both, since the squares of a
path lie on every second row and captured pieces on the rows between.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from evocheckers.errors import EvocheckersError
from evocheckers.rules.board import Board
from evocheckers.rules.fen import FenError, Position, format_fen, parse_fen
from evocheckers.rules.move import Color, Move
from evocheckers.rules.notation import find_move, parse_squares

VARIANT = "english"
MAX_LINE_BYTES = 64 * 1024
"""The longest line, including its end."""

_NAME = r'[^\s="\x00-\x1f\x7f]+'
_ITEM = re.compile(rf'\s*({_NAME})(?:\s*=\s*(?:"([^"]*)"|({_NAME})))?(?=\s|$)')
_FORBIDDEN = re.compile(r'["\x00-\x1f\x7f]')
_PIECES = "bwBWe"


class HubError(EvocheckersError):
    """Text that does not follow the Hub protocol."""


@dataclass(frozen=True, slots=True)
class Line:
    """One parsed line."""

    command: str
    arguments: dict[str, str] = field(default_factory=dict)
    """A name without a value has the empty string, as Hub demands."""


def clean(text: str, length: int = 200) -> str:
    """Make any text fit for a quoted value and for one line of output."""
    text = _FORBIDDEN.sub(lambda match: "'" if match[0] == '"' else " ", " ".join(text.split()))
    return text if len(text) <= length else text[: length - 3] + "..."


def parse_line(text: str) -> Line:
    """Parse a line.

    >>> parse_line('pos pos=We moves="11-15 22-18" quiet').arguments
    {'pos': 'We', 'moves': '11-15 22-18', 'quiet': ''}
    """
    if len(text) > MAX_LINE_BYTES:
        raise HubError(f"a line longer than {MAX_LINE_BYTES} bytes")
    text = text.strip()
    command = re.match(rf"{_NAME}(?=\s|$)", text)
    if command is None:
        raise HubError(f"no command in {clean(text, 40)!r}" if text else "an empty line")
    arguments: dict[str, str] = {}
    at = command.end()
    while at < len(text):
        item = _ITEM.match(text, at)
        if item is None:
            raise HubError(f"character {at + 1}: cannot read {clean(text[at:], 40)!r}")
        name, quoted, plain = item.groups()
        if name in arguments:
            raise HubError(f"character {at + 1}: {clean(name, 40)!r} is given twice")
        arguments[name] = quoted or plain or ""
        at = item.end()
    return Line(command[0], arguments)


def format_line(command: str, arguments: Mapping[str, str | None] | None = None) -> str:
    """Write a line; an argument whose value is None is a flag.

    >>> format_line("set-param", {"name": "variant", "value": "two words"})
    'set-param name=variant value="two words"'
    """
    words = [command]
    for name, value in (arguments or {}).items():
        if value is None:
            words.append(name)
        elif re.fullmatch(_NAME, value):
            words.append(f"{name}={value}")
        elif _FORBIDDEN.search(value):
            raise HubError(f"value {clean(value, 40)!r} of {name} holds a quote or a control character")
        else:
            words.append(f'{name}="{value}"')
    for name in (command, *(arguments or {})):
        if not re.fullmatch(_NAME, name):
            raise HubError(f"{clean(name, 40)!r} is not a valid name")
    line = " ".join(words)
    if len(line.encode(errors="replace")) >= MAX_LINE_BYTES:
        raise HubError(f"a line longer than {MAX_LINE_BYTES} bytes")
    return line


def read_lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream until its end. A line that is too long is cut to what ``parse_line`` just refuses."""
    while text := stream.readline(MAX_LINE_BYTES + 1):
        rest = text
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES)
        line = text.decode(errors="replace")
        yield line if len(text) <= MAX_LINE_BYTES else line.ljust(MAX_LINE_BYTES + 1)


def format_position(position: Position) -> str:
    """The side to move, then every square: ``b``, ``w``, capitals for kings, ``e`` for empty."""

    def letter(square: int) -> str:
        bit = 1 << (square - 1)
        found = "b" if position.black & bit else "w" if position.white & bit else "e"
        return found.upper() if position.kings & bit else found

    return position.turn.letter + "".join(letter(square) for square in range(1, 33))


def parse_position(text: str) -> Position:
    """Parse a position; what a FEN may not hold, such as a man on its crowning row, is refused here too."""
    if len(text) != 33:
        raise HubError(f"position {clean(text, 40)!r} has {len(text)} characters, not 33")
    if text[0] not in "BW":
        raise HubError(f"position {clean(text)!r}: the side to move is {clean(text[0])!r}, not B or W")
    words = dict.fromkeys(_PIECES, 0)
    for square, letter in enumerate(text[1:], 1):
        if letter not in words:
            raise HubError(
                f"position {clean(text)!r}: {clean(letter)!r} on square {square} is not one of b, w, B, W, e"
            )
        words[letter] |= 1 << (square - 1)
    turn = Color.BLACK if text[0] == "B" else Color.WHITE
    position = Position(turn, words["b"] | words["B"], words["w"] | words["W"], words["B"] | words["W"])
    try:
        return parse_fen(format_fen(position))
    except FenError as error:
        raise HubError(f"position {text!r}: {error.fault}") from None


def format_move(move: Move) -> str:
    """``11-15``, or for a capture its start, its end and the captured squares in ascending order: ``10x19x15``."""
    if not move.captured:
        return str(move)
    return "x".join(map(str, (move.start, move.end, *sorted(move.captured))))


def parse_move(text: str, board: Board) -> Move:
    """The legal move that a text means: in Hub's form, a path, or start and end if only one position can follow.

    Two paths over the same pieces lead to the same position; Hub cannot tell them apart, and the first one is taken.
    """
    squares = parse_squares(text)
    legal = board.legal_moves()
    taken = sorted(squares[2:])
    fitting = [
        move
        for move in legal
        if (move.start, move.end) == squares[:2] and (len(squares) == 2 or sorted(move.captured) == taken)
    ]
    if len({board.child(move).position for move in fitting}) == 1:
        return fitting[0]
    return find_move(text, legal)
