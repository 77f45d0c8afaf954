"""Damaged run files: what can be saved is saved, checked, and goes on to the same end."""

import random
import shutil

import pytest

from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.runs.repair import Repaired, repair
from evocheckers.runs.schema import KeptGames
from evocheckers.runs.validation import RunError
from tests.helpers.commands import run as run_command

GENERATIONS = 10
PRESETS = {
    "anaconda": {"plies": 1, "parents": 6, "opponents": 2, "moves_per_side": 25},
    "c10": {"plies": 1, "parents": 3, "opponents": 2, "moves_per_side": 25, "individual_every": 2, "social_every": 4},
    "es": {"plies": 1, "pairs": 6, "moves_per_side": 25},
    "over-the-hill": {"iterations": 3},
}


def make(preset, path, keep=KeptGames.MOVES):
    with open_run(preset, path, GENERATIONS, 1, PRESETS[preset], keep) as run:
        list(carry_on(run, ThreadExecutor(2), 5))
        run._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return {summary.number: summary.digest for summary in run.summaries()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("repair") / "whole.sqlite"
    return path, make("anaconda", path)


@pytest.mark.parametrize("keep", [KeptGames.MOVES, KeptGames.RESULTS])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_run_is_saved_whole(tmp_path, preset, keep):
    digests = make(preset, tmp_path / "a.sqlite", keep)
    *numbers, done = repair(tmp_path / "a.sqlite", tmp_path / "b.sqlite")
    assert numbers == list(range(1, GENERATIONS + 1))
    assert done == Repaired(GENERATIONS, "")
    with Run.open(tmp_path / "a.sqlite") as old, Run.open(tmp_path / "b.sqlite") as new:
        assert {summary.number: summary.digest for summary in new.summaries()} == digests
        assert new.strengths() == old.strengths()
        states = [found.state for found in (new.last(), old.last()) if found is not None]
        assert all((a == b).all() for a, b in zip(*states, strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_damage_costs_only_what_comes_after_it(whole, tmp_path, seed):
    path, digests = whole
    damaged = tmp_path / "damaged.sqlite"
    shutil.copy(path, damaged)
    generator = random.Random(seed)
    data = bytearray(damaged.read_bytes())
    if seed % 2:
        del data[generator.randrange(len(data) // 3, len(data)) :]
    else:
        for _ in range(40):
            data[generator.randrange(len(data) // 3, len(data))] ^= 1 << generator.randrange(8)
    damaged.write_bytes(bytes(data))
    *_, done = repair(damaged, tmp_path / "saved.sqlite")
    assert isinstance(done, Repaired)
    assert "\n" not in done.fault
    with Run.open(tmp_path / "saved.sqlite", writing=True) as run:
        assert all(digests[summary.number] == summary.digest for summary in run.summaries())
        list(carry_on(run, ThreadExecutor(2), 0))
        assert run.summaries()[-1].digest == digests[GENERATIONS]


def test_nothing_can_be_saved_where_no_games_are_kept(tmp_path):
    make("anaconda", tmp_path / "a.sqlite", KeptGames.POINTS)
    with pytest.raises(RunError, match="kept no games to repair it from"):
        list(repair(tmp_path / "a.sqlite", tmp_path / "b.sqlite"))
    assert not (tmp_path / "b.sqlite").exists()


def test_the_command(whole, tmp_path):
    path, _ = whole
    arguments = ("runs", "repair", str(path), "--out", str(tmp_path / "b.sqlite"))
    assert "generations 1 to 10 saved, all of them" in run_command(*arguments).stdout
    again = run_command(*arguments)
    assert again.returncode == 2
    assert again.stderr.endswith("already exists\n")
    (tmp_path / "c.sqlite").write_bytes(path.read_bytes()[:300])
    nothing = run_command("runs", "repair", str(tmp_path / "c.sqlite"), "--out", str(tmp_path / "d.sqlite"))
    assert nothing.returncode == 2
    assert nothing.stderr.count("\n") == 1
    assert not (tmp_path / "d.sqlite").exists()
