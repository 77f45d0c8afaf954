"""The package's puzzles as the page shows them."""

import hashlib
from functools import cache

from pydantic import BaseModel, Field

from evocheckers.analysis.puzzle_files import shipped_puzzles
from evocheckers.analysis.puzzles import Puzzle
from evocheckers.page.models import MoveModel, Side, describe_move, side_of
from evocheckers.page.responses import NotFoundError
from evocheckers.rules.board import Board

EASY, MEDIUM = 3, 4
"""Greatest depths, in plies, of easy and medium puzzles: a search finds the move from that depth on."""


class PuzzleLine(BaseModel):
    """A puzzle in the list."""

    number: int
    key: str = Field(description="of the position: stays the same where the number does not")
    goal: str
    difficulty: str = Field(description="easy, medium or hard, by how deep a search must look to find the move")
    steps: int = Field(description="moves of the solver")


class PuzzleStep(BaseModel):
    """A position of the solution in which the solver is to move."""

    fen: str
    legal: list[MoveModel]
    move: MoveModel = Field(description="the right one")
    after: str = Field(description="the position after it")
    reply: MoveModel | None = Field(description="the other side's answer; null after the last move")
    reply_after: str | None


class PuzzleModel(PuzzleLine):
    """A puzzle with its solution. It is for people who want to solve it, so nothing is hidden."""

    turn: Side
    score: float = Field(description="of the right move to the solver, in men; 6 is a won game")
    second: float = Field(description="of the next best one")
    played: str = Field(description="what was played in the game that it comes from")
    source: str
    plies: int = Field(description="how deep every move was searched")
    line: list[PuzzleStep]


def puzzle_lines() -> list[PuzzleLine]:
    """All puzzles, without their solutions."""
    return [_line(number) for number in range(1, _count() + 1)]


def _count() -> int:
    return len(shipped_puzzles().puzzles)


def _get(number: int) -> Puzzle:
    if number > _count():
        raise NotFoundError(f"there are {_count()} puzzles")
    return shipped_puzzles().puzzles[number - 1]


def _line(number: int) -> PuzzleLine:
    puzzle = _get(number)
    difficulty = "easy" if puzzle.depth <= EASY else "medium" if puzzle.depth <= MEDIUM else "hard"
    key = hashlib.sha256(puzzle.fen.encode()).hexdigest()[:12]
    return PuzzleLine(
        number=number, key=key, goal=puzzle.goal, difficulty=difficulty, steps=(len(puzzle.moves) + 1) // 2
    )


@cache
def describe_puzzle(number: int) -> PuzzleModel:
    """A puzzle and its solution, step by step."""
    puzzle = _get(number)
    board = Board(puzzle.fen)
    turn = side_of(board.turn)
    steps = []
    for at in range(0, len(puzzle.moves), 2):
        fen, legal = board.fen(), [describe_move(move) for move in board.legal_moves()]
        board.push(puzzle.moves[at])
        move, after = describe_move(board.moves[-1]), board.fen()
        reply = reply_after = None
        if at + 1 < len(puzzle.moves):
            board.push(puzzle.moves[at + 1])
            reply, reply_after = describe_move(board.moves[-1]), board.fen()
        steps.append(PuzzleStep(fen=fen, legal=legal, move=move, after=after, reply=reply, reply_after=reply_after))
    return PuzzleModel(
        **_line(number).model_dump(),
        turn=turn,
        score=puzzle.score,
        second=puzzle.second,
        played=puzzle.played,
        source=f"{shipped_puzzles().making.source['command']}: {puzzle.source}",
        plies=shipped_puzzles().making.demands.plies,
        line=steps,
    )
