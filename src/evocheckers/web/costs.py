"""A game looked over: what every move cost its side, in men and in chance, and how accurately each side played.

A move's cost is the value of the best move less that of the move that was played, both through its side's eyes and
searched to the same depth; it is never negative. The chance of winning is a function of the value
(``opinion``), so that a man lost in an even game costs more than one lost where the game is decided anyway.

Marks are set by what they cost in chance, measured by what a man is worth in an even game: who loses as much chance as
a whole man is worth there blunders, half a man is a mistake, a quarter an inaccuracy.

Accuracy is the mean over all moves at which there was a choice: a move that costs nothing counts 100, a blunder 0, and
in between in proportion.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, Field

from evocheckers.experiments.analysis import held, limit_of_reply, value_move
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.search.full_width import AnySearcher
from evocheckers.search.searcher import Limit
from evocheckers.web.models import Side
from evocheckers.web.opinion import chance_of, men_of
from evocheckers.web.showing import side_of


class Mark(StrEnum):
    """What a costly move is called."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


MARKED_FROM = {
    Mark.BLUNDER: chance_of(1.0) - 0.5,
    Mark.MISTAKE: chance_of(0.5) - 0.5,
    Mark.INACCURACY: chance_of(0.25) - 0.5,
}
"""The chance from which on a move has a mark: what a man, half a man and a quarter are worth in an even game."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a game."""

    ply: int
    """From 1."""
    color: Color
    move: Move
    best: Move
    """What the judge would have played; the same move if none is better."""
    line: tuple[Move, ...]
    """The play that the judge expects after its own move, that move first."""
    best_men: float
    """Of the judge's move, in men within ±6, to the side that moved."""
    own_men: float
    """Of the move that was played."""
    choices: int
    """How many legal moves there were."""

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
        """The name of what it cost."""
        return next((mark for mark, least in MARKED_FROM.items() if self.chance >= least), None)


def review_move(searcher: AnySearcher, board: Board, move: Move, limit: Limit) -> ReviewedMove:
    """What a move cost, as a search of the position says."""
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
    """A side's accuracy from 0 to 100, by the cost in chance and the number of choices of each of its moves.

    None where it never had a choice.
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
    """A move for the page."""
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
