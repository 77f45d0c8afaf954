"""The processes of engines: they end with the client, and whatever they started ends with them."""

import gc
import subprocess
import sys
import textwrap
import time

import pytest

from evocheckers.players.hub.client import EngineFailure, ExternalEngine
from tests.helpers.engines import GOOD, Fakes, choose
from tests.helpers.waiting import wait_until


def test_a_stubborn_engine_is_killed_with_its_children(fakes):
    start = textwrap.dedent("""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], stdin=subprocess.DEVNULL)
        open(sys.argv[0] + ".child", "w").write(str(child.pid))
    """)
    engine = ExternalEngine(fakes(start=start, quitting="time.sleep(60)"))
    child = int((fakes.folder / "engine.py.child").read_text())
    began = time.monotonic()
    engine.close()
    engine.close()
    assert 1 < time.monotonic() - began < 5
    fakes.assert_all_gone()
    wait_until(lambda: has_ended(child), 5)


DAEMON = """
        for name in {names}:
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    signal.signal(signal.SIGHUP, signal.SIG_IGN)
                    with open(sys.argv[0] + "." + name + ".part", "w") as file:
                        file.write(str(os.getpid()))
                    os.rename(file.name, sys.argv[0] + "." + name)
                    if name == "executed":
                        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"], {{}})
                    time.sleep(60)
                os._exit(0)
            os.wait()
        while not all(os.path.exists(sys.argv[0] + "." + name) for name in {names}):
            time.sleep(0.01)
"""
"""Starts processes that leave the group and the session, lose their parent, and shed even their environment."""


def has_ended(pid: int) -> bool:
    """Whether a process that is not our child runs no more; its zombie is for somebody else to collect."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)  # noqa: S607
    return not found.stdout.strip() or found.stdout.startswith("Z")


def daemons(fakes: Fakes) -> list[int]:
    return [int((fakes.folder / f"engine.py.{name}").read_text()) for name in ("forked", "executed")]


@pytest.fixture
def daemon() -> str:
    if sys.platform != "linux":
        pytest.skip("only Linux hands orphans to a process of our choice")
    return textwrap.dedent(DAEMON.format(names=("forked", "executed")))


STOPPED = "os.kill(os.getppid(), signal.SIGSTOP); time.sleep(60)"


@pytest.mark.parametrize("go", [GOOD, "os._exit(5)", "time.sleep(60)", "os.kill(os.getpid(), 11)", STOPPED])
def test_children_that_leave_the_group_end_with_the_engine(fakes, daemon, go):
    with ExternalEngine(fakes(go, start=daemon)) as engine:
        assert not any(map(has_ended, daemons(fakes)))
        engine.timeout_seconds = 0.5
        if go == GOOD:
            assert choose(engine) == "11-15"
            assert not any(map(has_ended, daemons(fakes)))
        else:
            with pytest.raises(EngineFailure, match=r"died \((exit status 5|signal 11)\)|no answer"):
                choose(engine)
            assert all(map(has_ended, daemons(fakes)))
    assert all(map(has_ended, daemons(fakes)))
    fakes.assert_all_gone()


def test_children_of_one_engine_only(fakes, daemon, tmp_path):
    """Another engine beside it, and a program that is none, go on."""
    other = Fakes(tmp_path / "other")
    other.folder.mkdir()
    sleeper = subprocess.Popen(["sleep", "60"])  # noqa: S607
    with ExternalEngine(other(start=daemon)) as engine:
        with ExternalEngine(fakes(start=daemon)):
            pass
        assert all(map(has_ended, daemons(fakes)))
        assert not any(map(has_ended, [*daemons(other), sleeper.pid]))
        assert choose(engine) == "11-15"
    sleeper.kill()
    sleeper.wait()
    assert all(map(has_ended, daemons(other)))


def test_an_engine_ends_when_we_are_killed(fakes, daemon):
    text = (
        f"from evocheckers.players.hub.client import ExternalEngine\nengine = ExternalEngine({fakes(start=daemon)!r})\n"
    )
    text += "print(flush=True); import time; time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline()
    process.kill()
    process.communicate()
    wait_until(lambda: all(map(has_ended, [*fakes.pids, *daemons(fakes)])), 10)


def test_a_polite_engine_ends_by_itself(fakes):
    engine = ExternalEngine(fakes(quitting="open(sys.argv[0] + '.bye', 'w').close(); break"))
    engine.close()
    assert (fakes.folder / "engine.py.bye").exists()
    fakes.assert_all_gone()
    with pytest.raises(EngineFailure, match="is not running"):
        choose(engine)


def test_a_forgotten_engine_is_ended(fakes):
    engine = ExternalEngine(fakes())
    assert engine.is_running
    del engine
    gc.collect()
    fakes.assert_all_gone()


def test_an_engine_left_open_ends_with_python(fakes):
    text = f"from evocheckers.players.hub.client import ExternalEngine\nengine = ExternalEngine({fakes()!r})"
    subprocess.run([sys.executable, "-c", text], check=True, timeout=30)
    assert len(fakes.pids) == 1
    fakes.assert_all_gone()
