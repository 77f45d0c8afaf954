"""One scale and one source for all values on the page: the judge's, in men to Black, with Black's chance of winning.

The judge is the champion, whoever plays. It searches 9 and 10 plies deep and takes the mean: values from odd and even
depths differ, and the mean does not swing as the game goes on. The champion's value of a man, and the conversion of
men to a chance, were fitted to games of the champion (``tools/page_values.py``).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from evocheckers.networks.shipped import own_name
from evocheckers.page.games.models import Thought
from evocheckers.rules.move import Color
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchResult

JUDGE_PLIES = (9, 10)
JUDGE_LIMITS = tuple(Limit(plies=plies) for plies in JUDGE_PLIES)
JUDGE = f"the champion, {JUDGE_PLIES[-1]} plies ahead"
"""Whose opinion it is, as text."""
JUDGE_NETWORK = own_name("champion")
"""The network behind it; values of other networks are not comparable."""
MAN = 0.99
"""What a man is worth, in units of the champion's value."""
SCALE = 0.52
"""The chance of winning is the logistic of this times men."""
STANDARD = f"{JUDGE_NETWORK}, man {MAN}, scale {SCALE}"
"""Kept with every stored value: a value of another standard is not comparable and is computed anew."""
FORCED = 900.0
"""Values from this on mean that the end is forced."""


def stored(thought: Thought) -> dict[str, Any]:
    """An opinion of the judge as it is kept with a game."""
    return {**thought.model_dump(), "judge": STANDARD}


def is_current(kept: Mapping[str, Any]) -> bool:
    """Whether an opinion kept with a game is that of today's judge."""
    return kept.get("by") == JUDGE and kept.get("judge") == STANDARD


def chance_of(men: float) -> float:
    """The share of the points to expect when ``men`` men ahead."""
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, SCALE * men))))


def men_of(score: float, man: float = MAN) -> float:
    """A search's score in men; forced ends are left unchanged."""
    return max(-1000.0, min(1000.0, score)) if abs(score) >= FORCED else score / man


def opinion_of(results: Sequence[SearchResult], turn: Color, by: str = JUDGE, man: float = MAN) -> Thought:
    """Combine searches of one position, to Black; the last one is the deepest."""
    sign = 1 if turn is Color.BLACK else -1
    deepest = results[-1]
    if deepest.plies_to_end is not None:
        men = men_of(deepest.score, man)
        text = f"{turn if deepest.score > 0 else turn.opponent} wins in {deepest.plies_to_end} plies"
    else:
        open_ones = [result.score for result in results if result.plies_to_end is None]
        men = sum(open_ones) / len(open_ones) / man
        text = f"{sign * men:+.2f}"
    return Thought(
        score=sign * men,
        chance=chance_of(sign * men),
        text=text,
        plies=deepest.depth_plies,
        line=[str(move) for move in deepest.line],
        by=by,
    )
