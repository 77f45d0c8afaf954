import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

from evocheckers import Forced, Leaf, Network, SearchRules, View, Wins
from evocheckers.networks.network import NetworkError, NetworkFileError
from evocheckers.networks.registry import ARCHITECTURES, Kind
from tests.helpers.network_files import WEIGHTS, metadata


@given(
    st.sampled_from([(kind, width) for kind, architecture in ARCHITECTURES.items() for width in architecture.widths]),
    st.integers(0, 2**32),
    st.sampled_from(View),
    st.sampled_from(Leaf),
    st.booleans(),
    st.sampled_from([(forced, wins) for forced in Forced for wins in Wins]),
    st.dictionaries(st.text(max_size=10), st.one_of(st.integers(), st.text(max_size=10)), max_size=4),
)
def test_round_trip(tmp_path_factory, sized, seed, view, leaf, quiescence, readings, source):
    kind, width = sized
    architecture = ARCHITECTURES[kind]
    weights = np.random.default_rng(seed).normal(size=architecture.numbers(width)).astype(np.float32)
    king_value = 1.7 if architecture.has_king_value else None
    rules = SearchRules(view, leaf, quiescence, 1, *readings)
    network = Network(kind, weights, king_value, rules, source)
    path = tmp_path_factory.mktemp("network") / "n.safetensors"
    network.save(path)
    first = path.read_bytes()
    network.save(path)
    assert path.read_bytes() == first
    again = Network.load(path)
    assert np.array_equal(again.weights, weights)
    assert again.width == width
    assert again.evaluator().rules == rules
    assert (again.kind, again.king_value, again.rules, again.source) == (kind, network.king_value, rules, source)
    assert (b"quiescence" in first) == (not quiescence) or "quiescence" in str(source)  # files of before stay the same


BROKEN = WEIGHTS.copy()
BROKEN[41] = np.nan
GOOD = save({"weights": WEIGHTS}, metadata())


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "not a whole safetensors file"),
        (b"hello, this is no network", "not a whole safetensors file"),
        (GOOD[:-1], "not a whole safetensors file"),
        (GOOD[:40], "not a whole safetensors file"),
        (GOOD + b"x", "not a whole safetensors file"),
        (save({"weights": WEIGHTS}), "format=evocheckers-network"),
        (save({"weights": WEIGHTS}, metadata(version="2")), "version 2; this program reads version 1"),
        (save({"weights": WEIGHTS}, metadata(kind="convolutional")), "kind 'convolutional'"),
        (
            save({"weights": WEIGHTS}, metadata(forced="some-jumps")),
            "forced = 'some-jumps': must be any-jump or only-move",
        ),
        (save({"weights": WEIGHTS}, metadata(kind="dense-512")), "5251 numbers, not 5046"),
        (save({"weights": WEIGHTS[:-1]}, metadata()), "5046 numbers, not 5045"),
        (save({"weights": WEIGHTS}, metadata(kind="planes")), "5217 to 82497 numbers, 5152 more for every 32"),
        (save({"weights": np.zeros(5217, np.float32)}, metadata(kind="planes", king_value=None)), "has a king value"),
        (save({"weights": WEIGHTS.reshape(2, -1)}, metadata()), "not 2 x 2523"),
        (save({"weights": BROKEN}, metadata()), "number 42 of 5046 is nan"),
        (save({"weights": WEIGHTS.astype(np.float64)}, metadata()), "F64, not F32"),
        (save({"w": WEIGHTS}, metadata()), "['w']"),
        (save({"weights": WEIGHTS}, metadata(king_value=None)), "king value"),
        (save({"weights": WEIGHTS}, metadata(king_value="nan")), "king value is nan"),
        (save({"weights": WEIGHTS}, metadata(king_value="two")), "two"),
        (save({"weights": WEIGHTS}, metadata(view="sideways")), "sideways"),
        (save({"weights": WEIGHTS}, metadata(leaf=None)), "None"),
        (save({"weights": WEIGHTS}, metadata(quiescence="no")), "quiescence 'no' is neither 'on' nor 'off'"),
        (save({"weights": WEIGHTS}, metadata(source=json.dumps([1]))), "source is not a JSON object"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_faults_are_named(tmp_path, data, part):
    path = tmp_path / "bad.safetensors"
    path.write_bytes(data)
    with pytest.raises(NetworkFileError) as error:
        Network.load(path)
    assert part in str(error.value)
    assert "bad.safetensors" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(NetworkFileError, match="no such file"):
        Network.load(tmp_path / "none")
    with pytest.raises(NetworkFileError, match="is a folder"):
        Network.load(tmp_path)


def test_weights_cannot_be_changed_behind_a_network():
    network = Network(Kind.SPATIAL, WEIGHTS, 2.0)
    with pytest.raises(ValueError, match="read-only"):
        network.weights[0] = 1


def test_piece_differential_is_no_network():
    with pytest.raises(NetworkError, match="MATERIAL"):
        Network(Kind.MATERIAL, np.zeros(2, np.float32))
