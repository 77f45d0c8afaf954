"""Requests and responses of the API about games."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from evocheckers.page.models import FenText, LimitText, MoveModel, PlayerId, Request, Side, ValueModel


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
    scores: dict[str, ValueModel] = Field(description="the champion's values, by plies played")
    rated: bool
    clock: ClockModel | None
    rating: RatingModel | None = None
    compiling: bool = Field(default=False, description="engines wait for machine code, once on each machine")
    searched: int | None = Field(default=None, description="plies that the engine searched for the move it just played")
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


class OptionsModel(BaseModel):
    """The available choices."""

    levels: list[LevelModel]
    players: list[PlayerModel]
    openings: dict[str, list[str]]
    max_plies: int
    max_seconds: float
    repetition: bool = Field(description="whether the third occurrence of a position is a draw in new games")
