import shlex
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from evocheckers import Network
from evocheckers.cli.evolve import parse_assignments
from evocheckers.evolution.registry import PRESETS, command_of, make_settings
from evocheckers.evolution.scheme import ConfigError
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.networks import shipped
from evocheckers.networks.network import NetworkFileError
from evocheckers.networks.shipped import CHAMPION, RENAMED, SHIPPED, own_name, shipped_network
from evocheckers.players.grammar import KINDS, PlayerError, parse_player
from evocheckers.runs.recorder import carry_on, open_run
from tests.helpers.commands import run


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shipped_has_its_digest_and_source(name, monkeypatch):
    network = shipped_network(name)
    assert network.weights.size == {"self-play-136": 20673, "self-play-85": 10369}.get(name, 5046)
    assert len(network.source["digest"]) >= 16
    assert command_of(network).startswith("evocheckers evolve ")
    assert name in KINDS
    monkeypatch.setattr(shipped, "SHIPPED", MappingProxyType({name: "0" * 64}))
    with pytest.raises(NetworkFileError, match="not 0000000000000000; install again"):
        shipped_network(name)


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_an_old_name_is_refused_with_the_new_one(old, new):
    assert new in SHIPPED
    with pytest.raises(PlayerError, match=f"player '{old}@4': {old} is now called {new}$"):
        parse_player(f"{old}@4")
    with pytest.raises(ConfigError, match=f"setting start = '{old}': {old} is now called {new}$"):
        make_settings(PRESETS["self-play"].scheme, {"start": old})


def test_the_champion_has_a_name_that_lasts():
    assert own_name("champion") == CHAMPION
    assert own_name("material:noise") == "material:noise"
    assert np.array_equal(shipped_network("champion").weights, shipped_network(CHAMPION).weights)


def test_the_command_breeds_the_network_again(tmp_path):
    changes = {"pairs": 2, "plies": 1, "layers": [1.0, 0.5, 1.0, 1.0], "openings": "start"}
    with open_run("es", tmp_path / "a.sqlite", 2, 5, changes) as first:
        list(carry_on(first, ThreadExecutor(1), 0))
        network = first.exported_network()
    words = shlex.split(command_of(network))
    sets = [words[i + 1] for i, word in enumerate(words) if word == "--set"]
    assert words[:7] == ["evocheckers", "evolve", "es", "--seed", "5", "--generations", "2"]
    with open_run("es", tmp_path / "b.sqlite", 2, 5, parse_assignments(sets)) as second:
        list(carry_on(second, ThreadExecutor(1), 0))
        assert (second.network().weights == network.weights).all()
    assert command_of(Network.random(np.random.default_rng(1))) == ""
    wrongs: list[dict] = [{"generation": 0}, {"preset": ["es"]}, {"settings": []}, {"seed": None}]
    for wrong in (*wrongs, {"settings": {"sigma": None}}):
        assert command_of(replace(network, source={**network.source, **wrong})) == ""


def test_the_command_line(tmp_path):
    assert "evocheckers evolve es --seed" in run("networks").stdout
    Network.random(np.random.default_rng(1)).save(tmp_path / "a.safetensors")
    assert "a.safetensors: spatial, 5046 numbers, K = 2.00" in run("networks", str(tmp_path / "a.safetensors")).stdout
