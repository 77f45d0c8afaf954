import numpy as np

from evocheckers import Network
from evocheckers.evolution import lamarck
from evocheckers.evolution.presets import make_settings
from evocheckers.experiments.bench.cores import MIDDLE_GAMES, MIDDLE_PLIES, middle_games
from evocheckers.experiments.bench.generation import GAMES, LEARNING, WHOLE, generation_work
from evocheckers.runs.run import Run


def test_the_positions_of_a_move_are_twenty_middle_games_and_the_same_every_time():
    networks = [Network.random(generator) for generator in [np.random.default_rng(0)] for _ in range(30)]
    evaluators = [network.evaluator() for network in networks]
    boards = middle_games(evaluators)
    assert len({board.fen() for board in boards}) == MIDDLE_GAMES
    assert all(len(board.moves) == MIDDLE_PLIES and len(board.legal_moves()) > 1 for board in boards)
    assert all(10 <= sum(board.piece_at(square) != "." for square in range(1, 33)) <= 24 for board in boards)
    assert [board.fen() for board in boards] == [board.fen() for board in middle_games(evaluators)]


def test_a_generation_is_recorded_and_costs_what_its_parts_are(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    small = {"games": [20, 10], "copies": 2, "steps": 2, "batch": 256, "memory": 3, "schedule": 1000}
    with generation_work(make_settings(lamarck.SCHEME, small)) as work:
        assert list(work) == [WHOLE, GAMES, LEARNING]
        for part in (*work.values(), work[WHOLE]):
            part()
        (file,) = tmp_path.rglob("run.sqlite")
        with Run.open(file) as run:
            assert [summary.games for summary in run.summaries()] == [20, 20]
    assert not list(tmp_path.rglob("run.sqlite"))
