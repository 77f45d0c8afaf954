"""A generation's games as a run keeps them: to columns and back, and as PDN."""

import functools
from collections.abc import Sequence
from typing import overload

import numpy as np

from evocheckers.evolution.scheme import GenerationReport
from evocheckers.games.batch import BatchResult
from evocheckers.games.openings import NAMES, opening_board, opening_lines
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Color, Move
from evocheckers.rules.pdn import Game
from evocheckers.runs.schema import Keep
from evocheckers.runs.validation import check_games

Games = tuple[np.ndarray, np.ndarray, BatchResult]
"""Who played Black, who played White, and the results."""


def columns_of(report: GenerationReport, keep: Keep) -> dict[str, np.ndarray]:
    """The games of a generation by column; moves only if they are kept, up to the length of the longest game."""
    games = report.games
    columns = {
        "black": report.black_ids.astype(np.int64),
        "white": report.white_ids.astype(np.int64),
        "winners": games.winners,
        "reasons": games.reasons,
        "plies": games.plies,
        "evaluations": games.evaluations,
        "starts": np.array([list(start) for start in games.starts], np.int64).reshape(-1, 4),
    }
    if keep is Keep.MOVES:
        longest = int(games.plies.max(initial=0))
        columns["codes"] = np.ascontiguousarray(games.codes[:, :longest])
    return columns


class Starts(Sequence[Position]):
    """Where games began: rows of side to move, black, white and kings, converted to positions when accessed."""

    def __init__(self, rows: np.ndarray) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Position: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Position]: ...
    def __getitem__(self, place: int | slice) -> Position | Sequence[Position]:
        if isinstance(place, slice):
            return [_position(row) for row in self._rows[place].tolist()]
        return _position(self._rows[place].tolist())


def _position(row: list[int]) -> Position:
    return Position(Color(row[0]), *row[1:])


def games_of(columns: dict[str, np.ndarray], keep: Keep) -> Games:
    """The inverse of ``columns_of``; games without moves if none were kept."""
    check_games(columns, keep)
    columns = dict(columns)
    starts = Starts(columns.pop("starts"))
    codes = columns.pop("codes", np.zeros((len(starts), 0), np.uint32))
    black, white = columns.pop("black"), columns.pop("white")
    return black, white, BatchResult(**columns, codes=codes, starts=starts)


def pdn_games(games: Games, family: str, event: str) -> list[Game]:
    """The games for PDN files. Players are named by their family and number.

    A game from a known opening begins at the initial position with the opening's moves, marked as such.
    """
    black, white, result = games
    written = []
    for number in range(len(result)):
        record, start = result[number], result.starts[number]
        opening = _openings().get(start, ())
        tags = {
            "Event": event,
            "Round": str(number + 1),
            "Black": f"{family} #{black[number]}",
            "White": f"{family} #{white[number]}",
            "Termination": str(record.outcome.reason),
        }
        moves = [*opening, *record.moves]
        written.append(Game(moves, tags, record.outcome.result, START if opening else start, len(opening)))
    return written


@functools.cache
def _openings() -> dict[Position, tuple[Move, ...]]:
    """The moves of every opening, by the position that they lead to."""
    known: dict[Position, tuple[Move, ...]] = {}
    for name in NAMES:
        for line in opening_lines(name):
            board = opening_board(line)
            known.setdefault(board.position, tuple(board.moves))
    return known
