"""What the requests and responses of several features share: parameters with their bounds, moves, values."""

from typing import Annotated, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from evocheckers.analysis.values import PositionValue
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


class MoveModel(BaseModel):
    """A legal move."""

    text: str
    path: list[int]
    captured: list[int]


class ValueModel(BaseModel):
    """What a position is worth."""

    score: float = Field(description="in men, to Black; beyond ±900 the end is forced")
    chance: float = Field(description="Black's chance: the share of the points to expect")
    text: str
    plies: int
    line: list[str]
    by: str = Field(description="whose value it is")
    note: str = ""


def side_of(color: Color) -> Side:
    """A side's name."""
    return "black" if color is Color.BLACK else "white"


def describe_move(move: Move) -> MoveModel:
    """A move for the page."""
    return MoveModel(text=str(move), path=list(move.path), captured=list(move.captured))


def describe_value(value: PositionValue, by: str) -> ValueModel:
    """A value for the page; ``by`` says whose it is."""
    line = [str(move) for move in value.line]
    return ValueModel(score=value.men, chance=value.chance, text=value.text, plies=value.plies, line=line, by=by)
