import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from evocheckers import Board
from evocheckers.cli.evolve import parse_assignments
from evocheckers.evolution.registry import find_scheme, make_settings
from evocheckers.evolution.scheme import ConfigError
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.export import pdn_games
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import Measurement, carry_on, open_run
from evocheckers.runs.schema import KeptGames, pack, unpack
from evocheckers.runs.validation import RunError

SMALL = {"parents": 4, "opponents": 2, "plies": 2}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "small.sqlite"
    with open_run("anaconda", path, 5, 3, SMALL) as run:
        steps = list(carry_on(run, ThreadExecutor(2), 2))
    assert [step.generation for step in steps if isinstance(step, Measurement)] == [0, 2, 4, 5]
    return path


def test_points_and_survivors_follow_from_the_recorded_games(recorded):
    """Recomputed from the file alone: replay the games, count the points, pick the survivors."""
    with Run.open(recorded) as run:
        survivors: set[int] | None = None
        for summary in run.summaries():
            people = run.individuals(summary.number)
            black, white, games = run.games(summary.number)
            ids = people.ids.tolist()
            if survivors is not None:
                assert survivors == set(ids[:4])
                assert people.parents[4:].tolist() == ids[:4]
            points = dict.fromkeys(ids, 0)
            for game in range(len(games)):
                record = games[game]
                outcome = Board().push_all(record.moves).outcome(max_plies=200)
                assert outcome == record.outcome
                value = {None: 0, 0: 1, 1: -1}[outcome.winner]
                points[int(black[game])] += {1: 1, 0: 0, -1: -2}[value]
                points[int(white[game])] += {1: -2, 0: 0, -1: 1}[value]
            assert people.scores.tolist() == list(points.values())
            assert points[summary.best_id] == max(points.values())
            order = sorted(points.values(), reverse=True)
            if summary.number < 5:
                survivors = set(run.individuals(summary.number + 1).ids.tolist()[:4])
                assert sorted((points[i] for i in survivors), reverse=True) == order[:4]


def test_networks_are_averaged(recorded):
    with Run.open(recorded) as run:
        networks = [run.network(number) for number in (2, 3, 4)]
        mean = run.exported_network(4, average=3)
        assert np.allclose(mean.weights, np.mean([network.weights for network in networks], axis=0), atol=1e-6)
        assert mean.king_value == pytest.approx(np.mean([network.king_value for network in networks]))
        assert mean.source["average"] == 3
        assert "average" not in run.exported_network(4).source
        assert (run.averaged_network(None, 1).weights == run.network(5).weights).all()
        for generation, count in ((2, 3), (4, 0)):
            with pytest.raises(RunError, match=f"cannot average {count} generations up to generation {generation}"):
                run.averaged_network(generation, count)
        with pytest.raises(RunError, match="has no generation 6"):
            run.averaged_network(6, 2)


def test_networks_of_every_generation_are_there(recorded):
    with Run.open(recorded) as run:
        assert run.network().source["generation"] == 5
        assert run.network(2).source["generation"] == 2
        assert run.network(0).king_value == 2.0
        with pytest.raises(RunError, match="has no generation 9; it has 0 to 5"):
            run.network(9)
        with pytest.raises(RunError, match="has no generation 9"):
            run.games(9)


def test_less_can_be_kept(recorded, tmp_path):
    def size_of_games(run):
        return run._rows("SELECT COALESCE(SUM(LENGTH(columns)), 0) FROM games")[0][0]

    with Run.open(recorded) as run:
        digest = run.summaries()[-1].digest
        size = size_of_games(run)
    for keep in (KeptGames.RESULTS, KeptGames.POINTS):
        path = tmp_path / f"{keep}.sqlite"
        with open_run("anaconda", path, 3, 3, SMALL, keep) as run:
            list(carry_on(run, ThreadExecutor(1), 0))
        with open_run("anaconda", path, 5, None, SMALL) as run:
            list(carry_on(run, ThreadExecutor(1), 0))
            assert run.keep is keep
            assert run.summaries()[-1].digest == digest
            assert len(run.individuals(5).ids) == 8
            if keep is KeptGames.RESULTS:
                _, _, games = run.games(1)
                assert games.codes.shape[1] == 0
                assert games.plies.min() > 0
                with pytest.raises(RunError, match="kept no moves; evolve with --keep moves"):
                    pdn_games(run, 1)
            else:
                with pytest.raises(RunError, match="kept no games; evolve with --keep results or --keep moves"):
                    run.games(1)
            assert size_of_games(run) < size / 3
        with pytest.raises(RunError, match=f"has kept {keep}, not moves"):
            open_run("anaconda", path, 5, None, SMALL, KeptGames.MOVES)


def test_two_writers_are_refused(recorded):
    with Run.open(recorded, writing=True):
        with pytest.raises(RunError, match="another process is writing it"):
            Run.open(recorded, writing=True)
        code = f"from evocheckers.runs.file import Run; Run.open({str(recorded)!r}, writing=True)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "another process is writing it" in done.stderr
        with Run.open(recorded) as reader:
            assert len(reader.summaries()) == 5


@pytest.mark.parametrize(
    ("changes", "seed", "part"),
    [
        (SMALL | {"plies": 3}, 3, "plies = 2, not 3"),
        (SMALL, 4, "seed 3, not 4"),
        ({}, None, "parents = 4, not 15"),
    ],
)
def test_other_settings_are_refused(recorded, changes, seed, part):
    with pytest.raises(RunError, match=part):
        open_run("anaconda", recorded, None, seed, changes)
    with Run.open(recorded, writing=True):  # the refusal let go of the file
        pass


def test_another_preset_is_refused(recorded):
    with pytest.raises(RunError, match="preset anaconda, not blondie24-rr"):
        open_run("blondie24-rr", recorded, None, None, SMALL)


def test_a_file_alone_is_enough_to_go_on(recorded, tmp_path):
    path = tmp_path / "copy.sqlite"
    shutil.copy(recorded, path)
    with open_run(str(path), None, 6, None, {}) as run:
        list(carry_on(run, ThreadExecutor(1), 0))
        assert run.summaries()[-1].number == 6


def test_damage_is_named_and_the_rest_stays_readable(recorded, tmp_path):
    truncated = tmp_path / "truncated.sqlite"
    truncated.write_bytes(recorded.read_bytes()[:5000])
    with pytest.raises(RunError) as error, Run.open(truncated) as run:
        run.summaries()
    assert "\n" not in str(error.value)
    garbage = tmp_path / "garbage.sqlite"
    garbage.write_bytes(b"no database at all" * 100)
    with pytest.raises(RunError, match="not a run of evocheckers"):
        Run.open(garbage)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    with pytest.raises(RunError, match="not a run of evocheckers"):
        Run.open(other)
    flipped = tmp_path / "flipped.sqlite"
    shutil.copy(recorded, flipped)
    with sqlite3.connect(flipped) as connection:
        connection.execute("UPDATE games SET columns = x'00' WHERE generation = 3")
        connection.execute("UPDATE meta SET value = '9' WHERE key = 'nothing'")
    with Run.open(flipped) as run:
        with pytest.raises(RunError, match="damaged"):
            run.games(3)
        assert len(run.games(2).results) == 16
    with pytest.raises(RunError, match="no such file"):
        Run.open(tmp_path / "none.sqlite")


def test_a_state_of_another_program_is_read_but_not_resumed(recorded, tmp_path):
    copy = tmp_path / "copy.sqlite"
    shutil.copy(recorded, copy)
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE state SET columns = ?", [pack({"other": np.zeros(3)})])
    with Run.open(copy) as run:
        assert run.generation == 5
        assert run.network(5).weights.size == 5046
        with pytest.raises(RunError, match=r"was made by another program .* it can be read but not resumed"):
            run.last()


def test_a_full_disk_loses_nothing_recorded(tmp_path):
    path = tmp_path / "full.sqlite"
    with open_run("anaconda", path, 50, 3, SMALL) as run:
        run._connection.execute("PRAGMA max_page_count = 200")
        with pytest.raises(RunError, match="disk is full"):
            list(carry_on(run, ThreadExecutor(2), 0))
    with open_run("anaconda", path, 40, 3, SMALL) as run:
        recorded = len(run.summaries())
        assert 0 < recorded < 40
        list(carry_on(run, ThreadExecutor(2), 0))
    with open_run("anaconda", tmp_path / "whole.sqlite", 40, 3, SMALL) as run:
        list(carry_on(run, ThreadExecutor(2), 0))
        whole = run.digest
    with Run.open(path) as run:
        assert run.digest == whole


def test_columns_round_trip():
    columns = {"a": np.arange(6, dtype=np.int16).reshape(2, 3), "b": np.array(4), "c": np.zeros((0, 5), np.float32)}
    again = unpack(pack(columns))
    assert list(again) == ["a", "b", "c"]
    for name, column in columns.items():
        assert np.array_equal(again[name], column)
        assert again[name].dtype == column.dtype


@pytest.mark.parametrize(
    ("scheme", "values", "part"),
    [
        ("anaconda", {"parent": 4}, "no setting 'parent' (did you mean parents?); anaconda has"),
        ("anaconda", {"parents": "many"}, "setting parents = 'many'"),
        ("anaconda", {"parents": 0}, "setting parents = 0: must be a whole number between 1 and 100000"),
        ("anaconda", {"tournament": "swiss"}, "setting tournament = 'swiss'"),
        ("es", {"layers": [1, 2]}, "setting layers"),
        ("es", {"sigma": float("nan")}, "sigma"),
    ],
)
def test_bad_settings_are_named(scheme, values, part):
    with pytest.raises(ConfigError) as error:
        make_settings(find_scheme(scheme), values)
    assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_assignments_are_read_as_toml():
    read = parse_assignments(["plies=3", "sigma=0.1", "tournament=round-robin", "layers=[1,0,1,1]", "x=true"])
    assert read == {"plies": 3, "sigma": 0.1, "tournament": "round-robin", "layers": [1, 0, 1, 1], "x": True}
    assert parse_assignments(["weight_limit=none"]) == {"weight_limit": None}
    for bad in ("plies", "=3"):
        with pytest.raises(ConfigError, match="key=value"):
            parse_assignments([bad])


def test_a_fault_is_one_line():
    assert (
        str(RunError("a.sqlite", "damaged (near\n\n  here)", "repair it"))
        == "run a.sqlite: damaged (near here); repair it"
    )
