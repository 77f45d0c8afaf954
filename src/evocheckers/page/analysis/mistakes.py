"""Game review: what every move cost its side, in men and in chance, and how accurately each side played.

A move's cost is the value of the best move minus that of the move played, both from the mover's point of view and
searched to the same depth; it is never negative. The chance of winning is a function of the value
(``opinion``), so a man lost in an even game costs more than one lost when the game is already decided.

Marks depend on the cost in chance, relative to what a man is worth in an even game: losing as much chance as a whole
man is worth there is a blunder, half a man a mistake, a quarter an inaccuracy.

Accuracy is the mean over all moves with a choice: a move that costs nothing scores 100, a blunder 0, and anything in
between in proportion.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, Field

from evocheckers.analysis.analyse import held, limit_of_reply, value_move
from evocheckers.page.analysis.values import chance_of, men_of
from evocheckers.page.games.models import Side, side_of
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.search.batched import AnySearcher
from evocheckers.search.limit import Limit


class Mark(StrEnum):
    """Names for costly moves."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


MARKED_FROM = {
    Mark.BLUNDER: chance_of(1.0) - 0.5,
    Mark.MISTAKE: chance_of(0.5) - 0.5,
    Mark.INACCURACY: chance_of(0.25) - 0.5,
}
"""The cost in chance from which a move is marked: what a man, half a man and a quarter are worth in an even game."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a game, with its cost."""

    ply: int
    """From 1."""
    color: Color
    move: Move
    best: Move
    """The judge's choice; the move itself if none is better."""
    line: tuple[Move, ...]
    """The line that the judge expects, beginning with its own move."""
    best_men: float
    """The value of the judge's move, in men within ±6, to the side that moved."""
    own_men: float
    """The value of the move that was played."""
    choices: int
    """Number of legal moves."""

    @property
    def men(self) -> float:
        """The cost in men."""
        return max(0.0, self.best_men - self.own_men)

    @property
    def chance(self) -> float:
        """The cost in chance."""
        return max(0.0, chance_of(self.best_men) - chance_of(self.own_men))

    @property
    def mark(self) -> Mark | None:
        """The mark that the cost earns, if any."""
        return next((mark for mark, least in MARKED_FROM.items() if self.chance >= least), None)


def review_move(searcher: AnySearcher, board: Board, move: Move, limit: Limit) -> ReviewedMove:
    """What a move cost, according to a search of the position."""
    chosen = searcher.search(board, limit)
    best, line, score = chosen.move, chosen.line, chosen.score
    if move != best:
        score = value_move(searcher, board, move, limit_of_reply(limit, chosen)).score
        if score >= chosen.score:
            best, line = move, (move,)
    choices = len(board.legal_moves())
    values = held(men_of(chosen.score)), held(men_of(score))
    return ReviewedMove(len(board.moves) + 1, board.turn, move, best, line, *values, choices)


def accuracy(moves: Iterable[tuple[float, int]]) -> float | None:
    """A side's accuracy from 0 to 100, given the cost in chance and the number of choices of each of its moves.

    None if it never had a choice.
    """
    blunder = MARKED_FROM[Mark.BLUNDER]
    kept = [max(0.0, 1 - cost / blunder) for cost, choices in moves if choices > 1]
    return round(100 * sum(kept) / len(kept), 1) if kept else None


class MoveReview(BaseModel):
    """What a move cost."""

    ply: int
    side: Side
    move: str
    best: str
    line: list[str] = Field(description="the play that was expected after the better move, that move first")
    score: float = Field(description="of the move that was played, in men within ±6, to the side that moved")
    best_score: float = Field(description="of the best move")
    chance: float = Field(description="the side's chance of winning after its move, a draw counting half")
    best_chance: float
    men: float = Field(description="what the move cost in men")
    cost: float = Field(description="what it cost in chance")
    mark: Mark | None
    choices: int = Field(description="how many legal moves there were")


def describe_review(found: ReviewedMove) -> MoveReview:
    """A reviewed move for the page."""
    return MoveReview(
        ply=found.ply,
        side=side_of(found.color),
        move=str(found.move),
        best=str(found.best),
        line=[str(move) for move in found.line],
        score=round(found.own_men, 3),
        best_score=round(found.best_men, 3),
        chance=round(chance_of(found.own_men), 4),
        best_chance=round(chance_of(found.best_men), 4),
        men=round(found.men, 3),
        cost=round(found.chance, 4),
        mark=found.mark,
        choices=found.choices,
    )
