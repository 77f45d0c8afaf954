"""The dense network against a computation that goes square by square."""

import numpy as np
import pytest

from evocheckers import Board, Color, Network, SearchRules, View
from evocheckers.networks.registry import ARCHITECTURES, Kind
from evocheckers.rules.move import row_and_column


def features(board: Board, viewer: Color) -> np.ndarray:
    """side x square x feature, square by square, as the viewer's side sees the board."""
    grid = {}
    for square in range(1, 33):
        seen = square if viewer is Color.BLACK else 33 - square
        grid[row_and_column(seen)] = board.piece_at(square)
    found = np.zeros((2, 64, 4), bool)
    for (row, column), piece in grid.items():
        if piece == ".":
            continue
        own = (piece.lower() == "b") == (viewer is Color.BLACK)
        forward = 1 if own else -1
        threatened = False
        for down in (-1, 1):
            for side in (-1, 1):
                other = grid.get((row + down, column + side), ".")
                enemy = other != "." and other.lower() != piece.lower()
                threatened |= enemy and (other.isupper() or down == forward)
        behind = [grid.get((row - forward, column + side), ".") for side in (-1, 1)]
        safe = {row, column} & {0, 7} or any(b.lower() == piece.lower() for b in behind)
        found[0 if own else 1, 8 * row + column] = True, threatened, bool(safe), piece.isupper()
    return found


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("kind", [Kind.DENSE_512, Kind.DENSE_128])
@pytest.mark.parametrize("view", list(View))
def test_it_agrees_with_float64(boards, kind, view):
    generator = np.random.default_rng(2)
    weights = generator.normal(0, 1, ARCHITECTURES[kind].numbers(10)).astype(np.float32)
    evaluator = Network(kind, weights, rules=SearchRules(view)).evaluator()
    inputs = 512 if kind is Kind.DENSE_512 else 128
    w = weights.astype(np.float64)
    for board in boards:
        for viewer in Color:
            on = features(board, viewer)
            if view is View.FIXED and viewer is Color.WHITE:
                on = on[:, ::-1]
            on = on if kind is Kind.DENSE_512 else on[:, :, :1]
            x = on.reshape(-1).astype(float)
            first = sigmoid(x @ w[: inputs * 10].reshape(inputs, 10) + w[inputs * 10 :][:10])
            rest = w[inputs * 10 + 10 :]
            second = sigmoid(first @ rest[:100].reshape(10, 10) + rest[100:110])
            value = second @ rest[110:120] + rest[120]
            assert evaluator(board, viewer) == pytest.approx(value, abs=1e-5)


def test_numbers():
    assert ARCHITECTURES[Kind.DENSE_512].numbers(10) == 5251
    assert ARCHITECTURES[Kind.DENSE_128].numbers(10) == 1411


def test_zero_weights_value_everything_alike(boards):
    evaluator = Network(Kind.DENSE_512, np.zeros(5251, np.float32)).evaluator()
    assert {evaluator(board) for board in boards} == {0.0}
