"""Shared fixtures; Hypothesis runs the same examples every time, so that a failure can be repeated."""

import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from evocheckers import Board
from tests.helpers.boards import random_boards

settings.register_profile(
    "suite", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores interrupts

os.environ["EVOCHECKERS_DATA"] = tempfile.mkdtemp(prefix="evocheckers-tests-")

PLUGINS = Path(__file__).parent / "plugins"
"""What pip would write of packages outside of evocheckers, each in a folder of its own; their modules are examples."""
EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="session")
def boards() -> list[Board]:
    return random_boards(400, seed=7)


@pytest.fixture
def example_players(monkeypatch) -> str:
    """Another package's players, as if it were installed; the value is the path for other processes."""
    folders = (EXAMPLES, PLUGINS / "players")
    for folder in folders:
        monkeypatch.syspath_prepend(folder)
    return os.pathsep.join(map(str, folders))
