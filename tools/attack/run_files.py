"""Feed crafted run files and tampered states to every reader.

    python -m tools.attack.run_files --files 2000 --states 500

Every file goes through ``runs list, show, games, export, copy, repair`` and, for some, ``plot``, by the command line's
own code; through what the page reads; and is resumed for a generation. Counted are tracebacks, messages of more than
one line or with control characters, anything that takes longer than two seconds, and memory above 500 MB.
"""

import argparse
import contextlib
import faulthandler
import io
import multiprocessing
import re
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evocheckers.cli import app
from evocheckers.errors import EvocheckersError, printable
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import BatchResult, GameBatch
from evocheckers.page.runs.recorded import Runs
from evocheckers.runs.recorder import carry_on, open_run
from tools.attack.crafting import GENERATIONS, craft, healthy, tamper

MAX_SECONDS = 2.0
HANG_SECONDS = 60.0
"""After this, the attack ends with a traceback of where it hangs."""
MAX_MEGABYTES = 500
PLOT_EVERY = 20
"""Only one file in this many is plotted, since a plot takes a second."""
BATCH = 250
"""Files per process, after which its memory is checked."""


@dataclass
class Findings:
    """The outcome."""

    read: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0
    megabytes: int = 0
    ways: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Findings") -> None:
        """Add the findings of another process."""
        self.read += other.read
        self.refused += other.refused
        self.faults += other.faults
        self.slowest = max(self.slowest, other.slowest)
        self.megabytes = max(self.megabytes, other.megabytes)
        self.ways += other.ways


class _Idle:
    """Plays nothing: games under a run's own settings may take arbitrarily long."""

    def play(self, batch: GameBatch) -> BatchResult:
        raise _AskedError(len(batch.pairings))


class _AskedError(Exception):
    """Carries the number of games that a resumed run asked for."""


def _command(*words: str) -> None:
    """Run a command by its own code; raises an ``AssertionError`` for anything that it must not do."""
    out, errors = io.StringIO(), io.StringIO()
    argv, sys.argv = sys.argv, ["evocheckers", *words]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = app._run()
    finally:
        sys.argv = argv
    told = errors.getvalue()
    if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", out.getvalue() + told):
        raise AssertionError(f"control characters: {printable(told or out.getvalue())[:200]}")
    if status == 2:
        if told.count("\n") != 1 or not told.startswith("evocheckers: "):
            raise AssertionError(f"not one line: {told[:300]!r}")
        raise EvocheckersError(told)
    if status != 0:
        raise AssertionError(f"status {status}")


def readers(path: Path, folder: Path, plots: bool) -> Iterator[tuple[str, Callable[[], object]]]:
    """Everything that reads a run, by name."""
    name, page = str(path), Runs()
    for command in ("show", "games"):
        yield command, lambda command=command: _command("runs", command, name)  # type: ignore[misc]
    yield "list", lambda: _command("runs", "list", str(path.parent))
    for file in ("a.safetensors", "a.pdn"):
        yield file, lambda file=file: _command("runs", "export", name, "--out", str(folder / file))  # type: ignore[misc]
    for table in ("generations", "individuals", "games"):
        words = ("--table", table, "--out", str(folder / "a.csv"))
        yield table, lambda words=words: _command("runs", "export", name, *words)  # type: ignore[misc]
    yield "copy", lambda: _command("runs", "copy", name, str(folder / "copy.sqlite"))
    yield "repair", lambda: _command("runs", "repair", name, "--out", str(folder / "saved.sqlite"))
    yield "page: line", lambda: page.summary(path)
    yield "page: run", lambda: page.describe(path)
    yield "page: games", lambda: page.games(path, GENERATIONS)
    yield "page: game", lambda: page.game_pdn(path, GENERATIONS, 0)
    yield "resume", lambda: resume(path)
    if plots:
        yield "plot", lambda: _command("runs", "plot", name, "--out", str(folder))


def resume(path: Path) -> None:
    """Resume for one generation, up to its games, or including them if they are few."""
    with open_run(str(path), None, GENERATIONS + 1, None, {}) as run:
        few = run.settings.plies <= 2 and all(summary.games <= 100 for summary in run.summaries()[-1:])
        try:
            for _ in carry_on(run, ThreadExecutor(1) if few else _Idle(), 0):
                pass
        except _AskedError:
            return


def attack(path: Path, told: str, folder: Path, findings: Findings, plots: bool) -> None:
    """Put one file through every reader."""
    findings.ways[told] += 1
    for name, read in readers(path, folder, plots):
        began = time.perf_counter()
        faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        try:
            read()
            findings.read += 1
        except EvocheckersError as error:
            findings.refused += 1
            if printable(error) != str(error):
                findings.faults.append(f"{told}: {name}: control characters or lines: {printable(error)[:200]}")
        except Exception:
            last = traceback.format_exc().strip().splitlines()
            findings.faults.append(f"{told}: {name}: {last[-1][:200]} ({''.join(last[-4:-2])[:160]})")
        faulthandler.cancel_dump_traceback_later()
        seconds = time.perf_counter() - began
        findings.slowest = max(findings.slowest, seconds)
        if seconds > MAX_SECONDS and name != "plot":
            findings.faults.append(f"{told}: {name}: {seconds:.1f} s")
        for left in folder.iterdir():
            left.unlink()


def attack_many(sources: list[Path], kind: str, numbers: range, plot_every: int) -> Findings:
    """Attack some files in one process; its memory is counted from after a healthy file."""
    findings = Findings()
    with tempfile.TemporaryDirectory() as place:
        files, out = Path(place) / "runs", Path(place) / "out"
        files.mkdir()
        out.mkdir()
        for number in numbers:
            path = files / "run.sqlite"
            make = craft if kind == "files" else tamper
            told = f"{kind} {number} ({make(sources[number % len(sources)], path, number)})"
            attack(path, told, out, findings, bool(plot_every) and number % plot_every == 0)
            for left in files.iterdir():
                left.unlink()
    findings.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    findings.ways = Counter({kind: sum(findings.ways.values())})
    return findings


def warm_up(sources: list[Path]) -> None:
    """Compile and import everything, so that no file is blamed for it; healthy files must be readable."""
    findings = Findings()
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        out.mkdir()
        for source in sources:
            copy = Path(place) / "run.sqlite"
            copy.write_bytes(source.read_bytes())
            attack(copy, source.stem, out, findings, plots=False)
    wrong = [fault for fault in findings.faults if not fault.endswith(" s")]
    if findings.refused or wrong:
        raise AssertionError(f"healthy runs: {findings.refused} refused, {wrong}")


def main() -> None:
    """Run the long attack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--states", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the first number, for other files than before")
    parser.add_argument("--plot-every", type=int, default=PLOT_EVERY)
    chosen = parser.parse_args()
    total, began = Findings(), time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        sources = healthy(Path(place))
        warm_up(sources)
        fork = multiprocessing.get_context("spawn")
        work = []
        for kind, count in (("files", chosen.files), ("states", chosen.states)):
            for first in range(chosen.first, chosen.first + count, BATCH):
                numbers = range(first, min(first + BATCH, chosen.first + count))
                work.append((sources, kind, numbers, chosen.plot_every))
        with fork.Pool(1, _warm, (sources,), maxtasksperchild=1) as pool:
            for done in pool.imap(_attack_batch, work):
                total.add(done)
                print(f"{sum(total.ways.values())} done, {len(total.faults)} faults, {total.megabytes} MB", flush=True)
    for fault in total.faults:
        print(printable(fault))
    print(
        f"{dict(total.ways)}: {total.read} times read, {total.refused} refused, {len(total.faults)} faults, "
        f"slowest {total.slowest:.2f} s, most memory {total.megabytes} MB, {time.monotonic() - began:.0f} s in all"
    )
    sys.exit(1 if total.faults or total.megabytes > MAX_MEGABYTES else 0)


def _warm(sources: list[Path]) -> None:
    warm_up(sources)


def _attack_batch(work: tuple[list[Path], str, range, int]) -> Findings:
    return attack_many(*work)


if __name__ == "__main__":
    main()
