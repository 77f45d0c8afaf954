"""Run files: what is refused before it is touched, and that nothing is left beside them."""

import multiprocessing
import shutil
import sqlite3
from pathlib import Path

import pytest

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.scheme import ConfigError
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs import file as checks
from evocheckers.runs.file import FolderError, Run, runs_in
from evocheckers.runs.lock import WriteLock
from evocheckers.runs.recorder import Measurement, carry_on, open_run, open_runs
from evocheckers.runs.validation import RunError

SMALL = {"pairs": 3, "plies": 1, "moves_per_side": 20}


def make(path: Path, generations: int = 4, measure_every: int = 0) -> None:
    with open_run("es", path, generations, 1, SMALL, measure_every=measure_every) as run:
        list(carry_on(run, ThreadExecutor(1)))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "whole.sqlite"
    make(path)
    return path


@pytest.fixture
def copy(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path / "run.sqlite"))


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_nothing_is_left_beside_a_run(copy, tmp_path):
    with Run.open(copy) as run:
        run.summaries()
    with Run.open(copy, writing=True) as run:
        assert names(tmp_path) == ["run.sqlite", "run.sqlite.lock"]
        run.set_generations(9)
        with Run.open(copy) as reader:
            assert reader.generations == 9
    assert names(tmp_path) == ["run.sqlite"]


def test_a_reader_that_stays_longer_than_the_writer_tidies_up(copy, tmp_path):
    writer = Run.open(copy, writing=True)
    reader = Run.open(copy)
    writer.set_generations(9)
    reader.summaries()
    writer.close()
    reader.close()
    assert names(tmp_path) == ["run.sqlite"]


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE state SET columns = x'00'", "damaged"),
        ("DELETE FROM state", "damaged (no state of the last generation)"),
        ("UPDATE generations SET games = 'many' WHERE number = 2", "damaged"),
        ("DELETE FROM generations WHERE number = 2", "damaged (generations are missing)"),
        ("UPDATE generations SET best = x'00' WHERE number = 4", "whole.sqlite"),
        ("UPDATE games SET columns = x'00' WHERE generation = 4", "damaged"),
        ("UPDATE individuals SET columns = x'00' WHERE generation = 4", "damaged"),
        ("INSERT INTO strength VALUES (2, 'x', 1, 1, 1, 1)", "damaged"),
    ],
)
def test_a_damaged_run_is_not_written(copy, tmp_path, statement, fault):
    change(copy, statement)
    before = copy.read_bytes()
    with pytest.raises(EvocheckersError) as refused:
        open_run(str(copy), None, 9, None, {})
    assert fault.replace("whole", "run") in str(refused.value)
    assert copy.read_bytes() == before
    assert names(tmp_path) == ["run.sqlite"]


def test_damaged_pages_are_seen_before_writing(whole, tmp_path):
    """A page in the middle that no summary needs: only a look at all pages finds it."""
    path = tmp_path / "run.sqlite"
    data = bytearray(whole.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    with Run.open(whole) as run:
        rows = run._rows("SELECT rootpage FROM sqlite_master WHERE name = 'individuals'")
    at = (rows[0][0] - 1) * size
    data[at : at + 8] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(RunError, match=r"damaged .*'runs repair' saves"):
        Run.open(path, writing=True)


def test_looking_at_all_pages_ends_in_time(copy, monkeypatch):
    monkeypatch.setattr(checks, "CHECK_SECONDS", -1.0)
    Run.open(copy, writing=True).close()


def test_what_is_no_run_is_called_so(tmp_path):
    text, folder, other = tmp_path / "notes.txt", tmp_path / "folder", tmp_path / "other.sqlite"
    text.write_text("no run")
    folder.mkdir()
    change(other, "CREATE TABLE a (b)")
    for path, fault in ((text, "not a run of evocheckers"), (other, "not a run"), (folder, "is a folder, not a run")):
        for ask in (Run.open, lambda path: Run.open(path, writing=True), lambda path: open_run("es", path, 1, 1, {})):
            with pytest.raises(RunError, match=fault):
                ask(path)
        with pytest.raises(RunError, match=fault):
            open_run(str(path), None, 1, None, {})
    with pytest.raises(FolderError, match="no such folder"):
        runs_in(tmp_path / "nowhere")
    with pytest.raises(FolderError, match="is a file, not a folder"):
        runs_in(text)
    assert names(tmp_path) == ["folder", "notes.txt", "other.sqlite"]


def test_a_refused_run_leaves_no_file(tmp_path):
    half = {**SMALL, "precision": "fp16"}
    with pytest.raises(EvocheckersError, match="fp16"), open_run("es", tmp_path / "a.sqlite", 1, 1, half) as run:
        list(carry_on(run, ThreadExecutor(1)))
    with pytest.raises(ConfigError, match="seed = 18446744073709551616"):
        open_runs("es", tmp_path, 1, [2**64 - 1, 2**64], [{}], SMALL)
    assert names(tmp_path) == []


def test_an_interrupted_run_stays(tmp_path):
    with pytest.raises(KeyboardInterrupt), open_run("es", tmp_path / "a.sqlite", 1, 1, SMALL):
        raise KeyboardInterrupt
    assert names(tmp_path) == ["a.sqlite"]


def test_a_run_cannot_end_before_what_it_has(copy):
    with pytest.raises(RunError, match="has 4 generations already; it cannot end at 3"):
        open_run(str(copy), None, 3, None, {})
    open_run(str(copy), None, 4, None, {}).close()


def test_how_often_a_run_is_measured_is_remembered(tmp_path):
    path = tmp_path / "run.sqlite"
    make(path, 2, measure_every=1)

    def measured(generations: int, measure_every: int | None = None) -> list[int]:
        with open_run(str(path), None, generations, None, {}, measure_every=measure_every) as run:
            steps = list(carry_on(run, ThreadExecutor(1)))
        return [step.generation for step in steps if isinstance(step, Measurement)]

    assert measured(3) == [3]
    assert measured(6, measure_every=3) == [6]
    assert measured(8) == [8]


def test_a_changed_length_is_noticed_by_schedules(copy, tmp_path):
    with open_run(str(copy), None, 5, None, {}) as run:
        assert run.notices == ["the schedule is 300 generations long, the run 5: the run ends first (setting schedule)"]
    with open_run(str(copy), None, 5, None, {}) as run:
        assert run.notices == []
    with open_run("es", tmp_path / "new.sqlite", 5, 1, SMALL | {"schedule": 5}) as run:
        assert run.notices == []


def test_settings_that_the_scheme_does_not_take(copy):
    """A run with settings of another program can be read, but not resumed."""
    change(copy, "UPDATE meta SET value = replace(value, '{', '{\"averaging\":0.5,') WHERE key = 'settings'")
    with pytest.raises(RunError, match=r"with settings that this one does not take: no setting 'averaging'"):
        Run.open(copy, writing=True)
    with Run.open(copy) as run:
        assert run.config["averaging"] == 0.5
        assert len(run.summaries()) == 4


def test_senseless_settings_can_be_read_but_not_resumed(copy):
    change(copy, "UPDATE meta SET value = replace(value, '\"sigma\":0.15', '\"sigma\":null') WHERE key = 'settings'")
    with Run.open(copy) as run:
        assert run.config["sigma"] is None
        assert len(run.games(4).results) == 6
    with pytest.raises(RunError, match="setting sigma = None: must be a number above 0"):
        Run.open(copy, writing=True)
    change(copy, "UPDATE meta SET value = 'null' WHERE key = 'settings'")
    with pytest.raises(RunError, match="damaged"):
        Run.open(copy)


def count_alone(path: Path, rounds: int, together: Path) -> None:
    """Take the lock again and again; whoever has it must be alone."""
    taken = 0
    while taken < rounds:
        try:
            lock = WriteLock(path)
        except RunError:
            continue
        together.mkdir()  # fails if another one has the lock
        together.rmdir()
        lock.release()
        taken += 1


def test_a_lock_whose_file_went_meanwhile_is_not_taken(tmp_path, monkeypatch):
    """Between opening and locking the file, whoever had the lock gave it back and removed the file."""
    fcntl = pytest.importorskip("fcntl")
    flock, path = fcntl.flock, tmp_path / "run.sqlite"
    calls: list[int] = []

    def late(descriptor: int, how: int) -> None:
        if not calls:
            (tmp_path / "run.sqlite.lock").unlink()
        calls.append(how)
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    lock = WriteLock(path)
    assert len(calls) == 2
    with pytest.raises(RunError, match="another process is writing it"):
        WriteLock(path)
    lock.release()
    assert names(tmp_path) == []


def test_the_lock_is_exclusive_though_its_file_goes(tmp_path):
    fork = multiprocessing.get_context("spawn")
    arguments = (tmp_path / "run.sqlite", 300, tmp_path / "together")
    processes = [fork.Process(target=count_alone, args=arguments) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert names(tmp_path) == []
