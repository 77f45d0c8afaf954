"""Distances to the end: against the values, against each other, and in play."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evocheckers import Board, Color, Limit, Searcher, piece_differential
from evocheckers.endgames import databases as module
from evocheckers.endgames.databases import Databases
from evocheckers.endgames.distances import INVALID, build_distances
from evocheckers.endgames.index import DRAW, HEADER, UNKNOWN, EndgameError
from evocheckers.endgames.retrograde import LOST, WON
from evocheckers.endgames.values import _unpack
from evocheckers.rules.fen import Position
from tests.helpers.endgames import random_endgames


@pytest.fixture(scope="module")
def known(four) -> Databases:
    return Databases(build_distances(4, threads=2))


def test_they_agree_with_the_values(four, known):
    values = np.empty(known.distances.size, np.uint8)
    _unpack(four.packed[HEADER:], values)
    entries = known.distances
    ended = np.where(entries % 2 == 0, WON, LOST)
    assert np.array_equal(np.where(entries == INVALID, UNKNOWN, np.where(entries == 0, DRAW, ended)), values)


def test_threads_change_nothing(known):
    three = build_distances(3, threads=1)
    assert np.array_equal(three, known.distances[: three.size])


def plies_by_search(searcher, board):
    return searcher.search(board, Limit(nodes=1)).plies_to_end


def test_each_distance_follows_from_those_after_it(known):
    """A search of the first depth sees the entries after every move; they must give the entry before it."""
    searcher = Searcher(piece_differential(), table_bits=4, databases=known)
    ends = 0
    for board in random_endgames(150, 4, seed=3):
        moves = board.legal_moves()
        if len(moves) < 2:
            continue
        result = searcher.search(board, Limit(nodes=1))
        after = {
            move: searcher.search(board.child(move), Limit(nodes=1))
            for move in moves
            if board.child(move).legal_moves()
        }
        if len(after) < len(moves):
            assert result.plies_to_end == 1
            continue
        scores = [-found.score + np.sign(found.score) * (found.plies_to_end is not None) for found in after.values()]
        assert result.score == max(scores), board.fen()
        ends += result.plies_to_end is not None
    assert ends > 50


def test_short_distances_are_those_of_the_exact_search(known):
    searcher = Searcher(piece_differential(), table_bits=4, databases=known)
    exact = Searcher(piece_differential().with_rules(extensions=0))
    short = 0
    for board in random_endgames(200, 4, seed=5):
        if len(board.legal_moves()) > 1 and 0 < (plies_by_search(searcher, board) or 0) <= 7:
            assert exact.search(board, Limit(plies=7)).plies_to_end == plies_by_search(searcher, board), board.fen()
            short += 1
    assert short > 20


def test_won_endings_are_won_by_the_shortest_way(known):
    """Each move brings the end a ply nearer, whatever the defender tries."""
    searcher = Searcher(piece_differential(), table_bits=10, databases=known)
    won = 0
    for board in random_endgames(40, 4, seed=7):
        if not board.legal_moves() or not (first := searcher.search(board, Limit(nodes=1))).plies_to_end:
            continue
        for left in range(first.plies_to_end, 0, -1):
            result = searcher.search(board, Limit(nodes=1))
            assert result.plies_to_end == left, board.fen()
            board.push(result.move)
        assert not board.legal_moves()
        won += 1
    assert won > 20


def test_larger_databases_tell_the_winner(four):
    """Distances of 2 pieces and values of 4: a win is claimed without its length, a draw is one."""
    few = Databases(build_distances(2), 2, four)
    searcher = Searcher(piece_differential(), table_bits=12, databases=few)
    seen = set()
    for board in random_endgames(60, 4, seed=9):
        if not board.legal_moves():
            continue
        value = four.probe(board)
        result = searcher.search(board, Limit(nodes=300))
        seen.add(result.score_text.split()[0])
        assert np.sign(result.score) == (0, 1, -1)[value], board.fen()
        assert value == DRAW or abs(result.score) > 100_000
    assert {"win", "loss", "+0.000"} <= seen


def test_they_are_built_once_and_kept(tmp_path, monkeypatch, caplog, known):
    built: list[int] = []
    caplog.set_level(logging.INFO, "evocheckers")

    def build() -> np.ndarray:
        built.append(1)
        return known.distances

    monkeypatch.setattr(module, "build_distances", build)
    first = Databases.prepare(tmp_path)
    module._prepare.cache_clear()
    again = Databases.prepare(tmp_path)
    assert len(built) == len(caplog.messages) == 1
    assert "4 pieces" in caplog.messages[0]
    assert np.array_equal(first.distances, again.distances)
    (tmp_path / "endgames-4.dtw").write_bytes(b"damaged")
    module._prepare.cache_clear()
    assert np.array_equal(Databases.prepare(tmp_path).distances, known.distances)
    module._prepare.cache_clear()


def test_wrong_tables_are_refused():
    with pytest.raises(EndgameError, match="bytes"):
        Databases(np.zeros(5, np.uint8))
    with pytest.raises(EndgameError, match="distances of 5 pieces"):
        build_distances(5)


def test_a_man_uncrowned_on_its_last_row_is_searched(known):
    """Such a position is in no database, and no FEN; a ``Position`` can be made of it."""
    searcher = Searcher(piece_differential(), databases=known)
    board = Board(Position(Color.BLACK, black=1 << 29 | 1 << 8, white=1 << 20, kings=0))
    assert searcher.search(board, Limit(nodes=50)).move.path[0] == 9


def test_threads_that_ask_at_once_build_once(tmp_path, monkeypatch, known):
    built = []

    def build() -> np.ndarray:
        built.append(threading.get_ident())
        time.sleep(0.05)
        return known.distances

    monkeypatch.setattr(module, "build_distances", build)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: Databases.prepare(tmp_path), range(4)))
    assert len(built) == 1
    assert all(one is found[0] for one in found)
    module._prepare.cache_clear()
