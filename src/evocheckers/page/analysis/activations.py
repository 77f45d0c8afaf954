"""How a network responds to a position: what each piece is worth to it, and the activations of its first layer."""

import numpy as np

from evocheckers.networks.evaluator import evaluate_positions
from evocheckers.networks.network import Network
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import View
from evocheckers.networks.spatial import reference as spatial
from evocheckers.page.analysis.models import Activations, NodeActivation
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, row_and_column

_SPATIAL = (Kind.SPATIAL, Kind.SPATIAL_BARE)


def activations_of(network: Network | None, board: Board) -> Activations | None:
    """A network's activations in a position, from the side to move; players without a network have none."""
    if network is None:
        return None
    turned = network.rules.view is View.FIXED and board.turn is Color.WHITE
    own, opp, kings = board.mover_words
    rows = [(own, opp, kings)]
    occupied = [bit for bit in range(32) if (own | opp) >> bit & 1]
    rows += [(own & ~(1 << bit), opp & ~(1 << bit), kings & ~(1 << bit)) for bit in occupied]
    values = evaluate_positions(network.evaluator(), np.array(rows, np.uint32), turned)
    inputs = np.zeros(32)
    for bit in occupied:
        size = (network.king_value or 0.0) if kings >> bit & 1 else 1.0
        inputs[bit] = size if own >> bit & 1 else -size
    seen = inputs[::-1] if turned else inputs
    nodes = _nodes(network, seen, (board.turn is Color.WHITE) != turned) if network.kind in _SPATIAL else []
    wide = _wide(network, *rows[0], turned) if network.kind is Kind.PLANES else []
    contributions = {
        str(32 - bit if board.turn is Color.WHITE else bit + 1): round(float(values[0] - value), 4)
        for bit, value in zip(occupied, values[1:], strict=True)
    }
    material = None if network.king_value is None else float(inputs.sum())
    return Activations(value=float(values[0]), material=material, nodes=nodes, wide=wide, squares=contributions)


def _nodes(network: Network, seen: np.ndarray, turn_round: bool) -> list[NodeActivation]:
    """Activations of a spatial network's first layer; ``turn_round`` maps its squares to the opposite ones."""
    nodes = []
    at = 0
    for number, squares in enumerate(spatial.sub_squares()):
        weights = network.weights[at : at + len(squares)].astype(float)
        at += len(squares)
        bias = float(network.weights[spatial.FIRST_BIASES + number])
        activation = float(np.tanh(weights @ seen[squares] + bias))
        positions = [row_and_column(32 - bit if turn_round else bit + 1) for bit in squares]
        rows_seen, columns_seen = [row for row, _ in positions], [column for _, column in positions]
        nodes.append(
            NodeActivation(
                row=min(rows_seen),
                column=min(columns_seen),
                rows=max(rows_seen) - min(rows_seen) + 1,
                columns=max(columns_seen) - min(columns_seen) + 1,
                activation=round(activation, 4),
            )
        )
    return nodes


def _wide(network: Network, own: int, opp: int, kings: int, turn_round: bool) -> list[float]:
    """Activations of a planes network's wide layer; ``turn_round`` shows it the board from the opposite side."""
    planes = [own & ~kings, own & kings, opp & ~kings, opp & kings]
    inputs = np.array([[plane >> bit & 1 for bit in range(32)] for plane in planes], np.float32)
    layers = network.layers()
    seen = inputs[:, ::-1] if turn_round else inputs
    sums = seen.ravel() @ layers["first_weights"] + layers["first_biases"]
    return [round(float(value), 4) for value in np.clip(sums, 0, 1)]
