"""Networks that learn while they live: who plays whom, what is learnt from, who survives, and what is inherited."""

from typing import Any

import numpy as np
import pytest

from evocheckers.evolution import learners
from evocheckers.evolution.learners import Learners, LearnersSettings, copies, create, rate_now
from evocheckers.evolution.registry import PRESETS, make_settings
from evocheckers.evolution.scheme import ConfigError, RecordedGames
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.driving import drive
from evocheckers.games.openings import mixed_starts, openings, random_starts
from evocheckers.learning.dataset import games_of, own_positions
from evocheckers.networks.spatial import reference as spatial
from evocheckers.rules.board import Board
from evocheckers.runs.file import Run
from evocheckers.runs.schema import KeptGames
from evocheckers.runs.validation import RunError


def settings(**changes: Any) -> LearnersSettings:
    small = {"copies": 3, "depths": [1], "games": [40], "changes": [], "moves_per_side": 25, "steps": 4, "batch": 200}
    return make_settings(learners.SCHEME, {**small, **changes})


def advance(config: LearnersSettings, state: Learners, generation: int = 1) -> Any:
    return drive(learners.step(config, 5, generation, state), ThreadExecutor(2))


def test_random_starts_are_even_positions_with_a_move_to_make():
    starts = random_starts(7, 300, 3, 10)
    for start in starts:
        assert start.black.bit_count() == start.white.bit_count()
        assert Board(start).legal_moves()
    assert len(set(starts)) > 200
    assert {start.turn for start in starts} == {0, 1}
    assert random_starts(7, 10, 3, 10) == starts[:10]
    assert random_starts(8, 10, 3, 10) != starts[:10]


def test_a_start_of_no_plies_is_the_usual_one():
    assert random_starts(1, 2, 0, 0) == [Board().position] * 2


def test_the_first_player_is_the_learner_others_have_jitter():
    config = settings(jitter=0.05, jitter_end=0.05)
    state = create(config, 5)
    first, second, third = copies(config, 5, 1, state)
    assert np.array_equal(first.weights, state.network(0, config).evaluator().weights)
    noise = second.weights - first.weights
    assert 0.03 < noise[noise != 0].std() < 0.07
    assert not np.array_equal(second.weights, third.weights)
    again = copies(config, 5, 1, state)
    assert np.array_equal(second.weights, again[1].weights)
    assert not np.array_equal(second.weights, copies(config, 5, 2, state)[1].weights)


def test_nobody_meets_copies_of_itself_where_there_are_others():
    config = settings(learners=3, games=[500])
    for pairing in learners.pairings(config, 1, 1, 3):
        assert pairing.black // config.copies != pairing.white // config.copies
    met = {(p.black // 3, p.white // 3) for p in learners.pairings(config, 1, 1, 3)}
    assert len(met) == 6


def test_depth_and_games_follow_the_schedule():
    config = settings(depths=[1, 2, 3], games=[30, 20, 10], changes=[0.25, 0.5], schedule=8)
    stages = [config.stage(generation) for generation in range(1, 9)]
    assert stages == [0, 0, 1, 1, 2, 2, 2, 2]
    games = learners.pairings(config, 1, 3, 1)
    assert len(games) == 20
    assert {p.black_plies for p in games} == {2}


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_so_many_games_begin_at_random_starts(share):
    known = set(openings("two-move"))
    found = mixed_starts(3, 400, share, 3, 10)
    assert sum(start not in known for start in found) == pytest.approx(400 * share, abs=40)


def test_a_generation_plays_learns_and_tells():
    config = settings(learners=2)
    before = create(config, 5)
    after, report = advance(config, before)
    assert len(report.games) == 40
    assert not np.array_equal(after.numbers, before.numbers)
    assert after.steps.tolist() == [4, 4]
    assert report.individuals.scores.sum() == 0
    assert np.isfinite(report.individuals.losses).all()
    best = int(np.argmax(report.individuals.scores))
    assert report.best_id == best or report.individuals.scores[0] == report.individuals.scores[1]
    assert np.array_equal(report.best.weights, after.numbers[report.best_id, : spatial.NUMBERS])


def test_learning_lowers_the_loss():
    config = settings(games=[300], steps=60, batch=2000, rate=0.01, moves_per_side=40, trust=0.0)
    state = create(config, 1)
    losses = []
    for generation in range(1, 4):
        state, report = advance(config, state, generation)
        losses.append(float(report.individuals.losses[0]))
    assert losses[-1] < losses[0] - 0.02


def test_own_positions_are_those_of_own_games():
    config = settings(learners=3)
    after, _ = advance(config, create(config, 5))
    (part,) = after.experience
    own = own_positions(after.experience, 1)
    games = games_of(part.positions)[own]
    assert 0 < len(own) < len(part.positions)
    assert ((part.black_ids[games] == 1) | (part.white_ids[games] == 1)).all()


def test_experience_goes_back_as_far_as_memory():
    config = settings(memory=2)
    state = create(config, 5)
    for generation in (1, 2, 3):
        state, _ = advance(config, state, generation)
    assert len(state.experience) == 2


def test_experience_is_rebuilt_from_recorded_games():
    config = settings(learners=2)
    state, report = advance(config, create(config, 5))
    (rebuilt,) = learners.rebuild(config, [RecordedGames(report.black_ids, report.white_ids, report.games)])
    for column, known in zip(rebuilt, state.experience[0], strict=True):
        assert np.array_equal(column, known)


def four(inherit: bool) -> tuple[LearnersSettings, Learners]:
    """Four learners that have learnt something."""
    config = settings(learners=4, inherit=inherit, replaced=0.25, mutation=0.01)
    state, _ = advance(config, create(config, 5))
    return config, state


def test_the_weakest_is_replaced_by_a_child_of_the_strongest():
    config, state = four(inherit=True)
    after = learners.select(config, 5, state, [2, 0, 3, 1])
    assert after.ids.tolist() == [0, 4, 2, 3]
    assert after.parents.tolist() == [-1, 2, -1, -1]
    change = after.numbers[1] - state.numbers[2]
    assert 0.005 < change[: spatial.NUMBERS].std() < 0.02
    assert np.array_equal(change[spatial.NUMBERS :], [0, 0])
    assert np.array_equal(after.mean[1], state.mean[2])
    assert after.rates[1] != state.rates[2]
    assert np.array_equal(after.numbers[[0, 2, 3]], state.numbers[[0, 2, 3]])
    assert not after.points.any()
    assert int(after.next_id) == 5


def test_without_inheritance_all_begin_as_they_were_born():
    config, state = four(inherit=False)
    born = create(config, 5).numbers
    assert not np.array_equal(state.numbers, born)
    after = learners.select(config, 5, state, [2, 0, 3, 1])
    assert np.array_equal(after.numbers[[0, 2, 3]], born[[0, 2, 3]])
    assert 0.005 < (after.numbers[1] - born[2])[: spatial.NUMBERS].std() < 0.02
    assert np.array_equal(after.inborn, after.numbers)
    assert not after.mean.any()
    assert not after.steps.any()


def test_what_the_presets_differ_in():
    alone, lamarck, baldwin = (
        make_settings(learners.SCHEME, PRESETS[name].settings) for name in ("self-play", "lamarck", "baldwin")
    )
    assert alone == make_settings(learners.SCHEME, {})
    assert alone.learners == 1
    assert lamarck.learners > 1
    assert lamarck.select_every > 0
    assert lamarck.inherit
    assert baldwin == lamarck.model_copy(update={"inherit": False})


def test_rates_fall_over_the_schedule():
    config = settings(rate=0.01, rate_end=0.001, schedule=10)
    assert rate_now(config, 1) == 0.01
    assert rate_now(config, 10) == pytest.approx(0.001)
    assert rate_now(config, 20) == pytest.approx(0.001)


@pytest.mark.parametrize(
    "changes",
    [
        {"depths": [1, 2]},
        {"depths": [0]},
        {"games": [0]},
        {"depths": [1, 2], "games": [5, 5], "changes": [1.5]},
        {"depths": [1, 2, 3], "games": [5, 5, 5], "changes": [0.6, 0.5]},
        {"start_plies": [5, 4]},
        {"start_plies": [0, 100]},
        {"jitter": float("inf")},
        {"depths": [2], "games": [1], "changes": []},
        {"learners": 0},
    ],
)
def test_settings_that_do_not_fit_are_refused(changes):
    with pytest.raises(ConfigError):
        settings(**changes)


def test_a_run_keeps_the_moves_that_it_learns_from(tmp_path):
    with pytest.raises(RunError, match="learns from recorded moves"):
        Run.create(tmp_path / "a.sqlite", "self-play", learners.SCHEME, settings(), 1, 3, KeptGames.RESULTS)
    assert not (tmp_path / "a.sqlite").exists()
