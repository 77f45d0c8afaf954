"""How an evaluator is searched: words and members, what is refused, and whose rules hold."""

from typing import Any

import numpy as np
import pytest

from evocheckers import (
    Board,
    Forced,
    GameBatch,
    Leaf,
    Limit,
    Network,
    Pairing,
    Searcher,
    SearchRules,
    View,
    Wins,
    piece_differential,
    play_batch,
)
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.driving import play_together
from evocheckers.networks.evaluator import common_extensions, stack
from evocheckers.networks.network import NetworkError
from evocheckers.networks.search_rules import EXTENSIONS, SearchRulesError
from evocheckers.networks.shipped import shipped_network
from evocheckers.players.make import make_contestant


def test_the_champion_is_searched_as_it_was_bred():
    champion = shipped_network("champion")
    for evaluator in (champion.evaluator(), champion.evaluator(plain=True)):
        assert Searcher(evaluator).search(Board(), Limit(plies=8)).nodes == 5758
    other = Searcher(champion.evaluator().with_rules(extensions=EXTENSIONS))
    assert other.search(Board(), Limit(plies=8)).nodes == 72748


def test_words_and_members_mean_the_same():
    words: dict[str, Any] = {"view": "fixed", "leaf": "mover", "forced": "only-move", "wins": "equal"}
    numbers: dict[str, Any] = {"extensions": np.int64(3), "quiescence": np.bool_(False)}
    rules = SearchRules(**words, **numbers)
    assert rules == SearchRules(View.FIXED, Leaf.MOVER, False, 3, Forced.ONLY_MOVE, Wins.EQUAL)
    assert (type(rules.extensions), type(rules.quiescence)) == (int, bool)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"view": "sideways"}, "view = 'sideways': must be own-side or fixed"),
        ({"leaf": None}, "leaf = None: must be root or mover or black"),
        ({"forced": Wins.EQUAL}, "forced = <Wins.EQUAL: 'equal'>: must be any-jump or only-move"),
        ({"wins": 1}, "wins = 1: must be sooner or equal"),
        ({"quiescence": "off"}, "quiescence = 'off': must be True or False"),
        ({"extensions": 1.5}, "extensions = 1.5: must be a whole number between 0 and 15, or None"),
        ({"extensions": 99}, "extensions = 99: must be a whole number between 0 and 15, or None"),
        ({"extensions": -1}, "extensions = -1: must be a whole number between 0 and 15, or None"),
    ],
)
def test_what_does_not_exist_is_refused(wrong, fault):
    with pytest.raises(SearchRulesError) as refusal:
        SearchRules(**wrong)
    assert str(refusal.value).startswith(fault)
    with pytest.raises(SearchRulesError):
        piece_differential().with_rules(**wrong)


def test_all_rules_but_the_extensions_are_told_apart_by_flags():
    every = [
        SearchRules(view, leaf, quiescence, forced=forced, wins=wins)
        for view in View
        for leaf in Leaf
        for quiescence in (True, False)
        for forced in Forced
        for wins in Wins
    ]
    assert len({rules.flags for rules in every}) == len(every)


def test_a_network_has_extensions_of_its_own():
    network = Network.random(np.random.default_rng(1))
    assert network.with_rules(extensions=1).evaluator().rules == SearchRules(extensions=1)
    with pytest.raises(NetworkError, match="extensions of its own"):
        network.with_rules(extensions=None)


def test_piece_counting_takes_the_rules_of_the_others():
    network = Network.random(np.random.default_rng(1)).with_rules(extensions=0, wins="equal").evaluator()
    table = stack([network, piece_differential()])
    assert table.extensions == 0
    assert table.flags[0] == table.flags[1] == SearchRules(wins=Wins.EQUAL).flags
    assert common_extensions([piece_differential()]) == EXTENSIONS


def test_a_batch_has_one_number_of_extensions():
    network = Network.random(np.random.default_rng(1)).evaluator()
    other = network.with_rules(extensions=0)
    with pytest.raises(SearchRulesError, match="same extensions, not 0 and 2"):
        play_batch([network, other], [Pairing(0, 1, 1, 1, 1)])
    with pytest.raises(SearchRulesError, match="whose search rules"):
        stack([network, other, piece_differential()])


def test_batches_of_different_extensions_are_played_apart():
    network = Network.random(np.random.default_rng(1)).evaluator()
    batches = {n: GameBatch([network.with_rules(extensions=n)], [Pairing(0, 0, 1, 2, 2)]) for n in (0, 2)}
    together = play_together(batches, ThreadExecutor(1))
    assert {n: result.digest() for n, result in together.items()} == {
        n: play_batch(*batch).digest() for n, batch in batches.items()
    }


def test_a_match_keeps_what_the_command_line_sets():
    changed = make_contestant("champion@4").with_rules(extensions=1, forced="only-move")
    assert changed.network is not None
    assert changed.network.rules == changed.batch_evaluator.rules
    assert (changed.batch_evaluator.rules.extensions, changed.batch_evaluator.rules.forced) == (1, Forced.ONLY_MOVE)
    random = make_contestant("random")
    assert random.with_rules(extensions=1) is random
