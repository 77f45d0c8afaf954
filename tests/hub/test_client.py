"""The client against small programs that misbehave in every way."""

import gc
import os
import shlex
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evocheckers import Board, EvocheckersError, Limit
from evocheckers.hub.client import EngineFailure, ExternalEngine
from evocheckers.rules.errors import IllegalMoveError
from evocheckers.rules.fen import START
from evocheckers.search.searcher import SearchError
from tests.helpers.waiting import wait_until

FRAME = """
import os, signal, subprocess, sys, time

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

with open({pids!r}, "a") as file:
    file.write(f"{{os.getpid()}}\\n")
{start}
for line in sys.stdin:
    with open({log!r}, "a") as file:
        file.write(line)
    command = line.split()[0]
    if command == "hub":
        say("Welcome to a banner = that is no Hub")
        say('id name="Fake engine"')
        say('{param}')
        say("wait")
    elif command == "init":
        say("loading...")
        say("ready")
    elif command == "ping":
        say("pong")
    elif command == "quit":
        {quit}
    elif command == "go":
{go}
"""

GOOD = 'say("info depth=1 score=0.1"); say("done move=11-15 ponder=22-18")'
VARIANTS = 'param name=variant value=normal type=enum values="normal english"'


class Fakes:
    """Writes fake engines and knows which processes they were."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pid_file, self.log_file = folder / "pids", folder / "log"

    def __call__(self, go: str = GOOD, start: str = "", quitting: str = "break", param: str = VARIANTS) -> str:
        """The command of an engine that does ``go`` when asked for a move."""
        path = self.folder / "engine.py"
        go = textwrap.indent(textwrap.dedent(go), " " * 8)
        pids, log = str(self.pid_file), str(self.log_file)
        path.write_text(FRAME.format(pids=pids, log=log, start=start, go=go, quit=quitting, param=param))
        return shlex.join([sys.executable, "-I", "-S", str(path)])

    @property
    def pids(self) -> list[int]:
        return [int(line) for line in self.pid_file.read_text().split()]

    @property
    def log(self) -> list[str]:
        return self.log_file.read_text().splitlines()

    def assert_all_gone(self) -> None:
        """Ended and waited for: not even zombies."""
        for pid in self.pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


@pytest.fixture
def fakes(tmp_path) -> Iterator[Fakes]:
    threads = threading.active_count()
    descriptors = len(os.listdir("/dev/fd"))
    yield Fakes(tmp_path)
    assert threading.active_count() == threads
    assert len(os.listdir("/dev/fd")) == descriptors


def choose(engine: ExternalEngine, limit: Limit | None = None) -> str:
    return str(engine.choose(START, [], limit or Limit(plies=2)))


def test_a_good_engine(fakes):
    with ExternalEngine(fakes()) as engine:
        assert engine.is_running
        engine.new_game()
        assert choose(engine) == "11-15"
        board = Board().push_all(["9-14", "22-18", "14-17", "21x14"])
        with pytest.raises(EngineFailure):  # 11-15 is no answer to that
            engine.choose(START, board.moves, Limit(seconds=0.5))
    fakes.assert_all_gone()
    assert fakes.log == [
        "hub",
        "set-param name=variant value=english",
        "init",
        "new-game",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "level depth=2",
        "go think",
        'pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves="9-14 22-18 14-17 21x14x17"',
        "level move-time=0.500",
        "go think",
    ]


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        ("time.sleep(60)", "no answer within 0.5 s"),
        ("while True: say('info depth=1'); time.sleep(0.01)", "no answer within 0.5 s"),
        ("say('done move=11-16x')", "unreadable move '11-16x'"),
        ("say('done move=12-17')", "illegal move 12-17"),
        ("say('done move=22-18')", "illegal move 22-18"),
        ("say('done')", "answered without a move"),
        ("say('done move=\\'11-15')", "unreadable move ''11-15'"),
        ("say('done move=\"11-15')", "unreadable answer 'done move='11-15'"),
        ("say('done move=11-15 move=11-15')", "unreadable answer 'done move=11-15 move=11-15'"),
        ("say('error message=\"I give up\"')", "answered with an error: I give up"),
        ("sys.exit(3)", "died (exit status 3)"),
        ("sys.stdout.write('done mo'); sys.stdout.flush(); os._exit(0)", "died (exit status 0)"),
        ("os.kill(os.getpid(), 9)", "died (signal 9)"),
        ("os.close(1); time.sleep(60)", "closed its output"),
        ("while True: say('info')", "more than 10000 lines in one answer"),
        ("while True: sys.stdout.write('x' * 1000)", "more than 1024 KiB in one answer"),
        ("while True: say('x' * 100_000)", "more than 1024 KiB in one answer"),
        ("os.write(1, bytes(range(256)) * 10 + b'\\n'); os._exit(1)", "died (exit status 1)"),
        (
            "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); os._exit(5)",
            "died (exit status 5)",
        ),
    ],
)
def test_failures_in_the_middle_of_a_game(fakes, go, reason):
    command = fakes(go)
    with ExternalEngine(command) as engine:
        engine.timeout_seconds = 0.5 if "within" in reason else 5
        engine.new_game()
        began = time.monotonic()
        with pytest.raises(EngineFailure) as caught:
            choose(engine)
        assert time.monotonic() - began < 5
        assert caught.value.reason == reason
        assert str(caught.value).startswith("engine '")
        assert str(caught.value).endswith(f"': {reason}")
        assert "\n" not in str(caught.value)
        fakes.assert_all_gone()
        assert not engine.is_running
        with pytest.raises(EngineFailure, match="is not running"):
            choose(engine)
        engine.timeout_seconds = 10
        fakes()
        engine.new_game()
        assert choose(engine) == "11-15"
    fakes.assert_all_gone()
    assert len(fakes.pids) == 2


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("sys.exit(1)", "died (exit status 1)"),
        ("raise RuntimeError('loud')", "died (exit status 1)"),
        ("time.sleep(60)", "no answer within 1 s"),
        ("while True: say('hello' * 10_000)", "more than 1024 KiB in one answer"),
    ],
)
def test_failures_at_the_start(fakes, start, reason):
    with pytest.raises(EngineFailure) as caught:
        ExternalEngine(fakes(start=start), timeout_seconds=1)
    assert caught.value.reason == reason
    fakes.assert_all_gone()


def test_an_engine_for_another_game(fakes):
    with pytest.raises(EngineFailure, match="does not play variant english, only normal, killer"):
        ExternalEngine(fakes(param='param name=variant value=normal type=enum values="normal killer"'))
    fakes.assert_all_gone()


@pytest.mark.parametrize("param", ["param name=variant value=english type=enum values=english", "param name=book"])
def test_the_variant_is_set_only_where_it_must_be(fakes, param):
    with ExternalEngine(fakes(param=param)) as engine:
        assert choose(engine) == "11-15"
    assert fakes.log[:2] == ["hub", "init"]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program-anywhere hub", "command not found"),
        ("", "the command is empty"),
        ("'unclosed", "cannot read the command: no closing quotation"),
        ("/", "cannot be started: Permission denied"),
        ("a\0b", "cannot be started: embedded null byte"),
    ],
)
def test_commands_that_start_nothing(command, reason):
    with pytest.raises(EngineFailure) as caught:
        ExternalEngine(command)
    assert caught.value.reason == reason
    assert isinstance(caught.value, EvocheckersError)


def test_bad_timeouts():
    for seconds in (0, -1, float("inf"), float("nan")):
        with pytest.raises(EngineFailure, match="timeout"):
            ExternalEngine("anything", seconds)


def test_a_time_limit_is_the_deadline(fakes):
    with ExternalEngine(fakes("time.sleep(60)")) as engine:
        engine.timeout_seconds = 0.3
        with pytest.raises(EngineFailure, match=r"no answer within 0\.5 s"):
            choose(engine, Limit(seconds=0.2))


def test_an_engine_that_ignores_everything_is_killed_with_its_children(fakes):
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
    text = f"from evocheckers.hub.client import ExternalEngine\nengine = ExternalEngine({fakes(start=daemon)!r})\n"
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
    text = f"from evocheckers.hub.client import ExternalEngine\nengine = ExternalEngine({fakes()!r})"
    subprocess.run([sys.executable, "-c", text], check=True, timeout=30)
    assert len(fakes.pids) == 1
    fakes.assert_all_gone()


def test_an_engine_that_died_between_games_is_started_again(fakes):
    with ExternalEngine(fakes(GOOD + "; os._exit(0)")) as engine:
        for game in range(3):
            engine.new_game()
            assert choose(engine) == "11-15"
            deadline = time.monotonic() + 5
            while engine.is_running:
                assert time.monotonic() < deadline
            assert len(fakes.pids) == game + 1
            fakes.assert_all_gone()


def test_answers_nobody_asked_for_are_dropped(fakes):
    talk = "say('done move=11-15'); say('done move=12-16'); say('info'); open(sys.argv[0] + '.said', 'a').write('.')"
    said = fakes.folder / "engine.py.said"
    with ExternalEngine(fakes(talk)) as engine:
        for times in range(1, 4):
            assert choose(engine) == "11-15"
            wait_until(lambda: said.exists() and len(said.read_text()) == times)  # noqa: B023 - called at once


def call_often(function: Callable[[], None]) -> None:
    for _ in range(100_000):
        function()


def test_an_engine_that_does_not_read(fakes):
    """A full pipe may not block for ever."""
    start = "for line in sys.stdin:\n    say('wait'); say('ready')\n    if 'init' in line: time.sleep(60)"
    with ExternalEngine(fakes(start=start)) as engine:
        engine.timeout_seconds = 0.5
        with pytest.raises(EngineFailure, match=r"does not read its input for 0\.5 s"):
            call_often(engine.new_game)
    fakes.assert_all_gone()


def test_what_the_caller_does_wrong_is_not_the_engine_s_failure(fakes):
    with ExternalEngine(fakes()) as engine:
        with pytest.raises(IllegalMoveError):
            engine.choose(START, [Board("B:W32:B20").parse("20-24")], Limit(plies=1))
        with pytest.raises(SearchError, match="no legal move"):
            engine.choose(Board("B:W32:B").position, [], Limit(plies=1))
        assert choose(engine) == "11-15"
    assert len(fakes.pids) == 1


SERVER = """
from evocheckers.evaluation.evaluator import piece_differential
from evocheckers.hub.server import serve_stdio
from evocheckers.search.searcher import Searcher

serve_stdio("material", "1.0", Searcher(piece_differential()))
"""


def test_client_and_server_play_a_game(tmp_path):
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    limits = [Limit(plies=3), Limit(seconds=0.05), Limit(nodes=500)]
    with ExternalEngine(shlex.join([sys.executable, str(script)]), timeout_seconds=60) as engine:
        engine.new_game()
        for start in ("B:W21-32:B1-12", "W:WK3,22,30:BK10,18,25,K27"):
            board = Board(start)
            engine.new_game()
            for ply in range(12):
                if not board.legal_moves():
                    break
                board.push(engine.choose(Board(start).position, board.moves, limits[ply % 3]))
            assert board.moves
