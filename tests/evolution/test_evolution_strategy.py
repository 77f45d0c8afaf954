from functools import partial

import numpy as np
import pytest

from evocheckers.evolution import evolution_strategy as es
from evocheckers.evolution.registry import make_settings
from evocheckers.native.randomness import key, normals
from evocheckers.networks.spatial import reference as spatial
from tests.helpers.driving import drive


def settings(**changes) -> es.EsSettings:
    return make_settings(es.SCHEME, {"pairs": 6, "weight_decay": 0.0, **changes})


def noise_of(config, generation, pair):
    from evocheckers.evolution.scheme import MUTATION

    return normals(key(1, MUTATION, generation, pair), spatial.NUMBERS + 1) * es.scales(config)


def plus_wins(batch, game):
    return 1 if batch.pairings[game].black % 2 == 0 else -1


def signed(sign, batch, game):
    return sign * plus_wins(batch, game)


def test_pairs_are_mirrored_and_play_both_colours():
    config = settings()
    _, _, (batch,) = drive(es.step(config, 1, 1, es.begin(config, 1)), plus_wins)
    assert len(batch.pairings) == 12
    for pair in range(6):
        first, second = batch.pairings[2 * pair : 2 * pair + 2]
        assert (first.black, first.white) == (second.white, second.black) == (2 * pair, 2 * pair + 1)
        assert first.start == second.start
        assert first.seed == second.seed
    assert len({pairing.start for pairing in batch.pairings}) > 2
    assert batch.rules.max_plies == 160


def test_the_centre_follows_the_winners():
    config = settings(pairs=1)
    first = es.begin(config, 1)
    for sign in (1, -1):
        state, report, _ = drive(es.step(config, 1, 1, first), partial(signed, sign))
        moved = (state.centre - first.centre)[:-1]
        noise = noise_of(config, 1, 0)[:-1]
        free = noise != 0
        assert np.all(np.sign(moved[free]) == sign * np.sign(noise[free]))
        assert np.array_equal(state.centre[:-1] != first.centre[:-1], free)
        # Adam's first step has the size of the rate in every direction.
        assert np.allclose(np.abs(moved[free]), 0.025, rtol=1e-3)
        assert report.individuals.scores[0] == sign


def test_draws_and_split_pairs_leave_the_centre():
    config = settings()
    first = es.begin(config, 1)
    for winner in (lambda batch, game: 0, lambda batch, game: 1):
        state, _, _ = drive(es.step(config, 1, 1, first), winner)
        assert np.array_equal(state.centre, first.centre)


def test_a_layer_of_scale_zero_stays():
    config = settings()
    first = es.begin(config, 1)
    state, _, _ = drive(es.step(config, 1, 1, first), plus_wins)
    moved = state.centre != first.centre
    second = slice(spatial.SECOND_WEIGHTS, spatial.THIRD_WEIGHTS)
    assert not moved[second].any()
    assert moved[: spatial.SECOND_WEIGHTS].all()
    assert moved[spatial.THIRD_WEIGHTS : spatial.NUMBERS].all()


def test_schedule_and_bounds_of_k():
    config = settings(pairs=2, schedule=11, rate=0.5, rate_end=0.1, sigma=0.2, sigma_end=0.1)
    state = es.begin(config, 1)
    sizes = []
    for generation in range(1, 14):
        state, report, _ = drive(es.step(config, 1, generation, state), plus_wins)
        sizes.append(float(report.individuals.step_sizes[0]))
        assert 1 <= state.centre[-1] <= 3
    assert sizes[0] == pytest.approx(0.2)
    assert sizes[5] == pytest.approx(0.15)
    assert sizes[10:] == pytest.approx([0.1] * 3)


def test_the_centre_is_a_generations_best():
    config = settings()
    state, report, _ = drive(es.step(config, 1, 1, es.begin(config, 1)), plus_wins)
    assert np.array_equal(report.best.weights, state.centre[:-1])


def test_weights_shrink_over_the_schedule():
    config = settings(weight_decay=1.2, schedule=60)
    first = es.begin(config, 1)
    state, _, _ = drive(es.step(config, 1, 1, first), lambda batch, game: 0)
    assert np.allclose(state.centre[:-1], 0.98 * first.centre[:-1])
    assert state.centre[-1] == first.centre[-1]
