"""What a player thinks of a position or a game: scores, best lines, and where each side's evaluation dropped."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evocheckers.evaluation.network import EXTENSIONS
from evocheckers.players.player import Contestant
from evocheckers.players.spec import PLIES, PlayerError
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.rules.pdn import Game
from evocheckers.search.searcher import Limit, Searcher, SearchResult
from evocheckers.search.state import DECIDED

DROP = 0.5
"""A move that costs its side more than this, in men, is marked."""
SHOWN_SCORE = 6.0
"""Figures show scores within ±this; decided games stand at its ends."""


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """A legal move, what the search thinks of it, and what it expects afterwards."""

    move: Move
    score: float
    """To the side that makes the move."""
    score_text: str
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class PlyAnalysis:
    """A move of a game."""

    ply: int
    color: Color
    move: Move
    score: float
    """After the move, to Black."""
    score_text: str
    best: Move
    """What the search would have played."""
    drop: float
    """How much the mover's evaluation fell from before the move to after it; never below zero."""

    @property
    def is_mistake(self) -> bool:
        return self.drop > DROP and self.move != self.best


def searcher_of(contestant: Contestant) -> tuple[Searcher, Limit]:
    """A search for analysis; only players that search can analyse."""
    if contestant.evaluator is None:
        raise PlayerError(contestant.name, "does not evaluate positions; write champion, net:, run: or material")
    extensions = EXTENSIONS if contestant.extensions is None else contestant.extensions
    return Searcher(contestant.evaluator, extensions), contestant.limit or Limit(plies=PLIES)


def analyse_position(board: Board, contestant: Contestant) -> list[MoveAnalysis]:
    """All legal moves, best first; each is searched on its own, one ply less deep than the position."""
    searcher, limit = searcher_of(contestant)
    if limit.plies is not None:
        limit = Limit(plies=max(1, limit.plies - 1))
    found = []
    for move in board.legal_moves():
        child = board.child(move)
        if not child.legal_moves():
            found.append(MoveAnalysis(move, float("inf"), "wins at once", (move,)))
            continue
        searcher.forget()
        result = searcher.search(child, limit)
        found.append(MoveAnalysis(move, -result.score, _reversed_text(result), (move, *result.line)))
    return sorted(found, key=lambda analysis: -analysis.score)


def _reversed_text(result: SearchResult) -> str:
    if result.plies_to_end is None:
        return f"{-result.score:+.3f}"
    return f"{'loss' if result.score > 0 else 'win'} in {result.plies_to_end + 1}"


def analyse_game(game: Game, contestant: Contestant) -> Iterator[PlyAnalysis]:
    """Every move of a game."""
    searcher, limit = searcher_of(contestant)
    board = Board(game.start)
    before = searcher.search(board, limit) if board.legal_moves() else None
    for ply, move in enumerate(game.moves, 1):
        if before is None:
            return
        color = board.turn
        board.push(move)
        after = searcher.search(board, limit) if board.legal_moves() else None
        to_mover = -after.score if after else float("inf")
        text = _reversed_text(after) if after else "wins"
        if color is Color.WHITE:
            text = after.score_text if after else "loses"
        drop = max(0.0, _held(before.score) - _held(to_mover))
        to_black = to_mover if color is Color.BLACK else -to_mover
        yield PlyAnalysis(ply, color, move, _held(to_black), text, before.move, drop)
        before = after


def _held(score: float) -> float:
    """A score without the size of a win."""
    if abs(score) > DECIDED:
        return SHOWN_SCORE if score > 0 else -SHOWN_SCORE
    return max(-SHOWN_SCORE, min(SHOWN_SCORE, score))


def draw_scores(plies: list[PlyAnalysis], title: str, path: Path) -> None:
    """A figure of the score over the game, mistakes marked."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 3.2))
    numbers = [analysis.ply for analysis in plies]
    scores = [analysis.score for analysis in plies]
    axis.axhline(0, color="grey", linewidth=0.8)
    axis.plot(numbers, scores, color="tab:blue", linewidth=1.2)
    axis.fill_between(numbers, scores, 0, where=[s > 0 for s in scores], color="black", alpha=0.25, interpolate=True)
    axis.fill_between(
        numbers, scores, 0, where=[s < 0 for s in scores], color="tab:orange", alpha=0.25, interpolate=True
    )
    for analysis in plies:
        if analysis.is_mistake:
            axis.plot(analysis.ply, analysis.score, "o", color="tab:red", markersize=4)
            axis.annotate(
                str(analysis.move),
                (analysis.ply, analysis.score),
                fontsize=7,
                xytext=(3, 3),
                textcoords="offset points",
            )
    axis.set_ylim(-SHOWN_SCORE - 0.3, SHOWN_SCORE + 0.3)
    axis.set_xlabel("ply")
    axis.set_ylabel("score to Black, men")
    axis.set_title(title, fontsize=10)
    figure.savefig(path, dpi=110, bbox_inches="tight")
    plt.close(figure)


def to_json(plies: list[PlyAnalysis]) -> list[dict[str, Any]]:
    """A game's analysis as data."""
    return [
        {
            "ply": analysis.ply,
            "color": str(analysis.color),
            "move": str(analysis.move),
            "score": analysis.score,
            "text": analysis.score_text,
            "best": str(analysis.best),
            "drop": analysis.drop,
            "mistake": analysis.is_mistake,
        }
        for analysis in plies
    ]
