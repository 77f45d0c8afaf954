"""What both searches keep: limits, and refusals of what is impossible."""

import time

import numpy as np
import pytest

from evocheckers import Board, Limit, Network, Searcher, piece_differential
from evocheckers.search.limit import SearchError

NETWORK = Network.random(np.random.default_rng(1)).evaluator()


def test_a_node_limit_is_kept_and_repeatable():
    first = [Searcher(NETWORK).search(Board(), Limit(nodes=nodes)) for nodes in (1, 500, 20_000)]
    again = [Searcher(NETWORK).search(Board(), Limit(nodes=nodes)) for nodes in (1, 500, 20_000)]
    assert [(r.move, r.score, r.nodes) for r in first] == [(r.move, r.score, r.nodes) for r in again]
    assert first[1].nodes <= 501
    assert first[2].nodes <= 20_001
    assert first[0].depth_plies == 2


def test_a_time_limit_is_kept():
    began = time.perf_counter()
    result = Searcher(NETWORK).search(Board(), Limit(seconds=0.3))
    assert time.perf_counter() - began < 5
    assert result.depth_plies >= 4
    assert result.move in Board().legal_moves()


def test_a_decided_game_ends_the_search():
    result = Searcher(piece_differential()).search(Board("B:W28:B1,19,K24"), Limit(seconds=30))
    assert result.depth_plies < 10
    assert result.score_text == "win in 1"


@pytest.mark.parametrize(
    "limit",
    [{}, {"plies": 0}, {"plies": 65}, {"seconds": 0}, {"seconds": -1}, {"nodes": 0}, {"plies": 1, "nodes": 1}],
)
def test_bad_limits_are_refused(limit):
    with pytest.raises(SearchError):
        Limit(**limit)


def test_bad_searches_are_refused():
    with pytest.raises(SearchError, match="table"):
        Searcher(NETWORK, table_bits=40)
    with pytest.raises(SearchError, match="no legal move"):
        Searcher(NETWORK).search(Board("W:W13:B9,6"), Limit(plies=2))
