import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evocheckers import EvocheckersError, Network
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.players.grammar import PlayerError, format_limit, parse_limit, parse_material, parse_player, parse_run
from evocheckers.players.make import make_contestant
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.search.limit import Limit


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("8", Limit(plies=8)),
        ("2s", Limit(seconds=2.0)),
        ("50ms", Limit(seconds=0.05)),
        ("1.5s", Limit(seconds=1.5)),
        ("100kn", Limit(nodes=100_000)),
        ("2Mn", Limit(nodes=2_000_000)),
        ("7n", Limit(nodes=7)),
    ],
)
def test_limits(text, limit):
    assert parse_limit(text) == limit
    assert parse_limit(format_limit(limit)) == limit


def test_players_are_read():
    spec = parse_player("engine:scan hub --book a@b@2s")
    assert (spec.kind, spec.argument, spec.limit) == ("engine", "scan hub --book a@b", Limit(seconds=2.0))
    assert parse_player("engine:me@home").limit is None
    assert parse_player("net:a:b.safetensors@6").argument == "a:b.safetensors"
    assert parse_run(parse_player("run:x#y.sqlite#840@4")) == ("x#y.sqlite", 840)
    assert parse_run(parse_player("run:x.sqlite@4")) == ("x.sqlite", None)
    assert parse_material(parse_player("material")) == (1.5, 0.0)
    assert parse_material(parse_player("material:noise,K=1.3@8")) == (1.3, 0.01)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no player ''; write champion"),
        ("blondie@4", "no player 'blondie'"),
        ("material@", "limit '' is not one of plies"),
        ("material@4x", "limit '4x' is not one of plies (@8), time (@2s, @50ms) or nodes (@100kn)"),
        ("material@0", "plies = 0"),
        ("material@999", "plies = 999"),
        ("material:K@4", "cannot read 'K'; write material"),
        ("random@4", "random takes no limit"),
        ("random:x", "takes no argument"),
        ("champion:x@3", "takes no argument"),
        ("net:@4", "nothing after net:; write net:FILE"),
        ("engine:", "nothing after engine:"),
        ("run:a#b@4", "generation 'b' is not a number"),
    ],
)
def test_a_wrong_player_names_what_is_wrong(text, fault):
    with pytest.raises(PlayerError) as error:
        make_contestant(text)
    assert fault in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text(max_size=30))
def test_any_text_is_a_player_or_an_error(text):
    with contextlib.suppress(EvocheckersError):
        assert parse_player(text).kind in text


def test_players_from_files(tmp_path):
    file = tmp_path / "n.safetensors"
    Network.random(np.random.default_rng(1)).save(file)
    contestant = make_contestant(f"net:{file}")
    assert contestant.limit == Limit(plies=4)
    assert contestant.name.endswith("n.safetensors@4")
    assert contestant.batch_evaluator.rules.extensions == 2
    with open_run("es", tmp_path / "r.sqlite", 2, 1, {"pairs": 2, "plies": 1}) as run:
        for _ in carry_on(run, ThreadExecutor(1), 0):
            pass
    first, last = (make_contestant(f"run:{tmp_path}/r.sqlite{which}@1") for which in ("#1", ""))
    assert first.batch_evaluator.rules.extensions == last.batch_evaluator.rules.extensions == 0
    assert not np.array_equal(first.batch_evaluator.weights, last.batch_evaluator.weights)
    assert make_contestant(f"run:{tmp_path}/r.sqlite@1").with_rules(extensions=1).batch_evaluator.rules.extensions == 1
    with pytest.raises(EvocheckersError, match="no generation 9"):
        make_contestant(f"run:{tmp_path}/r.sqlite#9")
    assert make_contestant("champion").batch_plies == 4


def test_databases_are_asked_for_behind_a_limit():
    spec = parse_player("champion@50ms+db")
    assert (spec.databases, spec.limit) == (True, Limit(seconds=0.05))
    assert not parse_player("champion@50ms").databases
    for text in ("champion@8+db", "engine:scan hub@1s+db", "random@1s+db", "champion+db"):
        with pytest.raises(PlayerError):
            parse_player(text)
