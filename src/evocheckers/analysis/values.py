"""What a position or a move is worth: men ahead and the chance of winning, on one scale for page and command line.

The champion's value of a man, and the conversion of men to a chance, were fitted to games of the champion
(``tools/page_values.py``). Values of odd and even depths differ, so a position that is valued at several depths has
their mean, which does not swing as the game goes on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evocheckers.networks.shipped import own_name
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.search.batched import AnySearcher
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchResult
from evocheckers.search.values import DECIDED, WIN

CHAMPION_NETWORK = own_name("champion")
MAN = 0.99
"""What a man is worth, in units of the champion's value; other players' values are taken as men."""
SCALE = 0.52
"""The chance of winning is the logistic of this times men."""
FORCED = 900.0
"""Values from this on mean that the end is forced."""
SHOWN_MEN = 6.0
"""Figures and reviews show values within ± this; decided games are at the ends."""


@dataclass(frozen=True, slots=True)
class PositionValue:
    """What a position is worth to Black."""

    men: float
    """Beyond ±``FORCED``, the end is forced."""
    text: str
    plies: int
    """How deep the deepest search looked."""
    line: tuple[Move, ...]
    """The expected play."""

    @property
    def chance(self) -> float:
        """Black's chance of winning."""
        return chance_of(self.men)


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What a legal move is worth, and the expected play."""

    move: Move
    score: float
    """The search's score to the side that makes the move."""
    score_text: str
    line: tuple[Move, ...]
    """Begins with the move."""

    def __str__(self) -> str:
        return f"{self.move!s:<8} {self.score_text:>9}  {' '.join(map(str, self.line))}"

    def row(self) -> dict[str, Any]:
        """The same as the row of a table."""
        line = " ".join(map(str, self.line))
        return {"move": str(self.move), "score": self.score, "text": self.score_text, "line": line}


def chance_of(men: float) -> float:
    """The share of the points to expect when ``men`` men ahead."""
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, SCALE * men))))


def is_champion(contestant: Contestant) -> bool:
    """Whether a player is the champion, at any depth."""
    return own_name(contestant.name.partition("@")[0]) == CHAMPION_NETWORK


def man_of(contestant: Contestant) -> float:
    """What a man is worth, in units of a player's value."""
    return MAN if is_champion(contestant) else 1.0


def men_of(score: float, man: float = MAN) -> float:
    """A search's score in men; forced ends are left unchanged."""
    return max(-1000.0, min(1000.0, score)) if abs(score) >= FORCED else score / man


def clip_men(men: float) -> float:
    """Men within ±``SHOWN_MEN``; all decided games count the same."""
    return max(-SHOWN_MEN, min(SHOWN_MEN, men))


def value_position(results: Sequence[SearchResult], turn: Color, man: float = MAN) -> PositionValue:
    """Combine searches of one position, the last one the deepest: the mean, unless the deepest sees the end."""
    sign = 1 if turn is Color.BLACK else -1
    deepest = results[-1]
    if deepest.plies_to_end is not None:
        men = men_of(deepest.score, man)
        text = f"{turn if deepest.score > 0 else turn.opponent} wins in {deepest.plies_to_end} plies"
    else:
        open_ones = [result.score for result in results if result.plies_to_end is None]
        men = sum(open_ones) / len(open_ones) / man
        text = f"{sign * men:+.2f}"
    return PositionValue(sign * men, text, deepest.depth_plies, deepest.line)


def value_move(searcher: AnySearcher, board: Board, move: Move, limit: Limit) -> MoveValue:
    """Value a move from the mover's point of view; the reply is searched to ``limit``."""
    child = board.copy()
    child.push(move)
    if not child.legal_moves():
        return MoveValue(move, float(WIN) - 1, "win in 1", (move,))
    result = searcher.search(child, limit, viewer=board.turn)
    score = -result.score
    if result.plies_to_end is not None:
        score -= 1 if score > 0 else -1
    return MoveValue(move, score, score_text(score), (move, *result.line))


def limit_of_reply(limit: Limit, chosen: SearchResult) -> Limit:
    """Search limit for the reply to a move other than the chosen one: one ply less, or the same time or nodes."""
    return limit if limit.plies is None else Limit(plies=max(1, chosen.depth_plies - 1))


def score_text(score: float) -> str:
    """A score as text."""
    if abs(score) <= DECIDED:
        return f"{score:+.3f}"
    return f"{'win' if score > 0 else 'loss'} in {round(float(WIN) - abs(score))}"
