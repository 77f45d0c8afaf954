"""Waiting for something to happen, instead of sleeping and hoping."""

import time
from collections.abc import Callable

POLL_SECONDS = 0.02


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Return as soon as something is true; fail if it does not come true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:g} s in vain"
        time.sleep(POLL_SECONDS)
