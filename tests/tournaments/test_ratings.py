import numpy as np
import pytest

from evocheckers.tournaments.ratings import (
    CLASSES,
    change_limit,
    class_of,
    fit_ratings,
    orderings_test,
    rate_against,
    rate_match,
)


@pytest.mark.parametrize(("triple", "difference"), [((49, 20, 17), 141), ((41, 22, 23), 76), ((35, 23, 28), 27)])
def test_the_papers_matches(triple, difference):
    first, second = rate_match(*triple)
    assert len(first) == 5000
    assert first.mean() - second.mean() == pytest.approx(difference, abs=3.5)
    assert 27 < first.std(ddof=1) < 29.5
    assert 27 < second.std(ddof=1) < 29.5
    assert first.mean() + second.mean() == pytest.approx(3200)
    assert orderings_test(first, second) < 1e-6  # whatever the games: the orders are no samples


def test_one_game_by_hand():
    first, second = rate_match(1, 0, 0, orders=2)
    assert first.tolist() == [1616.0, 1616.0]
    assert second.tolist() == [1584.0, 1584.0]
    ratings = rate_against([2000.0], [1.0], orders=1)
    assert ratings[0].tolist() == [1600.0, pytest.approx(1600 + 32 * (1 - 1 / 11))]


def test_the_mean_rating_does_not_depend_on_the_given_order():
    outcomes = [1.0] * 40 + [0.0] * 40
    forwards = rate_against([1600.0] * 80, outcomes)
    backwards = rate_against([1600.0] * 80, outcomes[::-1])
    assert forwards[:, -1].std() > 5
    assert forwards[:, -1].mean() == pytest.approx(backwards[:, -1].mean(), abs=4)


def test_classes_at_their_borders():
    assert [class_of(least) for least, _ in CLASSES] == [name for _, name in CLASSES]
    below = [class_of(least - 0.01) for least, _ in CLASSES]
    assert below == [*(name for _, name in CLASSES[1:]), "class J"]
    assert class_of(2045.85) == "expert"
    assert class_of(1929) == "class A"
    assert change_limit(np.array([2099.9, 2100.0, 2399.9, 2400.0])).tolist() == [32, 24, 24, 16]


def test_fitted_ratings_find_known_strengths():
    generator = np.random.default_rng(1)
    strengths = [1500.0, 1600.0, 1750.0]
    games = []
    for first in range(3):
        for second in range(first + 1, 3):
            share = 1 / (1 + 10 ** ((strengths[second] - strengths[first]) / 400))
            games += [(first, second, float(generator.random() < share)) for _ in range(2000)]
    mean = sum(strengths) / 3
    for fitted, true in zip(fit_ratings(3, games), strengths, strict=True):
        assert fitted.low < true - mean + 1600 < fitted.high
        assert fitted.high - fitted.low < 40
    sweep = fit_ratings(2, [(0, 1, 1.0)] * 10)
    assert 200 < sweep[0].rating - sweep[1].rating < 1200
