"""One digest: for any number of workers, in two processes one after the other, and after being killed."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from evocheckers.executors.threads import ThreadExecutor
from evocheckers.experiments.presets import PRESETS, make_settings
from evocheckers.experiments.runs import Run
from evocheckers.experiments.session import carry_on, open_run

SMALL: dict[str, dict[str, Any]] = {
    "anaconda": {"parents": 4, "opponents": 2, "plies": 2},
    "social": {"parents": 4, "opponents": 2, "plies": 2, "individual_every": 2, "social_every": 4},
    "hill-climbing": {"iterations": 10},
    "es": {"pairs": 6, "plies": 2, "pool_share": 0.3, "pool_every": 2},
}
GENERATIONS = 6


def small(name: str) -> dict[str, Any]:
    return SMALL[PRESETS[name].scheme]


def run_here(name: str, path: Path, workers: int, generations: int = GENERATIONS) -> str:
    with open_run(name, path, generations, 7, small(name)) as run:
        for _ in carry_on(run, ThreadExecutor(workers), 0):
            pass
        last = run.last()
        assert last is not None
        assert last[0] == generations
        return last[2]


@pytest.mark.parametrize("name", PRESETS)
def test_workers_and_interruptions_change_nothing(name, tmp_path):
    digests = {run_here(name, tmp_path / f"{workers}.sqlite", workers) for workers in (1, 2, 4)}
    path = tmp_path / "parts.sqlite"
    run_here(name, path, 2, generations=2)
    digests.add(run_here(name, path, 1))
    assert len(digests) == 1
    with Run.open(path) as run:
        assert [summary.number for summary in run.summaries()] == list(range(1, GENERATIONS + 1))


KILLED = """
import sys
from pathlib import Path
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.experiments.session import carry_on, open_run
with open_run("anaconda", Path(sys.argv[1]), 40, 7, {"parents": 4, "opponents": 2, "plies": 2}) as run:
    for step in carry_on(run, ThreadExecutor(2), 20):
        print(step, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_run_survives_being_killed_at_random_moments(tmp_path):
    generator = random.Random(5)
    path = tmp_path / "killed.sqlite"
    kills = 0
    while True:
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()  # something was done; a moment later it is over
        try:
            process.wait(generator.uniform(0, 0.25))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            with Run.open(path) as run:  # readable at every moment
                run.summaries()
            continue
        process.communicate()
        assert process.returncode == 0
        break
    assert kills >= 2
    whole = tmp_path / "whole.sqlite"
    settings = make_settings("anaconda", SMALL["anaconda"])
    with Run.create(whole, "anaconda", "anaconda", settings, 7, 40) as run:
        for _ in carry_on(run, ThreadExecutor(2), 20):
            pass
        expected = run.last()
        strengths = run.strengths()
    with Run.open(path) as run:
        last = run.last()
        assert expected is not None
        assert last is not None
        assert last[2] == expected[2]
        assert run.strengths() == strengths
        assert list(strengths) == [0, 20, 40]


def test_time_is_no_part_of_a_digest(tmp_path):
    one = run_here("es", tmp_path / "a.sqlite", 1)
    time.sleep(0.01)
    assert run_here("es", tmp_path / "b.sqlite", 1) == one
