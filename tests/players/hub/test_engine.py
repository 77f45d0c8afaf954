import io
import queue
import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest

from evocheckers import Board, Limit, Searcher, SearchResult, piece_differential
from evocheckers.players.hub.engine import EngineSearcher, answer_lines, serve, serve_stdio
from evocheckers.players.hub.level import HubLevel, parse_level
from evocheckers.players.hub.protocol import format_position, parse_line, parse_move
from evocheckers.players.hub.time_management import RemainingTime

START = format_position(Board().position)
WAIT_SECONDS = 60.0


class Session:
    """A server in a thread; lines are sent and answers read one by one."""

    def __init__(self, search: EngineSearcher) -> None:
        self._inbox: queue.Queue[str | None] = queue.Queue()
        self._outbox: queue.Queue[str] = queue.Queue()
        arguments = ("a player", "1.0", search, iter(self._inbox.get, None), self._outbox.put)
        self.thread = threading.Thread(target=serve, args=arguments, daemon=True)
        self.thread.start()

    def send(self, *lines: str) -> None:
        for line in lines:
            self._inbox.put(line)

    def read(self) -> str:
        return self._outbox.get(timeout=WAIT_SECONDS)

    def read_done(self) -> tuple[dict[str, str], dict[str, str]]:
        info, done = parse_line(self.read()), parse_line(self.read())
        assert (info.command, done.command) == ("info", "done")
        return info.arguments, done.arguments

    def is_silent(self) -> bool:
        """Whether nothing was said before the answer to a ping."""
        self.send("ping")
        return self.read() == "pong" and self._outbox.empty()

    def end(self) -> None:
        """The input ends."""
        self._inbox.put(None)
        self.thread.join(WAIT_SECONDS)
        assert not self.thread.is_alive()


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session(Searcher(piece_differential(), table_bits=12))
    yield session
    session.end()
    assert not [thread.name for thread in threading.enumerate() if thread.name in ("search", "clock")]


def transcript(*lines: str) -> list[str]:
    """What a server answers to lines that all lie ready; the search is stopped when they end."""
    answers: list[str] = []
    serve("a player", "1.0", Searcher(piece_differential(), table_bits=12), lines, answers.append)
    return answers


def test_a_whole_session(session):
    session.send("hub")
    assert session.read() == 'id name="a player" version=1.0 author="The evocheckers authors" country=""'
    assert session.read() == "param name=variant value=english type=enum values=english"
    assert session.read() == "wait"
    session.send("set-param name=variant value=english", "init")
    assert session.read() == "ready"
    session.send("ping")
    assert session.read() == "pong"
    board = Board()
    for number in range(6):
        if number == 3:
            session.send("new-game")
            board = Board()
        moves = " ".join(str(move) for move in board.moves)
        session.send(f'pos pos={START} moves="{moves}"', "level depth=4", "go think")
        info, done = session.read_done()
        assert (info["depth"], info["pv"].split()[0]) == ("4", done["move"])
        assert int(info["nodes"]) > 0
        assert float(info["time"]) >= 0
        assert float(info["nps"]) >= 0
        assert -1 <= float(info["score"]) <= 1
        line = board.copy()
        for text in info["pv"].split():
            line.push(parse_move(text, line))
        assert str(line.moves[len(board.moves) + 1]) == done["ponder"]
        board.push(parse_move(done["move"], board))
    session.send("", "  ", "stop", "ponder-hit")
    assert session.is_silent()
    session.send("quit")
    session.thread.join(WAIT_SECONDS)
    assert not session.thread.is_alive()


@pytest.mark.parametrize("mode", ["think", "analyze", "ponder"])
def test_stop_ends_a_long_search(session, mode):
    session.send("init", f"pos pos={START}", "level infinite", f"go {mode}")
    assert session.read() == "ready"
    assert session.is_silent()
    session.send("ping", "ponder-hit", f"pos pos={START}", "new-game")
    assert session.read() == "pong"
    assert session.read() == 'error message="pos while thinking; send stop first"'
    assert session.read() == 'error message="new-game while thinking; send stop first"'
    began = time.monotonic()
    session.send("stop")
    _, done = session.read_done()
    assert time.monotonic() - began < 2
    assert parse_move(done["move"], Board())
    session.send("stop", f"pos pos={START}", "level depth=2", "go think")  # at once again
    assert session.read_done()[0]["depth"] == "2"


def test_stop_right_behind_go_is_not_lost(session):
    session.send("init", f"pos pos={START}", "level infinite")
    assert session.read() == "ready"
    for _ in range(20):
        session.send("go think", "stop")
        session.read_done()
    assert session.is_silent()


@pytest.mark.parametrize("ending", [["quit"], []])
def test_quit_and_the_end_of_the_input_stop_a_search(ending):
    began = time.monotonic()
    answers = transcript("init", "level infinite", "go think", *ending)
    assert time.monotonic() - began < WAIT_SECONDS
    assert [line.split()[0] for line in answers] == ["ready", "info", "done"]


@pytest.mark.parametrize(
    "levels",
    [["level move-time=0.1"], ["level time=0.5 moves=1"], ["level depth=60", "level move-time=0.1"]],
)
def test_time_is_kept(session, levels):
    session.send("init", f"pos pos={START}", *levels)
    assert session.read() == "ready"
    began = time.monotonic()
    session.send("go think")
    info, _ = session.read_done()
    assert 0.09 < time.monotonic() - began < 2
    assert float(info["time"]) >= 0.09


def test_pondering_lasts_until_the_opponent_has_moved(session):
    session.send("init", f"pos pos={START}", "level depth=3", "go ponder")
    assert session.read() == "ready"
    assert session.is_silent()  # though three plies are done at once
    session.send("ponder-hit")
    assert session.read_done()[0]["depth"] == "3"
    session.send("go ponder", "ponder-hit", "ponder-hit")  # before the search has begun, and once too often
    assert session.read_done()[0]["depth"] == "3"


def test_a_single_move_needs_no_thought(session):
    session.send("pos pos=" + format_position(Board("B:W15,23,32:B10").position), "level move-time=60", "go think")
    _, done = session.read_done()
    assert done["move"] == "10x26x15x23"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fly", "unknown command 'fly'"),
        ("_stop", "unknown command '_stop'"),
        ('pos pos="', "cannot read"),
        ("pos", "pos needs pos="),
        ("pos pos=Beee", "has 4 characters"),
        (f"pos pos={START} moves=11-17", "not legal"),
        (f"pos pos={START} moves=what", "expected squares"),
        ("level", "level needs"),
        ("level depth=deep", "depth=deep is not a number"),
        ("level depth=0", "plies = 0"),
        ("level depth=nan", "is not a number"),
        ("level depth=4 nodes=4", "not both"),
        ("level nodes=-1", "nodes = -1"),
        ("level move-time=0", "0 seconds"),
        ("level move-time=1e99", "seconds"),
        ("level time=inf", "is not a number"),
        ("level time=1 inc=-1", "inc= of at least 0"),
        ("level time=1 moves=1.5", "moves= from 0"),
        ("level time=1 moves=-1", "moves= from 0"),
        ("go", "go needs one of"),
        ("go think ponder", "go needs one of"),
        ("go think", "needs a level first"),
        ("set-param name=variant value=frisian", "'frisian' is not played here"),
        ("set-param name=book value=true", "no parameter 'book'"),
        ('fly to="\x01"', "unknown command"),
        ("x" * 70_000, "longer than 65536 bytes"),
        ("go think \udcff\x00", "cannot read"),
    ],
)
def test_bad_input_is_answered_and_changes_nothing(line, message):
    answers = transcript(line, "ping")
    assert len(answers) == 2
    error = parse_line(answers[0])
    assert error.command == "error"
    assert message in error.arguments["message"]
    assert answers[1] == "pong"


def test_a_refused_position_leaves_the_old_one(session):
    session.send("pos pos=" + format_position(Board("B:W15,23,32:B10").position), "pos pos=Bad", "level depth=1")
    assert session.read().startswith("error")
    session.send("go think")
    assert session.read_done()[1]["move"] == "10x26x15x23"


def test_no_move_to_choose():
    over = format_position(Board("B:W9:B").position)
    assert transcript(f"pos pos={over}", "level depth=2", "go think", "ping") == [
        'error message="no legal move in B:W9:B"',
        "pong",
    ]


def test_levels():
    assert parse_level({"depth": "8"}) == HubLevel(plies=8)
    assert parse_level({"depth": "99"}) == HubLevel(plies=64)
    assert parse_level({"nodes": "5000"}).limit == Limit(nodes=5000)
    assert parse_level({"move-time": "2.5"}) == HubLevel(seconds=2.5)
    assert parse_level({"time": "60", "inc": "2"}) == HubLevel(clock=RemainingTime(60, 2))
    assert parse_level({"moves": "9", "time": "0"}) == HubLevel(clock=RemainingTime(0, 0, 9))
    assert parse_level({"moves": "0", "time": "-1"}) == HubLevel(clock=RemainingTime(-1))
    assert parse_level({"infinite": ""}, HubLevel(plies=2)) == HubLevel()
    assert parse_level({"move-time": "1"}, HubLevel(plies=2)) == HubLevel(plies=2, seconds=1)
    assert parse_level({"time": "1", "mystery": "x"}) == HubLevel(clock=RemainingTime(1))
    assert parse_level({"time": "1"}, HubLevel(plies=2, seconds=3)) == HubLevel(plies=2, clock=RemainingTime(1))
    assert parse_level({"move-time": "1"}, HubLevel(clock=RemainingTime(1))) == HubLevel(seconds=1)


def test_a_level_lasts_until_the_next_one(session):
    session.send("level depth=3", f"pos pos={START}", "go think")
    assert session.read_done()[0]["depth"] == "3"
    session.send("go think")
    assert session.read_done()[0]["depth"] == "3"
    session.send("level nodes=100", "go analyze")
    assert int(session.read_done()[0]["nodes"]) < 2000


@pytest.mark.parametrize(("fen", "score"), [("B:W28:B1,19,K24", "99.99"), ("B:WK9:B1", "-99.96")])
def test_decided_games_are_scored_as_scan_does(fen, score):
    lines = answer_lines(Searcher(piece_differential(), table_bits=4).search(Board(fen), Limit(plies=4)))
    assert parse_line(lines[0]).arguments["score"] == score


class BrokenSearch:
    """Fails whenever it is asked."""

    def search(self, board: Board, limit: Limit, number: int = 0, *, lines: int = 1) -> SearchResult:
        raise RuntimeError(f'no "luck"\n with {limit} for {board.turn}, {number}')

    def stop(self) -> None:
        pass

    def forget(self) -> None:
        pass


def test_a_broken_search_still_answers():
    session = Session(BrokenSearch())
    for _ in range(2):
        session.send("level depth=2", "go think")
        assert session.read() == "error message=\"the search failed: no 'luck' with 2 plies for Black, 0\""
    session.end()


def test_standard_input_and_output(monkeypatch):
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"ping\r\n" + b"x" * 99_999 + b"\nping")))
    monkeypatch.setattr("sys.stdout", out)
    serve_stdio("a player", "1.0", Searcher(piece_differential(), table_bits=4))
    out.seek(0)
    assert out.read() == 'pong\nerror message="a line longer than 65536 bytes"\npong\n'


def _always(number: int, board: Board) -> int:
    assert board.legal_moves()
    return number


def test_numbers_draw_among_equal_moves():
    chosen = set()
    for number in range(7):
        answers: list[str] = []
        lines = ["level depth=1", "go analyze"]
        serve(
            "x",
            "1",
            Searcher(piece_differential(), table_bits=4),
            lines,
            answers.append,
            partial(_always, number),
        )
        chosen.add(parse_line(answers[-1]).arguments["move"])
    assert len(chosen) == 7
