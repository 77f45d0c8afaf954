import numpy as np

from evocheckers.bench.ray import Costs, makespan, simulate

FREE = Costs(np.array([1.0]), task=0.0, driver=0.0, network=0.0)


def test_games_alone():
    games = np.random.default_rng(0).exponential(1.0, 400)
    assert np.isclose(makespan(games, 1, FREE)[0], games.sum())
    seconds, tasks = makespan(games, 4, FREE)
    assert games.sum() / 4 <= seconds < 1.1 * games.sum() / 4
    assert tasks > 16
    games[-1] = 1000.0
    assert 1000 <= makespan(games, 100, FREE)[0] < 1010


def test_what_tasks_cost():
    games = np.full(100, 0.001)
    seconds, tasks = makespan(games, 1, Costs(games, task=0.01, driver=0.0, network=0.0))
    assert np.isclose(seconds, 0.1 + 0.01 * tasks)
    seconds, tasks = makespan(games, 50, Costs(games, task=0.0, driver=0.1, network=0.0))
    assert np.isclose(seconds, 0.1 * tasks)


def test_more_cores_are_less_busy():
    costs = Costs(np.random.default_rng(0).exponential(0.03, 600), task=0.002, driver=0.001, network=0.0004)
    lines = [simulate(1000, cores, costs) for cores in (10, 100, 1000)]
    assert lines[0].games == 5000
    assert lines[0].busy > 0.9 > lines[1].busy > lines[2].busy
    assert lines[0].seconds > lines[1].seconds > lines[2].seconds
