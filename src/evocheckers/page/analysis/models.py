"""Requests and responses of the API about positions and reviews."""

from typing import Annotated

from pydantic import BaseModel, Field

from evocheckers.analysis.mistakes import Mark, ReviewedMove
from evocheckers.analysis.values import chance_of
from evocheckers.page.games.models import Ending
from evocheckers.page.models import FenText, LimitText, MoveModel, PlayerId, Request, Side, ValueModel, side_of


class AnalysisRequest(Request):
    """A position to analyse."""

    fen: FenText
    player: PlayerId = "champion"
    limit: LimitText = "6"


class PositionRequest(Request):
    """A position, and a move to play in it."""

    fen: FenText
    move: Annotated[str, Field(max_length=60)] = ""


class PositionModel(BaseModel):
    """A position as the rules see it."""

    fen: str
    turn: Side
    legal: list[MoveModel]
    must_capture: bool
    ending: Ending | None


class MoveValueModel(MoveModel):
    """A legal move and what it is worth."""

    score: float = Field(description="in men, to Black")
    chance: float = Field(description="Black's chance of winning")
    score_text: str
    line: list[str]


class NodeActivation(BaseModel):
    """A node of the first layer: the sub-square that it looks at, and its activation."""

    row: int
    column: int
    rows: int
    columns: int
    activation: float


class Activations(BaseModel):
    """How a network responds to a position, from the side to move."""

    value: float
    material: float | None = Field(description="the pieces alone; null for a network that does not count them")
    nodes: list[NodeActivation] = Field(description="a spatial network's, by sub-square; others have none")
    wide: list[float] = Field(description="activations of a planes network's wide layer, 0 to 1; others have none")
    squares: dict[str, float] = Field(description="what each occupied square contributes: value with it minus without")


class AnalysisModel(BaseModel):
    """The analysis of a position."""

    fen: str
    turn: Side
    value: ValueModel
    moves: list[MoveValueModel]
    activations: Activations | None
    note: str = ""


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
    cost_men: float = Field(description="what the move cost in men")
    cost_chance: float = Field(description="what it cost in chance")
    mark: Mark | None
    choices: int = Field(description="how many legal moves there were")


class ReviewModel(BaseModel):
    """A game's review, as far as it has got."""

    game: str
    by: str = Field(description="whose values they are")
    plies: int = Field(description="moves of the game")
    done: int = Field(description="moves looked over so far")
    running: bool
    moves: list[MoveReview]
    accuracy: dict[Side, float | None] = Field(description="from 0 to 100")
    marks: dict[Side, dict[Mark, int]]
    marked_from: dict[Mark, float] = Field(description="the cost in chance from which on a move has a mark")


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
        cost_men=round(found.cost_men, 3),
        cost_chance=round(found.cost_chance, 4),
        mark=found.mark,
        choices=found.choices,
    )
