"""A scheme of another package, from the command line: recorded, resumed, shown, plotted and repaired like ours."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import evocheckers
from evocheckers.evolution.evolve import evolve
from evocheckers.evolution.registry import SchemeError, find_preset, find_scheme
from evocheckers.evolution.scheme import ConfigError
from evocheckers.executors.threads import ThreadExecutor

ROOT = Path(__file__).parents[2]
PLUGIN = [ROOT / "examples", ROOT / "tests" / "plugins" / "scheme"]
SOURCES = Path(evocheckers.__file__).parents[1]


def command(*words: str, plugin: bool = True) -> subprocess.CompletedProcess:
    places = [*map(str, PLUGIN)] * plugin + [str(SOURCES)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    line = [sys.executable, "-m", "evocheckers", *words]
    return subprocess.run(line, env=environment, capture_output=True, text=True, check=False, timeout=120)


def succeeds(*words: str, plugin: bool = True) -> str:
    done = command(*words, plugin=plugin)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run_file(tmp_path_factory):
    """Two generations, then three more."""
    path = tmp_path_factory.mktemp("foreign") / "one.sqlite"
    words = ("evolve", "hill-of-one", "--run", str(path), "--set", "plies=1", "--set", "step=0.3")
    succeeds(*words, "--generations", "2", "--measure-every", "2")
    succeeds("evolve", str(path), "--generations", "5")
    return path


def facts(path: Path, plugin: bool = True) -> dict:
    return json.loads(succeeds("runs", "show", str(path), "--json", "-", plugin=plugin))


def test_it_is_shorter_than_forty_lines():
    assert len((ROOT / "examples" / "hill_of_one.py").read_text().splitlines()) < 40


def test_it_is_recorded_and_resumed(run_file, tmp_path):
    found = facts(run_file)
    assert (found["preset"], found["package"], found["generation"]) == ("hill-of-one", "hill-of-one 1.0", 5)
    assert [point["generation"] for point in found["strength"]] == [0, 2, 4, 5]
    at_once = tmp_path / "at-once.sqlite"
    words = ("--run", str(at_once), "--set", "plies=1", "--set", "step=0.3", "--generations", "5")
    succeeds("evolve", "hill-of-one", *words, "--measure-every", "0")
    assert facts(at_once)["digest"] == found["digest"]


def test_it_is_plotted_and_repaired(run_file, tmp_path):
    succeeds("runs", "plot", str(run_file), "--out", str(tmp_path))
    assert list(tmp_path.glob("*.png"))
    saved = succeeds("runs", "repair", str(run_file), "--out", str(tmp_path / "again.sqlite"))
    assert "generations 1 to 5 saved, all of them" in saved


def test_its_settings_are_checked(tmp_path):
    listed = succeeds("evolve", "hill-of-one", "--list", "--json", "-")
    assert "Deviation of the noise that makes a mutant" in listed
    done = command("evolve", "hill-of-one", "--run", str(tmp_path / "a.sqlite"), "--set", "step=7")
    assert done.returncode == 2
    assert done.stderr == "evocheckers: setting step = 7: must be a number above 0, at most 1\n"


def test_without_its_package_a_run_can_be_read_but_not_resumed(run_file):
    assert facts(run_file, plugin=False) == facts(run_file)
    assert "hill-of-one" in succeeds("runs", "list", str(run_file.parent), plugin=False)
    done = command("evolve", str(run_file), "--generations", "6", plugin=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "it needs the package hill-of-one 1.0" in done.stderr


def test_from_python(monkeypatch, run_file):
    for folder in PLUGIN:
        monkeypatch.syspath_prepend(str(folder))
    scheme = find_preset("hill-of-one").scheme
    values = {"plies": 1, "step": 0.3}
    *_, last = evolve(scheme, values, seed=1, generations=5, executor=ThreadExecutor(1))
    assert last.digest == facts(run_file)["digest"]
    with pytest.raises(ConfigError, match="setting step = 0"):
        evolve(scheme, {"step": 0}, generations=1, executor=ThreadExecutor(1))


@pytest.mark.parametrize(
    ("point", "fault"),
    [("nothing_here:SCHEME", "cannot be loaded: No module named"), ("json:dumps", "json:dumps is not a Scheme")],
)
def test_a_package_that_offers_no_scheme(monkeypatch, tmp_path, point, fault):
    folder = tmp_path / "broken-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[evocheckers.schemes]\nbroken = {point}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SchemeError, match=fault) as refused:
        find_scheme("broken")
    assert refused.value.name == "broken"
