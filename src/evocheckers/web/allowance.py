"""Rate limit per address for requests that cost the server more than a move: runs, analyses, reviews, PDN."""

import re
import time
from collections import OrderedDict
from collections.abc import Callable

PER_SECOND, AT_ONCE = 10.0, 60
"""Sustained rate of requests, and the largest burst after a pause."""
KEPT_ADDRESSES = 1000
LARGE_BODY = 2000
"""Size in bytes above which a new game counts as one from PDN."""
_COSTLY = re.compile(r"/api/(runs|analysis|reviews|breeding)\b")


def is_costly(method: str, path: str, length: int) -> bool:
    """Whether a request is rate-limited."""
    return bool(_COSTLY.match(path)) or (method == "POST" and path == "/api/games" and length > LARGE_BODY)


class Allowance:
    """What each address has left."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: how much was left, and when."""

    def take(self, address: str) -> bool:
        """Whether to grant one more request."""
        now = self._clock()
        left, then = self._left.pop(address, (float(AT_ONCE), now))
        left = min(float(AT_ONCE), left + (now - then) * PER_SECOND)
        granted = left >= 1
        self._left[address] = left - granted, now
        while len(self._left) > KEPT_ADDRESSES:
            self._left.popitem(last=False)
        return granted
