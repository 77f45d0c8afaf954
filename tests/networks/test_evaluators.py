import numpy as np
import pytest

from evocheckers import Board, Color, Evaluator, EvocheckersError, Kind, Network, piece_differential
from evocheckers.native.compile import entry
from evocheckers.native.vectors import sigmoid, tanh


@entry
def _tanh(x, out):
    for i in range(x.size):
        out[i, 0] = tanh(x[i])
        out[i, 1] = sigmoid(x[i])


def test_tanh_and_sigmoid_are_close():
    worst = 5.679891  # of all floats, for tanh
    x = np.append(np.linspace(-20, 20, 400_001), (worst, -worst)).astype(np.float32)
    out = np.empty((x.size, 2), np.float32)
    _tanh(x, out)
    exact = x.astype(np.float64)
    assert np.abs(out[:, 0] - np.tanh(exact)).max() < 5e-7
    assert np.abs(out[:, 1] - 1 / (1 + np.exp(-exact))).max() < 5e-7


def test_piece_differential_counts(boards):
    evaluator = piece_differential(1.5)
    for board in boards:
        pieces = "".join(board.piece_at(square) for square in range(1, 33))
        black = pieces.count("b") - pieces.count("w") + 1.5 * (pieces.count("B") - pieces.count("W"))
        assert evaluator(board, Color.BLACK) == black
        assert evaluator(board, Color.WHITE) == -black


def test_noise_stays_in_its_range_and_differs_by_position(boards):
    plain, noisy = piece_differential(1.5), piece_differential(1.5, noise=0.01)
    offsets = [noisy(board) - plain(board) for board in boards]
    assert max(map(abs, offsets)) <= 0.01 + 1e-6
    assert len(set(offsets)) > 300
    assert min(offsets) < -0.008
    assert max(offsets) > 0.008


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf"), 1e9])
def test_bad_settings_are_refused(bad):
    with pytest.raises(EvocheckersError, match="king value"):
        piece_differential(bad)
    with pytest.raises(EvocheckersError, match="noise"):
        piece_differential(1.5, bad)


def test_the_start_is_level():
    assert piece_differential()(Board()) == 0


@pytest.mark.parametrize("kind", Kind)
def test_numbers_of_a_wrong_length_are_refused(kind):
    for size in (0, 1, 3, 100, 5048, 6001):
        for fill in (0, 1, 128, np.nan):
            with pytest.raises(EvocheckersError):
                Evaluator(kind, np.full(size, fill, np.float32))


@pytest.mark.parametrize("weights", [None, [1.5, 0], np.zeros(2), np.zeros((1, 2), np.float32), np.float32(1)])
def test_only_a_row_of_single_precision_is_taken(weights):
    with pytest.raises(EvocheckersError):
        Evaluator(Kind.MATERIAL, weights)


def test_a_networks_own_numbers_are_not_packed_ones():
    network = Network.random(np.random.default_rng(1))
    with pytest.raises(EvocheckersError, match=r"network\.evaluator\(\)"):
        Evaluator(Kind.SPATIAL, network.weights)
