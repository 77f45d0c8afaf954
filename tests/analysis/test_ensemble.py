import numpy as np
import pytest

from evocheckers import Network
from evocheckers.analysis.ensemble import Ensemble, measure
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.networks.evaluator import piece_differential
from evocheckers.players.grammar import MATERIAL_NOISE
from evocheckers.players.player import Contestant
from evocheckers.runs.file import find_runs
from evocheckers.search.limit import Limit
from evocheckers.tournaments.match import network_match
from evocheckers.tournaments.piece_counter import against_piece_counter
from evocheckers.tournaments.score import Score


def test_the_interval_is_over_runs():
    ensemble = Ensemble([Score(50, 0, 50), Score(60, 0, 40), Score(70, 0, 30)])
    assert ensemble.share == pytest.approx(0.6)
    half = 4.302653 * 0.1 / np.sqrt(3)
    assert ensemble.interval == pytest.approx((0.6 - half, 0.6 + half), abs=1e-6)
    assert ensemble.together == Score(180, 0, 120)
    assert (ensemble.better, ensemble.worse) == (2, 0)


def test_one_run_has_the_interval_of_its_games():
    score = Score(20, 50, 16)
    assert Ensemble([score]).interval == score.interval


def test_runs_that_do_not_differ_leave_chance_of_games():
    score = Score(86, 0, 0)
    assert Ensemble([score, score, score]).interval == score.interval


def test_a_network_of_other_rules_plays_outside_batches():
    generator = np.random.default_rng(4)
    network, other = Network.random(generator), Network.random(generator).with_rules(extensions=0)
    opponent = Contestant.from_network("other", other, 1)
    assert measure([network], opponent, 1, ThreadExecutor())[0].score == network_match(
        network, other, 1, ThreadExecutor()
    )


def test_many_networks_score_as_they_do_alone():
    generator = np.random.default_rng(4)
    networks = [Network.random(generator), Network.random(generator)]
    opponent = Contestant("material", piece_differential(noise=MATERIAL_NOISE), Limit(plies=2))
    matches = measure(networks, opponent, 2, ThreadExecutor())
    alone = [against_piece_counter(network, 2, ThreadExecutor()) for network in networks]
    assert [match.score for match in matches] == alone
    assert Ensemble(alone).together.games == 172


def test_folders_stand_for_their_runs(tmp_path):
    for name in ("b.sqlite", "a.sqlite", "note.txt"):
        (tmp_path / name).touch()
    assert find_runs([tmp_path, tmp_path / "x", tmp_path / "b.sqlite"]) == [
        tmp_path / "a.sqlite",
        tmp_path / "b.sqlite",
        tmp_path / "x",
    ]
