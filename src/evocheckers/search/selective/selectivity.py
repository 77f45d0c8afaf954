"""The selective search's selectivity: where it looks less closely than the exact search, as one set of numbers.

``docs/search.md`` gives the matches that tested them. ``UNSELECTIVE`` switches off all that change a value: the
selective search then finds the values of the exact one.
"""

import math
from typing import NamedTuple

import numpy as np

REDUCTION_DEPTHS, REDUCTION_MOVES = 64, 64
"""Reductions are tabulated for remaining plies and numbers of moves tried before, both below these limits."""


class Selectivity(NamedTuple):
    """How the selective search spends its plies. Margins are in units of the evaluator's value of a man."""

    is_exact: bool = False
    """Table entries are used only at their own depth, as in the exact search; otherwise deeper ones are used too."""
    jump_plies: int = 0
    """Plies that a line gains if the side to move must jump. With one, a capture would cost nothing."""
    extensions: int = 15
    """The most extensions on one line."""
    reply_plies: int = 1
    """Plies that a line gains if there is only one legal move."""
    reduction: float = 1.0
    """Quiet moves are reduced by this plus ``reduction_slope`` ln(plies) ln(moves before + 1). 0: never."""
    reduction_slope: float = 0.6
    open_reduction: int = 1
    """Plies by which a move is reduced less if the window is open, that is on the expected line."""
    late_moves: int = 4
    """With one ply left, only this many quiet moves are tried; every further ply doubles the number."""
    late_plies: int = 3
    """Late moves are skipped with at most this many plies left. 0: never."""
    probcut_plies: int = 5
    """With at least this many plies left, a shallow search may show that a move beats the window by far. 0: never."""
    probcut_reduction: int = 4
    """How many plies shallower that search is."""
    probcut_margin: float = 0.2
    """How far beyond the window the move must be."""
    futility_plies: int = 3
    """With at most this many plies left, a position ahead by a margin for each of them is not searched. 0: never."""
    futility_margin: float = 0.7
    table_cutoff_plies: int = 3
    """With at least this many plies left, the table is first asked for a move that refutes the position. 0: never."""


SELECTIVITY = Selectivity()
UNSELECTIVE = Selectivity(
    is_exact=True,
    jump_plies=2,
    extensions=0,
    reply_plies=0,
    reduction=0.0,
    reduction_slope=0.0,
    late_moves=0,
    late_plies=0,
    probcut_plies=0,
    futility_plies=0,
)
"""Every move to full depth. Extensions are then those of the searcher, two plies each, as in the exact search."""


def reductions(selectivity: Selectivity) -> np.ndarray:
    """The reduction of a quiet move in plies, by remaining plies and number of moves before."""
    table = np.zeros((REDUCTION_DEPTHS, REDUCTION_MOVES), np.int64)
    if selectivity.reduction > 0:
        for depth in range(2, REDUCTION_DEPTHS):
            for before in range(1, REDUCTION_MOVES):
                slope = selectivity.reduction_slope * math.log(depth) * math.log(before + 1)
                table[depth, before] = int(selectivity.reduction + slope)
    return table.ravel()
