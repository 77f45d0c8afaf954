"""A position looked into: every legal move's value, and what the network sees."""

from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.web.models import AnalysisModel, MoveThought
from evocheckers.web.showing import describe_move, side_of, thought_of
from evocheckers.web.sight import sight_of
from evocheckers.web.thinking import Thinker


def analysis_of(thinker: Thinker, contestant: Contestant, board: Board, note: str) -> str:
    """An ``AnalysisModel`` as JSON."""
    result, moves = thinker.analyse(contestant, board)
    described = [
        MoveThought(
            **describe_move(item.move).model_dump(),
            score=max(-1000.0, min(1000.0, item.score)),
            score_text=item.score_text,
            line=[str(move) for move in item.line],
        )
        for item in moves
    ]
    analysis = AnalysisModel(
        fen=board.fen(),
        turn=side_of(board.turn),
        thought=thought_of(result, board.turn),
        moves=described,
        sight=sight_of(contestant.network, board),
        note=note,
    )
    return analysis.model_dump_json()
