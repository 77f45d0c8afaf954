import time

import numpy as np
import pytest

from evocheckers.native import clock
from evocheckers.native.compile import entry
from evocheckers.native.intrinsics import pointer_to


@entry
def _compiled_now(room: np.ndarray) -> int:
    return clock.nanoseconds(pointer_to(room))


@pytest.mark.skipif(not clock.IS_HERE, reason="the clock is POSIX's")
def test_compiled_code_and_python_read_the_same_clock():
    room = np.zeros(clock.WORDS, np.int64)
    _compiled_now(room)  # compiled
    for _ in range(3):
        before, between, after = clock.now(), _compiled_now(room), clock.now()
        assert before <= between <= after
        time.sleep(0.01)
