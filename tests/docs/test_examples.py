"""The examples run, and say what they should. Those of schemes and players are run by the tests of plugins."""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

from evocheckers import Board, Network, ThreadExecutor
from evocheckers.runs.recorder import carry_on, open_run
from tests.conftest import EXAMPLES
from tools.notebook import outputs

PLUGINS = {"centre.py", "greedy.py", "hill_of_one.py"}
OWN = {"run_to_pandas.py", "train_torch.py", "two_networks.py", "boards.ipynb"}


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)


@pytest.fixture(scope="module")
def run_file(tmp_path_factory) -> Path:
    """Two generations of a small population, all moves kept."""
    path = tmp_path_factory.mktemp("runs") / "small.sqlite"
    with open_run("anaconda", path, 2, 1, {"parents": 4, "plies": 1}, None, 0) as run:
        list(carry_on(run, ThreadExecutor()))
    return path


def test_there_are_no_others():
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == PLUGINS | OWN


def test_two_networks(capsys):
    importlib.import_module("two_networks").main()
    *games, result = capsys.readouterr().out.splitlines()
    assert len(games) == 14
    assert ": 3-9-2 (won-drawn-lost)" in result


def test_run_to_pandas(capsys, run_file):
    pytest.importorskip("pandas")
    importlib.import_module("run_to_pandas").main(str(run_file))
    text = capsys.readouterr().out
    assert "best_king_value" in text
    assert "black  draw  white" in text


def test_train_torch(capsys, run_file, tmp_path):
    torch = pytest.importorskip("torch", reason="the example of PyTorch needs PyTorch")
    example = importlib.import_module("train_torch")
    example.main(str(run_file), str(tmp_path / "out.safetensors"))
    assert "against piece counting" in capsys.readouterr().out
    model = example.Planes()
    planes = np.zeros((1, 4, 32), np.float32)
    planes[0, 0, :12], planes[0, 2, 20:] = 1, 1
    with torch.no_grad():
        value = float(model(torch.from_numpy(planes))[0])
    assert model.network().evaluator()(Board()) == pytest.approx(value, abs=0.01)
    assert Network.load(tmp_path / "out.safetensors").width == example.WIDTH


def test_the_notebook_shows_what_its_cells_give():
    """``python tools/notebook.py examples/boards.ipynb`` writes it anew."""
    cells = json.loads((EXAMPLES / "boards.ipynb").read_text())["cells"]
    assert [cell.get("outputs", []) for cell in cells] == outputs(cells)
    assert sum("image/svg+xml" in shown.get("data", {}) for cell in cells for shown in cell.get("outputs", [])) >= 3
