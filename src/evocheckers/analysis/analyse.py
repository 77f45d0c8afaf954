"""What a player thinks of a position or a game: scores, best lines, and where each side's evaluation dropped."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evocheckers.players.grammar import PLIES
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.rules.pdn import Game
from evocheckers.search.batched import AnySearcher
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchInterrupted, SearchResult
from evocheckers.search.values import DECIDED, WIN

DROP = 0.5
"""A move that costs its side more than this, in men, is marked."""
SHOWN_SCORE = 6.0
"""Figures show scores within ± this; decided games are plotted at the ends."""


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
    """Black's score after the move, evaluated from Black's point of view."""
    score_text: str
    best: Move
    """The search's own choice."""
    drop: float
    """How much worse the search rates the move than its own choice, both from the mover's point of view."""

    @property
    def is_mistake(self) -> bool:
        return self.drop > DROP and self.move != self.best


def searcher_of(contestant: Contestant) -> tuple[AnySearcher, Limit]:
    """A search for analysis; only players that search can analyse."""
    return contestant.searcher(), contestant.limit or Limit(plies=PLIES)


def analyse_position(board: Board, contestant: Contestant, lines: int | None = None) -> Iterator[MoveAnalysis]:
    """Legal moves from the point of view of the side to move, the player's own choice first.

    With a limit in plies, all legal moves: the others follow in the generator's order, each searched separately and as
    deep as the choice was. With a limit in time or nodes, the best ``lines`` moves, best first, found by one search. If
    the first search is interrupted, what it has found so far comes before the interrupt.
    """
    searcher, limit = searcher_of(contestant)
    moves = board.legal_moves()
    wanted = min(lines or len(moves), len(moves)) if limit.plies is None else 1
    try:
        chosen = searcher.search(board, limit, lines=wanted)
    except SearchInterrupted as interrupt:
        yield from analysed_lines(interrupt.result)
        raise
    if limit.plies is None:
        yield from analysed_lines(chosen)
        return
    yield MoveAnalysis(chosen.move, chosen.score, chosen.score_text, chosen.line)
    for move in moves:
        if move != chosen.move:
            yield value_move(searcher, board, move, limit_of_reply(limit, chosen))


def analysed_lines(result: SearchResult) -> list[MoveAnalysis]:
    """The best lines of a search."""
    return [MoveAnalysis(line.moves[0], line.score, score_text(line.score), line.moves) for line in result.lines]


def limit_of_reply(limit: Limit, chosen: SearchResult) -> Limit:
    """Search limit for the reply to a move other than the chosen one: one ply less, or the same time or nodes."""
    return limit if limit.plies is None else Limit(plies=max(1, chosen.depth_plies - 1))


def value_move(searcher: AnySearcher, board: Board, move: Move, limit: Limit) -> MoveAnalysis:
    """Value a move from the mover's point of view; the reply is searched to ``limit``."""
    child = board.copy()
    child.push(move)
    if not child.legal_moves():
        return MoveAnalysis(move, float(WIN) - 1, "win in 1", (move,))
    result = searcher.search(child, limit, viewer=board.turn)
    score = -result.score
    if result.plies_to_end is not None:
        score -= 1 if score > 0 else -1
    return MoveAnalysis(move, score, score_text(score), (move, *result.line))


def score_text(score: float) -> str:
    """A score as text."""
    if abs(score) <= DECIDED:
        return f"{score:+.3f}"
    return f"{'win' if score > 0 else 'loss'} in {round(float(WIN) - abs(score))}"


def analyse_game(game: Game, contestant: Contestant) -> Iterator[PlyAnalysis]:
    """Analyse every move of a game. A move's cost is judged from its own side; the score is Black's throughout."""
    searcher, limit = searcher_of(contestant)
    board = Board(game.start)
    for ply, move in enumerate(game.moves, 1):
        color = board.turn
        chosen = searcher.search(board, limit)
        played = chosen.score
        if move != chosen.move:
            played = value_move(searcher, board, move, limit_of_reply(limit, chosen)).score
        drop = max(0.0, held(chosen.score) - held(played))
        board.push(move)
        score, text = _blacks_score(searcher, board, limit)
        yield PlyAnalysis(ply, color, move, score, text, chosen.move, drop)


def _blacks_score(searcher: AnySearcher, board: Board, limit: Limit) -> tuple[float, str]:
    """A position's score from Black's point of view, whoever is to move."""
    sign = 1 if board.turn is Color.BLACK else -1
    if not board.legal_moves():
        return -sign * SHOWN_SCORE, f"{board.turn.opponent} wins"
    result = searcher.search(board, limit, viewer=Color.BLACK)
    score = sign * result.score
    if result.plies_to_end is None:
        return held(score), f"{score:+.3f}"
    return held(score), f"{'win' if score > 0 else 'loss'} in {result.plies_to_end}"


def held(score: float) -> float:
    """A score clipped to ±``SHOWN_SCORE``; all decided games count the same."""
    if abs(score) > DECIDED:
        return SHOWN_SCORE if score > 0 else -SHOWN_SCORE
    return max(-SHOWN_SCORE, min(SHOWN_SCORE, score))


def to_json(plies: list[PlyAnalysis]) -> list[dict[str, Any]]:
    """A game's analysis as JSON data."""
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
