import numpy as np

from evocheckers.bench.workload import multiply_adds_of, timed_lesson
from evocheckers.learning.trainer import learn
from evocheckers.networks.network import Network
from tests.learning.reference import random_rows


def test_a_timed_lesson_can_be_learnt():
    lesson = timed_lesson(Network.random(np.random.default_rng(1)), random_rows(300)[:, :3], steps=2, batch=256)
    assert multiply_adds_of(lesson) == 3 * 5046 * 512
    assert learn(lesson)[0].steps == 2
