"""What a network sees: the sub-squares that its first layer looks at, and what each piece is worth to it."""

import numpy as np

from evocheckers.evaluation import spatial
from evocheckers.evaluation.dispatch import Kind
from evocheckers.evaluation.evaluator import View, evaluate_positions
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, row_and_column
from evocheckers.web.catalogue import Opponent
from evocheckers.web.models import Sight


def sight_of(opponent: Opponent, board: Board) -> Sight | None:
    """A spatial network's view of a position as its side to move; other players have none."""
    network = opponent.network
    if network is None or opponent.evaluator is None or network.kind is not Kind.SPATIAL:
        return None
    turned = opponent.evaluator.view is View.FIXED and board.turn is Color.WHITE
    own, opp, kings = board.mover_words
    rows = [(own, opp, kings)]
    occupied = [bit for bit in range(32) if (own | opp) >> bit & 1]
    rows += [(own & ~(1 << bit), opp & ~(1 << bit), kings & ~(1 << bit)) for bit in occupied]
    values = evaluate_positions(opponent.evaluator, np.array(rows, np.uint32), turned)
    king_value = float(network.king_value or 0)
    inputs = np.zeros(32)
    for bit in occupied:
        size = king_value if kings >> bit & 1 else 1.0
        inputs[bit] = size if own >> bit & 1 else -size
    seen = inputs[::-1] if turned else inputs
    turn_round = (board.turn is Color.WHITE) != turned
    nodes = []
    at = 0
    for number, squares in enumerate(spatial.sub_squares()):
        weights = network.weights[at : at + len(squares)].astype(float)
        at += len(squares)
        bias = float(network.weights[spatial.FIRST_BIASES + number])
        activation = float(np.tanh(weights @ seen[squares] + bias))
        places = [row_and_column(32 - bit if turn_round else bit + 1) for bit in squares]
        nodes.append(
            {
                "row": min(row for row, _ in places),
                "column": min(column for _, column in places),
                "rows": max(row for row, _ in places) - min(row for row, _ in places) + 1,
                "columns": max(column for _, column in places) - min(column for _, column in places) + 1,
                "activation": round(activation, 4),
            }
        )
    contributions = {
        str(32 - bit if board.turn is Color.WHITE else bit + 1): round(float(values[0] - value), 4)
        for bit, value in zip(occupied, values[1:], strict=True)
    }
    return Sight(value=float(values[0]), material=float(inputs.sum()), nodes=nodes, squares=contributions)
