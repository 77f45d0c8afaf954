"""Sums in a fixed order: library routines choose their own order, which changes the last bits."""

import numpy as np

from evocheckers.native.compile import entry


@entry
def add_weighted_rows(weights: np.ndarray, rows: np.ndarray, out: np.ndarray) -> None:
    """Add the rows, each times its weight, to ``out``, in order."""
    for i in range(rows.shape[0]):
        if weights[i] != 0.0:
            for j in range(rows.shape[1]):
                out[j] += weights[i] * rows[i, j]
