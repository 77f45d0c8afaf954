"""Moves, thoughts and games as the page shows them."""

from collections import OrderedDict
from typing import Literal

from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.search.searcher import SearchResult
from evocheckers.web.models import MoveModel, PlayedMove, Thought
from evocheckers.web.store import StoredGame

KEPT_REPLAYS = 300


def side_of(color: Color) -> Literal["black", "white"]:
    """A side's name."""
    return "black" if color is Color.BLACK else "white"


def describe_move(move: Move) -> MoveModel:
    """A move for the page."""
    return MoveModel(text=str(move), path=list(move.path), captured=list(move.captured))


def thought_of(result: SearchResult, turn: Color, note: str = "") -> Thought:
    """A search's result to Black."""
    sign = 1 if turn is Color.BLACK else -1
    score = sign * max(-1000.0, min(1000.0, result.score))
    text = f"{score:+.2f}"
    if result.plies_to_end is not None:
        winner = turn if result.score > 0 else turn.opponent
        text = f"{winner} wins in {result.plies_to_end} plies"
    return Thought(
        score=score, text=text, plies=result.depth_plies, line=[str(move) for move in result.line], note=note
    )


class Replays:
    """Games that were played through lately, so that the next move costs one move and not all of them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Board, list[PlayedMove]]] = OrderedDict()

    def of(self, game: StoredGame) -> tuple[Board, list[PlayedMove]]:
        """The board after all moves, not to be changed, and the moves for the page."""
        board, moves = self._kept.pop(game.id, (Board(game.start), []))
        if tuple(move.text for move in moves) != game.moves[: len(moves)]:
            board, moves = Board(game.start), []
        for text in game.moves[len(moves) :]:
            side = side_of(board.turn)
            board.push(text)
            moves.append(PlayedMove(**describe_move(board.moves[-1]).model_dump(), side=side, fen=board.fen()))
        self._kept[game.id] = board, moves
        while len(self._kept) > KEPT_REPLAYS:
            self._kept.popitem(last=False)
        return board, list(moves)
