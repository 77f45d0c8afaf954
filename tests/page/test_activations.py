"""What a network of any kind sees: each piece's worth is the value with it less the value without."""

import numpy as np
import pytest

from evocheckers import Board, Network, SearchRules, View
from evocheckers.networks.registry import ARCHITECTURES, Kind
from evocheckers.page.analysis.activations import activations_of

FEN = "W:W22,K30,15:B9,K7"
PLANES = Network.random(np.random.default_rng(1), kind=Kind.PLANES)


@pytest.mark.parametrize("kind", list(ARCHITECTURES), ids=lambda kind: kind.name)
@pytest.mark.parametrize("view", View)
def test_every_kind_shows_what_its_pieces_are_worth(kind, view):
    network = Network.random(np.random.default_rng(3), 0.3, 1.5, kind).with_rules(view=view)
    board = Board(FEN)
    seen = activations_of(network, board)
    assert seen is not None
    value = network.evaluator()(board)
    assert seen.value == pytest.approx(value)
    for square, fen in (("15", "W:W22,K30:B9,K7"), ("30", "W:W22,15:B9,K7"), ("7", "W:W22,K30,15:B9")):
        assert seen.squares[square] == pytest.approx(value - network.evaluator()(Board(fen)), abs=1e-4)
    assert seen.material == (1.0 if ARCHITECTURES[kind].has_king_value else None)
    assert len(seen.wide) == (64 if kind is Kind.PLANES else 0)
    assert len(seen.nodes) == (91 if kind in (Kind.SPATIAL, Kind.SPATIAL_BARE) else 0)


def test_a_player_without_a_network_sees_nothing():
    assert activations_of(None, Board()) is None


@pytest.mark.parametrize(("view", "square"), [(View.OWN_SIDE, 2), (View.FIXED, 29)])
def test_the_wide_layer_responds_to_a_king_where_it_looks(view, square):
    layers = {name: np.zeros_like(layer) for name, layer in PLANES.layers().items()}
    layers["first_weights"][32 + square, 5] = 0.75  # own kings are the second plane
    seen = activations_of(Network.from_layers("planes", layers, king_value=2.0, rules=SearchRules(view)), Board(FEN))
    assert seen is not None
    assert seen.wide == [0.75 if node == 5 else 0.0 for node in range(64)]
