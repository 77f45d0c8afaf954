"""The selective search: without selectivity the exact values, and otherwise what it promises."""

import _thread
import threading

import numpy as np
import pytest

from evocheckers import Board, Color, Limit, Network, Searcher, SearchInterrupted, piece_differential
from evocheckers.search.limit import SearchError
from evocheckers.search.selective.search import Options
from evocheckers.search.selective.selectivity import UNSELECTIVE
from tests.helpers.boards import random_boards
from tests.search.test_minimax import EVALUATORS, minimax

NETWORK = Network.random(np.random.default_rng(1)).evaluator()


def unselective(searcher, board, plies, number=0, lines=1):
    options = Options(2**62, number, 0, searcher.extensions, board.turn, lines, repetition=False, last_depth=plies)
    return searcher._selective.search(board, options)


@pytest.mark.parametrize("name", EVALUATORS)
def test_without_selectivity_it_finds_the_exact_values(name):
    exact = Searcher(EVALUATORS[name], table_bits=12)
    selective = Searcher(EVALUATORS[name], table_bits=12, selectivity=UNSELECTIVE)
    for number, board in enumerate(random_boards(12, seed=41)):
        if not board.legal_moves():
            continue
        exact.extensions = selective.extensions = number % 3
        exact.forget()
        if number % 4 == 0:
            selective.forget()
        for plies in (1, 2, 5):
            wanted = exact.search(board, Limit(plies=plies))
            found = unselective(selective, board, plies, number)
            assert found.lines[0][0] == wanted.score, board.fen()
            assert found.depth_plies == plies


def test_without_selectivity_it_equals_plain_minimax():
    for name in ("material", "spatial own-side root", "spatial fixed mover"):
        selective = Searcher(EVALUATORS[name].with_rules(extensions=1), selectivity=UNSELECTIVE)
        for board in random_boards(6, seed=43):
            if board.legal_moves():
                found = unselective(selective, board, 2)
                assert found.lines[0][0] == minimax(board, EVALUATORS[name], 2, 1, 0, board.turn), board.fen()


def test_several_lines_are_the_best_moves_in_order():
    plain = NETWORK.with_rules(extensions=0)
    for board in random_boards(12, seed=45):
        moves = board.legal_moves()
        if not moves:
            continue
        exact = Searcher(plain).search(board, Limit(plies=3), lines=3)
        selective = unselective(Searcher(plain, selectivity=UNSELECTIVE), board, 3, lines=3)
        values = sorted(
            (-minimax(board.copy().push_all([move]), NETWORK, 2, 0, 1, board.turn) for move in moves), reverse=True
        )
        assert [line.score for line in exact.lines] == values[:3], board.fen()
        assert [score for score, _, _ in selective.lines] == values[:3], board.fen()
        assert len({line.moves[0] for line in exact.lines}) == len(exact.lines) == min(3, len(moves))
        assert exact.lines[0].moves == exact.line
        for line in exact.lines:
            board.copy().push_all(line.moves)


def test_lines_by_nodes():
    result = Searcher(NETWORK).search(Board(), Limit(nodes=20_000), lines=3)
    assert len({line.moves[0] for line in result.lines}) == 3
    assert [line.score for line in result.lines] == sorted((line.score for line in result.lines), reverse=True)
    assert result.lines[0].moves == result.line
    assert result.lines[0].score == result.score
    for line in result.lines:
        Board().push_all(line.moves)
    assert len(Searcher(NETWORK).search(Board("B:W28:B1"), Limit(nodes=100), lines=60).lines) == 2
    with pytest.raises(SearchError, match="lines"):
        Searcher(NETWORK).search(Board(), Limit(nodes=1), lines=0)


def test_it_looks_deeper_than_the_exact_search_does():
    exact = Searcher(NETWORK).search(Board(), Limit(plies=8))
    assert Searcher(NETWORK).search(Board(), Limit(nodes=exact.nodes)).depth_plies >= 11


def test_it_repeats_itself_and_forgets():
    searcher = Searcher(NETWORK)
    first = searcher.search(Board(), Limit(nodes=30_000))
    searcher.search(Board().child("11-15"), Limit(nodes=30_000))
    searcher.forget()
    again = searcher.search(Board(), Limit(nodes=30_000))
    assert (again.move, again.score, again.nodes, again.line) == (first.move, first.score, first.nodes, first.line)


def test_the_same_moves_whoever_looks():
    """An evaluator through the eyes of the mover takes no notice of the viewer; scores are the side to move's."""
    mover = EVALUATORS["spatial own-side mover"]
    for viewer in Color:
        result = Searcher(mover).search(Board(), Limit(nodes=5000), viewer=viewer)
        assert result.score == Searcher(mover).search(Board(), Limit(nodes=5000)).score
    root = EVALUATORS["biased own-side root"].with_rules(extensions=0)
    selective = Searcher(root, selectivity=UNSELECTIVE)
    options = Options(2**62, 0, 0, 0, Color.WHITE, last_depth=3)
    found = selective._selective.search(Board(), options)
    assert found.lines[0][0] == Searcher(root).search(Board(), Limit(plies=3), viewer=Color.WHITE).score


def test_a_forced_end_is_one():
    """Wins that the selective search claims are found by the exact one, if it looks as deep."""
    for board in random_boards(300, seed=47):
        if not board.legal_moves():
            continue
        result = Searcher(piece_differential()).search(board, Limit(nodes=2000))
        if result.plies_to_end is not None and result.plies_to_end <= 7:
            exact = Searcher(piece_differential().with_rules(extensions=0)).search(
                board, Limit(plies=result.plies_to_end)
            )
            assert np.sign(exact.score) == np.sign(result.score), board.fen()
            assert exact.plies_to_end is not None, board.fen()


def test_stopping_keeps_the_best_move_so_far():
    searcher = Searcher(NETWORK)
    timer = threading.Timer(0.1, searcher.stop)
    timer.start()
    result = searcher.search(Board(), Limit(seconds=60))
    assert result.seconds < 30
    assert result.move in Board().legal_moves()
    assert result.line[0] == result.move


@pytest.mark.parametrize("limit", [Limit(seconds=60), Limit(plies=40)], ids=str)
def test_an_interrupt_carries_the_best_move_so_far(limit):
    searcher = Searcher(NETWORK)
    searcher.search(Board(), Limit(plies=2) if limit.plies else Limit(nodes=1))  # everything is compiled
    with pytest.raises(SearchInterrupted) as interrupted:
        interrupted_search(searcher, limit)
    result = interrupted.value.result
    assert result.depth_plies >= 2
    assert result.line[0] == result.move
    assert result.move in Board().legal_moves()
    assert searcher.search(Board(), Limit(plies=4)).depth_plies == 4  # and the next one is not disturbed


def test_an_interrupt_gives_a_search_up_that_has_no_move_yet():
    searcher = Searcher(NETWORK)
    searcher.search(Board(), Limit(plies=2))
    with pytest.raises(KeyboardInterrupt) as interrupted:
        interrupted_search(searcher, Limit(plies=40), deepening=False)
    assert not isinstance(interrupted.value, SearchInterrupted)


def interrupted_search(searcher: Searcher, limit: Limit, deepening: bool = True) -> None:
    """A search of the first position that is interrupted as by Ctrl-C."""
    threading.Timer(0.2, _thread.interrupt_main).start()
    searcher.search(Board(), limit, deepening=deepening)
    raise AssertionError("the search ended by itself")


SHUFFLE = ("1-6", "32-27", "6-1", "27-32")


def test_a_position_of_the_game_is_a_draw():
    board = Board("B:WK32:BK1,K9,13").push_all(SHUFFLE)
    assert len(board.reversible_past()) == 4
    for repetition in (True, False):
        searcher = Searcher(piece_differential(), repetition=repetition)
        lines = searcher.search(board, Limit(nodes=20_000), lines=20).lines
        scores = {str(line.moves[0]): line.score for line in lines}
        assert len(scores) == len(board.legal_moves())
        assert (scores["1-6"] == 0) is repetition
        assert max(scores.values()) > 0


def test_what_cannot_occur_again_is_forgotten():
    board = Board("B:WK32:BK1,K9,13").push_all([*SHUFFLE, "13-17"])
    assert board.reversible_past() == []
    assert len(Board("B:WK32:BK1,K9,13").push_all(["13-17", *("32-27", "1-6", "27-32", "6-1")]).reversible_past()) == 4
    assert Board().push_all(["11-15", "22-18", "15x22"]).reversible_past() == []


def test_a_line_that_repeats_is_a_draw():
    """Two kings each: nobody can force anything, and the search knows that going to and fro leads nowhere."""
    board = Board("B:WK32,K31:BK1,K2,5")
    searcher = Searcher(EVALUATORS["material"])
    result = searcher.search(board, Limit(nodes=50_000))
    seen = board.copy()
    positions = {seen.position}
    for move in result.line:
        seen.push(move)
        assert result.score == 0 or seen.position not in positions
        positions.add(seen.position)


@pytest.mark.parametrize("threads", [2, 3])
def test_helpers_end_a_search_at_its_last_depth_and_not_before(threads):
    """They skip depths, but not the last one, odd or even; without selectivity they find the exact value."""
    evaluator = NETWORK.with_rules(extensions=1)
    exact = Searcher(evaluator, table_bits=12)
    several = Searcher(evaluator, table_bits=12, threads=threads, repetition=False, selectivity=UNSELECTIVE)
    for board in random_boards(8, seed=47):
        if len(board.legal_moves()) < 2:
            continue
        for plies in (2, 3, 4, 5, 6):
            several.forget()
            found = several.search(board, Limit(nodes=2**62), last_depth=plies)
            assert found.depth_plies == plies, board.fen()
            assert found.score == exact.search(board, Limit(plies=plies)).score, board.fen()


def test_several_threads_share_one_search():
    searcher = Searcher(NETWORK, threads=3)
    one = Searcher(NETWORK).search(Board(), Limit(nodes=30_000))
    result = searcher.search(Board(), Limit(nodes=30_000))
    assert result.move in Board().legal_moves()
    assert result.depth_plies >= one.depth_plies - 4
    assert 10_000 <= result.nodes <= 30_003
    Board().push_all(result.line)
    searcher.forget()
    assert searcher.search(Board(), Limit(seconds=0.05)).line
    with pytest.raises(SearchError, match="threads"):
        Searcher(NETWORK, threads=0)
