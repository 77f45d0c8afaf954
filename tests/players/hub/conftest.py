"""Shared by the tests of engines."""

import os
import threading
from collections.abc import Iterator

import pytest

from tests.helpers.engines import Fakes


@pytest.fixture
def fakes(tmp_path) -> Iterator[Fakes]:
    threads = threading.active_count()
    descriptors = len(os.listdir("/dev/fd"))
    yield Fakes(tmp_path)
    assert threading.active_count() == threads
    assert len(os.listdir("/dev/fd")) == descriptors
