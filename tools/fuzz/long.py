"""Long fuzzing: ``python -m tools.fuzz.long --inputs 10000000``; prints a table, and any input that broke a reader.

Half of the inputs are mutations of good ones, half are coverage-guided. No input may take longer than a second.
"""

import argparse
import faulthandler
import random
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import NamedTuple

from tools.fuzz.mutations import mutate
from tools.fuzz.targets import TARGETS, forget_files, survive

CHUNK = 2_000
MOST_SECONDS = 1.0
SHARES = {"pdn": 0.02, "engine": 0.01, "assignments": 0.01, "config": 0.05, "run_file": 0.005, "database": 0.02}
"""Shares of the inputs for slow readers; the others share the rest evenly."""


class Tried(NamedTuple):
    """The outcome of some inputs."""

    name: str
    kind: str
    inputs: int
    read: int
    seconds: float
    slowest: float
    fault: str = ""


def mutated(name: str, seed: int, count: int) -> Tried:
    """Try mutations of good inputs; stop at the first that breaks the reader or takes too long."""
    target, generator = TARGETS[name], random.Random(seed)
    corpus = target.make_corpus()
    for data in corpus:
        survive(target.read, data)  # compile everything before timing
    read, slowest, began = 0, 0.0, time.perf_counter()
    fault = ""
    tried = 0
    for tried in range(1, count + 1):
        if tried % CHUNK == 1:
            faulthandler.dump_traceback_later(60, exit=True)
        data = mutate(generator.choice(corpus), generator)
        started = time.perf_counter()
        try:
            read += survive(target.read, data)
        except Exception as error:  # this is what we are looking for
            fault = f"{type(error).__name__}: {error} for {data!r}"
        seconds = time.perf_counter() - started
        slowest = max(slowest, seconds)
        if seconds > MOST_SECONDS:
            fault = f"{seconds:.1f} s for {data!r}"
        if fault:
            break
    faulthandler.cancel_dump_traceback_later()
    forget_files()
    return Tried(name, "mutated", tried, read, time.perf_counter() - began, slowest, fault[:2000])


def guided(name: str, seed: int, count: int) -> Tried:
    """The same with coverage guidance, in a separate process."""
    began = time.perf_counter()
    options = [f"-runs={count}", f"-seed={seed}", "-verbosity=0", "-timeout=1"]
    command = [sys.executable, "-m", "tools.fuzz.guided", name, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    fault = "" if done.returncode == 0 else done.stderr[-2000:]
    return Tried(name, "guided", count, 0, time.perf_counter() - began, 0.0, fault)


def shares(total: int) -> dict[str, int]:
    """Number of inputs for each reader."""
    rest = (1 - sum(SHARES.values())) / (len(TARGETS) - len(SHARES))
    return {name: int(total * SHARES.get(name, rest)) for name in TARGETS}


def main() -> int:
    """Fuzz all readers in several processes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--inputs", type=int, default=10_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    results: list[Tried] = []
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = []
        for name, count in shares(options.inputs).items():
            pieces = max(1, count // 400_000)
            for i in range(pieces):
                share = -(-count // (2 * pieces))
                jobs.append(pool.submit(mutated, name, 1000 * options.seed + i, share))
                jobs.append(pool.submit(guided, name, 1000 * options.seed + i, share))
        for job in as_completed(jobs):
            results.append(job.result())
            tried = results[-1]
            print(f"{tried.name} {tried.kind}: {tried.inputs} inputs, {tried.seconds:.0f} s {tried.fault}", flush=True)
    print("\n| reader | mutated | of these read | slowest | guided | CPU seconds |\n|---|---|---|---|---|---|")
    for name in TARGETS:
        mine = [tried for tried in results if tried.name == name]
        own, by_coverage = ([t for t in mine if t.kind == kind] for kind in ("mutated", "guided"))
        inputs, read = sum(t.inputs for t in own), sum(t.read for t in own)
        slowest = 1000 * max(t.slowest for t in own)
        row = (
            name,
            f"{inputs:,}",
            f"{100 * read / inputs:.1f}%",
            f"{slowest:.0f} ms",
            f"{sum(t.inputs for t in by_coverage):,}",
        )
        print(f"| {' | '.join(row)} | {sum(t.seconds for t in mine):.0f} |")
    faults = [tried.fault for tried in results if tried.fault]
    print(f"\n{sum(tried.inputs for tried in results):,} inputs, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
