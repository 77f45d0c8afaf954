"""The network of planes: by hand from its layers, in vectors and plain loops, following moves, and its bounds."""

from dataclasses import replace

import numba
import numpy as np
import pytest

from evocheckers import Board, Network
from evocheckers.native.intrinsics import pointer_to
from evocheckers.networks.evaluator import evaluate_positions
from evocheckers.networks.planes import reference as planes
from evocheckers.networks.python_function import planes_of
from evocheckers.networks.registry import Kind, margins, sum_of_inputs

WIDTHS = pytest.mark.parametrize("width", [32, 64, 96, 256, 512])


def network(width: int, limit: float = 0.2, seed: int = 5) -> Network:
    return Network.random(np.random.default_rng(seed), limit, 1.3, Kind.PLANES, width)


def words_of(boards: list[Board]) -> np.ndarray:
    return np.array([board.mover_words for board in boards], np.uint32)


def by_hand(found: Network, words: np.ndarray) -> np.ndarray:
    """The values in float64, straight from the description, of numbers that are rounded already."""
    layers = found.layers()
    inputs = planes_of(words).reshape(len(words), 128).astype(float)
    wide = np.clip(inputs @ layers["first_weights"] + layers["first_biases"], 0, 1)
    narrow = np.clip(wide @ layers["second_weights"] + layers["second_biases"], 0, 1)
    king_value = found.king_value or 0.0
    pieces = inputs.reshape(-1, 4, 32).sum(axis=2) @ np.array([1, king_value, -1, -king_value])
    return narrow @ layers["output_weights"] + layers["output_bias"] + pieces


def rounded(found: Network) -> Network:
    """The network as it plays."""
    steps, most = planes.grids(found.width), planes.limits(found.width)
    cut = np.clip(found.weights, -most, most)
    weights = np.where(steps > 0, np.rint(cut * steps) / np.where(steps > 0, steps, 1), cut)
    return replace(found, weights=weights.astype(np.float32))


@WIDTHS
@pytest.mark.parametrize("limit", [0.2, 5.0])
def test_it_agrees_with_float64(boards, width, limit):
    found, words = network(width, limit), words_of(boards)
    values = evaluate_positions(found.evaluator(), words)
    assert values == pytest.approx(by_hand(rounded(found), words), abs=2e-5 * (1 + 10 * limit))
    assert np.array_equal(values, evaluate_positions(rounded(found).evaluator(), words))


def test_rounding_changes_little(boards):
    found, words = network(64), words_of(boards)
    assert evaluate_positions(found.evaluator(), words) == pytest.approx(by_hand(found, words), abs=0.01)


@WIDTHS
def test_vector_code_gives_the_bits_of_plain_loops(boards, width):
    words = words_of(boards)
    for limit in (0.2, 3.0, 100.0):
        found = network(width, limit, seed=6)
        fast = evaluate_positions(found.evaluator(), words)
        plain = evaluate_positions(found.evaluator(plain=True), words)
        assert np.array_equal(fast.view(np.uint32), plain.view(np.uint32))


@WIDTHS
def test_values_do_not_depend_on_what_was_valued_before(boards, width):
    evaluator, words = network(width).evaluator(), words_of(boards)
    full = np.array([[0xFFFF, 0xFFFF0000, kings] for kings in (0, 0xFFFFFFFF)], np.uint32)
    words = np.concatenate([words, full, np.zeros((1, 3), np.uint32)])
    alone = np.concatenate([evaluate_positions(evaluator, row[None]) for row in words])
    order = np.random.default_rng(1).integers(len(words), size=4000)
    assert np.array_equal(evaluate_positions(evaluator, words[order]), alone[order])


@numba.njit
def limits(kind, weights, own, opp, kings):
    least, most = margins(kind, pointer_to(weights))
    total = sum_of_inputs(kind, pointer_to(weights), own, opp, kings)
    return total + least, total + most


@pytest.mark.parametrize("scale", [0.0, 0.2, 1.0, 30.0])
def test_no_value_lies_outside_its_margins(boards, scale):
    for seed, board in enumerate(boards[:100]):
        evaluator, words = network(32, scale, seed).evaluator(), np.array(board.mover_words, np.uint32)
        low, high = limits(Kind.PLANES.value, evaluator.weights, *words)
        assert low <= evaluate_positions(evaluator, words[None])[0] <= high


def test_margins_are_reached_where_all_narrow_nodes_are_one():
    layers = {name: np.zeros_like(layer) for name, layer in network(32).layers().items()}
    layers["second_biases"] += 9
    layers["output_weights"] += 0.25
    evaluator = Network.from_layers("planes", layers, king_value=2.0).evaluator()
    low, high = limits(Kind.PLANES.value, evaluator.weights, *map(np.uint32, Board().mover_words))
    assert evaluator(Board()) == 8.0
    assert (low, high) == pytest.approx((0.0, 8.0), abs=0.02)


def test_margins_are_endless_where_values_are_cut_off():
    huge = Network(Kind.PLANES, np.full(5217, 20000, np.float32), 2.0).evaluator()
    assert limits(Kind.PLANES.value, huge.weights, *map(np.uint32, Board().mover_words)) == (-np.inf, np.inf)
    assert huge(Board()) == 100_000


def test_the_width_follows_from_the_first_layer():
    layers = network(96).layers()
    assert Network.from_layers("planes", layers, king_value=2.0).width == 96
    with pytest.raises(ValueError, match="first_weights: has 40 nodes, not 32 to 512 in steps of 32"):
        Network.from_layers("planes", {**layers, "first_weights": np.zeros((128, 40))}, king_value=2.0)
