from functools import partial

import numpy as np
import pytest

from evocheckers import Board, Limit, Network, Pairing, Reason, Searcher, SearchRules, piece_differential, play_batch
from evocheckers.evolution import hill_climbing
from evocheckers.evolution.evolve import evolve
from evocheckers.evolution.registry import PRESETS, make_settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import GameRules
from evocheckers.networks.registry import Kind
from tests.helpers.driving import drive


def settings(**changes) -> hill_climbing.HillClimbingSettings:
    return make_settings(hill_climbing.SCHEME, {"iterations": 8, **changes})


def rookie_wins(batch, game):
    return 1 if batch.pairings[game].black == 1 else -1


def first_wins(wins, batch, game):
    return rookie_wins(batch, game) if game < wins else 0


def test_it_starts_from_zeros():
    assert not hill_climbing.begin(settings(), 1).weights.any()
    assert hill_climbing.begin(settings(inputs=128), 1).weights.shape == (1411,)


def test_a_win_moves_the_champion_a_tenth_of_the_way():
    state, report, _ = drive(
        hill_climbing.step(settings(iterations=1), 1, 1, hill_climbing.begin(settings(), 1)), rookie_wins
    )
    noise = state.weights / np.float32(0.1)
    assert 0.095 < noise.std() < 0.105
    assert int(state.updates) == 1
    assert report.individuals.scores.tolist() == [1]


def test_a_loss_or_a_draw_changes_nothing():
    first = hill_climbing.begin(settings(), 1)
    for winner in (lambda batch, game: 0, lambda batch, game: -rookie_wins(batch, game)):
        state, _, batches = drive(hill_climbing.step(settings(), 1, 1, first), winner)
        assert not state.weights.any()
        assert len(batches) == 8


def test_nothing_is_looked_at_beyond_the_moves():
    paper = settings()
    assert (paper.plies, paper.extensions, paper.quiescence) == (1, 0, False)
    network = hill_climbing.first_network(paper, hill_climbing.begin(paper, 1))
    assert (network.rules.extensions, network.rules.quiescence) == (0, False)
    board = Board("B:W18,27,32:B14,1")  # after 14x23 White has to jump back
    weights = np.random.default_rng(1).normal(size=5251)
    lines = [
        Searcher(Network(Kind.DENSE_512, weights, rules=SearchRules(quiescence=quiescence, extensions=0)).evaluator())
        .search(board, Limit(plies=1))
        .line
        for quiescence in (False, True)
    ]
    assert [len(line) for line in lines] == [1, 2]


def test_the_digest_of_hill_climbing_is_what_it_was():
    """Six generations of ten iterations, whose search follows captures at a leaf."""
    changes = {"iterations": 10, "extensions": 2, "quiescence": True}
    *_, last = evolve(hill_climbing.SCHEME, changes, seed=7, generations=6, executor=ThreadExecutor(2))
    assert last.digest.startswith("faa1bc3e87129e78")


def test_three_of_four():
    three = settings(games=4, wins_needed=3, iterations=1)
    assert PRESETS["over-the-hill-3of4"].settings == {"games": 4, "wins_needed": 3}
    for wins in range(5):
        state, _, batches = drive(
            hill_climbing.step(three, 1, 1, hill_climbing.begin(three, 1)),
            partial(first_wins, wins),
        )
        assert int(state.updates) == (wins >= 3)
        assert [pairing.black for pairing in batches[0].pairings].count(1) == 2


def test_weights_are_scaled_into_the_limit():
    champion = np.array([0.5, -4.0], np.float32)
    updated = hill_climbing.update(settings(weight_limit=1.0), champion, champion)
    assert np.allclose(updated, [0.125, -1.0])
    assert np.allclose(hill_climbing.update(settings(weight_limit=None), champion, champion), champion)


def test_random_moves_repetitions_and_the_verdict_by_pieces():
    zero = [Network(Kind.DENSE_512, np.zeros(5251, np.float32)).evaluator()]
    games = [Pairing(0, 0, seed, 1, 1) for seed in range(40)]
    drawn = play_batch(zero, games, GameRules(max_plies=60))
    decided = play_batch(zero, games, GameRules(max_plies=60, pieces_decide=True))
    assert np.array_equal(drawn.codes, decided.codes)
    unfinished = drawn.reasons == Reason.MOVE_LIMIT
    assert unfinished.any()
    for game in np.flatnonzero(unfinished).tolist():
        position = Board().push_all(drawn[game].moves).position
        lead = position.black.bit_count() - position.white.bit_count()
        assert decided.winners[game] == np.sign(lead)
        assert decided.reasons[game] == (Reason.ADJUDICATION if lead else Reason.MOVE_LIMIT)


def test_the_share_of_random_moves():
    """At depth 1 a counter of pieces knows its best moves; how often it plays another one tells the rate."""
    evaluator = piece_differential(1.5)
    batch = play_batch(
        [evaluator], [Pairing(0, 0, seed, 1, 1) for seed in range(40)], GameRules(max_plies=100, random_move_rate=0.2)
    )
    others = expected = 0.0
    for game in range(40):
        board = Board()
        for move in batch[game].moves:
            searcher = Searcher(evaluator, table_bits=None)
            moves = board.legal_moves()
            best = searcher.search(board, Limit(plies=1))
            if best.equal_moves < len(moves):
                found = {searcher.search(board, Limit(plies=1), number).move for number in range(best.equal_moves)}
                expected += 0.2 * (1 - len(found) / len(moves))
                others += move not in found
            board.push(move)
    assert expected > 30
    assert others == pytest.approx(expected, abs=4 * expected**0.5)
