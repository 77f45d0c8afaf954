import threading
import time

import numpy as np
import pytest

from evocheckers.games.batch import GameRules, Pairing, play_batch
from evocheckers.learning.adam import Rates
from evocheckers.learning.dataset import WHITE_BIT, games_of, labels_of, positions_of
from evocheckers.learning.gradient import LEARNING, gradient
from evocheckers.learning.trainer import Learner, TrainingTask, train, train_all
from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.gradient_layout import LearningError
from evocheckers.networks.network import Network
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import Leaf, SearchRules
from tests.learning.reference import Reference, random_rows

ROWS = random_rows(3000)
GAMES = positions_of(
    play_batch([piece_differential()], [Pairing(0, 0, seed, 0, 0) for seed in range(20)], GameRules(max_plies=120))
)


def learner(kind=Kind.SPATIAL, seed=1):
    return Learner.of(Network.random(np.random.default_rng(seed), kind=kind))


def same(one, other):
    arrays = ("numbers", "mean", "square")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)


@pytest.mark.parametrize("kind", list(LEARNING), ids=lambda kind: kind.name)
def test_threads_change_no_bit(kind):
    task = TrainingTask(learner(kind), ROWS, seed=5, steps=6, batch=1300)
    one, loss = train(task, threads=1)
    for threads in (2, 4):
        other, other_loss = train(task, threads)
        assert same(one, other)
        assert loss == other_loss
    assert not np.array_equal(one.numbers, task.learner.numbers)
    assert one.steps == 6


def test_whole_learners_by_thread_change_no_bit():
    tasks = [TrainingTask(learner(seed=i), ROWS, seed=i, steps=3, batch=600) for i in range(5)]
    alone = [train(task, threads=1) for task in tasks]
    together = train_all(tasks, threads=2)
    for (one, loss), (other, other_loss) in zip(alone, together, strict=True):
        assert same(one, other)
        assert loss == other_loss


@pytest.mark.parametrize("kind", list(LEARNING), ids=lambda kind: kind.name)
def test_loss_goes_down(kind):
    begun = learner(kind)
    before = gradient(kind, begun.numbers, ROWS)[1]
    after, _ = train(TrainingTask(begun, ROWS, seed=1, steps=60, batch=1024, rates=Rates(0.01)))
    assert gradient(kind, after.numbers, ROWS)[1] < before - 0.02


def test_first_step_follows_the_gradient():
    """With all positions alike, the batch is known, and Adam's first step is its rate against each slope's sign."""
    rows = ROWS[:1]
    begun = learner()
    slopes, loss = gradient(Kind.SPATIAL, begun.numbers, rows)
    after, mean_loss = train(TrainingTask(begun, rows, seed=1, steps=1, batch=512, rates=Rates(0.001)))
    assert mean_loss == pytest.approx(loss)
    large = np.abs(slopes) > 1e-4
    moved = after.numbers - begun.numbers
    np.testing.assert_allclose(moved[large], -0.001 * np.sign(slopes[large]), atol=1e-6)


def test_training_goes_on_where_it_ended():
    begun = learner()
    half, _ = train(TrainingTask(begun, ROWS, seed=1, steps=1, batch=512))
    whole, _ = train(TrainingTask(half, ROWS, seed=1, steps=1, batch=512))
    fresh, _ = train(
        TrainingTask(Learner(half.kind, half.numbers, half.mean, half.square), ROWS, seed=1, steps=1, batch=512)
    )
    assert whole.steps == 2
    assert not np.array_equal(whole.numbers, fresh.numbers)


def test_own_positions_and_those_of_all():
    """With a share of none, only own positions count; with a share of one, only the whole; in between, both."""
    own = np.flatnonzero(np.arange(len(ROWS)) % 7 == 0).astype(np.uint32)
    begun = learner()

    def loss(**settings):
        return train(TrainingTask(begun, settings.pop("rows", ROWS), seed=3, steps=1, batch=4096, **settings))[1]

    picked, everything = loss(own=own), loss()
    assert picked == loss(rows=ROWS[own])
    assert loss(own=own, social_share=1.0) == everything
    assert len({picked, everything, loss(own=own, social_share=0.5)}) == 3


@pytest.mark.parametrize("kind", [Kind.SPATIAL, Kind.DENSE_128], ids=lambda kind: kind.name)
@pytest.mark.parametrize("ahead", [1, 4])
def test_a_target_is_partly_what_the_learner_expects_later(kind, ahead):
    begun = learner(kind)
    values = np.exp(begun.numbers[-1]) * Reference(kind, GAMES).values(begun.numbers.astype(np.float64))
    games, white = games_of(GAMES), GAMES[:, 3] & WHITE_BIT
    in_game = [at for at in range(200) if games[at] == games[at + ahead]]
    at_its_end = [at for at in range(200) if games[at] != games[at + ahead]]
    other_side = [at for at in in_game if white[at] != white[at + ahead]]
    same_side = [at for at in in_game if white[at] == white[at + ahead]]
    places = (*other_side[:2], *same_side[:2], *at_its_end[:2])
    assert len(places) == 6
    for at in places:
        later = values[at + ahead] * (1 if white[at] == white[at + ahead] else -1)
        target = labels_of(GAMES)[at]
        if at in in_game:
            target = 0.75 * target + 0.25 / (1 + np.exp(-later))
        expected = np.logaddexp(0, values[at]) - target * values[at]
        own = np.array([at], np.uint32)
        loss = train(TrainingTask(begun, GAMES, seed=1, steps=1, batch=300, own=own, trust=0.25, ahead=ahead))[1]
        assert loss == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_threads_change_no_bit_of_what_is_expected():
    task = TrainingTask(learner(), GAMES, seed=5, steps=6, batch=1300, trust=0.5, ahead=3)
    one, loss = train(task, threads=1)
    other, other_loss = train(task, threads=4)
    assert same(one, other)
    assert loss == other_loss
    assert not same(one, train(TrainingTask(learner(), GAMES, seed=5, steps=6, batch=1300))[0])


def test_king_value_stays_in_its_range():
    task = TrainingTask(learner(), ROWS, seed=1, steps=20, batch=512, rates=Rates(0.2), king_range=(1.9, 2.05))
    king_value = train(task)[0].numbers[-2]
    assert np.float32(1.9) <= king_value <= np.float32(2.05)


def test_network_of_a_learner():
    network = learner().network(generation=3)
    assert (network.king_value, network.rules) == (2.0, SearchRules(leaf=Leaf.MOVER, extensions=0))
    assert network.source == {"generation": 3}
    assert np.array_equal(network.weights, learner().numbers[:5046])
    assert learner(Kind.DENSE_128).network().king_value is None


def test_interrupt_ends_all_threads(monkeypatch):
    task = TrainingTask(learner(), ROWS, seed=1, steps=1_000_000, batch=2048)
    train(TrainingTask(learner(), ROWS, seed=1, steps=1, batch=512))  # compiled
    waited = threading.Event.wait
    calls = []

    def interrupted(event, timeout=None):
        calls.append(event)
        if 2 < len(calls) < 6:  # the first two are the starts of the threads; impatient users interrupt several times
            time.sleep(0.2)
            raise KeyboardInterrupt
        return waited(event, timeout)

    monkeypatch.setattr(threading.Event, "wait", interrupted)
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        train(task, threads=2)
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": 0}, "0 steps"),
        ({"batch": 0}, "of 0 positions"),
        ({"social_share": 1.5}, "1.5"),
        ({"trust": 1.5}, "a trust of 1.5"),
        ({"ahead": 0}, "0 positions later"),
        ({"positions": ROWS[:0]}, "no positions"),
        ({"positions": ROWS[:, :3]}, "rows of 4 words"),
        ({"positions": ROWS.astype(np.int64)}, "of 32 bits"),
        ({"own": np.empty(0, np.uint32)}, "no positions"),
        ({"own": np.array([len(ROWS)], np.uint32)}, "below 3000"),
        ({"learner": Learner(Kind.MATERIAL, np.zeros(2), np.zeros(2), np.zeros(2))}, "MATERIAL"),
    ],
)
def test_bad_tasks(settings, message):
    good = {"learner": learner(), "positions": ROWS, "seed": 1, "steps": 1}
    with pytest.raises(LearningError, match=message):
        TrainingTask(**good | settings)
