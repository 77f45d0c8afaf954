"""A player's analysis of a position, move by move, or of a game: the value after every move, and what it cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from evocheckers.analysis.mistakes import ReviewedMove, accuracy, review_move
from evocheckers.analysis.values import (
    SHOWN_MEN,
    MoveValue,
    clip_men,
    limit_of_reply,
    man_of,
    men_of,
    score_text,
    value_move,
)
from evocheckers.data_frames import data_frame
from evocheckers.players.grammar import PLIES
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.pdn import Game
from evocheckers.search.batched import AnySearcher
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchInterrupted, SearchResult

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class PlyAnalysis:
    """A move of a game, and the position after it."""

    review: ReviewedMove
    """What the move cost, from the point of view of the side that made it."""
    men: float
    """The value of the position after the move, in men within ±6, to Black and from Black's point of view."""
    text: str

    def __str__(self) -> str:
        one = self.review
        better = f"{one.mark}, better: {one.best}" if one.mark else ""
        return f"{one.ply:>3} {one.color!s:<5} {one.move!s:<8} {self.text:>9}  {better}".rstrip()

    def row(self) -> dict[str, Any]:
        """The same as the row of a table."""
        one = self.review
        return {
            "ply": one.ply,
            "color": str(one.color),
            "move": str(one.move),
            "men": self.men,
            "text": self.text,
            "choice": str(one.choice),
            "cost_men": one.cost_men,
            "cost_chance": one.cost_chance,
            "mark": one.mark,
        }


T = TypeVar("T", MoveValue, PlyAnalysis)


class Analysis(tuple[T, ...]):
    """The analysis of every move in a position, or of every move of a game; it prints as a table."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Analysis of {len(self)} moves>"

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each move."""
        return data_frame(one.row() for one in self)


def searcher_of(contestant: Contestant) -> tuple[AnySearcher, Limit]:
    """A search for analysis; only players that search can analyse."""
    return contestant.searcher(), contestant.limit or Limit(plies=PLIES)


def analyse_position(board: Board, contestant: Contestant, lines: int | None = None) -> Iterator[MoveValue]:
    """Legal moves from the point of view of the side to move, the player's own choice first.

    With a limit in plies, all legal moves: the others follow in the generator's order, each searched separately and as
    deep as the choice was. With a limit in time or nodes, the best ``lines`` moves, best first, found by one search. If
    the first search is interrupted, what it has found so far comes before the interrupt.
    """
    searcher, limit = searcher_of(contestant)
    moves = board.legal_moves()
    wanted = min(lines or len(moves), len(moves)) if limit.plies is None else 1
    try:
        chosen = searcher.search(board, limit, lines=wanted)
    except SearchInterrupted as interrupt:
        yield from best_lines(interrupt.result)
        raise
    if limit.plies is None:
        yield from best_lines(chosen)
        return
    yield MoveValue(chosen.move, chosen.score, chosen.score_text, chosen.line)
    for move in moves:
        if move != chosen.move:
            yield value_move(searcher, board, move, limit_of_reply(limit, chosen))


def best_lines(result: SearchResult) -> list[MoveValue]:
    """The best lines of a search."""
    return [MoveValue(line.moves[0], line.score, score_text(line.score), line.moves) for line in result.lines]


def analyse_game(game: Game, contestant: Contestant) -> Iterator[PlyAnalysis]:
    """Analyse every move of a game."""
    searcher, limit = searcher_of(contestant)
    man = man_of(contestant)
    board = Board(game.start)
    for move in game.moves:
        review = review_move(searcher, board, move, limit, man)
        board.push(move)
        yield PlyAnalysis(review, *_value_after(searcher, board, limit, man))


def _value_after(searcher: AnySearcher, board: Board, limit: Limit, man: float) -> tuple[float, str]:
    """A position's value from Black's point of view, whoever is to move, and its text."""
    sign = 1 if board.turn is Color.BLACK else -1
    if not board.legal_moves():
        return -sign * SHOWN_MEN, f"{board.turn.opponent} wins"
    result = searcher.search(board, limit, viewer=Color.BLACK)
    men = men_of(sign * result.score, man)
    if result.plies_to_end is None:
        return clip_men(men), f"{men:+.3f}"
    return clip_men(men), f"{'win' if men > 0 else 'loss'} in {result.plies_to_end}"


def accuracy_of(plies: Sequence[PlyAnalysis], color: Color) -> float | None:
    """A side's accuracy in a game."""
    return accuracy((one.review.cost_chance, one.review.choices) for one in plies if one.review.color is color)


def to_json(plies: Sequence[PlyAnalysis]) -> list[dict[str, Any]]:
    """A game's analysis as JSON data."""
    return [one.row() for one in plies]
