import numpy as np
import pytest
from scipy import stats

from evocheckers import Forced, Network, Wins
from evocheckers.evolution import anaconda, social
from evocheckers.evolution.population import create, offspring, tournament
from evocheckers.evolution.registry import make_settings
from evocheckers.networks.registry import Kind
from tests.helpers.driving import drive

SETTINGS: anaconda.AnacondaSettings = make_settings(anaconda.SCHEME, {})


def test_the_papers_numbers_are_the_defaults():
    assert (SETTINGS.parents, SETTINGS.opponents, SETTINGS.plies, SETTINGS.moves_per_side) == (15, 5, 4, 100)
    assert (SETTINGS.win, SETTINGS.draw, SETTINGS.loss) == (1, 0, -2)
    assert (SETTINGS.weight_limit, SETTINGS.step_size, SETTINGS.king_value) == (0.2, 0.05, 2.0)
    assert pytest.approx(0.0839, abs=5e-5) == SETTINGS.learning_rate


@pytest.mark.parametrize("scheme", [anaconda.SCHEME, social.SCHEME])
def test_readings_of_the_paper_reach_the_search(scheme):
    changes = {"parents": 2, "forced": "only-move", "wins": "equal"}
    settings = make_settings(scheme, changes)
    network = scheme.first_network(settings, scheme.begin(settings, 1))
    assert (network.rules.forced, network.rules.wins) == (Forced.ONLY_MOVE, Wins.EQUAL)
    flags = {one.rules.flags for one in create(settings, 1, 4, 0).evaluators(settings)}
    assert (
        flags == {network.evaluator().rules.flags} != {Network.random(np.random.default_rng(1)).evaluator().rules.flags}
    )


def test_first_networks():
    parents = anaconda.begin(SETTINGS, 3)
    assert parents.weights.shape == (15, 5046)
    assert stats.kstest(parents.weights.ravel().astype(float), stats.uniform(-0.2, 0.4).cdf).pvalue > 0.001
    assert np.all(parents.step_sizes == np.float32(0.05))
    assert np.all(parents.king_values == 2)
    assert anaconda.begin(SETTINGS, 4).weights[0, 0] != parents.weights[0, 0]


def test_mutation_follows_the_theory():
    parents = create(SETTINGS, 1, 15, 0)
    children = offspring(SETTINGS, 1, parents, 15)
    logs = np.log(children.step_sizes.astype(float) / 0.05).ravel()
    assert stats.kstest(logs / SETTINGS.learning_rate, "norm").pvalue > 0.001
    steps = (children.weights.astype(float) - parents.weights) / children.step_sizes
    assert stats.kstest(steps.ravel(), "norm").pvalue > 0.001
    correlation = np.corrcoef(logs, steps.ravel())[0, 1]
    assert abs(correlation) < 0.01
    assert children.parents.tolist() == parents.ids.tolist()
    assert children.ids.tolist() == list(range(15, 30))


def test_k_steps_are_even_and_bounded():
    parents = create(SETTINGS, 2, 3000, 0)
    children = offspring(SETTINGS, 2, parents, 3000)
    steps = np.round((children.king_values - parents.king_values) * 10).astype(int)
    counts = [int((steps == step).sum()) for step in (-1, 0, 1)]
    assert sum(counts) == 3000
    assert stats.chisquare(counts).pvalue > 0.001
    for edge, beyond in ((3.0, 1), (1.0, -1)):
        at_edge = parents._replace(king_values=np.full(3000, edge, np.float32))
        moved = np.round((offspring(SETTINGS, 2, at_edge, 3000).king_values - edge) * 10).astype(int)
        assert set(moved.tolist()) == {0, -beyond}


def test_step_sizes_can_be_capped():
    capped = make_settings(anaconda.SCHEME, {"step_size_limit": 0.05})
    children = offspring(capped, 1, create(SETTINGS, 1, 4, 0), 4)
    assert children.step_sizes.max() == np.float32(0.05)


def test_everybody_plays_five_games_as_black_and_never_itself():
    batch = tournament(SETTINGS, 1, 7, create(SETTINGS, 1, 30, 0))
    blacks = [pairing.black for pairing in batch.pairings]
    assert [blacks.count(player) for player in range(30)] == [5] * 30
    assert all(pairing.black != pairing.white for pairing in batch.pairings)
    assert len({pairing.seed for pairing in batch.pairings}) == 150
    drawn = [tournament(SETTINGS, seed, 1, create(SETTINGS, 1, 30, 0)) for seed in range(40)]
    whites = [pairing.white for batch in drawn for pairing in batch.pairings]
    assert stats.chisquare([whites.count(player) for player in range(30)]).pvalue > 0.001


def test_a_round_robin_plays_every_ordered_pair():
    settings = make_settings(anaconda.SCHEME, {"tournament": "round-robin"})
    batch = tournament(settings, 1, 1, create(SETTINGS, 1, 30, 0))
    pairs = {(pairing.black, pairing.white) for pairing in batch.pairings}
    assert len(batch.pairings) == len(pairs) == 870


def test_the_best_half_survives():
    parents = anaconda.begin(SETTINGS, 5)
    favourites = {1, 4, 16, 29}

    def winner(batch, game):
        pairing = batch.pairings[game]
        return (pairing.black in favourites) - (pairing.white in favourites)

    state, report, batches = drive(anaconda.step(SETTINGS, 5, 1, parents), winner)
    scores = dict.fromkeys(range(30), 0)
    for game, pairing in enumerate(batches[0].pairings):
        result = winner(batches[0], game)
        scores[pairing.black] += {1: 1, 0: 0, -1: -2}[result]
        scores[pairing.white] += {1: -2, 0: 0, -1: 1}[result]
    assert report.individuals.scores.tolist() == list(scores.values())
    assert set(favourites) <= set(state.ids.tolist())
    kept = sorted((scores[int(i)] for i in state.ids), reverse=True)
    assert kept == sorted(scores.values(), reverse=True)[:15]
    assert isinstance(report.best, Network)
    assert report.best_id in favourites


def test_ties_are_broken_by_the_seed():
    parents = anaconda.begin(SETTINGS, 5)
    survivors = set()
    for generation in range(1, 6):
        state, _, _ = drive(anaconda.step(SETTINGS, 5, generation, parents), lambda batch, game: 0)
        survivors.add(tuple(sorted(int(i) % 15 if i >= 15 else -int(i) for i in state.ids)))
    assert len(survivors) > 1


def test_the_piece_sum_can_be_taken_away():
    for has_sum, kind in ((True, Kind.SPATIAL), (False, Kind.SPATIAL_BARE)):
        settings = make_settings(anaconda.SCHEME, {"piece_sum": has_sum})
        assert anaconda.first_network(settings, anaconda.begin(settings, 1)).kind is kind
