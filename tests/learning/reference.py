"""The networks and their loss in plain float64 NumPy; of the package only the order of the numbers."""

import itertools
import random

import numpy as np

from evocheckers.learning.dataset import labels_of
from evocheckers.networks.python_function import planes_of
from evocheckers.networks.registry import Kind
from evocheckers.networks.spatial import reference as spatial
from evocheckers.rules.board import Board
from evocheckers.rules.move import row_and_column

DARK = [row_and_column(square) for square in range(1, 33)]


def random_rows(count, seed=1):
    """Positions of random games, quiet or not, with results that favour the side with more pieces."""
    generator = random.Random(seed)
    rows: list[tuple[int, int, int, int]] = []
    while len(rows) < count:
        board = Board()
        for _ in range(120):
            moves = board.legal_moves()
            if not moves:
                break
            board.push(generator.choice(moves))
            own, opp, kings = board.mover_words
            lead = own.bit_count() - opp.bit_count() + generator.randint(-2, 2)
            rows.append((own, opp, kings, 8 * len(rows) + 1 + (lead > 0) - (lead < 0)))
    generator.shuffle(rows)
    return np.array(rows[:count], np.uint32)


def bits(words):
    return (words[:, None] >> np.arange(32, dtype=np.uint32) & 1).astype(np.float64)


def dense_inputs(rows, features):
    """Inputs by the description: a piece, threatened, defended, a king; for each side and square of 64."""
    inputs = np.zeros((len(rows), 2, 64, features))
    for row, out in zip(rows.tolist(), inputs, strict=True):
        at = {}
        for bit, place in enumerate(DARK):
            for side in (0, 1):
                if row[side] >> bit & 1:
                    at[place] = (side, bool(row[2] >> bit & 1))
        forward = (DARK[31][0] > DARK[0][0]) * 2 - 1
        for (r, c), (side, king) in at.items():
            square = out[side, 8 * r + c]
            square[0] = 1
            if features == 1:
                continue
            ahead = forward if side == 0 else -forward
            for dr in (-1, 1):
                for dc in (-1, 1):
                    other = at.get((r + dr, c + dc))
                    if other and other[0] != side and (other[1] or dr == ahead):
                        square[1] = 1
                    if other and other[0] == side and dr == -ahead:
                        square[2] = 1
            if {r, c} & {0, 7}:
                square[2] = 1
            square[3] = king
    return inputs.reshape(len(rows), -1)


def layers(flat, sizes):
    """Weights and biases of dense layers out of a flat vector."""
    at = 0
    for inputs, outputs in itertools.pairwise(sizes):
        weights = flat[at : at + inputs * outputs].reshape(inputs, outputs)
        at += inputs * outputs
        yield weights, flat[at : at + outputs]
        at += outputs


SPATIAL_KINDS = (Kind.SPATIAL, Kind.SPATIAL_BARE)


class Reference:
    """Loss of one kind on fixed positions, as a function of all numbers."""

    def __init__(self, kind, rows):
        self.kind, self.labels = kind, labels_of(rows).astype(np.float64)
        if kind in SPATIAL_KINDS:
            difference = bits(rows[:, 0]) - bits(rows[:, 1])
            self.kings = difference * bits(rows[:, 2])
            self.men = difference - self.kings
            self.table = spatial.first_layer_table()
        elif kind is Kind.PLANES:
            self.inputs = planes_of(rows).reshape(len(rows), 128).astype(np.float64)
        else:
            self.inputs = dense_inputs(rows, 4 if kind is Kind.DENSE_512 else 1)

    def values(self, numbers):
        if self.kind in SPATIAL_KINDS:
            flat, king_value = numbers[: spatial.NUMBERS], numbers[spatial.NUMBERS]
            x = self.men + king_value * self.kings
            first = np.where(self.table >= 0, flat[np.maximum(self.table, 0)], 0)
            h = np.tanh(x @ first + flat[spatial.FIRST_BIASES : spatial.SECOND_WEIGHTS])
            *hidden, output = layers(flat[spatial.SECOND_WEIGHTS :], (91, 40, 10, 1))
            for weights, biases in hidden:
                h = np.tanh(h @ weights + biases)
            value = (h @ output[0] + output[1])[:, 0]
            return value + x.sum(1) if self.kind is Kind.SPATIAL else value
        h = self.inputs
        if self.kind is Kind.PLANES:
            flat, king_value = numbers[:-2], numbers[-2]
            *hidden, output = layers(flat, (128, (len(flat) - 65) // 161, 32, 1))
            for weights, biases in hidden:
                h = np.clip(h @ weights + biases, 0, 1)
            counts = self.inputs.reshape(-1, 4, 32).sum(2)
            pieces = counts[:, 0] - counts[:, 2] + king_value * (counts[:, 1] - counts[:, 3])
            return (h @ output[0] + output[1])[:, 0] + pieces
        *hidden, output = layers(numbers, (h.shape[1], 10, 10, 1))
        for weights, biases in hidden:
            h = 1 / (1 + np.exp(-(h @ weights + biases)))
        return (h @ output[0] + output[1])[:, 0]

    def loss(self, numbers):
        t = np.exp(numbers[-1]) * self.values(numbers)
        return np.mean(np.logaddexp(0, t) - self.labels * t)
