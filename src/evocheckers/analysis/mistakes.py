"""Game review: what every move cost its side, in men and in chance, and how accurately each side played.

A move's cost is the value of the best move minus that of the move played, both from the mover's point of view and
searched to the same depth; it is never negative. The chance of winning is a function of the value
(``analysis.values``), so a man lost in an even game costs more than one lost when the game is already decided.

Marks depend on the cost in chance, relative to what a man is worth in an even game: losing as much chance as a whole
man is worth there is a blunder, half a man a mistake, a quarter an inaccuracy.

Accuracy is the mean over all moves with a choice: a move that costs nothing scores 100, a blunder 0, and anything in
between in proportion.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from evocheckers.analysis.values import MAN, chance_of, clip_men, limit_of_reply, men_of, value_move
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
    choice: Move
    """The search's own choice."""
    best: Move
    """That choice, or the move that was played if it is worth as much."""
    line: tuple[Move, ...]
    """The expected play, beginning with the best move."""
    best_men: float
    """The value of the best move, in men within ±6, to the side that moved."""
    own_men: float
    """The value of the move that was played."""
    choices: int
    """Number of legal moves."""

    @property
    def cost_men(self) -> float:
        """The cost in men."""
        return max(0.0, self.best_men - self.own_men)

    @property
    def cost_chance(self) -> float:
        """The cost in chance."""
        return max(0.0, chance_of(self.best_men) - chance_of(self.own_men))

    @property
    def mark(self) -> Mark | None:
        """The mark that the cost earns, if any."""
        return next((mark for mark, least in MARKED_FROM.items() if self.cost_chance >= least), None)


def review_move(searcher: AnySearcher, board: Board, move: Move, limit: Limit, man: float = MAN) -> ReviewedMove:
    """What a move cost, according to a search of the position in which a man is worth ``man``."""
    chosen = searcher.search(board, limit)
    best, line, score = chosen.move, chosen.line, chosen.score
    if move != best:
        score = value_move(searcher, board, move, limit_of_reply(limit, chosen)).score
        if score >= chosen.score:
            best, line = move, (move,)
    return ReviewedMove(
        ply=len(board.moves) + 1,
        color=board.turn,
        move=move,
        choice=chosen.move,
        best=best,
        line=line,
        best_men=clip_men(men_of(chosen.score, man)),
        own_men=clip_men(men_of(score, man)),
        choices=len(board.legal_moves()),
    )


def accuracy(moves: Iterable[tuple[float, int]]) -> float | None:
    """A side's accuracy from 0 to 100, given the cost in chance and the number of choices of each of its moves.

    None if it never had a choice.
    """
    blunder = MARKED_FROM[Mark.BLUNDER]
    kept = [max(0.0, 1 - cost / blunder) for cost, choices in moves if choices > 1]
    return round(100 * sum(kept) / len(kept), 1) if kept else None
