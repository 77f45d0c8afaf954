"""Files that appear when they are whole, whoever is killed and whoever writes beside."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evocheckers.files import Unfinished
from tests.helpers.waiting import wait_until

KILLED = """
import os, signal, sys
from pathlib import Path
from evocheckers.files import Unfinished
with Unfinished(Path(sys.argv[1])) as part:
    part.path.write_bytes(b"half of it, and longer than what comes next")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def write(path: Path, data: bytes) -> None:
    with Unfinished(path) as part:
        part.path.write_bytes(data)
        part.finish()


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "file"
    with Unfinished(path) as part:
        part.path.write_bytes(b"new")
        assert not path.exists()
        part.finish()
    assert path.read_bytes() == b"new"
    with Unfinished(path) as part:
        part.path.write_bytes(b"newer")
    assert path.read_bytes() == b"new"  # it was not finished
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_what_a_killed_one_left_is_used_up(tmp_path):
    path = tmp_path / "file"
    for _ in range(3):
        assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
        assert len(os.listdir(tmp_path)) == 1
        assert not path.exists()
    write(path, b"whole")
    assert os.listdir(tmp_path) == ["file"]
    assert path.read_bytes() == b"whole"


@pytest.mark.skipif(os.name == "nt", reason="locks")
def test_one_after_the_other(tmp_path):
    path = tmp_path / "file"
    second = threading.Thread(target=write, args=(path, b"second"))
    with Unfinished(path) as part:
        part.path.write_bytes(b"fir")
        second.start()
        second.join(0.2)
        assert second.is_alive()
        part.path.write_bytes(b"first")
        part.finish()
        assert path.read_bytes() == b"first"
    wait_until(lambda: not second.is_alive())
    assert path.read_bytes() == b"second"
    assert os.listdir(tmp_path) == ["file"]


def test_long_names(tmp_path):
    path = tmp_path / ("x" * 255)
    write(path, b"1")
    assert os.listdir(tmp_path) == [path.name]
