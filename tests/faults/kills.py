"""``kill -9`` at random moments.

``python -m tests.faults.kills --kills 100`` kills and resumes a run so often, and compares digests.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

COMMAND = [sys.executable, "-m", "evocheckers"]


def kill_at_random(
    command: list[str], kills: int, longest: float, seed: int, look: Callable[[], None] = lambda: None
) -> int:
    """Start a command again and again, kill it so often, and let it end; how often it had to be killed.

    ``look`` is called after each kill, for what must hold at every moment.
    """
    generator = random.Random(seed)
    killed = 0
    while True:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, errors = process.communicate(timeout=generator.uniform(0.0, longest) if killed < kills else None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
            look()
            continue
        if process.returncode != 0:
            raise RuntimeError(errors.decode())
        return killed


def facts(run: Path) -> dict:
    """What ``runs show`` says."""
    command = [*COMMAND, "runs", "show", str(run), "--json", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)


def main() -> int:
    """One run undisturbed, one killed again and again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="anaconda")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "whole.sqlite", Path(folder) / "killed.sqlite"
        sets = [part for assignment in options.set for part in ("--set", assignment)]
        common = ["--generations", str(options.generations), "--measure-every", "20", *sets]
        commands = [[*COMMAND, "evolve", options.preset, "--run", str(path), *common] for path in paths]
        began = time.perf_counter()
        subprocess.run(commands[0], stdout=subprocess.DEVNULL, check=True)
        whole = time.perf_counter() - began
        killed = kill_at_random(commands[1], options.kills, 2.0 + whole / options.kills, seed=os.getpid())
        both = [facts(path) for path in paths]
        print(f"undisturbed, {whole:.0f} s: generation {both[0]['generation']}, digest {both[0]['digest'][:16]}")
        took = time.perf_counter() - began - whole
        print(
            f"killed {killed} times, {took:.0f} s: generation {both[1]['generation']}, digest {both[1]['digest'][:16]}"
        )
        same = both[0]["digest"] == both[1]["digest"] and both[0]["strength"] == both[1]["strength"]
        return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
