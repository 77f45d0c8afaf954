"""A run file that is moved, copied, linked or deleted while it is written, and its lock."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs import file as run_module
from evocheckers.runs.file import Run
from evocheckers.runs.lock import WriteLock
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.runs.repair import repair
from evocheckers.runs.validation import RunError
from tests.helpers.waiting import wait_until

SMALL = {"pairs": 3, "plies": 1, "moves_per_side": 20}


def begun(path: Path, generations: int = 3) -> tuple[Run, Iterator[Any]]:
    """A run in the midst of it, and what is still to come."""
    run = open_run("es", path, 8, 1, SMALL)
    steps = carry_on(run, ThreadExecutor(1), 0)
    for _ in range(generations):
        next(steps)
    return run, steps


def digests(path: Path) -> list[str]:
    with Run.open(path) as run:
        return [summary.digest for summary in run.summaries()]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("moved") / "a.sqlite"
    with open_run("es", path, 8, 1, SMALL) as run:
        list(carry_on(run, ThreadExecutor(1), 0))
    return digests(path)


def test_a_renamed_run_is_noticed_and_loses_nothing(tmp_path, undisturbed):
    run, steps = begun(tmp_path / "a.sqlite")
    (tmp_path / "a.sqlite").rename(tmp_path / "b.sqlite")
    with pytest.raises(RunError, match=r"renamed or deleted while .* its 3 generations are in .*b\.sqlite"):
        next(steps)
    run.close()
    assert names(tmp_path) == ["b.sqlite"]
    assert digests(tmp_path / "b.sqlite") == undisturbed[:3]


def test_a_replaced_run_is_noticed_and_the_other_stays_as_it_is(tmp_path, undisturbed):
    with open_run("es", tmp_path / "other.sqlite", 1, 2, SMALL) as other:
        list(carry_on(other, ThreadExecutor(1), 0))
    before = (tmp_path / "other.sqlite").read_bytes()
    run, steps = begun(tmp_path / "a.sqlite")
    (tmp_path / "a.sqlite").rename(tmp_path / "b.sqlite")
    (tmp_path / "other.sqlite").rename(tmp_path / "a.sqlite")
    with pytest.raises(
        RunError, match=r"was replaced while it was being written; its 3 generations are in .*b\.sqlite"
    ):
        next(steps)
    run.close()
    assert (tmp_path / "a.sqlite").read_bytes() == before
    assert digests(tmp_path / "b.sqlite") == undisturbed[:3]


def test_a_deleted_run_is_noticed_and_saved(tmp_path, undisturbed):
    run, steps = begun(tmp_path / "a.sqlite")
    (tmp_path / "a.sqlite").unlink()
    with pytest.raises(RunError, match=r"its 3 generations are saved in .*a-rescued\.sqlite"):
        next(steps)
    run.close()
    assert names(tmp_path) == ["a-rescued.sqlite"]
    assert digests(tmp_path / "a-rescued.sqlite") == undisturbed[:3]


def test_another_file_at_the_first_moment_is_not_removed(tmp_path):
    run = open_run("es", tmp_path / "a.sqlite", 8, 1, SMALL)
    (tmp_path / "a.sqlite").rename(tmp_path / "b.sqlite")
    (tmp_path / "a.sqlite").write_text("somebody else's")
    with pytest.raises(RunError, match="was replaced"), run:
        list(carry_on(run, ThreadExecutor(1), 0))
    assert (tmp_path / "a.sqlite").read_text() == "somebody else's"


def test_the_file_alone_is_the_run(tmp_path, undisturbed, monkeypatch):
    """Killed and moved without its journal: nothing but the last second is in that."""
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    run, _ = begun(tmp_path / "a.sqlite")
    shutil.copy(tmp_path / "a.sqlite", tmp_path / "moved.sqlite")
    assert digests(tmp_path / "moved.sqlite") == undisturbed[:3]
    run.close()


def test_a_copy_of_a_running_run_is_whole(tmp_path, undisturbed):
    run, steps = begun(tmp_path / "a.sqlite")
    with Run.open(tmp_path / "a.sqlite") as reader:
        reader.copy(tmp_path / "copy.sqlite")
        with pytest.raises(RunError, match="already exists"):
            reader.copy(tmp_path / "copy.sqlite")
    list(steps)
    run.close()
    assert names(tmp_path) == ["a.sqlite", "copy.sqlite"]
    assert digests(tmp_path / "copy.sqlite") == undisturbed[:3]
    with open_run(str(tmp_path / "copy.sqlite"), None, None, None, {}) as copied:
        list(carry_on(copied, ThreadExecutor(1), 0))
    assert digests(tmp_path / "copy.sqlite") == undisturbed == digests(tmp_path / "a.sqlite")


def test_the_lock_is_the_files_whatever_its_name(tmp_path):
    run, _ = begun(tmp_path / "a.sqlite", 1)
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "a.sqlite")
    with pytest.raises(RunError, match="another process is writing it"):
        open_run(str(tmp_path / "link.sqlite"), None, None, None, {})
    run.close()
    os.link(tmp_path / "a.sqlite", tmp_path / "hard.sqlite")
    with pytest.raises(RunError, match=r"has 2 names \(hard links\)"):
        open_run(str(tmp_path / "hard.sqlite"), None, None, None, {})


def test_a_removed_lock_file_is_made_again(tmp_path):
    run, steps = begun(tmp_path / "a.sqlite", 1)
    (tmp_path / "a.sqlite.lock").unlink()
    next(steps)
    with pytest.raises(RunError, match="another process is writing it"):
        WriteLock(tmp_path / "a.sqlite")
    run.close()
    assert names(tmp_path) == ["a.sqlite"]


def test_a_lock_file_that_another_process_took_ends_the_run(tmp_path):
    run, steps = begun(tmp_path / "a.sqlite", 1)
    (tmp_path / "a.sqlite.lock").unlink()
    other = WriteLock(tmp_path / "a.sqlite")
    with pytest.raises(RunError, match="its lock file was removed, and another process is writing it now"):
        next(steps)
    run.close()
    assert (tmp_path / "a.sqlite.lock").exists()  # the other's
    other.release()


def test_what_another_process_recorded_is_not_called_damage(tmp_path):
    run, steps = begun(tmp_path / "a.sqlite", 1)
    (tmp_path / "a.sqlite.lock").unlink()
    with open_run(str(tmp_path / "a.sqlite"), None, None, None, {}) as other:
        next(carry_on(other, ThreadExecutor(1), 0))
    with pytest.raises(RunError, match="another process has meanwhile recorded generation 2"):
        next(steps)
    run.close()
    assert len(digests(tmp_path / "a.sqlite")) == 2


def test_a_killed_repair_is_simply_repeated(tmp_path, undisturbed):
    with open_run("es", tmp_path / "a.sqlite", 8, 1, SMALL) as run:
        list(carry_on(run, ThreadExecutor(1), 0))
    code = (
        "import sys, time; from evocheckers.runs.repair import repair\n"
        "for step in repair(sys.argv[1], sys.argv[2]):\n    time.sleep(60 if step == 3 else 0)"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "a.sqlite"), str(tmp_path / "b.sqlite")]
    part = tmp_path / ".b.sqlite.repairing"

    def is_at_three() -> bool:
        try:
            with Run.open(part) as run:
                return run.generation == 3
        except RunError:
            return False

    with subprocess.Popen(words) as killed:
        wait_until(is_at_three)
        killed.send_signal(signal.SIGKILL)
    assert not (tmp_path / "b.sqlite").exists()
    list(repair(tmp_path / "a.sqlite", tmp_path / "b.sqlite"))
    assert names(tmp_path) == ["a.sqlite", "b.sqlite"]
    assert digests(tmp_path / "b.sqlite") == undisturbed


def test_names_that_are_not_utf8(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.sqlite"))
    run, steps = begun(path, 1)
    next(steps)
    run.close()
    assert len(digests(path)) == 2
    with pytest.raises(RunError, match=r"\\udcff"):
        Run.open(path.with_suffix(".x"))


def test_what_is_no_regular_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "a.sqlite")
    for path in (tmp_path / "a.sqlite", Path("/dev/zero")):
        with pytest.raises(RunError, match="is not a regular file"):
            Run.open(path)
        with pytest.raises(RunError, match="is not a regular file"):
            open_run("es", path, 1, 1, SMALL)


def test_views_triggers_and_other_tables_are_refused(tmp_path):
    run, _ = begun(tmp_path / "a.sqlite", 1)
    run.close()
    for statement in ("CREATE VIEW v AS SELECT 1", "CREATE TABLE t (a)", "CREATE INDEX i ON generations (digest)"):
        shutil.copy(tmp_path / "a.sqlite", tmp_path / "b.sqlite")
        connection = sqlite3.connect(tmp_path / "b.sqlite")
        connection.execute(statement)
        connection.commit()
        connection.close()
        with pytest.raises(RunError, match="other tables, views or triggers"):
            Run.open(tmp_path / "b.sqlite")
