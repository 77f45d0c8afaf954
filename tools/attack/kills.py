"""``kill -9`` at random moments: every preset, ``runs repair``, ``runs export`` and ``endgames build``.

``python -m tools.attack.kills --kills 200`` runs each command once undisturbed, then repeatedly kills and restarts it,
each time with the same arguments and nothing else. It must reach the same digest, and leave no file that an undisturbed
one does not leave.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tools.attack.victims import Victim, victims

GENERATIONS = 10
"""Length of the runs that are killed."""
MEASURE_EVERY = 5
EARLIEST = 0.25
"""Earliest kill, as a fraction of an undisturbed command's time; before that, Python is only starting."""

COMMAND = [sys.executable, "-m", "evocheckers"]


@dataclass(frozen=True)
class Outcome:
    """How a command survived."""

    name: str
    kills: int
    at_work: int
    """Kills after which the folder differed from before the start."""
    ends: int
    """How often the command finished."""
    digest: str
    faults: tuple[str, ...]
    """What went wrong."""


def attack(victim: Victim, folder: Path, kills: int, seed: int) -> Outcome:
    """Kill a command ``kills`` times. Whenever it finishes first, it starts from scratch."""
    generator = random.Random(seed)
    whole, place = _fresh(victim, folder / "whole"), _fresh(victim, folder / "killed")
    command = [*COMMAND, *victim.words]
    began = time.monotonic()
    _killed(command, whole, None)
    longest = time.monotonic() - began
    expected, files = victim.result(whole), _files(whole)
    killed = at_work = ends = 0
    faults: list[str] = []
    is_fresh = True
    while killed < kills or ends == 0:
        before = _files(place)
        began = time.monotonic()
        try:
            if _killed(command, place, generator.uniform(EARLIEST, 1.0) * longest if killed < kills else None):
                killed += 1
                is_fresh = False
                at_work += _files(place) != before
                if generator.random() < 0.5:  # not always, since reading tidies up
                    victim.check(whole, place)
                continue
            ends += 1
            if is_fresh:  # the first run may have included compilation
                longest = min(longest, time.monotonic() - began)
            if victim.result(place) != expected:
                faults.append("another digest")
            faults += [f"left {name}" for name in sorted(_files(place).keys() - files.keys())]
        except (AssertionError, RuntimeError) as error:
            faults.append(str(error))
            ends += 1
        if killed < kills:
            place, is_fresh = _fresh(victim, place), True
    return Outcome(victim.name, killed, at_work, ends, expected[:16], tuple(faults))


def _killed(command: list[str], place: Path, seconds: float | None) -> bool:
    """Run a command and kill it after ``seconds``; returns whether that was necessary."""
    environment = os.environ | {"EVOCHECKERS_DATA": str(place / "data")}
    with subprocess.Popen(
        command, cwd=place, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            _, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return True
        finally:
            process.kill()
    if process.returncode != 0 and "already exists" not in errors:  # killed when done: then everything is there
        raise RuntimeError(errors.strip())
    return False


def _fresh(victim: Victim, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700, parents=True)
    victim.prepare(place)
    return place


def _files(place: Path) -> dict[str, tuple[int, int]]:
    """Names, sizes and times of all files in a folder."""
    found = {}
    for path in place.rglob("*"):
        status = path.stat()
        if path.is_file():
            found[str(path.relative_to(place))] = (status.st_size, status.st_mtime_ns)
    return found


def main() -> int:
    """Kill all commands, or some; the exit status says whether all survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200, help="in all, shared out evenly")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", metavar="NAME", help="only the command of this name; repeatable")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        every = victims(Path(name), GENERATIONS, MEASURE_EVERY)
        chosen = [victim for victim in every if not options.only or victim.name in options.only]
        if not chosen:
            parser.error(f"no such name; there are {', '.join(victim.name for victim in every)}")
        outcomes = []
        print("| command | kills | at work | ends | digest | faults |\n|---|---|---|---|---|---|", flush=True)
        for number, victim in enumerate(chosen):
            kills = options.kills * (number + 1) // len(chosen) - options.kills * number // len(chosen)
            outcome = attack(victim, Path(name) / str(number), kills, options.seed + number)
            outcomes.append(outcome)
            faults = "; ".join(outcome.faults) or "none"
            print(
                f"| {outcome.name} | {outcome.kills} | {outcome.at_work} | {outcome.ends} "
                f"| `{outcome.digest}` | {faults} |",
                flush=True,
            )
    faulty = sum(bool(outcome.faults) for outcome in outcomes)
    print(
        f"{sum(outcome.kills for outcome in outcomes)} kills of {len(outcomes)} commands; {faulty} did not come through"
    )
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
