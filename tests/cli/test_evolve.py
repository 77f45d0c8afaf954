import csv
import json
from pathlib import Path
from typing import Any

import pytest

from evocheckers import Network, read_pdn
from evocheckers.cli.evolve import describe
from evocheckers.evolution.registry import PRESETS
from evocheckers.runs.export import TABLES
from tests.helpers.commands import run

SMALL = ("--set", "parents=3", "--set", "opponents=2", "--set", "plies=2")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "small.sqlite"
    done = run("evolve", "anaconda", "--run", str(path), "--generations", "3", *SMALL, "--measure-every", "3")
    assert done.returncode == 0, done.stderr
    assert "generation    3/3" in done.stdout
    assert "generation    0 against piece differential" in done.stdout
    return path


def test_resuming_says_so_and_goes_on(recorded, tmp_path):
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(recorded.read_bytes())
    done = run("evolve", str(copy), "--generations", "4", "--measure-every", "0")
    assert "resumes after generation 3" in done.stdout
    assert "generation    4/4" in done.stdout


def test_presets_are_listed():
    assert "Chellapilla and Fogel" in run("evolve", "--list").stdout
    rows = {row["preset"]: row for row in json.loads(run("evolve", "--list", "--json", "-").stdout)}
    assert rows["c10-rr"]["scheme"] == "social"
    assert rows["c10-rr"]["settings"] == {"tournament": "round-robin"}


def test_the_settings_of_a_preset_are_listed():
    listed = json.loads(run("evolve", "over-the-hill-3of4", "--list", "--json", "-").stdout)
    rows = {row.pop("setting"): row for row in listed["settings"]}
    assert rows["wins_needed"] == {
        "default": 3,
        "range": "a whole number between 1 and 100",
        "meaning": "Wins by which a rookie passes its trial.",
        "source": "The paper: 1; it asks for 3 of 4.",
    }
    assert rows["weight_limit"]["range"] == "a number above 0, at most 1000 or none"
    assert rows["inputs"]["range"] == "one of 512, 128"
    assert all(row["meaning"] and row["range"] and row["source"] for row in rows.values())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_setting_is_documented(preset):
    settings = PRESETS[preset].scheme.settings
    for name in settings.model_fields:
        told = describe(settings, name)
        assert len(told["meaning"]) > 5, name
        assert told["source"], name
        assert told["range"], name


def test_a_schedule_that_does_not_follow_is_told(tmp_path):
    small = ("--set", "pairs=1", "--set", "plies=1", "--measure-every", "0")
    path = str(tmp_path / "a.sqlite")
    begun = run("evolve", "es", "--run", path, "--generations", "1", *small).stdout
    assert "note: the schedule is 300 generations long, the run 1" in begun
    assert "note: the schedule is 300 generations long, the run 2" in run("evolve", path, "--generations", "2").stdout
    follows = run("evolve", "es", "--generations", "1", "--run", f"{path}2", *small, "--set", "schedule=1").stdout
    assert "note" not in follows


def test_show_list_and_games(recorded):
    done = run("runs", "show", str(recorded), "--json")
    facts = json.loads(done.stdout)
    assert facts["generation"] == 3
    assert facts["seed"] == 1
    assert facts["config"]["parents"] == 3
    assert len(facts["digest"]) == 64
    assert [point["generation"] for point in facts["strength"]] == [0, 3]
    assert "digest" in run("runs", "show", str(recorded)).stdout
    listed = json.loads(run("runs", "list", str(recorded.parent), "--json", "-").stdout)
    assert [row["preset"] for row in listed] == ["anaconda"]
    games = json.loads(run("runs", "games", str(recorded), "--generation", "2", "--json", "-").stdout)
    assert len(games) == 12
    assert set(games[0]) == {"black", "white", "result", "reason", "plies", "evaluations"}


def test_compare(recorded):
    done = run("runs", "compare", str(recorded), "--json", "-")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [row["against"] for row in rows] == ["piece differential", "generation 0"]
    assert all(row["wins"] + row["draws"] + row["losses"] == 86 for row in rows)
    other = run("runs", "compare", str(recorded), str(recorded), "--with", "1")
    assert f"against generation 1 of {recorded} at" in other.stdout


def test_measure(recorded, tmp_path):
    figure, copy = tmp_path / "strength.png", tmp_path / "copy.sqlite"
    copy.write_bytes(recorded.read_bytes())
    done = run("runs", "measure", str(recorded), str(copy), "--generations", "0,3", "--figure", str(figure), "--json")
    assert done.returncode == 0, done.stderr
    first, last = json.loads(done.stdout)["generations"]
    assert first["raw"]["runs"][0] == first["raw"]["runs"][1]
    assert [sum(score[:3]) for score in last["raw"]["runs"]] == [86, 86]
    assert figure.read_bytes().startswith(b"\x89PNG")
    shown = json.loads(run("runs", "show", str(recorded), "--json").stdout)["strength"]
    assert first["raw"]["runs"][0][:3] == [shown[0][name] for name in ("wins", "draws", "losses")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--generations", "0,4"), "not all runs have a generation 4"),
        (("--generations", "x"), "write numbers like"),
        (("--figure", "strength.txt"), "ends neither in .png nor in .svg"),
        (("--against", "engine:no-such-program"), "no-such-program"),
        (("--against", "material@"), "player"),
    ],
)
def test_measure_refuses(recorded, arguments, words):
    done = run("runs", "measure", str(recorded), *arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_export_and_plot(recorded, tmp_path):
    assert run("runs", "export", str(recorded), "--out", str(tmp_path / "n.safetensors")).returncode == 0
    assert Network.load(tmp_path / "n.safetensors").source["generation"] == 3
    assert run("runs", "export", str(recorded), "--generation", "1", "--out", str(tmp_path / "g.pdn")).returncode == 0
    mean = tmp_path / "mean.safetensors"
    assert run("runs", "export", str(recorded), "--average", "2", "--out", str(mean)).returncode == 0
    assert "then: evocheckers runs export RUN --average 2" in run("networks", str(mean)).stdout
    games = read_pdn((tmp_path / "g.pdn").read_text())
    assert len(games) == 12
    assert games[0].tags["Event"] == "anaconda, seed 1, generation 1"
    done = run("runs", "plot", str(recorded), "--out", str(tmp_path / "plots"))
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (tmp_path / "plots").iterdir()}
    kinds = ("strength", "games", "population", "lineage", "generations")
    assert names == {f"small-{kind}.{suffix}" for kind in kinds for suffix in ("png", "svg")}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_tables_are_exported(recorded, tmp_path, suffix):
    rows: dict[str, list[dict[str, Any]]] = {}
    for table in ("generations", "individuals", "games"):
        path = tmp_path / f"{table}.{suffix}"
        done = run("runs", "export", str(recorded), "--table", table, "--out", str(path))
        assert done.returncode == 0, done.stderr
        assert f"wrote {path}" in done.stdout
        if suffix == "csv":
            rows[table] = list(csv.DictReader(path.read_text().splitlines()))
        else:
            rows[table] = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    assert [len(table) for table in rows.values()] == [3, 3 * 6, 3 * 12]
    assert [int(row["generation"]) for row in rows["generations"]] == [1, 2, 3]
    assert {"black", "white", "winner", "reason", "moves"} <= set(rows["games"][0])
    one = tmp_path / f"one.{suffix}"
    assert (
        run("runs", "export", str(recorded), "--table", "games", "--generation", "2", "--out", str(one)).returncode == 0
    )
    assert one.stat().st_size < (tmp_path / f"games.{suffix}").stat().st_size


def test_every_column_of_a_table_is_documented():
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    for table, columns in TABLES.items():
        section = text.partition(f"\n`{table}`, a row for")[2].partition("\n`")[0]
        assert [name for name in columns if f"`{name}`" not in section] == []


@pytest.mark.parametrize("runs", [1, 2])
def test_curves_for_tensorboard(tmp_path, runs):
    pytest.importorskip("tensorboardX")
    folder, place = tmp_path / "curves", tmp_path / ("run" if runs > 1 else "run.sqlite")
    small = ("--set", "pairs=1", "--set", "plies=1", "--measure-every", "0", "--runs", str(runs))
    done = run("evolve", "es", "--run", str(place), "--generations", "1", "--tensorboard", str(folder), *small)
    assert done.returncode == 0, done.stderr
    files = list(folder.glob("events.*" if runs == 1 else "*/events.*"))
    assert len(files) == runs
    assert all(b"best" in file.read_bytes() for file in files)


def test_how_often_a_run_is_measured_is_remembered(recorded, tmp_path):
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(recorded.read_bytes())
    told = run("evolve", str(copy), "--generations", "5").stdout
    assert "generation    5 against piece differential" in told
    assert "generation    4 against" not in told
    more = run("evolve", str(copy), "--generations", "6").stdout
    assert "generation    6 against piece differential" in more


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("evolve",), "evolve needs a preset or a run file; evocheckers evolve --list"),
        (("evolve", "nothing", "--list"), "no preset 'nothing'"),
        (("evolve", "nothing"), "'nothing' is neither a run file nor a preset"),
        (("evolve", "nothing.sqlite"), "there is no run file 'nothing.sqlite'"),
        (("evolve", "anaconda", "--set", "parent=3"), "no setting 'parent'"),
        (("evolve", "anaconda", "--set", "plies=x"), "setting plies = 'x'"),
        (("evolve", "anaconda", "--config", "/nonexistent.toml"), "no such file"),
        (("evolve", "anaconda", "--keep", "all"), "cannot keep 'all'; write moves, results, points"),
        (("evolve", "anaconda", "--executor", "gpu", "--workers", "2"), "--workers is for this machine's cores"),
        (("evolve", "anaconda", "--address", "there"), "--address is for --executor ray"),
        (("runs", "list", "/nonexistent"), "cannot list runs: /nonexistent does not exist"),
        (("runs", "list", "{run}"), "small.sqlite is not a folder"),
        (("runs", "show", "/nonexistent.sqlite"), "no such file"),
        (("runs", "export", "{run}", "--average", "2", "--out", "x.pdn"), "--average is for a .safetensors file"),
        (("runs", "export", "{run}", "--out", "x.txt"), "does not end in .safetensors, .pdn, .csv or .parquet"),
        (
            ("runs", "export", "{run}", "--out", "x.csv"),
            "x.csv needs --table and one of generations, individuals, games",
        ),
        (
            ("runs", "export", "{run}", "--out", "x.csv", "--table", "people"),
            "no table 'people'; there are generations",
        ),
        (("runs", "export", "{run}", "--out", "x.pdn", "--table", "games"), "--table is for a .csv or .parquet file"),
        (("runs", "export", "{run}", "--out", "nowhere/x.csv", "--table", "games"), "there is no folder nowhere"),
        (("runs", "games", "{run}", "--generation", "77"), "has no generation 77; it has 0 to 3"),
    ],
)
def test_bad_input_is_one_line_and_status_2(recorded, tmp_path, monkeypatch, arguments, part):
    monkeypatch.chdir(tmp_path)
    done = run(*(argument.replace("{run}", str(recorded)) for argument in arguments))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert part in done.stderr
    assert not list(tmp_path.iterdir())
