"""Requests and responses of the API about runs, and about the evolution that the page runs."""

from typing import Annotated

from pydantic import BaseModel, Field

from evocheckers.page.analysis.models import Activations
from evocheckers.page.models import FenText, Request, Side


class RunLine(BaseModel):
    """A run in the list."""

    name: str
    preset: str
    seed: int
    generation: int = Field(description="the last one that is recorded")
    generations: int = Field(description="how many were asked for")
    digest: str


class UnreadableRun(BaseModel):
    """A file in the list that is not a run, or a damaged one."""

    name: str
    fault: str


class GenerationModel(BaseModel):
    """A generation in numbers; null if the scheme has no such value."""

    number: int
    digest: str
    games: int
    drawn: float = Field(description="share of the games that were drawn")
    plies: float = Field(description="mean length of a game")
    best: int
    score: float | None
    score_best: float | None
    king_value: float | None
    step_size: float | None


class StrengthModel(BaseModel):
    """A generation's score against piece counting, with its 95% interval."""

    generation: int
    share: float
    low: float
    high: float
    wins: int
    draws: int
    losses: int
    text: str


class FamilyMember(BaseModel):
    """A network in the family tree."""

    id: int
    born: float
    height: float


class FamilyTree(BaseModel):
    """The last generation's ancestors."""

    members: list[FamilyMember]
    parents: dict[str, int] = Field(description="by the child's id")
    line: list[int] = Field(description="the best one and its ancestors")


class RunModel(RunLine):
    """All data of a run that the page plots."""

    settings: dict[str, str]
    curve: list[GenerationModel]
    strengths: list[StrengthModel]
    tree: FamilyTree | None


class RecordedGame(BaseModel):
    """A game of a generation."""

    number: int
    black: int
    white: int
    result: str = Field(description="1-0 if Black won, 0-1 if White did, else 1/2-1/2")
    plies: int
    moves: bool = Field(description="whether the run keeps them")


class MatrixModel(BaseModel):
    """Results of a sample of generations against each other."""

    generations: list[int]
    shares: list[list[float | None]] = Field(description="of the row's generation against the column's")
    plies: int = Field(description="how far both looked ahead: as in the run, but not further than 4 plies")


class HistoryRequest(Request):
    """A position to ask about."""

    fen: FenText


class GenerationView(BaseModel):
    """A position as a generation's best network sees it."""

    generation: int
    move: str
    path: list[int]
    score: float = Field(description="in men within ±6, to the side to move")
    line: list[str]
    activations: Activations | None


class PositionHistory(BaseModel):
    """A position through the generations."""

    fen: str
    turn: Side
    plies: int
    views: list[GenerationView]


class PresetModel(BaseModel):
    """A preset that the page can evolve."""

    name: str
    about: str
    generations: int
    most: int


class EvolutionModel(BaseModel):
    """The current run, and the presets that could be run."""

    allowed: bool
    running: str | None = Field(description="the name of the current run")
    message: str = Field(description="how the last one ended, if it failed")
    presets: list[PresetModel]


class StartRun(Request):
    """A run to begin."""

    preset: Annotated[str, Field(max_length=40)] = "self-play"
    seed: Annotated[int, Field(ge=0, le=10**9)] = 1
    generations: Annotated[int, Field(ge=1, le=10_000)] = 30


class ResumeRun(Request):
    """A run to resume."""

    run: Annotated[str, Field(max_length=120)]
    generations: Annotated[int | None, Field(ge=1, le=100_000, description="the last one; by default as before")] = None
