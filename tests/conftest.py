"""Shared fixtures; Hypothesis runs the same examples every time, so that a failure can be repeated."""

import os
import random
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import evocheckers
from evocheckers import Board
from evocheckers.evaluation.spatial import OUTPUT_BIAS, OUTPUT_WEIGHTS

settings.register_profile(
    "suite", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

os.environ["EVOCHECKERS_DATA"] = tempfile.mkdtemp(prefix="evocheckers-tests-")

DATA = Path(__file__).parent / "data"
PLUGINS = Path(__file__).parent / "plugins"
"""Packages outside of evocheckers, each in a folder of its own."""
PUBLISHED = Path(evocheckers.__file__).parent / "data"


def random_boards(count: int, seed: int, plies: int = 150) -> list[Board]:
    """Positions of random games, early and late, kings included."""
    generator = random.Random(seed)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board()
        for _ in range(plies):
            moves = board.legal_moves()
            if not moves:
                break
            if generator.random() < 0.4:
                boards.append(Board(board.position))
            board.push(generator.choice(moves))
    return boards[:count]


def biased(weights: np.ndarray) -> np.ndarray:
    """Numbers of a spatial network whose values lean to one side by more than a man."""
    leaning = weights.copy()
    leaning[OUTPUT_WEIGHTS:OUTPUT_BIAS] *= 0.5
    leaning[OUTPUT_BIAS] = 1.3
    return leaning


@pytest.fixture(scope="session")
def boards() -> list[Board]:
    return random_boards(400, seed=7)


@pytest.fixture
def example_players(monkeypatch) -> Path:
    """Another package's players, as if it were installed."""
    folder = PLUGINS / "players"
    monkeypatch.syspath_prepend(folder)
    return folder
