"""A position looked into: every legal move's value, and what the network sees."""

from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.web.catalogue import CHAMPION
from evocheckers.web.models import AnalysisModel, MoveThought
from evocheckers.web.opinion import MAN, chance_of, men_of, opinion_of
from evocheckers.web.showing import describe_move, side_of
from evocheckers.web.sight import sight_of
from evocheckers.web.thinking import Thinker


def analysis_of(thinker: Thinker, contestant: Contestant, board: Board, note: str) -> str:
    """An ``AnalysisModel`` as JSON."""
    result, moves = thinker.analyse(contestant, board)
    man = MAN if contestant.name.startswith(CHAMPION) else 1.0
    sign = 1 if board.turn is Color.BLACK else -1
    described = [
        MoveThought(
            **describe_move(item.move).model_dump(),
            score=sign * men_of(item.score, man),
            chance=chance_of(sign * men_of(item.score, man)),
            score_text=item.score_text,
            line=[str(move) for move in item.line],
        )
        for item in moves
    ]
    analysis = AnalysisModel(
        fen=board.fen(),
        turn=side_of(board.turn),
        thought=opinion_of(
            [result], board.turn, f"{contestant.name.partition('@')[0]}, {result.depth_plies} plies ahead", man
        ),
        moves=described,
        sight=sight_of(contestant.network, board),
        note=note,
    )
    return analysis.model_dump_json()
