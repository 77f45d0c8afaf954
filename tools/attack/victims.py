"""Commands to kill: every preset, and everything that writes files for long enough to be caught at it."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evocheckers.evolution.registry import PRESETS
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.file import Run, run_exists
from evocheckers.runs.recorder import carry_on, open_run

SMALL: dict[str, dict[str, Any]] = {
    "anaconda": {"parents": 4, "opponents": 2, "plies": 2},
    "social": {"parents": 4, "opponents": 2, "plies": 2, "individual_every": 2, "social_every": 4},
    "hill-climbing": {"iterations": 10},
    "es": {"pairs": 6, "plies": 2},
    "learners": {"learners": 3, "copies": 2, "depths": [1, 2], "games": [12, 6], "moves_per_side": 20, "schedule": 30}
    | {"steps": 3, "batch": 100, "memory": 3, "social": 0.3, "select_every": 2, "replaced": 0.34},
}
"""Settings of each scheme for which a generation takes a moment and a run covers all its features."""
RUN = "run.sqlite"
SOURCE = "source.sqlite"
PIECES = 4


@dataclass(frozen=True)
class Victim:
    """A command in a folder of its own; the same command must give the same result, however often it is killed."""

    name: str
    words: list[str]
    prepare: Callable[[Path], None]
    """Put what the command needs into a folder."""
    result: Callable[[Path], str]
    """A digest of the command's result."""
    check: Callable[[Path, Path], None]
    """Check a killed folder against an undisturbed one; must hold at any moment."""


def victims(folder: Path, generations: int, measure_every: int) -> list[Victim]:
    """All victims, with runs of ``generations``; the run that some of them read is made in ``folder`` first."""
    source = folder / SOURCE
    if not source.exists():
        with open_run("anaconda", source, 2 * generations, 5, SMALL["anaconda"]) as run:
            list(carry_on(run, ThreadExecutor(), 0))

    def copy_source(place: Path) -> None:
        shutil.copy(source, place)

    def damage_source(place: Path) -> None:
        data = bytearray(source.read_bytes())
        (place / SOURCE).write_bytes(data[: len(data) * 9 // 10])

    table = ["runs", "export", SOURCE, "--table", "games", "--out"]
    network = ["runs", "export", SOURCE, "--out", "best.safetensors"]
    build = ["endgames", "build", "--pieces", str(PIECES)]
    return [
        *(evolve(preset, generations, measure_every) for preset in PRESETS),
        Victim("runs repair", ["runs", "repair", SOURCE, "--out", RUN], damage_source, run_result, check_run),
        *(
            Victim(f"runs export {name}", [*table, name], copy_source, file_result(name), check_files)
            for name in ("games.csv", "games.parquet")
        ),
        Victim("runs export network", network, copy_source, file_result("best.safetensors"), check_files),
        Victim("runs copy", ["runs", "copy", SOURCE, RUN], copy_source, run_result, check_run),
        Victim("endgames build", build, nothing, file_result(f"data/endgames-{PIECES}.wdl"), check_files),
    ]


def evolve(preset: str, generations: int, measure_every: int) -> Victim:
    """A small run of a preset."""
    words = ["evolve", preset, "--run", RUN, "--seed", "5", "--generations", str(generations)]
    words += ["--measure-every", str(measure_every)]
    for name, value in SMALL[PRESETS[preset].scheme.name].items():
        words += ["--set", f"{name}={json.dumps(value)}"]
    return Victim(preset, words, nothing, run_result, check_run)


def nothing(place: Path) -> None:
    """Preparation for a command that needs nothing."""


def run_result(place: Path) -> str:
    """The digests of a run's generations, and its measured strengths."""
    with Run.open(place / RUN) as run:
        facts = [*(summary.digest for summary in run.summaries()), str(run.strengths())]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def check_run(whole: Path, killed: Path) -> None:
    """What is recorded can be read and equals the undisturbed run."""
    if not run_exists(killed / RUN):
        return
    with Run.open(whole / RUN) as run:
        expected = [summary.digest for summary in run.summaries()]
    with Run.open(killed / RUN) as run:
        found = [summary.digest for summary in run.summaries()]
        for number in range(1, len(found) + 1):
            run.games(number)
            run.network(number)
    if found != expected[: len(found)]:
        raise AssertionError(f"{killed / RUN}: generations differ from those of the undisturbed run")


def file_result(name: str) -> Callable[[Path], str]:
    """The digest of a file."""
    return lambda place: hashlib.sha256((place / name).read_bytes()).hexdigest()


def check_files(whole: Path, killed: Path) -> None:
    """Every file is complete or absent; unfinished files have other names."""
    for path in whole.rglob("*"):
        other = killed / path.relative_to(whole)
        if path.is_file() and other.exists() and other.read_bytes() != path.read_bytes():
            raise AssertionError(f"{other} is not whole")
