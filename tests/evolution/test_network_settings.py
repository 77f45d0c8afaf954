"""Which kind of network a scheme evolves or teaches."""

from typing import Any

import numpy as np
import pytest

from evocheckers import Board, Leaf, View
from evocheckers.evolution import evolution_strategy as es
from evocheckers.evolution import learners
from evocheckers.evolution.evolve import evolve
from evocheckers.evolution.learners import copies, create
from evocheckers.evolution.registry import make_settings
from evocheckers.evolution.scheme import ConfigError
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.networks.evaluator import stack
from evocheckers.networks.registry import Kind
from evocheckers.networks.shipped import shipped_network
from tests.helpers.driving import drive

SCHEMES = pytest.mark.parametrize("scheme", [es.SCHEME, learners.SCHEME], ids=lambda scheme: scheme.name)
SMALL: dict[str, dict[str, Any]] = {
    "es": {"pairs": 4, "plies": 1, "moves_per_side": 20},
    "learners": {
        "copies": 2,
        "depths": [1],
        "games": [20],
        "changes": [],
        "moves_per_side": 20,
        "steps": 3,
        "batch": 90,
    },
}

FROM_PLANES: dict[str, Any] = {"network": "planes", "start": "self-play-85", "leaf": "mover"}


@SCHEMES
def test_the_papers_network_is_the_default(scheme):
    settings = make_settings(scheme, {})
    assert (settings.kind, settings.numbers, settings.first_nodes) == (Kind.SPATIAL, 5046, 91)
    settings = make_settings(scheme, {"network": "planes"})
    assert (settings.kind, settings.numbers, settings.first_nodes) == (Kind.PLANES, 161 * 64 + 65, 64)
    assert make_settings(scheme, {"network": "planes", "width": 512}).numbers == 161 * 512 + 65
    settings = make_settings(scheme, {"network": "spatial-bare", "precision": "fp16"})
    assert (settings.kind, settings.numbers, settings.first_nodes) == (Kind.SPATIAL_BARE, 5046, 91)


@SCHEMES
@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"network": "dense-512"}, "network = 'dense-512': must be one of 'spatial', 'planes'"),
        ({"network": "planes", "width": 100}, "width = 100: must be a whole number between 32 and 512 in steps of 32"),
        ({"network": "planes", "width": 544}, "width = 544: must be"),
        ({"width": 64}, "width = 64: a spatial network has 91 nodes in its first layer"),
        (
            {"start": "self-play-85", "leaf": "mover"},
            "start = 'self-play-85': it was made with .*; set network=planes$",
        ),
        ({"start": "self-play-85", "leaf": "root"}, "set network=planes, leaf=mover$"),
        ({**FROM_PLANES, "width": 32}, "set width=64 or more$"),
        ({"network": "planes", "start": "anaconda-840", "leaf": "root"}, "set network=spatial, extensions=2$"),
        ({"start": "champion"}, "start = 'champion': must be one of 'self-play-136', .*, none"),
        ({"network": "planes", "precision": "fp16"}, "precision = 'fp16': a planes network has one precision, fp32"),
    ],
)
def test_what_does_not_fit_is_refused(scheme, values, fault):
    with pytest.raises(ConfigError, match=fault):
        make_settings(scheme, values)


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"width": 128}, r"its new nodes never act while the second layer is fixed; set layers=\[1,1,1,1\]$"),
        ({"king_min": 2.0}, "its K is 1.251, not between king_min and king_max$"),
    ],
)
def test_es_refuses_a_start_that_it_would_change_or_not_use(values, fault):
    with pytest.raises(ConfigError, match=fault):
        make_settings(es.SCHEME, {**FROM_PLANES, **values})


@SCHEMES
def test_networks_of_planes_come_out_to_the_same_bits(scheme):
    settings = {**SMALL[scheme.name], "network": "planes", "width": 32}
    digests = []
    for threads in (1, 2):
        *_, last = evolve(scheme, settings, seed=3, generations=2, executor=ThreadExecutor(threads))
        digests.append(last.digest)
    assert digests[0] == digests[1]
    best = last.report.best
    assert (best.kind, best.width) == (Kind.PLANES, 32)
    first = scheme.first_network(make_settings(scheme, settings), scheme.begin(make_settings(scheme, settings), 3))
    assert not np.array_equal(best.weights, first.weights)
    scheme.check_state(make_settings(scheme, settings), 3, _recorded(last.state))


def _recorded(state: Any) -> dict[str, np.ndarray]:
    return {name: np.asarray(column) for name, column in state._asdict().items() if name != "experience"}


def test_mirrored_planes_stand_on_both_sides_of_the_centre():
    settings = make_settings(es.SCHEME, {"pairs": 3, "network": "planes", "width": 32, "king_scale": 90.0})
    state = es.begin(settings, 1)
    noise = np.random.default_rng(1).normal(size=(3, len(state.centre))).astype(np.float32) * es.scales(settings)
    table = es.mirrored_evaluators(settings, state.centre, noise, np.float32(0.1))
    for row, packed in enumerate(table.weights):
        point = state.centre + np.float32(0.1 if row % 2 == 0 else -0.1) * noise[row // 2]
        expected = es.network(settings, point).evaluator()
        assert np.array_equal(packed[: len(expected.weights)].view(np.uint32), expected.weights.view(np.uint32))
    assert (table.kinds == Kind.PLANES).all()
    second = slice(129 * 32, 129 * 32 + 33 * 32)
    assert not noise[:, second].any()
    assert noise[:, second.stop :].all()


def test_a_generation_of_es_plays_planes():
    settings = make_settings(es.SCHEME, {**SMALL["es"], "network": "planes"})
    _, report, (batch,) = drive(es.step(settings, 1, 1, es.begin(settings, 1)), lambda *_: 1)
    assert (stack(batch.evaluators).kinds == Kind.PLANES).all()
    assert report.best.width == 64


def test_copies_are_networks_of_the_chosen_kind():
    settings = make_settings(learners.SCHEME, {**SMALL["learners"], "network": "planes", "width": 96})
    found = copies(settings, 1, 1, create(settings, 1))
    assert [one.kind for one in found] == [Kind.PLANES] * 2
    assert not np.array_equal(found[0].weights.view(np.uint32), found[1].weights.view(np.uint32))


@SCHEMES
def test_a_shipped_network_can_be_the_start(scheme):
    shipped = shipped_network("self-play-85")
    settings = make_settings(scheme, {**SMALL[scheme.name], **FROM_PLANES})
    for seed in (1, 2):
        first = scheme.first_network(settings, scheme.begin(settings, seed))
        assert np.array_equal(first.weights, shipped.weights)
        assert first.king_value == pytest.approx(shipped.king_value)


@SCHEMES
def test_a_start_made_wider_plays_the_same(scheme):
    all_layers = {"layers": [1, 1, 1, 1]} if scheme is es.SCHEME else {}
    settings = make_settings(scheme, {**SMALL[scheme.name], **FROM_PLANES, **all_layers, "width": 96})
    first = scheme.first_network(settings, scheme.begin(settings, 1))
    assert first.width == 96
    assert (first.rules.view, first.rules.leaf, first.rules.extensions) == (View.OWN_SIDE, Leaf.MOVER, 0)
    assert np.all(np.any(first.layers()["first_weights"], axis=0)), "new nodes have inputs to learn from"
    evaluators = first.evaluator(), shipped_network("self-play-85").evaluator()
    for board in (Board(), Board("W:W22,K30,15:B9,K7")):
        assert evaluators[0](board) == pytest.approx(evaluators[1](board), abs=1e-6)
