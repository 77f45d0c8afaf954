import numpy as np

from evocheckers.bench.workload import multiply_adds_of, timed_task
from evocheckers.learning.trainer import train
from evocheckers.networks.network import Network
from tests.learning.reference import random_rows


def test_a_timed_task_can_be_learnt():
    task = timed_task(Network.random(np.random.default_rng(1)), random_rows(300)[:, :3], steps=2, batch=256)
    assert multiply_adds_of(task) == 3 * 5046 * 512
    assert train(task)[0].steps == 2
