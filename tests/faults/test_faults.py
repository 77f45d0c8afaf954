"""Faults on purpose: whatever happens, nothing recorded is lost, and what is wrong is told in one line.

Kills are in test_kills, signals in the midst of compiled code in tests/cli/test_signals.
"""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evocheckers.endgames.values import Database
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.native.cache import cache_folder
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.runs.validation import RunError
from tests.helpers.waiting import wait_until
from tools.attack.kills import COMMAND

if os.name == "nt":
    pytest.skip("signals and mounts", allow_module_level=True)

SMALL = {"parents": 3, "opponents": 2, "plies": 2, "moves_per_side": 30}
SETS = [part for name, value in SMALL.items() for part in ("--set", f"{name}={value}")]
GENERATIONS = 60


def evolve(path: Path, generations: int = GENERATIONS) -> list[str]:
    words = ["evolve", "anaconda", "--seed", "3", "--generations", str(generations), "--measure-every", "30"]
    return [*COMMAND, *words, "--run", str(path), *SETS]


def run(command: list[str], **how) -> subprocess.CompletedProcess:
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "check": False, "timeout": 120} | how
    return subprocess.run(command, **how)


def has_recorded(path: Path, generation: int) -> bool:
    """Whether a run that is being written has come so far."""
    with contextlib.suppress(RunError), Run.open(path) as opened:
        return opened.generation >= generation
    return False


def refused(done: subprocess.CompletedProcess) -> str:
    """The one line with which a command refused."""
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("evocheckers: ")
    return done.stderr


def recorded(path: Path) -> tuple[int, str]:
    with Run.open(path) as opened:
        for number in range(1, opened.generation + 1):
            opened.games(number)
            opened.network(number)
        return opened.generation, opened.digest


@pytest.fixture(scope="module")
def digests(tmp_path_factory) -> dict[int, str]:
    """The digest after every generation of the undisturbed run."""
    path = tmp_path_factory.mktemp("whole") / "whole.sqlite"
    with open_run("anaconda", path, GENERATIONS, 3, SMALL) as whole:
        list(carry_on(whole, ThreadExecutor(2), 30))
        return {summary.number: summary.digest for summary in whole.summaries()}


def check_resumed(path: Path, digests: dict[int, str]) -> None:
    """What is there is as it should be, and going on leads to the same end."""
    number, digest = recorded(path)
    assert number == 0 or digest == digests[number]
    done = run(evolve(path))
    assert done.returncode == 0, done.stderr
    assert recorded(path) == (GENERATIONS, digests[GENERATIONS])


@pytest.mark.parametrize(("sign", "status", "word"), [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "terminated")])
def test_told_to_stop(tmp_path, digests, sign, status, word):
    path = tmp_path / "run.sqlite"
    process = subprocess.Popen(evolve(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: has_recorded(path, 2))
    process.send_signal(getattr(signal, sign))
    out, errors = process.communicate(timeout=60)
    assert process.returncode == status
    assert errors.splitlines()[-1] == f"evocheckers: {word}"
    assert "Traceback" not in errors
    assert "generations are recorded in" in out
    assert recorded(path)[0] >= 2
    check_resumed(path, digests)


@pytest.mark.parametrize("begun", [False, True])
def test_killed_before_anything_was_recorded(tmp_path, digests, begun):
    """What SQLite leaves of a file whose first transaction did not end: nothing, or a journal that undoes it."""
    path = tmp_path / "run.sqlite"
    path.touch()
    if begun:
        code = "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        code += "for text in ('PRAGMA cache_size = 1', 'BEGIN IMMEDIATE', 'CREATE TABLE a (b)'): c.execute(text)\n"
        code += "for i in range(500): c.execute('INSERT INTO a VALUES (zeroblob(1000))')\n"
        assert run([sys.executable, "-c", f"{code}os._exit(0)", str(path)]).returncode == 0
        assert path.stat().st_size > 0
    done = run(evolve(path, 2))
    assert done.returncode == 0, done.stderr
    assert recorded(path) == (2, digests[2])


def test_two_processes_on_one_run(tmp_path, digests):
    path = tmp_path / "run.sqlite"
    first = subprocess.Popen(evolve(path), stdout=subprocess.PIPE, text=True)
    wait_until(lambda: has_recorded(path, 1))
    assert "another process is writing it" in refused(run(evolve(path)))
    recorded(path)
    first.communicate(timeout=60)
    check_resumed(path, digests)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own, of one megabyte; ``mount`` on it with other options changes it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if shutil.which("mount") is None or run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)]).returncode:
        pytest.skip("file systems may not be mounted here")
    yield folder
    done = run(["umount", str(folder)])
    run(["umount", "-l", str(folder)])
    assert done.returncode == 0, "something was left open"


def test_a_full_disk(small_disk, tmp_path, digests):
    path = small_disk / "run.sqlite"
    done = run(evolve(path))
    assert done.returncode == 2
    assert "full" in done.stderr
    assert done.stderr.count("\n") == 1
    number, digest = recorded(path)
    assert digest == digests[number]
    assert 0 < number < GENERATIONS
    assert "full" in run(evolve(path)).stderr  # and again, without harm
    for file in small_disk.glob("run.sqlite*"):
        shutil.copy(file, tmp_path)
    check_resumed(tmp_path / "run.sqlite", digests)


def test_files_that_do_not_fit(small_disk, tmp_path):
    (small_disk / "filling").write_bytes(bytes(1024 * 1024 - 8192))
    games = run([*COMMAND, "match", "material@1", "random", "--pdn", str(small_disk / "games.pdn")])
    assert "no space left on device" in refused(games)
    with open_run("anaconda", tmp_path / "run.sqlite", 1, 3, SMALL) as opened:
        list(carry_on(opened, ThreadExecutor(1), 0))
    export = run([*COMMAND, "runs", "export", str(tmp_path / "run.sqlite"), "--out", str(small_disk / "a.safetensors")])
    assert "no space left on device" in refused(export)


def test_a_folder_that_cannot_be_written(small_disk, tmp_path, digests):
    path = small_disk / "run.sqlite"
    run(evolve(path, 1))
    assert run(["mount", "-o", "remount,ro", str(small_disk)]).returncode == 0
    assert recorded(path) == (1, digests[1])
    assert "1" in run([*COMMAND, "runs", "show", str(path)]).stdout
    assert "read-only" in refused(run(evolve(path)))
    for words in (["evolve", "es", "--generations", "1"], ["reproduce", "mobility"], ["runs", "plot", "run.sqlite"]):
        assert "read-only" in refused(run([*COMMAND, *words], cwd=small_disk))
    match = ["match", "material@1", "random", "--openings", "start"]
    assert run([*COMMAND, *match], cwd=small_disk).returncode == 0


def damage(data: bytes, generator: random.Random) -> bytes:
    if generator.random() < 0.5:
        return data[: generator.randrange(len(data))]
    changed = bytearray(data)
    for _ in range(generator.choice((1, 8, 64))):
        changed[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
    return bytes(changed)


def test_damaged_files_are_refused_or_read(tmp_path):
    """By the commands; what is left of a damaged run is in test_repair."""
    path, generator = tmp_path / "run.sqlite", random.Random(6)
    with open_run("anaconda", path, 5, 3, SMALL) as opened:
        list(carry_on(opened, ThreadExecutor(2), 0))
        opened.network().save(tmp_path / "net.safetensors")
    Database.build(2, threads=1).save(tmp_path / "endgames-2.wdl")
    (tmp_path / "bad").mkdir()
    commands = {
        "run.sqlite": ["runs", "show"],
        "net.safetensors": ["match", "random", "--openings", "start"],
        "endgames-2.wdl": ["endgames", "probe", "B:WK1:BK32"],
    }
    environment = os.environ | {"EVOCHECKERS_DATA": str(tmp_path / "bad")}
    refusals = 0
    for name, words in commands.items():
        whole = (tmp_path / name).read_bytes()
        for _ in range(4):
            bad = tmp_path / "bad" / name
            bad.write_bytes(damage(whole, generator))
            named = {"run.sqlite": [str(bad)], "net.safetensors": [f"net:{bad}@1"]}.get(name, [])
            done = run([*COMMAND, *words, *named], env=environment)
            assert "Traceback" not in done.stderr
            if done.returncode:
                assert name in refused(done)
                refusals += 1
    assert refusals >= 6


def test_a_clock_that_jumps(tmp_path, monkeypatch, digests):
    generator = random.Random(2)
    monkeypatch.setattr(time, "time", lambda: generator.uniform(-1e9, 4e9))
    with open_run("anaconda", tmp_path / "run.sqlite", 10, 3, SMALL) as opened:
        seconds = [step.seconds for step in carry_on(opened, ThreadExecutor(2), 0)]  # type: ignore[union-attr]
    assert recorded(tmp_path / "run.sqlite") == (10, digests[10])
    assert all(0 < second < 60 for second in seconds)


def test_nobody_reads(tmp_path, digests):
    """A closed pipe, a closed standard output, and one that is full."""
    path = tmp_path / "run.sqlite"
    process = subprocess.Popen(evolve(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(60) != 0
    closed = run(["sh", "-c", 'exec "$@" >&-', "sh", *evolve(path, 5)], stdout=None)
    assert closed.returncode == 0, closed.stderr
    assert recorded(path) == (5, digests[5])
    with Path("/dev/full").open("w") as full:
        assert "no space left" in refused(run(evolve(path, 6), stdout=full))
    check_resumed(path, digests)


def test_no_home_no_terminal_no_input(tmp_path, digests):
    """Not even a variable that names a terminal, and a home that is not there."""
    path = tmp_path / "run.sqlite"
    kernel = cache_folder()
    cache = {"EVOCHECKERS_CACHE": str(kernel.parent)} if kernel else {}  # without one, see native/test_cache
    environment = {"PATH": os.environ["PATH"], **cache, "HOME": str(tmp_path / "nowhere")}
    done = run(evolve(path, 2), env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    assert done.returncode == 0, done.stderr
    assert recorded(path) == (2, digests[2])
    check_resumed(path, digests)
