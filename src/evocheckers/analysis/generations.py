"""Does a later generation of a run beat an earlier one?"""

import numpy as np

from evocheckers.games.batch import Executor
from evocheckers.games.openings import FIRST_MOVES
from evocheckers.runs.file import Run
from evocheckers.tournaments.match import network_match

MATRIX_SIZE = 6
"""Number of generations compared, evenly spread from the first to the last."""


def cross_matrix(
    run: Run, executor: Executor, size: int = MATRIX_SIZE, plies: int | None = None
) -> tuple[list[int], np.ndarray]:
    """Generations, and the share of points of each row's best network against each column's, over 14 games.

    They search ``plies`` deep, by default as deep as in the run.
    """
    last = run.summaries()[-1].number
    numbers = sorted({round(i * last / (size - 1)) for i in range(size)})
    shares = np.full((len(numbers), len(numbers)), np.nan)
    networks = [run.network(number) for number in numbers]
    max_plies = run.settings.rules().max_plies
    depth_plies = plies or run.settings.plies
    for row in range(len(numbers)):
        for column in range(row):
            pair = networks[row], networks[column]
            score = network_match(*pair, depth_plies, executor, lines=FIRST_MOVES, max_plies=max_plies)
            shares[row, column], shares[column, row] = score.share, 1 - score.share
    return numbers, shares
