"""Functions over arrays of positions: the same moves as the exact search, in few calls."""

import threading

import numpy as np
import pytest

from evocheckers import (
    Board,
    Color,
    Evaluator,
    EvocheckersError,
    Leaf,
    Limit,
    Network,
    Searcher,
    SearchRules,
    piece_differential,
)
from evocheckers.networks import python_function as functions
from evocheckers.networks.evaluator import evaluate_positions
from evocheckers.search import batched
from evocheckers.search.batched import BatchedSearcher

WORTH = np.array([1, 1.5, -1, -1.5], np.float32)
WORDS = np.uint64(1) << np.arange(32, dtype=np.uint64)


def counting(planes):
    return planes.sum(axis=2) @ WORTH


def wrapped(evaluator):
    """A compiled evaluator as a function of planes."""

    def value(planes):
        words = (planes.astype(np.uint64) * WORDS).sum(axis=2).astype(np.uint32)
        own, opp = words[:, 0] | words[:, 1], words[:, 2] | words[:, 3]
        return evaluate_positions(evaluator, np.stack([own, opp, words[:, 1] | words[:, 3]], axis=1))

    return Evaluator.from_function(value)


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_it_finds_what_the_exact_search_finds(boards, plies):
    network = Network.random(np.random.default_rng(1))
    mine = Network(
        network.kind, network.weights, network.king_value, SearchRules(leaf=Leaf.MOVER, extensions=0)
    ).evaluator()
    for compiled, function in ((mine, wrapped(mine)), (piece_differential(), Evaluator.from_function(counting))):
        exact, wide = Searcher(compiled.with_rules(extensions=0)), BatchedSearcher(function)
        for number, board in enumerate(boards[: 200 if plies < 4 else 40]):
            if not board.legal_moves():
                continue
            exact.forget()
            wanted = exact.search(board, Limit(plies=plies), number)
            found = wide.search(board, Limit(plies=plies), number)
            assert (found.move, found.score, found.equal_moves, found.depth_plies) == (
                wanted.move,
                wanted.score,
                wanted.equal_moves,
                plies,
            ), board.fen()


def test_splitting_a_ply_changes_nothing(boards, monkeypatch):
    whole = [BatchedSearcher(Evaluator.from_function(counting)).search(b, Limit(plies=3), 5) for b in boards[:20]]
    monkeypatch.setattr(batched, "BATCH", 7)
    monkeypatch.setattr(functions, "BATCH", 3)
    sizes = []

    def watched(planes):
        sizes.append(planes.shape)
        return counting(planes)

    split = [BatchedSearcher(Evaluator.from_function(watched)).search(b, Limit(plies=3), 5) for b in boards[:20]]
    assert [(a.move, a.score, a.evaluations) for a in split] == [(a.move, a.score, a.evaluations) for a in whole]
    assert max(size[0] for size in sizes) == 3
    assert {size[1:] for size in sizes} == {(4, 32)}


def test_limits_of_time_and_nodes_finish_the_first_depth():
    searcher = BatchedSearcher(Evaluator.from_function(counting))
    assert searcher.search(Board(), Limit(nodes=1)).depth_plies == 2
    timed = searcher.search(Board(), Limit(seconds=0.3))
    assert timed.depth_plies >= 2
    assert timed.seconds < 3
    won = searcher.search(Board("B:W28:B1,19,K24"), Limit(seconds=5))
    assert won.score_text == "win in 1"


def test_another_thread_stops_it():
    searcher = BatchedSearcher(Evaluator.from_function(counting))
    asked = threading.Event()

    def value(planes):
        asked.set()
        return counting(planes)

    searcher.evaluator = Evaluator.from_function(value)
    results = []
    thread = threading.Thread(target=lambda: results.append(searcher.search(Board(), Limit(plies=14))))
    thread.start()
    asked.wait()
    while thread.is_alive():
        searcher.stop()
        thread.join(0.05)
    assert results[0].depth_plies < 14


def test_the_side_that_looks():
    evaluator = Evaluator.from_function(lambda planes: planes[:, 0, :12].sum(axis=1))
    assert evaluator(Board()) == evaluator(Board(), Color.WHITE) == 12
    assert evaluator(Board("B:W5:B28")) == evaluator(Board("B:W5:B28"), Color.WHITE) == 0
    assert evaluator(Board("W:W32:B28")) == 1


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (lambda planes: 1 / 0, "failed: ZeroDivisionError"),
        (lambda planes: np.zeros(len(planes) + 1), "returned 8 for 7 positions"),
        (lambda planes: np.full(len(planes), np.nan), "returned NaN"),
        (lambda planes: "x", "failed: ValueError"),
    ],
)
def test_a_faulty_function_gets_one_line(function, fault):
    with pytest.raises(EvocheckersError, match=fault) as error:
        BatchedSearcher(Evaluator.from_function(function)).search(Board(), Limit(plies=1))
    assert "\n" not in str(error.value)
