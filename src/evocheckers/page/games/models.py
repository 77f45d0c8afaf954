"""Requests and responses of the API.

URL parameters and their constraints.
"""

from typing import Annotated, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from evocheckers.rules.move import Color, Move

RunName = Annotated[str, Path(max_length=120)]
Number = Annotated[int, Path(ge=0, le=10**9)]
GameId = Annotated[str, Path(min_length=8, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


PlayerId = Annotated[
    str,
    Field(
        max_length=200,
        description="human, or a player as on the command line: champion, anaconda-840, material, material:noise, "
        "random, net:NAME, run:NAME#GENERATION, or a kind of another package",
    ),
]
LimitText = Annotated[str, Field(max_length=20, description="plies (8) or time (500ms, 2s)", examples=["6", "1s"])]
FenText = Annotated[str, Field(max_length=300, description="a position as FEN")]
Side = Literal["black", "white"]


class Request(BaseModel):
    """A request body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class SeatRequest(Request):
    """A player for one side."""

    player: PlayerId = "human"
    limit: LimitText = "4"


class ClockRequest(Request):
    """Time for a game, in seconds."""

    initial: Annotated[int, Field(ge=10, le=10_800)]
    increment: Annotated[int, Field(ge=0, le=60, description="added after every move")] = 0


class NewGame(Request):
    """A new game: from the start, a FEN, or the moves of a PDN."""

    black: SeatRequest = SeatRequest()
    white: SeatRequest = SeatRequest(player="champion")
    fen: FenText | None = None
    opening: Annotated[str, Field(max_length=40, description="moves of an opening, such as 11-15 23-19")] = ""
    pdn: Annotated[str, Field(max_length=60_000)] | None = None
    person: Annotated[str, Field(max_length=40, description="a name to be rated under")] = ""
    rated: Annotated[bool, Field(description="whether it counts: a whole game of a named person against a level")] = (
        False
    )
    clock: ClockRequest | None = None


class PlayMove(Request):
    """A person's move."""

    move: Annotated[str, Field(max_length=60, examples=["11-15", "15x22x31"])]
    ply: Annotated[int, Field(ge=0, le=10_000, description="plies played before it; guards against playing twice")]


class AtPly(Request):
    """A request that applies to a certain ply of a game."""

    ply: Annotated[int, Field(ge=0, le=10_000)]


class Resign(Request):
    """A person's resignation."""

    side: Side


class AnalysePosition(Request):
    """A position to analyse."""

    fen: FenText
    player: PlayerId = "champion"
    limit: LimitText = "6"


class Position(Request):
    """A position, and a move to play in it."""

    fen: FenText
    move: Annotated[str, Field(max_length=60)] = ""


class Thought(BaseModel):
    """An engine's opinion of a position."""

    score: float = Field(description="in men, to Black; beyond ±900 the end is forced")
    chance: float = Field(description="Black's chance: the share of the points to expect")
    text: str
    plies: int
    line: list[str]
    by: str = Field(description="whose opinion it is")
    note: str = ""


class MoveModel(BaseModel):
    """A legal move."""

    text: str
    path: list[int]
    captured: list[int]


class PlayedMove(MoveModel):
    """A move that was played."""

    side: Side
    fen: str
    """The position after it."""


class SeatModel(BaseModel):
    """The player of one side."""

    player: str
    title: str
    limit: str
    level: str | None = Field(default=None, description="the name of the level, if it is one")
    rating: int | None = Field(default=None, description="of that level, by a tournament")


class ClockModel(BaseModel):
    """Seconds that both sides have left."""

    initial: float
    increment: float
    black: float
    white: float
    running: bool = Field(description="whether the time of the side to move runs")


class Ending(BaseModel):
    """How the game ended."""

    winner: Literal["black", "white", "draw"]
    reason: str
    text: str


class RatingModel(BaseModel):
    """A person's rating from games against the levels."""

    person: str
    games: int
    rating: int
    class_name: str


class GameModel(BaseModel):
    """A game as the page shows it."""

    id: str = Field(description="whoever has it can play; empty in a game that is only shown")
    view: str = Field(description="shows the game to others, at /api/shared/VIEW")
    start: str
    fen: str
    turn: Side
    ply: int
    opening: str = Field(default="", description="its traditional name, if it has one")
    black: SeatModel
    white: SeatModel
    person: str
    moves: list[PlayedMove]
    legal: list[MoveModel]
    must_capture: bool
    waiting_for: Literal["human", "engine", "nobody"]
    ending: Ending | None
    scores: dict[str, Thought] = Field(description="the judge's, by plies played")
    rated: bool
    clock: ClockModel | None
    rating: RatingModel | None = None
    compiling: bool = Field(default=False, description="engines wait for machine code, once on each machine")
    searched: int | None = Field(default=None, description="plies that the engine searched for the move it just played")
    note: str = ""


class MoveThought(MoveModel):
    """A legal move and the engine's opinion of it."""

    score: float = Field(description="in men, to Black")
    chance: float = Field(description="Black's chance of winning")
    score_text: str
    line: list[str]


class SightNode(BaseModel):
    """A node of the first layer: the sub-square that it looks at, and its activation."""

    row: int
    column: int
    rows: int
    columns: int
    activation: float


class Sight(BaseModel):
    """What a network sees in a position, from the side to move."""

    value: float
    material: float | None = Field(description="the pieces alone; null for a network that does not count them")
    nodes: list[SightNode] = Field(description="a spatial network's, by sub-square; others have none")
    wide: list[float] = Field(description="activations of a planes network's wide layer, 0 to 1; others have none")
    squares: dict[str, float] = Field(description="what each occupied square contributes: value with it minus without")


class AnalysisModel(BaseModel):
    """The analysis of a position."""

    fen: str
    turn: Side
    thought: Thought
    moves: list[MoveThought]
    sight: Sight | None
    note: str = ""


class PlayerModel(BaseModel):
    """A player of the catalogue."""

    id: str
    title: str
    note: str


class LevelModel(BaseModel):
    """A named opponent."""

    name: str
    player: str
    limit: str
    rating: int
    note: str


class PositionModel(BaseModel):
    """A position as the rules see it."""

    fen: str
    turn: Side
    legal: list[MoveModel]
    must_capture: bool
    ending: Ending | None


class OptionsModel(BaseModel):
    """The available choices."""

    levels: list[LevelModel]
    players: list[PlayerModel]
    openings: dict[str, list[str]]
    max_plies: int
    max_seconds: float
    repetition: bool = Field(description="whether the third occurrence of a position is a draw in new games")


def side_of(color: Color) -> Side:
    """A side's name."""
    return "black" if color is Color.BLACK else "white"


def describe_move(move: Move) -> MoveModel:
    """A move for the page."""
    return MoveModel(text=str(move), path=list(move.path), captured=list(move.captured))
