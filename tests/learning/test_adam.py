import numpy as np
import pytest

from evocheckers.learning.adam import Rates, adam_step
from evocheckers.native.compile import entry
from evocheckers.networks.gradient_layout import LearningError


@entry
def _step(first, end, gradient, rate, momenta, powers, numbers, mean, square):
    adam_step(first, end, gradient, rate, momenta, powers, numbers, mean, square)


def test_adam_is_the_published_one():
    generator = np.random.default_rng(1)
    rates = Rates(rate=0.01, momentum=0.8, second_momentum=0.95)
    numbers = generator.normal(size=50).astype(np.float32)
    mean, square = np.zeros(50, np.float32), np.zeros(50, np.float32)
    exact, m, v = numbers.astype(np.float64), np.zeros(50), np.zeros(50)
    for step in range(1, 41):
        gradient = generator.normal(size=50) * 10.0 ** generator.integers(-6, 3)
        _step(0, 50, gradient, rates.rate, (0.8, 0.95), rates.powers(step), numbers, mean, square)
        m = 0.8 * m + 0.2 * gradient
        v = 0.95 * v + 0.05 * gradient**2
        exact = exact - 0.01 * (m / (1 - 0.8**step)) / (np.sqrt(v / (1 - 0.95**step)) + 1e-8)
    np.testing.assert_allclose(numbers, exact, rtol=2e-5, atol=2e-6)
    np.testing.assert_allclose(mean, m, rtol=1e-4, atol=1e-6 * np.abs(m).max())
    np.testing.assert_allclose(square, v, rtol=1e-4)


def test_only_the_asked_part_moves():
    numbers, mean, square = np.zeros(10, np.float32), np.zeros(10, np.float32), np.zeros(10, np.float32)
    _step(3, 6, np.ones(10), 0.5, (0.9, 0.999), (0.9, 0.999), numbers, mean, square)
    assert np.flatnonzero(numbers).tolist() == [3, 4, 5]
    assert numbers[3] == pytest.approx(-0.5)


def test_powers_are_products():
    assert Rates(momentum=0.5, second_momentum=0.25).powers(3) == (0.125, 0.015625)


@pytest.mark.parametrize("settings", [{"rate": 0}, {"rate": float("nan")}, {"momentum": 1.0}, {"second_momentum": -1}])
def test_bad_rates(settings):
    with pytest.raises(LearningError, match=r"rate of learning|momenta are"):
        Rates(**settings)
