import numpy as np
import pytest

from evocheckers.learning.gradient import BLOCK, LEARNING, gradient, layout_of
from evocheckers.networks.evaluator import evaluate_positions
from evocheckers.networks.network import Network
from evocheckers.networks.registry import ARCHITECTURES, Kind
from tests.learning.reference import Reference, random_rows

LAYOUTS = {kind: layout_of(kind, ARCHITECTURES[kind].widths[0]) for kind in LEARNING}
KINDS = pytest.mark.parametrize("kind", list(LAYOUTS), ids=lambda kind: kind.name)


def some_numbers(kind, seed=1):
    layout = LAYOUTS[kind]
    numbers = np.random.default_rng(seed).uniform(-0.3, 0.3, layout.numbers).astype(np.float32)
    if layout.has_king_value:
        numbers[-2] = 1.7
    numbers[-1] = -0.3
    return numbers


@KINDS
def test_the_gradient_is_that_of_central_differences(kind):
    rows, numbers = random_rows(60), some_numbers(kind)
    reference = Reference(kind, rows)
    found, loss = gradient(kind, numbers, rows)
    exact = numbers.astype(np.float64)
    assert loss == pytest.approx(reference.loss(exact), rel=1e-6)
    expected = np.empty(len(numbers))
    step = 1e-6 if kind is Kind.PLANES else 1e-4  # so small that no node comes over its corner
    for i in range(len(numbers)):
        moved = exact.copy()
        moved[i] += step
        up = reference.loss(moved)
        moved[i] -= 2 * step
        expected[i] = (up - reference.loss(moved)) / (2 * step)
    unused = ~np.isin(np.arange(len(numbers)), LAYOUTS[kind].all_places)
    assert not found[unused].any()
    assert not expected[unused].any()
    # A slope that comes out near zero is a difference of large ones: its error is theirs.
    size = np.maximum(np.abs(expected), np.sqrt(np.mean(expected**2)))
    error = np.abs(found - expected) / size
    assert error.max() < 1e-4, f"number {error.argmax()}: {found[error.argmax()]} for {expected[error.argmax()]}"


@KINDS
def test_gradient_of_many_positions_is_the_mean_of_parts(kind):
    rows, numbers = random_rows(3 * BLOCK + 37), some_numbers(kind)
    found, loss = gradient(kind, numbers, rows)
    parts = np.split(rows, [10, 150, 2 * BLOCK])
    expected, expected_loss = np.zeros(len(numbers)), 0.0
    for part in parts:
        one, its_loss = gradient(kind, numbers, part)
        expected += one * len(part) / len(rows)
        expected_loss += its_loss * len(part) / len(rows)
    assert loss == pytest.approx(expected_loss, rel=1e-6)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6 * np.abs(expected).max())


@KINDS
def test_values_are_those_that_the_search_uses(kind):
    rows, numbers = random_rows(500), some_numbers(kind)
    layout = LAYOUTS[kind]
    king_value = float(numbers[-2]) if layout.has_king_value else None
    evaluator = Network(kind, numbers[: layout.flat], king_value).evaluator()
    expected = evaluate_positions(evaluator, np.ascontiguousarray(rows[:, :3]))
    rounding = 0.02 if kind is Kind.PLANES else 2e-5
    np.testing.assert_allclose(Reference(kind, rows).values(numbers.astype(np.float64)), expected, atol=rounding)


def test_loss_far_from_zero():
    """A lead of twelve kings at a large scale: the loss is exact where the logistic function is flat."""
    numbers = some_numbers(Kind.SPATIAL)
    numbers[-1] = 1.5
    kings = np.array([[0xFFF, 0, 0xFFF, label] for label in (0, 1, 2)], np.uint32)
    lost = np.array([[0, 0xFFF, 0xFFF, label] for label in (0, 1, 2)], np.uint32)
    for row in (*kings, *lost):
        reference = Reference(Kind.SPATIAL, row[None])
        found = gradient(Kind.SPATIAL, numbers, row[None])[1]
        assert found == pytest.approx(reference.loss(numbers.astype(np.float64)), rel=1e-5, abs=1e-5)
