"""The social pool, rule by rule."""

import numpy as np
import pytest
from scipy import stats

from evocheckers.evolution import social
from evocheckers.evolution.registry import make_settings
from tests.helpers.driving import drive

SETTINGS: social.SocialSettings = make_settings(social.SCHEME, {"parents": 3, "opponents": 2})
SOCIETY = social.begin(SETTINGS, 1)


def test_the_papers_numbers_are_the_defaults():
    paper = make_settings(social.SCHEME, {})
    assert isinstance(paper, social.SocialSettings)
    assert (paper.individual_every, paper.social_every, paper.keep_from) == (5, 10, 0.9)
    assert social.begin(paper, 1).players.size == 30


def test_an_ordinary_generation_keeps_and_mutates_the_best_half():
    state, report, _ = drive(social.step(SETTINGS, 1, 3, SOCIETY), lambda batch, game: 1)
    assert state.pool.size == 0
    assert state.ids[3:].tolist() == [6, 7, 8]
    assert state.parents[3:].tolist() == state.ids[:3].tolist()
    best = sorted(report.individuals.scores.tolist(), reverse=True)[:3]
    rows = [int(np.flatnonzero(SOCIETY.ids == i)[0]) for i in state.ids[:3]]
    assert [int(report.individuals.scores[row]) for row in rows] == best


def test_multiples_of_m_copy_all_the_best_to_the_pool():
    state, _, _ = drive(social.step(SETTINGS, 1, 5, SOCIETY), lambda batch, game: 0)
    assert state.pool.size == 6  # all drew, so all are best
    assert state.pool_scores.tolist() == [0] * 6
    assert np.array_equal(state.pool.weights, SOCIETY.weights)
    assert state.ids[3:].tolist() == [6, 7, 8]
    again, _, _ = drive(social.step(SETTINGS, 1, 15, state), lambda batch, game: 0)
    assert again.pool.size == 9  # the three kept update their entries, the three offspring are new


def test_the_pools_rule_as_printed():
    printed: social.SocialSettings = make_settings(social.SCHEME, {"parents": 3, "opponents": 2, "pool": "printed"})
    state, _, _ = drive(social.step(printed, 1, 5, SOCIETY), lambda batch, game: 0)
    again, _, _ = drive(social.step(printed, 1, 15, state), lambda batch, game: 0)
    assert again.pool.size == 12  # the three kept are copied again
    scores = np.array([10, 9, 9, 9, 9, 10])
    learnt = social.learn(printed, 1, 10, SOCIETY, scores)
    assert learnt.pool_scores.tolist() == [10, 10]
    assert learnt.origins[[0, 5]].tolist() == [-1, -1]  # they have published, not drawn from the pool
    drawn = learnt._replace(origins=np.array([0, -1, -1, -1, -1, -1]))
    assert social.learn(printed, 1, 20, drawn, scores + 1).pool_scores.tolist() == [11, 10, 11]


def test_multiples_of_n_do_not_select():
    state, report, _ = drive(social.step(SETTINGS, 1, 10, SOCIETY), lambda batch, game: batch.pairings[game].black % 2)
    lowest, highest = report.individuals.scores.min(), report.individuals.scores.max()
    value = (report.individuals.scores - lowest) / (highest - lowest)
    published = np.flatnonzero(value == 1)
    assert state.pool.ids.tolist() == SOCIETY.ids[published].tolist()
    for row in np.flatnonzero(value >= 0.9):
        assert state.ids[row] == SOCIETY.ids[row]


def test_a_strategy_from_the_pool_updates_its_score_there():
    scores = np.array([5, 0, 0, 0, 0, 0])
    society = social.publish(SOCIETY, np.array([0]), scores)
    assert (society.pool_scores.tolist(), society.origins.tolist()) == ([5], [0, -1, -1, -1, -1, -1])
    society = social.publish(society, np.array([0, 1]), np.array([7, 7, 0, 0, 0, 0]))
    assert society.pool_scores.tolist() == [7, 7]
    assert society.pool.size == 2


def test_below_the_bar_it_is_one_third_each():
    settings: social.SocialSettings = make_settings(social.SCHEME, {"parents": 1500})
    count = 3000
    society = social.begin(make_settings(social.SCHEME, {"parents": 2}), 1)
    rows = np.arange(count) % 4
    society = society._replace(**society.players.take(rows)._asdict(), origins=np.full(count, -1))
    society = society._replace(ids=np.arange(count), next_id=np.array(count))
    scores = np.zeros(count, np.int64)
    scores[0] = 10
    learnt = social.learn(settings, 1, 10, society, scores)
    taken = int((learnt.parents[1:] == 0).sum())
    kept = int((learnt.ids[1:] < count).sum())
    new = count - 1 - taken - kept
    assert stats.chisquare([taken, kept, new]).pvalue > 0.001
    assert learnt.ids[0] == 0
    took = np.flatnonzero(learnt.parents == 0)
    assert np.all(learnt.origins[took] == 0)
    assert np.array_equal(learnt.weights[took[0]], society.weights[0])


def test_scores_in_the_upper_tenth_are_kept():
    scores = np.array([10, 9, 9, 0, 0, 0])
    for seed in range(20):
        learnt = social.learn(SETTINGS, seed, 10, SOCIETY, scores)
        assert learnt.ids[:3].tolist() == [0, 1, 2]


def test_equal_scores_change_nothing():
    assert social.learn(SETTINGS, 1, 10, SOCIETY, np.zeros(6, np.int64)) is SOCIETY


@pytest.mark.parametrize(("scores", "shares"), [([-3, 0, 3], [0, 1 / 3, 2 / 3]), ([4, 4], [0.5, 0.5]), ([-7], [1])])
def test_the_wheel_is_fair_and_takes_negative_scores(scores, shares):
    from evocheckers.native.randomness import key

    drawn = [social.wheel(np.array(scores), key(1, i)) for i in range(6000)]
    observed = [drawn.count(row) / 6000 for row in range(len(scores))]
    assert np.allclose(observed, shares, atol=0.025)
