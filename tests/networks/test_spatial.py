"""The spatial network against an independent computation in float64."""

import numba
import numpy as np
import pytest

from evocheckers import Board, Color, Network, SearchRules, View
from evocheckers.native.intrinsics import pointer_to
from evocheckers.networks.evaluator import evaluate_positions
from evocheckers.networks.registry import Kind, margins, sum_of_inputs
from evocheckers.networks.spatial import reference as spatial
from evocheckers.rules.move import row_and_column


def float64_value(network: Network, board: Board, viewer: Color) -> tuple[float, float]:
    """Pre-activation and output, straight from the papers' description."""
    w = network.weights.astype(np.float64)
    inputs = np.zeros((8, 8))
    for square in range(1, 33):
        piece = board.piece_at(square)
        if piece == ".":
            continue
        sign = 1 if (piece.lower() == "b") == (viewer is Color.BLACK) else -1
        seen = 33 - square if viewer is Color.WHITE and network.rules.view is View.OWN_SIDE else square
        inputs[row_and_column(seen)] = sign * ((network.king_value or 0) if piece.isupper() else 1)
    dark = np.array([[(row + column) % 2 == 1 for column in range(8)] for row in range(8)])
    hidden, at, bias_at = [], 0, 854
    for size in range(3, 9):
        for row in range(9 - size):
            for column in range(9 - size):
                window = np.s_[row : row + size, column : column + size]
                seen_inputs = inputs[window][dark[window]]
                hidden.append(np.tanh(seen_inputs @ w[at : at + len(seen_inputs)] + w[bias_at]))
                at, bias_at = at + len(seen_inputs), bias_at + 1
    assert (at, bias_at) == (854, 945)
    layer = np.array(hidden)
    at = 945
    for nodes in (40, 10, 1):
        weights = w[at : at + len(layer) * nodes].reshape(len(layer), nodes)
        at += weights.size
        layer, at = layer @ weights + w[at : at + nodes], at + nodes
        if nodes > 1:
            layer = np.tanh(layer)
    assert at == 5046
    value = float(layer[0] + inputs.sum())
    return value, float(np.tanh(value))


def test_it_has_5046_numbers():
    assert spatial.NUMBERS == 5046
    assert [len(bits) for bits in spatial.sub_squares()].count(32) == 1
    assert len(spatial.sub_squares()) == 91


@pytest.mark.parametrize("view", list(View))
@pytest.mark.parametrize("limit", [0.2, 1.0])
def test_it_agrees_with_float64(boards, view, limit):
    generator = np.random.default_rng(5)
    for board in boards:
        network = Network(
            kind=Network.random(generator).kind,
            weights=generator.uniform(-limit, limit, 5046).astype(np.float32),
            king_value=float(generator.uniform(1, 3)),
            rules=SearchRules(view),
        )
        evaluator = network.evaluator()
        for viewer in Color:
            value, output = float64_value(network, board, viewer)
            assert np.tanh(evaluator(board, viewer)) == pytest.approx(output, abs=1e-5)
            assert evaluator(board, viewer) == pytest.approx(value, abs=3e-5 * (1 + 10 * limit))


def test_vector_code_gives_the_bits_of_plain_loops(boards):
    generator = np.random.default_rng(6)
    words = np.array([board.mover_words for board in boards], np.uint32)
    for limit in (0.2, 3.0, 100.0):
        network = Network.random(generator, limit, king_value=1.3)
        fast = evaluate_positions(network.evaluator(), words)
        plain = evaluate_positions(network.evaluator(plain=True), words)
        assert np.array_equal(fast.view(np.uint32), plain.view(np.uint32))


def test_colour_flip_changes_nothing_for_the_own_side(boards):
    evaluator = Network.random(np.random.default_rng(8)).evaluator()
    for board in boards:
        assert evaluator(board) == evaluator(board.flip_colors())


@numba.njit
def limits(kind, weights, own, opp, kings):
    least, most = margins(kind, pointer_to(weights))
    total = sum_of_inputs(kind, pointer_to(weights), own, opp, kings)
    return total + least, total + most


@pytest.mark.parametrize("scale", [0.0, 0.2, 1.0, 30.0])
def test_no_value_lies_outside_its_margins(boards, scale):
    generator = np.random.default_rng(6)
    for board in boards:
        weights = generator.uniform(-scale, scale, 5046).astype(np.float32)
        network = Network(Kind.SPATIAL, weights, float(generator.uniform(1, 3)))
        evaluator, words = network.evaluator(), np.array(board.mover_words, np.uint32)
        value = evaluate_positions(evaluator, words[None])[0]
        low, high = limits(Kind.SPATIAL.value, evaluator.weights, *words)
        assert low <= value <= high


def test_margins_are_reached_where_all_last_nodes_are_one():
    weights = np.zeros(5046, np.float32)
    weights[spatial.THIRD_BIASES : spatial.OUTPUT_WEIGHTS] = 9.0
    weights[spatial.OUTPUT_WEIGHTS : spatial.OUTPUT_BIAS] = 0.5
    evaluator = Network(Kind.SPATIAL, weights, 2.0).evaluator()
    low, high = limits(Kind.SPATIAL.value, evaluator.weights, *map(np.uint32, Board().mover_words))
    assert evaluator(Board()) == pytest.approx(5.0)
    assert (low, high) == pytest.approx((-5.0, 5.0), rel=0.002)


def test_margins_are_endless_where_values_are_cut_off():
    huge = Network(Kind.SPATIAL, np.full(5046, 20000, np.float32), 2.0).evaluator()
    assert limits(Kind.SPATIAL.value, huge.weights, *map(np.uint32, Board().mover_words)) == (-np.inf, np.inf)


def test_the_bare_network_is_the_same_without_the_sum(boards):
    network = Network.random(np.random.default_rng(3), 0.5, 1.5)
    bare = Network(Kind.SPATIAL_BARE, network.weights, 1.5).evaluator()
    for board in boards:
        own, opp, kings = map(np.uint32, board.mover_words)
        men = (own & ~kings).bit_count() - (opp & ~kings).bit_count()
        total = men + 1.5 * ((own & kings).bit_count() - (opp & kings).bit_count())
        assert np.float32(bare(board)) + np.float32(total) == np.float32(network.evaluator()(board))
        assert limits(Kind.SPATIAL_BARE.value, bare.weights, own, opp, kings) == (-np.inf, np.inf)
