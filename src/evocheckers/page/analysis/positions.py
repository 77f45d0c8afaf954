"""Analysis of a position: every legal move's value, and what the network sees.

The champion at the judge's depth is the judge: the analysis agrees with the values of the game, move for move.
"""

from collections.abc import Sequence
from dataclasses import replace

from evocheckers.analysis.analyse import MoveAnalysis
from evocheckers.networks.shipped import own_name
from evocheckers.page.analysis.activations import sight_of
from evocheckers.page.analysis.values import (
    FORCED,
    JUDGE,
    JUDGE_LIMITS,
    JUDGE_NETWORK,
    MAN,
    chance_of,
    men_of,
    opinion_of,
)
from evocheckers.page.games.models import AnalysisModel, MoveThought, describe_move, side_of
from evocheckers.page.games.thinker import Thinker
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color


def analysis_of(thinker: Thinker, contestant: Contestant, board: Board, note: str) -> str:
    """An ``AnalysisModel`` as JSON, best move first."""
    is_champion = own_name(contestant.name.partition("@")[0]) == JUDGE_NETWORK
    is_judge = is_champion and contestant.limit == JUDGE_LIMITS[-1]
    looks = [
        thinker.analyse(replace(contestant, limit=limit), board)
        for limit in (JUDGE_LIMITS if is_judge else (contestant.limit,))
    ]
    results, man = [result for result, _ in looks], MAN if is_champion else 1.0
    by = JUDGE if is_judge else f"{contestant.name.partition('@')[0]}, {results[-1].depth_plies} plies ahead"
    sign = 1 if board.turn is Color.BLACK else -1
    values = [
        _joined([next(one for one in moves if one.move == item.move) for _, moves in looks]) for item in looks[-1][1]
    ]
    described = [
        MoveThought(
            **describe_move(item.move).model_dump(),
            score=sign * men_of(item.score, man),
            chance=chance_of(sign * men_of(item.score, man)),
            score_text=item.score_text,
            line=[str(move) for move in item.line],
        )
        for item in sorted(values, key=lambda item: -item.score)
    ]
    analysis = AnalysisModel(
        fen=board.fen(),
        turn=side_of(board.turn),
        thought=opinion_of(results, board.turn, by, man),
        moves=described,
        sight=sight_of(contestant.network, board),
        note=note,
    )
    return analysis.model_dump_json()


def _joined(found: Sequence[MoveAnalysis]) -> MoveAnalysis:
    """Combine a move's values at several depths: the mean, unless the deepest sees the end."""
    deepest = found[-1]
    open_ones = [item.score for item in found if abs(item.score) < FORCED]
    return deepest if abs(deepest.score) >= FORCED else replace(deepest, score=sum(open_ones) / len(open_ones))
