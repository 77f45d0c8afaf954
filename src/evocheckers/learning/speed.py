"""A lesson of known work, timed to measure how much of a processor learning uses."""

import numpy as np

from evocheckers.evaluation.network import Network
from evocheckers.learning.learner import Learner, Lesson
from evocheckers.native.randomness import integers

_RESULTS = 3


def timed_lesson(network: Network, boards: np.ndarray, steps: int, batch: int = 8192) -> Lesson:
    """A lesson on given boards (rows ``own, opp, kings``) with random results: what is learnt does not matter."""
    results = integers(1, len(boards), _RESULTS).astype(np.uint32)
    return Lesson(Learner.of(network), np.column_stack([boards, results]), seed=1, steps=steps, batch=batch)


def multiply_adds_of(lesson: Lesson) -> int:
    """The fewest multiply-adds that a lesson needs."""
    return lesson.learner.shape.multiply_adds * lesson.steps * lesson.batch
