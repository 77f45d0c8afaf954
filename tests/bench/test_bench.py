import numpy as np
import pytest

from evocheckers import Board, Network
from evocheckers.bench import search
from evocheckers.bench.search import SearchDepth, measure_depth, search_positions
from evocheckers.bench.workload import (
    GENERATION,
    ITS_GAMES,
    ITS_LEARNING,
    MIDDLE_GAMES,
    MIDDLE_PLIES,
    generation_work,
    middle_games,
)
from evocheckers.evolution import learners
from evocheckers.evolution.registry import make_settings
from evocheckers.players.make import make_contestant
from evocheckers.runs.file import Run
from tools.search_positions import positions


def test_a_move_is_timed_in_the_same_twenty_middle_games():
    networks = [Network.random(generator) for generator in [np.random.default_rng(0)] for _ in range(30)]
    evaluators = [network.evaluator() for network in networks]
    boards = middle_games(evaluators)
    assert len({board.fen() for board in boards}) == MIDDLE_GAMES
    assert all(len(board.moves) == MIDDLE_PLIES and len(board.legal_moves()) > 1 for board in boards)
    assert all(10 <= sum(board.piece_at(square) != "." for square in range(1, 33)) <= 24 for board in boards)
    assert [board.fen() for board in boards] == [board.fen() for board in middle_games(evaluators)]


def test_the_search_positions_are_those_of_their_command():
    fens = search_positions()
    assert list(fens) == positions()
    boards = [Board(fen) for fen in fens]
    assert len(set(fens)) == 24
    assert sum(board.turn.name == "BLACK" for board in boards) == 12
    assert all(len(board.legal_moves()) >= 5 and not board.legal_moves()[0].captured for board in boards)
    pieces = [(board.position.black | board.position.white).bit_count() for board in boards]
    assert min(pieces) < 10 < 20 < max(pieces)


def test_depth_by_nodes_is_the_same_every_time(monkeypatch):
    monkeypatch.setattr(search, "SECONDS", (0.001, 0.002, 0.003))
    monkeypatch.setattr(search, "NODES", (500, 4000))
    found = []
    for _ in range(2):
        *steps, last = measure_depth(make_contestant("material"), search_positions()[:4])
        assert isinstance(last, SearchDepth)
        assert len(steps) == last.positions == 4
        assert last.nodes_per_second > 0
        assert last.late >= 0
        assert last.two_threads > 0
        found.append(last)
    depth, again = found
    assert (depth.player, depth.plies_by_nodes) == (again.player, again.plies_by_nodes)
    assert depth.branching_factor == pytest.approx(8 ** (1 / (depth.plies_by_nodes[1] - depth.plies_by_nodes[0])))
    assert 1.2 < depth.branching_factor < 6
    assert depth.to_json()["branching_factor"] == depth.branching_factor


def test_a_generation_is_recorded_and_costs_what_its_parts_are(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    small = {"games": [20, 10], "copies": 2, "steps": 2, "batch": 256, "memory": 3, "schedule": 1000}
    with generation_work(make_settings(learners.SCHEME, small)) as work:
        assert list(work) == [GENERATION, ITS_GAMES, ITS_LEARNING]
        for part in (*work.values(), work[GENERATION]):
            part()
        (file,) = tmp_path.rglob("run.sqlite")
        with Run.open(file) as run:
            assert [summary.games for summary in run.summaries()] == [20, 20]
    assert not list(tmp_path.rglob("run.sqlite"))
