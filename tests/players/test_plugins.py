"""Players of other packages: found by their entry points, used from the command line, and what goes wrong in them."""

import os
import subprocess
import sys

import pytest

from evocheckers import Board, Color, Evaluator, EvocheckersError, Limit
from evocheckers.analysis.analyse import analyse_position
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.players.grammar import PlayerError
from evocheckers.players.make import make_contestant
from evocheckers.players.player import Contestant
from evocheckers.rules.outcome import Reason
from evocheckers.tournaments.match import play_match

FAULTY = """
from evocheckers import Limit
from evocheckers.players.player import Contestant

class Faulty:
    def __init__(self, argument): self.argument = argument
    def begin(self, start, seed): pass
    def choose(self, board):
        if self.argument == "error": raise KeyError("lost")
        moves = board.legal_moves()
        board.push(moves[0])
        return moves[0] if self.argument == "pushes" else board.legal_moves()[0]
    def stop(self): pass
    def close(self): pass

def make(argument, limit):
    if argument == "raises": return 1 / 0
    if argument == "number": return 4
    if argument == "starts": return Contestant("x", make=lambda: 1 / 0)
    return Contestant("x", make=lambda: Faulty(argument))
"""


@pytest.fixture
def faulty_players(tmp_path, monkeypatch):
    (tmp_path / "faulty_players.py").write_text(FAULTY)
    (tmp_path / "faulty-1.dist-info").mkdir()
    (tmp_path / "faulty-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1\n")
    points = (
        "[evocheckers.players]\nfaulty = faulty_players:make\nchampion = faulty_players:make\ngone = no_such:make\n"
    )
    (tmp_path / "faulty-1.dist-info" / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)


def command(folder, *words: str) -> subprocess.CompletedProcess[str]:
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, "-m", "evocheckers", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )


def test_from_the_command_line(example_players):
    greedy = command(example_players, "match", "greedy", "material@2", "--openings", "start")
    assert greedy.returncode == 0, greedy.stderr
    assert "greedy against material@2: 2 games" in greedy.stdout
    centre = command(example_players, "analyse", Board().fen(), "--player", "centre@2")
    assert centre.returncode == 0, centre.stderr
    assert "by centre@2" in centre.stdout
    unknown = command(example_players, "match", "greedier", "random")
    assert unknown.returncode == 2
    assert unknown.stderr.count("\n") == 1
    assert "engine:COMMAND; centre; greedy" in unknown.stderr
    refused = command(example_players, "match", "greedy:x", "random")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "greedy takes no argument" in refused.stderr


def test_a_function_plays_a_match(example_players):
    centre = make_contestant("centre@2")
    assert (centre.name, centre.batch_plies, centre.limit) == ("centre@2", None, Limit(plies=2))
    assert make_contestant("centre").name == "centre@2"
    games = list(play_match(centre, make_contestant("random"), ("", "11-15"), ThreadExecutor(1), workers=1))
    assert sum(game.value_to(Color(game.black == "random")) for game in games) >= 3
    moves = list(analyse_position(Board(), centre))
    assert len(moves) == 7
    assert moves[0].score == max(move.score for move in moves)


@pytest.mark.parametrize(
    ("argument", "fault"),
    [("error", "faulty:error failed: KeyError: 'lost'"), ("illegal", "faulty:illegal played ")],
)
def test_a_player_that_fails_loses(faulty_players, argument, fault):
    faulty = make_contestant(f"faulty:{argument}")
    first, second = sorted(play_match(faulty, make_contestant("random"), ("",), ThreadExecutor(1)), key=str)
    for game in (first, second):
        assert game.outcome.reason is Reason.FORFEIT
        assert fault in game.note
        assert game.value_to(Color(game.black == "random")) < 0


def test_a_players_board_is_its_own(faulty_players):
    games = list(play_match(make_contestant("faulty:pushes"), make_contestant("random"), ("",), ThreadExecutor(1)))
    assert not any(game.note for game in games)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("faulty:raises", "faulty_players:make failed: ZeroDivisionError"),
        ("faulty:number", "returned int, not a Contestant"),
        ("gone", "no_such:make failed: ModuleNotFoundError"),
        ("faulty:starts", "ZeroDivisionError"),
    ],
)
def test_a_kind_that_cannot_be_made_says_why(faulty_players, text, fault):
    with pytest.raises(EvocheckersError, match=fault) as error:
        make_contestant(text).check()
    assert "\n" not in str(error.value)


def test_a_faulty_function_is_refused_before_any_game():
    faulty = Contestant("x", Evaluator.from_function(lambda planes: planes))
    with pytest.raises(EvocheckersError, match="returned 1 x 4 x 32 for 1 positions"):
        faulty.check()


def test_our_own_kinds_come_first(faulty_players):
    assert make_contestant("champion").network is not None
    with pytest.raises(PlayerError, match="faulty; gone"):
        make_contestant("nobody")
