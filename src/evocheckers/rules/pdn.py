"""PDN 3.0, the game file format of draughts.

Reads what real files contain: several games, comments in ``{}`` and from ``;`` or ``%`` to the end of a line, nested
variations (skipped), NAGs, ``!`` and ``?`` marks, ``1. ...``, a start position in a FEN tag, and all spellings of a
result. In the English convention the first number of a result belongs to Black, who moves first.

Writes canonical files: the seven tags first, captures with their whole path, lines of at most 80 characters. The moves
of an opening given to the players are included in the game's moves; the tag ``Opening`` repeats them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from evocheckers.rules import fen
from evocheckers.rules.board import Board
from evocheckers.rules.fen import FenError
from evocheckers.rules.move import Color, Move, RulesError
from evocheckers.rules.notation import MoveTextError


class PdnError(RulesError):
    """A game record that cannot be read; ``line`` and ``column`` count from 1."""

    def __init__(self, fault: str, line: int, column: int) -> None:
        self.fault, self.line, self.column = fault, line, column
        super().__init__(f"line {line}, column {column}: {fault}")


GAME_TYPE = "21,B,8,8,N1,0"
"""English draughts: Black begins, 8 by 8, numbered squares, square 1 as printed."""

RESULTS: Mapping[str, str] = MappingProxyType(
    {
        "1-0": "1-0",
        "0-1": "0-1",
        "1/2-1/2": "1/2-1/2",
        "2-0": "1-0",
        "0-2": "0-1",
        "1-1": "1/2-1/2",
        "0-0": "*",
        "*": "*",
    }
)
"""Every accepted spelling of a result, and the one that is written."""

_OPENING = "Opening"
"""The tag with the opening's moves; if it holds anything else, such as an opening's name, it is an ordinary tag."""
_SEVEN_TAGS = ("Event", "Site", "Date", "Round", "Black", "White", "Result")

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>\{[^}]*\}|;[^\n]*|(?<![^\n\ufeff])%[^\n]*)
    | (?P<tag>\[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])
    | (?P<open>\()
    | (?P<close>\))
    | (?P<nag>\$[0-9]+)
    | (?P<result>(?:1/2-1/2|2-0|0-2|1-1|1-0|0-1|0-0|(?<![0-9!?])\*)(?=[\s\[{(;)]|\Z))
    | (?P<number>[0-9]+\s*\.(?:\s*\.\.+|\.+)?|\.\.+)
    | (?P<move>[0-9]{1,2}(?:\s?[-xX:]\s?[0-9]{1,2})+)
    | (?P<mark>[!?*]+)
    """,
    re.VERBOSE | re.DOTALL,
)


class _Token(NamedTuple):
    kind: str
    text: str
    at: int
    match: re.Match[str]


@dataclass
class Game:
    """A recorded game: tags, moves, and the result as written."""

    moves: list[Move] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    """All tags but ``Result``, ``GameType``, ``SetUp``, ``FEN`` and the opening's moves, which follow from the rest."""
    result: str = "*"
    start: fen.Position = fen.START
    opening_plies: int = 0
    """The number of moves given to the players as an opening."""

    @property
    def opening(self) -> list[Move]:
        """The moves given to the players."""
        return self.moves[: self.opening_plies]

    def board(self) -> Board:
        """The board after the last move."""
        return Board(self.start).push_all(self.moves)

    def __str__(self) -> str:
        return write_pdn([self])


def read_pdn(text: str) -> list[Game]:
    """All games of a PDN text, every move checked; the first fault raises a ``PdnError`` that gives its position."""
    return list(iterate_pdn(text))


def iterate_pdn(text: str) -> Iterator[Game]:
    """The games one by one, so that those before a fault can still be used."""
    for game in _games(text):
        given = game.tags.get(_OPENING, "").split()
        if given and given == [str(move) for move in game.moves[: len(given)]]:
            del game.tags[_OPENING]
            game.opening_plies = len(given)
        yield game


def _games(text: str) -> Iterator[Game]:
    tags: dict[str, str] = {}
    tag_places: dict[str, int] = {}
    game: Game | None = None
    board = Board()
    depth = 0
    opened = 0
    for token in _tokens(text):
        if token.kind == "open":
            depth += 1
            opened = token.at if depth == 1 else opened
        elif token.kind == "close":
            if depth == 0:
                raise _fault("')' without '('", text, token.at)
            depth -= 1
        elif depth:
            continue
        elif token.kind == "tag":
            if game is not None:
                yield game
                game, tags, tag_places = None, {}, {}
            name = token.match["name"]
            tags[name] = re.sub(r"\\(.)", r"\1", token.match["value"])
            tag_places[name] = token.at
        elif token.kind in ("move", "number", "result"):
            if game is None:
                game, board = _begin(tags, tag_places, text)
            if token.kind == "move":
                try:
                    board.push(token.text)
                except MoveTextError as error:
                    raise _fault(f"ply {len(game.moves) + 1}: {error}", text, token.at) from None
                game.moves.append(board.moves[-1])
            elif token.kind == "result":
                game.result = RESULTS[token.text]
                yield game
                game, tags, tag_places = None, {}, {}
    if depth:
        raise _fault("'(' is never closed", text, opened)
    if game is not None:
        yield game
    elif tags:
        yield _begin(tags, tag_places, text)[0]


def _tokens(text: str) -> Iterator[_Token]:
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            if text[at] == "{":
                raise _fault("'{' is never closed", text, at)
            word = re.match(r"\S{1,20}", text[at:])
            raise _fault(f"cannot read {word[0] if word else text[at]!r}", text, at)
        kind = str(match.lastgroup if match.lastgroup not in ("name", "value") else "tag")
        if kind not in ("space", "comment", "nag", "mark"):
            yield _Token(kind, match[0], at, match)
        at = match.end()


def _begin(tags: dict[str, str], places: dict[str, int], text: str) -> tuple[Game, Board]:
    """A game at its start position, from its tags."""
    tags = dict(tags)
    kind = tags.pop("GameType", GAME_TYPE)
    if kind.split(",")[0].strip() != "21":
        raise _fault(f"GameType is {kind!r}; only 21, English draughts, is played here", text, places["GameType"])
    start = fen.START
    tags.pop("SetUp", None)
    if "FEN" in tags:
        try:
            start = fen.parse_fen(tags.pop("FEN"))
        except FenError as error:
            raise _fault(str(error), text, places["FEN"]) from None
    result = tags.pop("Result", "*")
    if result not in RESULTS:
        raise _fault(f"result {result!r} is not one of {', '.join(RESULTS)}", text, places["Result"])
    return Game([], tags, RESULTS[result], start), Board(start)


def _fault(fault: str, text: str, at: int) -> PdnError:
    return PdnError(fault, text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1)


def write_pdn(games: Iterable[Game]) -> str:
    """The games as one canonical PDN text."""
    return "\n".join(_write_game(game) for game in games)


def _write_game(game: Game) -> str:
    tags = dict.fromkeys(_SEVEN_TAGS, "?") | {"Date": "????.??.??"} | game.tags
    tags |= {"Result": game.result, "GameType": GAME_TYPE}
    if game.opening:
        tags[_OPENING] = " ".join(map(str, game.opening))
    if game.start != fen.START:
        tags |= {"SetUp": "1", "FEN": fen.format_fen(game.start)}
    lines = []
    for name, value in tags.items():
        escaped = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{name} "{escaped}"]')
    lines.append("")
    white_begins = game.start.turn is Color.WHITE
    words = []
    for ply, move in enumerate(game.moves, white_begins):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif ply == 1 and white_begins:
            words += ["1.", "..."]
        words.append(str(move))
    words.append(game.result)
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > 80:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".lstrip()
    lines.append(line)
    return "\n".join(lines) + "\n"
