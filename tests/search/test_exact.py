"""The exact search: its counts, its wins, its expected play and its choice among equal moves."""

import threading

import numpy as np

from evocheckers import Board, Color, Limit, Network, Searcher, Wins, piece_differential

NETWORK = Network.random(np.random.default_rng(1)).evaluator()


def test_signature():
    """A fixed-depth search's counts are a fingerprint of its behaviour; a change that changes nothing keeps them."""
    nodes = evaluations = 0
    board = Board()
    for _ in range(12):
        result = Searcher(NETWORK).search(board, Limit(plies=6))
        nodes, evaluations = nodes + result.nodes, evaluations + result.evaluations
        board.push(result.move)
    assert board.fen() == SIGNATURE_FEN
    assert (nodes, evaluations) == SIGNATURE


SIGNATURE = (257874, 31850)
SIGNATURE_FEN = "B:W17,19,20,21,23,24,25,29,30,31,32:B1,2,3,4,6,7,9,10,12,14,15"


def test_wins_are_preferred_sooner_and_losses_later():
    win = Searcher(piece_differential()).search(Board("B:W28:B1,19,K24"), Limit(plies=6))
    assert win.score_text == "win in 1"
    lost = Searcher(piece_differential()).search(Board("W:W13,K5:BK22,K10,K14,K15,K1"), Limit(plies=8))
    assert lost.score_text.startswith("loss in ")
    assert lost.plies_to_end == max(
        int(
            Searcher(piece_differential())
            .search(Board("W:W13,K5:BK22,K10,K14,K15,K1").child(move), Limit(plies=9))
            .plies_to_end
            or -1
        )
        + 1
        for move in Board("W:W13,K5:BK22,K10,K14,K15,K1").legal_moves()
    )


def test_the_line_is_legal_and_leads_to_the_score(boards):
    searcher = Searcher(NETWORK)
    for board in boards[:60]:
        if not board.legal_moves():
            continue
        searcher.forget()
        result = searcher.search(board, Limit(plies=5))
        leaf = board.copy().push_all(result.line)
        assert result.line[0] == result.move
        if result.equal_moves > 1:
            continue  # the line kept may be another move's
        if result.plies_to_end is None:
            assert len(result.line) >= 5
            view = NETWORK(leaf, board.turn)
            assert view == result.score, board.fen()
        else:
            assert len(result.line) == result.plies_to_end
            assert not leaf.legal_moves()


def test_stopping_keeps_the_best_move_so_far():
    searcher = Searcher(NETWORK)
    shallow = searcher.search(Board(), Limit(plies=2))
    timer = threading.Timer(0.2, searcher.stop)
    timer.start()
    result = searcher.search(Board(), Limit(plies=64))
    assert result.depth_plies >= shallow.depth_plies
    assert result.move in Board().legal_moves()
    assert result.line


def test_equal_wins_have_no_distance():
    board = Board("B:W28:B1,19,K24")
    sooner = Searcher(piece_differential(), table_bits=None)
    equal = Searcher(piece_differential().with_rules(wins=Wins.EQUAL), table_bits=None)
    found = equal.search(board, Limit(plies=5))
    assert found.equal_moves > sooner.search(board, Limit(plies=5)).equal_moves
    assert (found.score_text, found.plies_to_end) == ("win", None)
    told = equal.search(board, Limit(plies=5), viewer=Color.WHITE)
    assert told.score == found.score


def test_equal_moves_are_all_drawn():
    searcher = Searcher(piece_differential())
    moves = {str(searcher.search(Board(), Limit(plies=1), number).move) for number in range(200)}
    assert len(moves) == 7
