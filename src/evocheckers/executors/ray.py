"""A Ray cluster: the same games, on any number of machines.

A batch is cut into tasks, large ones first and single games at the end, so that no task holds up the others for long.
The networks are put into Ray's object store once; a task takes those that its games need. Results arrive in any order
and are filled in where they belong. Ray plays again elsewhere whatever a lost worker or node was playing.
"""

import signal
import socket
import threading
import time
from typing import Any

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.games.batch import (
    BLACK_COLUMN,
    BLACK_PLIES_COLUMN,
    COLUMNS,
    WHITE_COLUMN,
    WHITE_PLIES_COLUMN,
    BatchResult,
    GameBatch,
    GameRules,
    batch_rows,
    empty_result,
    play_rows,
    refuse_half_precision,
)
from evocheckers.networks.evaluator import EvaluatorTable, empty_weights, stack
from evocheckers.rules.fen import START
from evocheckers.version import PROGRAM_VERSION

LARGEST_SHARE = 4
"""The first tasks are a quarter of one worker's share."""
WORKERS_PER_GAME = 8
"""For every eight workers, a task holds at least one more game, since the driver hands out tasks one by one."""
PATIENCE = 3.0
"""An idle worker repeats a task that takes this many times as long as the longest completed one, plus a grace."""
GRACE_SECONDS = 1.0
"""The grace added to that time."""
WAIT_SECONDS = 0.5
CONNECT_SECONDS = 5.0
"""How long a cluster's address may take to answer."""


class ClusterError(EvocheckersError):
    """No cluster to play on; the message says what is missing."""


def task_sizes(costs: np.ndarray, workers: int) -> list[int]:
    """Number of games in each task: a decreasing part of the remaining cost, down to a minimum."""
    left = float(costs.sum())
    least = min(left / len(costs) * (workers // WORKERS_PER_GAME), left / workers) if len(costs) else 0.0
    sizes: list[int] = []
    at = 0
    while at < len(costs):
        goal = max(left / (LARGEST_SHARE * workers), least)
        end, cost = at + 1, float(costs[at])
        while end < len(costs) and cost + costs[end] <= goal:
            cost += float(costs[end])
            end += 1
        sizes.append(end - at)
        left -= cost
        at = end
    return sizes


def expected_costs(rows: np.ndarray) -> np.ndarray:
    """Rough cost of each game: every further ply doubles it."""
    return np.exp2(rows[:, BLACK_PLIES_COLUMN]) + np.exp2(rows[:, WHITE_PLIES_COLUMN])


def play_part(
    version: str,
    kinds: np.ndarray,
    flags: np.ndarray,
    weights: np.ndarray,
    extensions: int,
    rows: np.ndarray,
    seeds: np.ndarray,
    rules: GameRules,
) -> dict[str, np.ndarray]:
    """A task: some games of a batch, on one thread of any machine."""
    if version != PROGRAM_VERSION:
        raise ClusterError(f"a worker has evocheckers {PROGRAM_VERSION}, the driver {version}; all need the same")
    used, places = np.unique(rows[:, [BLACK_COLUMN, WHITE_COLUMN]], return_inverse=True)
    rows = rows.copy()
    rows[:, [BLACK_COLUMN, WHITE_COLUMN]] = places.reshape(-1, 2)
    mine = empty_weights(len(used), weights.shape[1])
    mine[:] = weights[used]
    result = empty_result([START] * len(rows), rules)  # the driver knows the starts
    play_rows(EvaluatorTable(kinds[used], flags[used], mine, extensions), rows, seeds.copy(), rules, result, 1)
    return {name: getattr(result, name) for name in COLUMNS}


class RayExecutor:
    """Plays batches on a Ray cluster or, without an address, on this machine's cores through Ray."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._ray = import_ray()
        if not self._ray.is_initialized():
            _connect(self._ray, address, workers)
        self._task = self._ray.remote(num_cpus=1, max_retries=-1)(play_part)

    @property
    def workers(self) -> int:
        """The number of cores that the cluster has now."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def close(self) -> None:
        """Leave the cluster; one that runs on this machine for this process alone is shut down."""
        self._ray.shutdown()

    def play(self, batch: GameBatch) -> BatchResult:
        """Play all games of a batch."""
        refuse_half_precision(batch.rules)
        rows, seeds = batch_rows(batch.pairings, len(batch.evaluators))
        result = empty_result(batch.starts, batch.rules)
        table = stack(batch.evaluators)
        stored = [self._ray.put(array) for array in (table.kinds, table.flags, table.weights)]
        costs = expected_costs(rows)
        order = np.argsort(-costs, kind="stable")
        pending: dict[Any, tuple[np.ndarray, float]] = {}

        def submit(games: np.ndarray) -> None:
            reference = self._task.remote(
                PROGRAM_VERSION, *stored, table.extensions, rows[games], seeds[games], batch.rules
            )
            pending[reference] = games, time.monotonic()

        at = 0
        for size in task_sizes(costs[order], self.workers):
            submit(np.sort(order[at : at + size]))
            at += size
        try:
            self._collect(pending, submit, result)
        finally:
            for reference in pending:
                self._ray.cancel(reference, force=False)
        return result

    def _collect(self, pending: dict[Any, tuple[np.ndarray, float]], submit: Any, result: BatchResult) -> None:
        """Collect results as they arrive. A late task gets a second try elsewhere; the first answer counts."""
        longest, repeated = 0.0, set()
        missing = np.ones(len(result), bool)
        while missing.any():
            ready, _ = self._ray.wait(list(pending), num_returns=1, timeout=WAIT_SECONDS)
            now = time.monotonic()
            for reference in ready:
                games, began = pending.pop(reference)
                columns = self._fetch(reference)
                longest = max(longest, now - began)
                if missing[games[0]]:
                    missing[games] = False
                    for name, array in columns.items():
                        getattr(result, name)[games] = array
            if ready or longest == 0.0 or len(pending) >= self.workers:
                continue
            for games, began in list(pending.values()):
                if now - began > PATIENCE * longest + GRACE_SECONDS and missing[games[0]] and games[0] not in repeated:
                    repeated.add(games[0])
                    submit(games)

    def _fetch(self, reference: Any) -> dict[str, np.ndarray]:
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise ClusterError(f"a worker failed: {str(error.cause).strip().splitlines()[-1]}") from None


def import_ray() -> Any:
    """Ray, if it is installed."""
    try:
        import ray
    except ImportError:
        raise ClusterError("the Ray executor needs Ray: pip install 'evocheckers[cluster]'") from None
    return ray


def _check_reachable(address: str) -> None:
    """Refuse an address where nothing answers; Ray itself would try for minutes, and say so line by line."""
    host, sign, port = address.removeprefix("ray://").rpartition(":")
    if not sign or not (port.isascii() and port.isdigit()):
        return  # Ray accepts other forms of address
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        fault = getattr(error, "strerror", None) or str(error)
        raise ClusterError(f"no Ray cluster at {address}: {fault.lower()}") from None


def _connect(ray: Any, address: str | None, workers: int | None) -> None:
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address is None:
        settings |= {"num_cpus": workers, "include_dashboard": False, "address": "local"}
    else:
        _check_reachable(address)
        settings["address"] = address
    handler = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(**settings)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ClusterError(
            f"no Ray cluster at {address or 'this machine'}: {str(error).strip().splitlines()[0]}"
        ) from None
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, handler)  # Ray has installed its own
