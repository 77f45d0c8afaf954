"""Where the playing search looks less closely than at full width: one set of numbers, and the reason for each.

``docs/search.md`` gives the match behind every number. ``FULL_WIDTH`` switches all of them off: the playing search then
finds the values of the exact one.
"""

import math
from typing import NamedTuple

import numpy as np

REDUCTION_DEPTHS, REDUCTION_MOVES = 64, 64
"""Reductions are tabulated for remaining plies and for the number of moves tried before, both below this."""


class Selectivity(NamedTuple):
    """How the playing search spends its plies. Margins are in men: what a man is worth to the evaluator."""

    is_exact: bool = False
    """Table entries answer for their own depth alone, as in the exact search; otherwise deeper ones answer too."""
    jump_plies: int = 0
    """Plies that a line gains where the side to move has to jump. With one, a capture would cost nothing."""
    extensions: int = 15
    """How often a line can be extended."""
    reply_plies: int = 1
    """Plies that a line gains where there is a single move, which is not a choice."""
    reduction: float = 1.0
    """Quiet moves are searched shallower by this plus ``reduction_slope`` ln(plies) ln(moves before + 1). 0: never."""
    reduction_slope: float = 0.6
    open_reduction: int = 1
    """Plies that a move is reduced less by where the window is open, that is on the expected line."""
    late_moves: int = 4
    """With one ply left, quiet moves behind so many are not tried; with every further ply twice as many are. 0: all."""
    late_plies: int = 3
    """Up to so many plies left late moves are skipped."""
    probe_plies: int = 5
    """From so many plies left on, a shallow search may show that a move beats the window by far. 0: never."""
    probe_reduction: int = 4
    """How many plies shallower that search is."""
    probe_margin: float = 0.2
    """How far beyond the window it has to be."""
    futile_plies: int = 3
    """Up to so many plies left a position that is ahead by a margin for each of them is not searched. 0: never."""
    futile_margin: float = 0.7
    unknown_plies: int = 4
    """From so many plies left on, a position that the table has no move for is searched a ply less deeply. 0: never."""
    glance_plies: int = 3
    """From so many plies left on, the table is asked first whether any move refutes the position. 0: never."""


SELECTIVITY = Selectivity()
FULL_WIDTH = Selectivity(
    is_exact=True,
    jump_plies=2,
    extensions=0,
    reply_plies=0,
    reduction=0.0,
    reduction_slope=0.0,
    late_moves=0,
    late_plies=0,
    probe_plies=0,
    futile_plies=0,
    unknown_plies=0,
)
"""Every move to full depth. The extensions are then those of the searcher, two plies each, as in the exact search."""


def reductions(selectivity: Selectivity) -> np.ndarray:
    """By how many plies a quiet move is searched shallower, by remaining plies and number of moves before."""
    table = np.zeros((REDUCTION_DEPTHS, REDUCTION_MOVES), np.int64)
    if selectivity.reduction > 0:
        for depth in range(2, REDUCTION_DEPTHS):
            for before in range(1, REDUCTION_MOVES):
                slope = selectivity.reduction_slope * math.log(depth) * math.log(before + 1)
                table[depth, before] = int(selectivity.reduction + slope)
    return table.ravel()
