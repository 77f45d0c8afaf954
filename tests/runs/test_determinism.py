"""One digest: for any number of workers, alone or side by side; tests/faults kills runs."""

import contextlib
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from evocheckers.cli.evolve import parse_grid
from evocheckers.evolution.evolve import Generation, evolve
from evocheckers.evolution.registry import PRESETS, make_settings
from evocheckers.evolution.scheme import ConfigError
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, carry_on_together, open_run, open_runs

SMALL: dict[str, dict[str, Any]] = {
    "anaconda": {"parents": 4, "opponents": 2, "plies": 2},
    "social": {"parents": 4, "opponents": 2, "plies": 2, "individual_every": 2, "social_every": 4},
    "hill-climbing": {"iterations": 10},
    "es": {"pairs": 6, "plies": 2},
}
SMALL["learners"] = {
    "learners": 3,
    "copies": 2,
    "depths": [1, 2],
    "games": [12, 6],
    "moves_per_side": 20,
    "schedule": 6,
    "steps": 3,
    "batch": 100,
    "memory": 3,
    "social": 0.3,
    "select_every": 2,
    "replaced": 0.34,
}
GENERATIONS = 6


def small(name: str) -> dict[str, Any]:
    return SMALL[PRESETS[name].scheme.name]


def run_here(name: str, path: Path, workers: int, generations: int = GENERATIONS) -> str:
    with open_run(name, path, generations, 7, small(name)) as run:
        for _ in carry_on(run, ThreadExecutor(workers), 0):
            pass
        assert run.generation == generations
        return run.digest


@pytest.mark.parametrize("name", PRESETS)
def test_workers_and_interruptions_change_nothing(name, tmp_path):
    digests = {run_here(name, tmp_path / f"{workers}.sqlite", workers) for workers in (1, 2, 4)}
    path = tmp_path / "parts.sqlite"
    run_here(name, path, 2, generations=2)
    digests.add(run_here(name, path, 1))
    assert len(digests) == 1
    with Run.open(path) as run:
        assert [summary.number for summary in run.summaries()] == list(range(1, GENERATIONS + 1))


def test_the_digest_of_es_is_what_it_was():
    """Before settings that never gained anything were taken out."""
    last: Generation[Any]
    *_, last = evolve("es", SMALL["es"], seed=7, generations=GENERATIONS, executor=ThreadExecutor(2))
    assert last.digest[:16] == "375730c4d11eb275"


def test_time_is_no_part_of_a_digest(tmp_path):
    one = run_here("es", tmp_path / "a.sqlite", 1)
    time.sleep(0.01)
    assert run_here("es", tmp_path / "b.sqlite", 1) == one


class TwoAtOnce(ThreadExecutor):
    """Meets itself: no batch is played before another one is there, as long as there are two groups."""

    batches_at_once = 2

    def __init__(self) -> None:
        super().__init__(1)
        self.meeting = threading.Barrier(2, timeout=30)

    def play(self, batch):
        with contextlib.suppress(threading.BrokenBarrierError):
            self.meeting.wait()
        return super().play(batch)


@pytest.mark.parametrize("executor", [ThreadExecutor(2), TwoAtOnce()])
def test_runs_side_by_side_come_out_as_alone(tmp_path, executor):
    changes = {"pairs": 3, "plies": 1}
    grid = parse_grid(["sigma=0.1,0.2", "moves_per_side=20,30"])
    assert [sorted(point) for point in grid] == [["moves_per_side", "sigma"]] * 4
    runs = open_runs("es", tmp_path, 3, [1, 2], grid, changes)
    assert len({run.path for run in runs}) == 8
    out = list(carry_on_together(runs, executor, 2))
    assert not getattr(executor, "meeting", threading.Barrier(1)).broken
    assert len(out) == 8 * (3 + 3)  # generations, and measurements at 0, 2 and 3
    for run in runs:
        alone = tmp_path / "alone" / run.path.name
        settings = make_settings(run.scheme, run.settings.model_dump())
        with Run.create(alone, "es", run.scheme, settings, run.seed, 3) as other:
            for _ in carry_on(other, ThreadExecutor(1), 2):
                pass
            assert run.digest == other.digest
            assert run.strengths() == other.strengths()
        run.close()


@pytest.mark.parametrize("text", ["sigma", "=1,2", "sigma=", "sigma=,"])
def test_a_bad_grid_is_named(text):
    with pytest.raises(ConfigError, match="is not of the form key=a,b,c"):
        parse_grid([text])
