"""A cluster at whose address nobody answers: one line, soon."""

import socket
import subprocess
import sys
import time

import pytest

from evocheckers.executors import ray as cluster
from evocheckers.executors.ray import ClusterError, _check_reachable


@pytest.fixture
def closed_port():
    """A port that was free a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.parametrize("form", ["127.0.0.1:{}", "ray://127.0.0.1:{}"])
def test_nobody_answers(closed_port, form):
    with pytest.raises(ClusterError, match=r"no Ray cluster at .*127.0.0.1:\d+: connection refused"):
        _check_reachable(form.format(closed_port))


def test_somebody_who_does_not_answer_in_time(monkeypatch):
    def silent(address, timeout):
        assert address == ("192.0.2.1", 6379)
        assert timeout == cluster.CONNECT_SECONDS
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", silent)
    with pytest.raises(ClusterError, match=r"no Ray cluster at 192.0.2.1:6379: timed out"):
        _check_reachable("192.0.2.1:6379")


def test_other_words_are_left_to_ray():
    _check_reachable("auto")


def test_the_command(closed_port, tmp_path):
    pytest.importorskip("ray")
    words = ["evolve", "es", "--executor", "ray", "--address", f"127.0.0.1:{closed_port}"]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "evocheckers", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert time.monotonic() - began < 30
    assert done.returncode == 2
    assert done.stderr == f"evocheckers: no Ray cluster at 127.0.0.1:{closed_port}: connection refused\n"
    assert list(tmp_path.iterdir()) == []
