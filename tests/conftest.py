"""Shared fixtures; Hypothesis runs the same examples every time, so that a failure can be repeated."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from evocheckers import Board
from tests.helpers.boards import random_boards

settings.register_profile(
    "suite", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

os.environ["EVOCHECKERS_DATA"] = tempfile.mkdtemp(prefix="evocheckers-tests-")


@pytest.fixture(scope="session")
def boards() -> list[Board]:
    return random_boards(400, seed=7)
