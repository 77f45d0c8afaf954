"""The client against small programs that misbehave in every way."""

import shlex
import sys
import time
from collections.abc import Callable

import pytest

from evocheckers import Board, EvocheckersError, Limit
from evocheckers.players.hub.client import EngineFailure, ExternalEngine
from evocheckers.rules.fen import START
from evocheckers.rules.notation import IllegalMoveError
from evocheckers.search.limit import SearchError
from tests.helpers.engines import GOOD, choose
from tests.helpers.waiting import wait_until


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
        with pytest.raises(EngineFailure, match=r"did not read its input for 0\.5 s"):
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
from evocheckers.networks.evaluator import piece_differential
from evocheckers.players.hub.engine import serve_stdio
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
