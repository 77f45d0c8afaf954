import json
from dataclasses import replace

import pytest

from evocheckers import Board
from evocheckers.analysis.puzzle_files import Making, PuzzleFileError, Puzzles, gather, shipped_puzzles
from evocheckers.analysis.puzzles import Demands, Judge, Record, find_puzzle, is_puzzle, make_puzzle
from evocheckers.endgames.values import Database
from evocheckers.players.make import make_contestant
from evocheckers.rules.fen import START
from tests.helpers.commands import run

SHOT = "B:W19,20,21,23,25,26,27,28,31:B1,2,3,6,7,10,11,12,14"  # 14-18 23x14 10x17 21x14, and 11-16 wins
DEMANDS = Demands(plies=10)
QUIET = Record("quiet", START, tuple(Board().push_all(["11-15", "23-19", "8-11", "22-17"]).moves))
TACTICS = Record("tactics", Board(SHOT).position, tuple(Board(SHOT).push_all(["11-15"]).moves))


def judge(demands: Demands = DEMANDS) -> Judge:
    return Judge(make_contestant("champion@8"), Database.build(2), demands)


def test_a_shot_becomes_a_puzzle():
    found = find_puzzle(TACTICS, judge())
    assert found is not None
    assert found.moves[:4] == ("14-18", "23x14", "10x17", "21x14")
    assert len(found.moves) % 2 == 1  # the solver moves last
    assert found.score - found.second >= DEMANDS.margin
    assert found.second < DEMANDS.ahead
    assert found.depth >= DEMANDS.hidden_plies
    assert found.played == "11-15"
    assert found.source == "tactics, ply 1"


def test_what_is_no_puzzle():
    assert find_puzzle(QUIET, judge()) is None
    assert make_puzzle(Board(), judge(), "11-15", "") is None
    seen = {Board(SHOT).mover_words}
    assert find_puzzle(TACTICS, judge(), seen) is None
    assert find_puzzle(TACTICS, judge(replace(DEMANDS, hidden_plies=6))) is None  # a search of 5 plies finds it
    forced = Record("jump", Board("B:W18,32:B14,1,2").position, tuple(Board("B:W18,32:B14,1,2").legal_moves()))
    assert find_puzzle(forced, judge()) is None  # jumps must be taken


def test_the_database_decides_where_it_knows():
    verdict = judge().verdict(Board("B:W5:BK6"), 4)
    assert (str(verdict.moves[0].move), verdict.scores[0]) == ("6-1", 6)
    assert sorted(verdict.scores) == [-6, 0, 0, 6]
    assert is_puzzle(verdict, DEMANDS)


def collection() -> Puzzles:
    return Puzzles(Making("champion", DEMANDS, 2, {"name": "x", "digest": "y", "command": ""}))


def test_threads_and_interrupts_give_the_same_file(tmp_path):
    records = [QUIET, TACTICS, QUIET, TACTICS, replace_source(TACTICS)]
    *_, alone = gather(collection(), records, [judge()], 2)
    assert (alone.examined, len(alone.puzzles)) == (5, 1)  # the same position is taken once
    *_, together = gather(collection(), records, [judge() for _ in range(3)], 2)
    assert together == alone
    path = tmp_path / "puzzles.json"
    for made in gather(collection(), records, [judge()], 2):
        made.save(path)
        if made.examined == 3:
            break
    *_, resumed = gather(Puzzles.load(path), records, [judge()], 2)
    assert resumed == alone
    assert resumed.digest() == alone.digest()


def replace_source(record: Record) -> Record:
    return record._replace(source="again")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"format": "other"}, "not version 1"),
        ({"puzzles": 3}, "puzzles"),
        ({"demands": {"unknown": 1}}, "demands"),
        ({"more": 1}, "more"),
    ],
)
def test_files_that_hold_no_puzzles_are_refused(tmp_path, change, fault):
    path = tmp_path / "puzzles.json"
    collection().save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(PuzzleFileError, match=fault):
        Puzzles.load(path)


def test_an_illegal_solution_is_refused(tmp_path):
    path = tmp_path / "puzzles.json"
    *_, made = gather(collection(), [TACTICS], [judge()], 1)
    replace(made, puzzles=(replace(made.puzzles[0], moves=("1-32",)),)).save(path)
    with pytest.raises(PuzzleFileError, match="puzzle 1"):
        Puzzles.load(path)


def test_the_shipped_puzzles_are_what_they_say():
    shipped = shipped_puzzles()
    assert len({Board(puzzle.fen).mover_words for puzzle in shipped.puzzles}) == len(shipped.puzzles)
    demands = shipped.making.demands
    searching = Judge(make_contestant(f"{shipped.making.judge}@8"), None, demands)
    for puzzle in shipped.puzzles[:: max(1, len(shipped.puzzles) // 5)]:
        searching.begin()
        verdict = searching.verdict(Board(puzzle.fen))
        assert str(verdict.moves[0].move) == puzzle.moves[0]
        assert is_puzzle(verdict, demands)
        assert round(verdict.scores[0], 3) == puzzle.score
    for puzzle in shipped.puzzles:
        assert len(Board(puzzle.fen).legal_moves()) >= 3
        assert puzzle.score - puzzle.second >= demands.margin - 0.001
        assert puzzle.depth >= demands.hidden_plies


def test_the_command(tmp_path):
    games, out = tmp_path / "games.pdn", tmp_path / "puzzles.json"
    games.write_text(f'[FEN "{SHOT}"]\n1. 11-15 *\n\n1. 11-15 23-19 *\n')
    command = ("puzzles", "make", str(games), "--out", str(out), "--plies", "10", "--pieces", "2", "--count", "5")
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert "1 puzzles, 2 games examined" in done.stdout
    assert "no more than 1 puzzles" in done.stdout
    again = run(*command)
    assert "1 puzzles of 2 games; goes on" in again.stdout
    other = run(*command, "--margin", "1.5")
    assert other.returncode == 2
    assert other.stderr.strip().endswith("give another --out")
    checked = run("puzzles", "check", str(out))
    assert "1 of 1 hold at 10 plies" in checked.stdout
