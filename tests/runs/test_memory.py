"""A small file can ask for any amount of memory: what needs too much is refused in one line, before it is taken."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from evocheckers.evolution.registry import PRESETS, make_settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.page.runs.recorded import Runs
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.runs.repair import repair
from evocheckers.runs.validation import MAX_MEMORY_MB, RunError
from tests.helpers.commands import run as run_command

SMALL: dict[str, dict[str, Any]] = {
    "anaconda": {"plies": 1, "parents": 2, "opponents": 1, "moves_per_side": 5},
    "es": {"plies": 1, "pairs": 1, "moves_per_side": 5},
    "over-the-hill": {"iterations": 1, "moves_per_side": 5},
    "self-play": {"depths": [1], "games": [4], "changes": [], "steps": 1, "batch": 8, "moves_per_side": 5, "copies": 2},
}
HUGE = {
    "anaconda": {"parents": 100_000},
    "es": {"pairs": 1_000_000},
    "over-the-hill": {"iterations": 100_000, "games": 100},
    "self-play": {"learners": 1000, "copies": 1000},
}
"""Legal settings, each for gigabytes."""


def crafted(folder: Path, preset: str) -> Path:
    """A small run that says that it is a huge one."""
    path = folder / f"{preset}.sqlite"
    with open_run(preset, path, 1, 1, SMALL[preset], measure_every=0) as run:
        list(carry_on(run, ThreadExecutor(1)))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (text,) = connection.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()
        settings = json.dumps({**json.loads(text), **HUGE[preset]})
        connection.execute("UPDATE meta SET value = ? WHERE key = 'settings'", [settings])
    return path


@pytest.mark.parametrize("preset", HUGE)
def test_a_run_that_needs_gigabytes_is_not_repaired(tmp_path, preset):
    path = crafted(tmp_path, preset)
    out = tmp_path / "saved.sqlite"
    with pytest.raises(RunError, match=f"MB of memory; at most {MAX_MEMORY_MB} are taken"):
        list(repair(path, out))
    assert not out.exists()


def test_whoever_has_the_memory_can_allow_it(tmp_path):
    path = crafted(tmp_path, "es")
    refused = run_command("runs", "repair", str(path), "--out", str(tmp_path / "saved.sqlite"), "--memory", "1000")
    assert refused.returncode == 2
    assert (refused.stderr.count("\n"), "at most 1000 are taken" in refused.stderr) == (1, True)


def test_the_first_of_too_many_networks_is_not_made(tmp_path):
    path = crafted(tmp_path, "anaconda")
    with Run.open(path) as run, pytest.raises(RunError, match="MB of memory"):
        run.network(0)
    with pytest.raises(RunError, match="MB of memory"):
        Runs().matrix(path, lambda: None)
    assert Runs().describe(path).generation == 1  # what was recorded can be seen


@pytest.mark.parametrize("name", PRESETS)
def test_presets_need_far_less(name):
    preset = PRESETS[name]
    assert 0 < make_settings(preset.scheme, preset.settings).memory_bytes() < MAX_MEMORY_MB << 19
