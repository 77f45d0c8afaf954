"""Evolution started from the page: one small run at a time, in a separate process that ends when the server does.

It is ``evocheckers evolve`` under the same supervisor as the engines of other programs, so that no process is left
behind even if the server is killed. What it recorded by then is in its run file, from which it can be resumed.
"""

import shutil
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import join
from types import MappingProxyType

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.registry import PRESETS
from evocheckers.page.responses import ConflictError, PageError
from evocheckers.players.hub.process import Connection, Fault

MAX_SECONDS = 1800.0
"""A run that takes longer is ended; it can be resumed."""
LOOK_SECONDS = 0.25
MAX_RUNS = 999
"""Maximum number of runs that the page names."""


class EvolutionOffError(PageError):
    """The server does not evolve runs for the page."""

    status = 403


@dataclass(frozen=True)
class PagePreset:
    """A preset as offered on the page: small enough for a home computer."""

    about: str
    generations: int
    """Default number of generations."""
    most: int
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings that differ from the preset's."""


PAGE_PRESETS: Mapping[str, PagePreset] = MappingProxyType(
    {
        "self-play": PagePreset("learns from the results of its own games; the quickest to play well", 30, 60),
        "es": PagePreset("an evolution strategy: many small changes, each judged by games", 40, 300, {"pairs": "100"}),
        "anaconda": PagePreset("Chellapilla and Fogel's algorithm: 30 networks, the better half survives", 40, 200),
    }
)


@dataclass
class _Process:
    """The current run."""

    name: str
    stopping: threading.Event
    thread: threading.Thread


class EvolutionProcess:
    """Starts and ends evolutions, one at a time."""

    def __init__(self, runs: Path, allowed: bool) -> None:
        self._runs = runs
        self.allowed = allowed
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self.message = ""
        """How the last run ended, if it failed."""

    @property
    def running(self) -> str | None:
        """The name of the current run."""
        process = self._process
        return process.name if process is not None and process.thread.is_alive() else None

    def start(self, preset: str, seed: int, generations: int) -> str:
        """Begin a new run; returns its name."""
        chosen = PAGE_PRESETS.get(preset)
        if chosen is None:
            raise EvocheckersError(f"no preset {preset[:40]!r} on the page; there are {', '.join(PAGE_PRESETS)}")
        if not 1 <= generations <= chosen.most:
            raise EvocheckersError(f"{generations} generations; {preset} has 1 to {chosen.most} here")
        self._check()
        self._runs.mkdir(parents=True, exist_ok=True)
        name = self._free_name(preset)
        arguments = [preset, "--run", str(self._path(name)), "--seed", str(seed), "--generations", str(generations)]
        for key, value in chosen.settings.items():
            arguments += ["--set", f"{key}={value}"]
        self._begin(name, arguments)
        return name

    def resume(self, name: str, path: Path, generations: int) -> None:
        """Resume a run up to ``generations``, which the caller bounds by ``most_generations``."""
        self._check()
        self._begin(name, [str(path.resolve()), "--generations", str(generations)])

    def stop(self) -> None:
        """End the run and keep what it recorded. Takes a moment."""
        process = self._process
        if process is not None:
            process.stopping.set()
            process.thread.join()

    def _check(self) -> None:
        if not self.allowed:
            raise EvolutionOffError(
                "evolution is off here: the server is open to others, or was started with --no-evolve"
            )

    def _begin(self, name: str, arguments: list[str]) -> None:
        with self._lock:
            if self.running is not None:
                raise ConflictError(f"{self.running} is already running; one run at a time")
            polite = ["nice", "-n", "19"] if shutil.which("nice") else []
            command = [*polite, sys.executable, "-P", "-m", "evocheckers", "evolve", *arguments]
            try:
                connection = Connection(join(command))
            except Fault as fault:
                raise EvocheckersError(f"the evolution cannot be started: {fault}") from None
            stopping = threading.Event()
            self.message = ""
            thread = threading.Thread(target=self._watch, args=(connection, stopping), name="evolution", daemon=True)
            self._process = _Process(name, stopping, thread)
            thread.start()

    def _watch(self, connection: Connection, stopping: threading.Event) -> None:
        """Read the run's output until it ends, is stopped, or takes too long."""
        looks = int(MAX_SECONDS / LOOK_SECONDS)
        try:
            for _ in range(looks):
                if stopping.is_set():
                    return
                try:
                    connection.read_until(["done:"], LOOK_SECONDS)
                except Fault as fault:
                    if connection.is_alive:
                        continue
                    self.message = f"the run {fault}; is another process writing its file?"
                    return
                connection.wait(MAX_SECONDS)
                return
            self.message = f"ended after {MAX_SECONDS / 60:.0f} minutes; it can be resumed"
        finally:
            connection.end()

    def _free_name(self, preset: str) -> str:
        names = (f"page-{preset}-{number}" for number in range(1, MAX_RUNS + 1))
        for name in names:
            if not self._path(name).exists():
                return name
        raise EvocheckersError(f"{self._runs} holds {MAX_RUNS} runs of the page; move some away")

    def _path(self, name: str) -> Path:
        return self._runs.resolve() / f"{name}.sqlite"


def most_generations(preset: str, recorded: int, asked: int) -> int:
    """How far the page may take a run: to its original goal, or as far again as a new run would go."""
    if preset in PAGE_PRESETS:
        return max(asked, recorded + PAGE_PRESETS[preset].most)
    return max(asked, recorded + (PRESETS[preset].generations if preset in PRESETS else 0))
