import numpy as np

from evocheckers.learning.dataset import Experience, all_positions


def part(*numbers):
    rows = np.array([[number] * 4 for number in numbers], np.uint32).reshape(-1, 4)
    return Experience(rows, np.zeros(1, np.int64), np.zeros(1, np.int64))


def test_positions_of_several_generations_stand_one_after_the_other():
    for parts in ([(1, 2), (3,)], [(4,)], [()], [tuple(range(100)), (7, 8)], [(9,), (10, 11)]):
        joined = all_positions([part(*numbers) for numbers in parts])
        assert joined[:, 0].tolist() == [number for numbers in parts for number in numbers]
        assert joined.shape[1] == 4
