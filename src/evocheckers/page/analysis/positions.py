"""Values of positions on the page: whose they are, how they are kept with a game, and the analysis of a position.

All values of a game are the champion's, whoever plays: the mean of two depths, on the one scale of ``analysis.values``.
An analysis by the champion at the deeper of them agrees with the values of the game, move for move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evocheckers.analysis.values import (
    CHAMPION_NETWORK,
    FORCED,
    MAN,
    SCALE,
    MoveValue,
    chance_of,
    is_champion,
    man_of,
    men_of,
    value_position,
)
from evocheckers.page.analysis.activations import activations_of
from evocheckers.page.analysis.models import AnalysisModel, MoveValueModel
from evocheckers.page.games.searches import Searches
from evocheckers.page.models import ValueModel, describe_move, describe_value, side_of
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.search.limit import Limit

VALUE_PLIES = (9, 10)
VALUE_LIMITS = tuple(Limit(plies=plies) for plies in VALUE_PLIES)
VALUED_BY = f"the champion, {VALUE_PLIES[-1]} plies ahead"
"""Whose values a game's values are, as text."""
VALUE_STANDARD = f"{CHAMPION_NETWORK}, man {MAN}, scale {SCALE}"
"""Kept with every stored value: a value of another standard is not comparable and is computed anew."""


def stored(value: ValueModel) -> dict[str, Any]:
    """A value as it is kept with a game."""
    return {**value.model_dump(), "standard": VALUE_STANDARD}


def is_current(kept: Mapping[str, Any]) -> bool:
    """Whether a value kept with a game is of today's standard."""
    return kept.get("by") == VALUED_BY and kept.get("standard") == VALUE_STANDARD


def analysis_of(searches: Searches, contestant: Contestant, board: Board, note: str) -> str:
    """An ``AnalysisModel`` as JSON, best move first."""
    as_in_games = is_champion(contestant) and contestant.limit == VALUE_LIMITS[-1]
    found = [
        searches.analyse(replace(contestant, limit=limit), board)
        for limit in (VALUE_LIMITS if as_in_games else (contestant.limit,))
    ]
    results, man = [result for result, _ in found], man_of(contestant)
    by = VALUED_BY if as_in_games else f"{contestant.name.partition('@')[0]}, {results[-1].depth_plies} plies ahead"
    sign = 1 if board.turn is Color.BLACK else -1
    values = [
        _joined([next(one for one in moves if one.move == item.move) for _, moves in found]) for item in found[-1][1]
    ]
    described = [
        MoveValueModel(
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
        value=describe_value(value_position(results, board.turn, man), by),
        moves=described,
        activations=activations_of(contestant.network, board),
        note=note,
    )
    return analysis.model_dump_json()


def _joined(found: Sequence[MoveValue]) -> MoveValue:
    """Combine a move's values at several depths: the mean, unless the deepest sees the end."""
    deepest = found[-1]
    open_ones = [item.score for item in found if abs(item.score) < FORCED]
    return deepest if abs(deepest.score) >= FORCED else replace(deepest, score=sum(open_ones) / len(open_ones))
