import os
import signal
import threading

import numpy as np
import pytest

from evocheckers import Board, Color, Limit, Network, Pairing, Reason, Searcher, piece_differential, play_batch
from evocheckers.games.batch import GameBatch, GameRules, PairingError, Precision, join_batches, split_result
from evocheckers.native.threads import NAME
from evocheckers.rules.bitboard import CAPTURE_BIT
from evocheckers.rules.fen import parse_fen

GENERATOR = np.random.default_rng(9)
NETWORKS = [Network.random(GENERATOR) for _ in range(6)]
EVALUATORS = [network.evaluator() for network in NETWORKS]
PAIRINGS = [Pairing(i % 6, (i + 1 + i // 6) % 6, seed=i) for i in range(24)]


def test_records_do_not_depend_on_threads():
    results = [play_batch(EVALUATORS, PAIRINGS, threads=threads) for threads in (1, 2, 4)]
    assert len({result.digest() for result in results}) == 1
    assert len({result.evaluations.tobytes() for result in results}) == 1


def test_records_do_not_depend_on_company():
    together = play_batch(EVALUATORS, PAIRINGS)
    alone = play_batch(EVALUATORS, PAIRINGS[7:8])
    assert alone[0] == together[7]


def test_plain_loops_play_the_same_games():
    plain = [network.evaluator(plain=True) for network in NETWORKS]
    assert play_batch(plain, PAIRINGS).digest() == play_batch(EVALUATORS, PAIRINGS).digest()


def test_games_are_legal_and_end_as_recorded():
    result = play_batch(EVALUATORS, PAIRINGS, rules=GameRules(max_plies=120))
    assert len(result) == 24
    for game in range(len(result)):
        record = result[game]
        board = Board().push_all(record.moves)
        assert board.outcome(max_plies=120) == record.outcome
        assert record.evaluations > 0
        assert not result.codes[game, len(record.moves) :].any()


def test_every_move_is_what_the_searcher_chooses():
    record = play_batch(EVALUATORS, PAIRINGS[3:4], rules=GameRules(max_plies=60))[0]
    board = Board()
    for move in record.moves:
        player = PAIRINGS[3].black if board.turn is Color.BLACK else PAIRINGS[3].white
        result = Searcher(EVALUATORS[player], table_bits=None).search(board, Limit(plies=4), deepening=False)
        assert result.equal_moves > 1 or result.move == move
        board.push(move)


def test_jumps_that_need_not_be_taken():
    start = parse_fen("B:W18,30,31:B14,15,1,2")
    pairings = [Pairing(0, 0, seed, plies, plies, start) for plies in (0, 1, 2) for seed in range(20)]
    counter = piece_differential().with_rules(quiescence=False, extensions=0)
    forced, free = (play_batch([counter], pairings, GameRules(60, compulsory=c)) for c in (True, False))
    is_capture = [(result.codes[:, 0] & CAPTURE_BIT) != 0 for result in (forced, free)]
    assert is_capture[0].all()
    at_random, by_search = is_capture[1][:20], is_capture[1][20:]
    assert 0 < at_random.sum() < 20
    assert by_search.all()  # a piece counter takes what is to be had


def test_an_offer_that_need_not_be_accepted():
    start = parse_fen("B:WK8,17,20,22,26,27,28,29,30,32:B1,4,5,9,10,11,15,19")  # 19-24 wins two for one, if taken
    pairings = [Pairing(0, 0, seed, 3, 3, start) for seed in range(12)]
    counter = piece_differential().with_rules(quiescence=False, extensions=0)
    forced, free = (play_batch([counter], pairings, GameRules(1, compulsory=c)) for c in (True, False))
    assert {str(forced[game].moves[0]) for game in range(12)} == {"19-24"}
    assert len({str(free[game].moves[0]) for game in range(12)}) > 1


def test_deeper_wins_and_seeds_differ():
    material = [piece_differential(1.5)]
    deeper = play_batch(material, [Pairing(0, 0, seed, black_plies=6, white_plies=1) for seed in range(20)])
    assert deeper.winners.sum() >= 12
    assert len({deeper.codes[game].tobytes() for game in range(20)}) > 10


def test_a_game_may_start_anywhere():
    start = parse_fen("W:W13,K5:B12,K30")
    result = play_batch(EVALUATORS, [Pairing(0, 1, 5, start=start)], rules=GameRules(max_plies=9))
    record = result[0]
    assert Board(start).push_all(record.moves).outcome(max_plies=9) == record.outcome
    over = play_batch(EVALUATORS, [Pairing(0, 1, 5, start=parse_fen("W:W13:B9,6"))])[0]
    assert (over.outcome.winner, over.outcome.reason, over.moves) == (Color.BLACK, Reason.NO_MOVES, ())


@pytest.mark.parametrize(
    "pairing", [Pairing(6, 0, 1), Pairing(0, -1, 1), Pairing(0, 1, 1, black_plies=-1), Pairing(0, 1, 1, white_plies=65)]
)
def test_bad_pairings_are_refused(pairing):
    with pytest.raises(PairingError):
        play_batch(EVALUATORS, [pairing])


def test_no_games_is_no_fault():
    assert len(play_batch(EVALUATORS, [])) == 0


def test_an_interrupt_stops_all_threads():
    deep = [Pairing(0, 1, seed, black_plies=12, white_plies=12) for seed in range(50)]
    play_batch(EVALUATORS, PAIRINGS[:1])
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        play_batch(EVALUATORS, deep, threads=2)
    timer.join()
    for thread in threading.enumerate():
        if thread.name == NAME:
            thread.join(1)
            assert not thread.is_alive()


def test_who_looks_no_ply_ahead_moves_at_random():
    pairings = [Pairing(0, 0, seed, black_plies=0, white_plies=2) for seed in range(30)]
    result = play_batch([piece_differential()], pairings, threads=2)
    assert (result.winners == -1).all()
    firsts = {str(result[game].moves[0]) for game in range(30)}
    assert len(firsts) == 7


def test_half_precision_is_for_gpus():
    with pytest.raises(PairingError, match="precision fp16 are played on a GPU: --executor gpu"):
        play_batch(EVALUATORS, PAIRINGS, GameRules(precision=Precision.FP16))


def test_joined_batches_play_as_they_would_alone():
    small = GameBatch([piece_differential(1.5, 0.01)], [Pairing(0, 0, 5, 2, 2)], GameRules(40))
    large = GameBatch(EVALUATORS, PAIRINGS[:3], GameRules(40))
    joined = join_batches([small, large])
    parts = split_result(play_batch(*joined), [1, 3])
    assert [part.digest() for part in parts] == [play_batch(*batch).digest() for batch in (small, large)]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_third_occurrence_draws_if_that_rule_is_played(threads):
    start = parse_fen("B:WK32,K28:BK1,K5")
    pairings = [Pairing(0, 0, seed, 2, 2, start) for seed in range(12)]
    plain, ruled = (
        play_batch([piece_differential()], pairings, GameRules(120, repetition=repetition), threads)
        for repetition in (False, True)
    )
    ended = [record.outcome.reason for record in map(ruled.__getitem__, range(12))]
    assert ended.count(Reason.REPETITION) > 2
    assert Reason.REPETITION not in plain.reasons
    for game in range(12):
        record, whole = ruled[game], plain[game]
        assert whole.moves[: len(record.moves)] == record.moves
        board = Board(start)
        for move in record.moves:
            assert board.outcome(120, 3) is None
            board.push(move)
        assert board.outcome(120, 3) == record.outcome


def test_optional_jumps_are_for_players_that_look_no_further():
    rules = GameRules(20, compulsory=False)
    standing = piece_differential().with_rules(quiescence=False)
    assert len(play_batch([standing, piece_differential()], [Pairing(0, 1, 1, 2, 0)], rules)) == 1
    with pytest.raises(PairingError, match="quiescence"):
        play_batch([standing, piece_differential()], [Pairing(0, 1, 1, 2, 2)], rules)
