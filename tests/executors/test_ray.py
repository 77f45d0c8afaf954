"""A real Ray cluster on this machine: a head and two nodes."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evocheckers import EvocheckersError, Network, Pairing, piece_differential, play_batch
from evocheckers.executors import ray as cluster
from evocheckers.executors.ray import ClusterError, RayExecutor, expected_costs, play_part, task_sizes
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import GameBatch, GameRules, PairingError, Precision, batch_rows
from evocheckers.rules.fen import START
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from tests.helpers.waiting import wait_until

ray = pytest.importorskip("ray")
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80_000_000}
SMALL = {"plies": 2, "parents": 4, "opponents": 2, "moves_per_side": 30}


@pytest.fixture(scope="module")
def nodes():
    from ray.cluster_utils import Cluster

    os.environ["RAY_AUTH_MODE"] = "disabled"
    try:
        made = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0, "include_dashboard": False})
        made.add_node(**NODE)
        made.add_node(**NODE)
    except Exception as error:
        pytest.skip(f"Ray does not start on this machine: {error}")
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def executor(nodes):
    return RayExecutor(nodes.address)


def some_games(count: int) -> GameBatch:
    generator = np.random.default_rng(3)
    evaluators = [Network.random(generator).evaluator() for _ in range(7)] + [piece_differential(1.5, 0.01)]
    pairings = [Pairing(i % 8, (3 * i + 1) % 8, i, 1 + i % 4, 1 + i % 3) for i in range(count)]
    return GameBatch(evaluators, pairings, GameRules(80))


def test_tasks_grow_smaller_and_hold_every_game():
    sizes = task_sizes(np.ones(600), 2)
    assert sum(sizes) == 600
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (75, 1)
    many = task_sizes(np.ones(50_000), 1000)
    assert set(many) == {50}
    assert set(task_sizes(np.ones(5_000), 100)) <= {*range(1, 14)}
    assert len(task_sizes(np.ones(5_000), 100)) < 450
    assert task_sizes(np.ones(3), 1000) == [1, 1, 1]
    assert task_sizes(np.ones(3), 100) == [1, 1, 1]
    assert task_sizes(np.array([100.0, 1, 1]), 1) == [1, 1, 1]
    rows, _ = batch_rows([Pairing(0, 0, 1, 4, 4), Pairing(0, 0, 1, 5, 4)], 1)
    assert expected_costs(rows).tolist() == [32, 48]


def test_the_same_games_as_on_threads(executor):
    batch = some_games(60)
    assert executor.workers == 2
    assert executor.play(batch).digest() == play_batch(*batch).digest()


class LateRay:
    """Stands in for Ray: every task is done at once, except the last of those submitted first, which never is."""

    def __init__(self) -> None:
        self.tasks: list[tuple] = []
        self.late: int | None = None
        self.waits = 0
        self.cancelled: list[int] = []

    def remote(self, *arguments) -> int:
        self.tasks.append(arguments)
        return len(self.tasks) - 1

    def wait(self, references, num_returns, **_):
        self.waits += 1
        assert self.waits < 1000, "nobody plays the late task again"
        if self.late is None:
            self.late = len(self.tasks) - 1
        return [reference for reference in references if reference != self.late][:num_returns], []

    def get(self, reference):
        return play_part(*self.tasks[reference])

    def put(self, array):
        return array

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def cancel(self, reference, **_) -> None:
        self.cancelled.append(reference)


def test_late_tasks_are_played_again(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.0)
    monkeypatch.setattr(cluster, "GRACE_SECONDS", 0.0)
    late = LateRay()
    executor = RayExecutor.__new__(RayExecutor)
    executor._ray = executor._task = late
    batch = some_games(12)
    assert executor.play(batch).digest() == play_batch(*batch).digest()
    assert late.late is not None
    assert len(late.tasks) == late.late + 2
    assert late.cancelled == [late.late]


def test_faults_are_told_in_one_line(executor):
    with pytest.raises(PairingError, match="on a GPU"):
        executor.play(some_games(1)._replace(rules=GameRules(precision=Precision.FP16)))
    rows, seeds = batch_rows([Pairing(0, 0, 1, start=START)], 1)
    with pytest.raises(ClusterError, match="all need the same"):
        play_part("0.0", np.zeros(1), np.zeros(1), np.zeros((1, 2)), 2, rows, seeds, GameRules())


@pytest.mark.parametrize("preset", ["anaconda", "c10-rr"])
def test_a_node_dies_in_the_middle_and_the_digest_stays(nodes, executor, tmp_path, preset):
    changes = {"plies": 3, "parents": 6 if preset == "anaconda" else 3, "moves_per_side": 30}
    with open_run(preset, tmp_path / "threads.sqlite", 3, 1, changes) as run:
        list(carry_on(run, ThreadExecutor(2), 0))
        expected = run.summaries()[-1].digest
    victim = nodes.add_node(**NODE)
    killer = threading.Timer(0.4, lambda: nodes.remove_node(victim, allow_graceful=False))
    with open_run(preset, tmp_path / "ray.sqlite", 3, 1, changes) as run:
        killer.start()
        list(carry_on(run, executor, 0))
        killer.join()
        assert run.summaries()[-1].digest == expected


def test_workers_die_in_the_middle_and_the_games_stay(nodes, executor):
    """Whatever plays a task of ours is killed, twice."""
    batch = some_games(60)
    batch = batch._replace(pairings=[replace(pairing, black_plies=5, white_plies=5) for pairing in batch.pairings])
    killed: list[int] = []

    def kill_workers() -> None:
        while len(killed) < 2:
            time.sleep(0.2)
            for name in filter(str.isdigit, os.listdir("/proc")):
                try:
                    if Path("/proc", name, "cmdline").read_bytes().startswith(b"ray::play_part"):
                        os.kill(int(name), signal.SIGKILL)
                        killed.append(int(name))
                except OSError:
                    continue

    expected = play_batch(*batch).digest()
    killer = threading.Thread(target=kill_workers, daemon=True)
    killer.start()
    assert executor.play(batch).digest() == expected
    assert len(killed) >= 2


def has_generations(path: Path) -> bool:
    try:
        with Run.open(path) as run:
            return bool(run.summaries())
    except EvocheckersError:  # not there yet, or not whole
        return False


def test_a_driver_dies_and_is_resumed(nodes, tmp_path):
    path = tmp_path / "run.sqlite"
    sets = [part for name, value in {**SMALL, "plies": 3}.items() for part in ("--set", f"{name}={value}")]
    command = [sys.executable, "-m", "evocheckers", "evolve", "anaconda", "--run", str(path), "--generations", "6"]
    command += ["--measure-every", "0", "--executor", "ray", "--address", nodes.address, *sets]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: has_generations(path))
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert finished.returncode == 0, finished.stderr
    with open_run("anaconda", tmp_path / "threads.sqlite", 6, 1, {**SMALL, "plies": 3}) as run:
        list(carry_on(run, ThreadExecutor(2), 0))
        expected = run.summaries()[-1].digest
    with Run.open(path) as run:
        assert run.summaries()[-1].digest == expected
