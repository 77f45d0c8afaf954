"""What leaves a run: tables, PDN, and curves for TensorBoard."""

import csv
import sys

import numpy as np
import pytest

from evocheckers import Board
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.rules.pdn import read_pdn, write_pdn
from evocheckers.runs import export
from evocheckers.runs.export import (
    TABLES,
    ExportError,
    ScalarLog,
    TensorBoardError,
    export_table,
    pdn_games,
    scalars_of,
)
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.runs.schema import KeptGames
from evocheckers.runs.validation import RunError

SMALL = {"parents": 3, "opponents": 2, "plies": 1, "moves_per_side": 20}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "run.sqlite"
    with open_run("anaconda", path, 3, 3, SMALL, measure_every=3) as run:
        events = list(carry_on(run, ThreadExecutor(1)))
    return path, events


@pytest.fixture
def run(recorded):
    with Run.open(recorded[0]) as opened:
        yield opened


def read_csv(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_generations(run, tmp_path):
    export_table(run, "generations", tmp_path / "a.csv")
    rows = read_csv(tmp_path / "a.csv")
    assert list(rows[0]) == list(TABLES["generations"])
    assert [int(row["generation"]) for row in rows] == [1, 2, 3]
    for row, summary in zip(rows, run.summaries(), strict=True):
        assert row["digest"] == summary.digest
        assert int(row["games"]) == 12
        people = run.individuals(summary.number)
        assert float(row["best_score"]) == people.scores.max()
        assert float(row["mean_score"]) == pytest.approx(people.scores.mean())
    assert [row["measured_wins"] != "" for row in rows] == [False, False, True]
    assert float(rows[2]["measured_share"]) == run.strengths()[3].share


def test_individuals(run, tmp_path):
    export_table(run, "individuals", tmp_path / "a.csv", generation=2)
    rows = read_csv(tmp_path / "a.csv")
    people = run.individuals(2)
    assert [int(row["id"]) for row in rows] == people.ids.tolist()
    assert [row["parent"] for row in rows] == [str(one) if one >= 0 else "" for one in people.parents]
    assert [float(row["step_size"]) for row in rows] == people.step_sizes.tolist()
    assert {row["generation"] for row in rows} == {"2"}


def test_games(run, tmp_path):
    export_table(run, "games", tmp_path / "a.csv")
    rows = read_csv(tmp_path / "a.csv")
    assert len(rows) == 36
    black, white, games = run.games(2)
    row = rows[12]
    assert [row[name] for name in ("generation", "number")] == ["2", "1"]
    assert (int(row["black"]), int(row["white"])) == (black[0], white[0])
    assert row["winner"] == {1: "black", -1: "white", 0: "draw"}[int(games.winners[0])]
    assert row["moves"].split() == [str(move) for move in games[0].moves]
    assert row["start"].startswith("B:W21,22")


def test_games_without_moves(tmp_path):
    with open_run("anaconda", tmp_path / "a.sqlite", 1, 3, SMALL, KeptGames.RESULTS, 0) as run:
        list(carry_on(run, ThreadExecutor(1)))
        export_table(run, "games", tmp_path / "a.csv")
    assert {row["moves"] for row in read_csv(tmp_path / "a.csv")} == {""}


def test_parquet_has_the_same_rows(run, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(export, "ROWS_PER_GROUP", 5)
    for name, columns in TABLES.items():
        export_table(run, name, tmp_path / "a.csv")
        export_table(run, name, tmp_path / "a.parquet")
        table = parquet.read_table(tmp_path / "a.parquet")
        assert table.column_names == list(columns)
        kinds = {int: "int64", float: "double", str: "string"}
        assert [str(field.type) for field in table.schema] == [kinds[kind] for kind in columns.values()]
        rows = [["" if value is None else str(value) for value in row.values()] for row in table.to_pylist()]
        assert rows == [list(row.values()) for row in read_csv(tmp_path / "a.csv")]


def test_what_cannot_be_exported(run, tmp_path, monkeypatch):
    with pytest.raises(ExportError, match=r"a\.txt: its name ends neither in \.csv nor in \.parquet"):
        export_table(run, "games", tmp_path / "a.txt")
    with pytest.raises(ExportError, match="no table 'moves'; there are generations, individuals, games"):
        export_table(run, "moves", tmp_path / "a.csv")  # type: ignore[arg-type]
    for table in TABLES:
        with pytest.raises(RunError, match="has no generation 9; it has 0 to 3"):
            export_table(run, table, tmp_path / "a.csv", generation=9)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"a\.parquet: Parquet needs pyarrow: pip install 'evocheckers\[parquet\]'"):
        export_table(run, "games", tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_pdn_has_names_and_the_openings_moves(run, tmp_path):
    black, _, _ = run.games(1)
    game = pdn_games(run, 1)[0]
    assert game.tags["Black"] == f"anaconda-3 #{black[0]}"
    assert game.opening == []
    with open_run("es", tmp_path / "a.sqlite", 1, 1, {"pairs": 4, "plies": 1, "moves_per_side": 10}) as other:
        list(carry_on(other, ThreadExecutor(1), 0))
        _, _, result = other.games(1)
        text = write_pdn(pdn_games(other, 1))
    assert text.count('[Opening "') == 8
    assert "FEN" not in text
    for number, game in enumerate(read_pdn(text)):
        assert Board().push_all(game.opening).position == result.starts[number]
        assert game.moves[2:] == list(result[number].moves)


def test_curves(recorded, tmp_path):
    events = recorded[1]
    numbers = [dict(scalars_of(event)) for event in events]
    assert numbers[0].keys() == {"strength/share", "strength/low", "strength/high"}
    report = events[1].report
    assert numbers[1]["best/score"] == report.individuals.scores.max()
    assert numbers[1]["games/plies"] == pytest.approx(report.games.plies.mean())
    assert numbers[1]["best/king_value"] == pytest.approx(report.best.king_value)
    assert all(np.isfinite(value) for one in numbers for value in one.values())
    pytest.importorskip("tensorboardX")
    with ScalarLog(tmp_path / "curves") as log:
        for event in events:
            log.write(event)
    (file,) = (tmp_path / "curves").iterdir()
    assert b"best/king_value" in file.read_bytes()
    assert file.read_bytes().count(b"games/drawn") == 3


def test_without_tensorboard_it_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(TensorBoardError, match=r"pip install 'evocheckers\[tensorboard\]'"):
        ScalarLog(tmp_path / "curves")
    assert not (tmp_path / "curves").exists()
