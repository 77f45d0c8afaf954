import json
from pathlib import Path

import draughts
import pytest

from evocheckers import Board, Color, Game, write_pdn
from evocheckers.games.openings import NAMES, OpeningsError, opening_board, opening_lines, openings, three_move_ballots

KINGS = "W:WK32,18:BK1,10"


def test_the_three_move_deck_has_156_different_sound_openings():
    assert opening_lines("three-move") == three_move_ballots()
    assert len(set(openings("three-move"))) == len(three_move_ballots()) == 156
    assert {position.turn for position in openings("three-move")} == {Color.WHITE}
    for line in three_move_ballots():
        assert " ".join(map(str, opening_board(line).moves)) == line


def test_the_three_move_deck_is_that_of_pydraughts():
    lists = json.loads((Path(draughts.__path__[0]) / "ballot_files" / "3move_english.json").read_text())
    theirs = {Board(lists["all"][name]).position for name in lists["standard"]}
    # Its 18 barred openings name 9-13 23-18 10-14 twice and this one never, so that 157 are left.
    slip = Board().push_all(["9-13", "24-19", "10-15"]).position
    assert theirs - set(openings("three-move")) == {slip}
    assert set(openings("three-move")) < theirs


@pytest.mark.parametrize("name", NAMES)
def test_every_name_gives_openings_of_games_that_go_on(name):
    lines = opening_lines(name)
    assert len(lines) == len(openings(name))
    assert all(opening_board(line).outcome() is None for line in lines)


def test_a_file_holds_moves_and_fens_and_comments(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text(
        f"\ufeff# my openings\n\n 9-14  23-18 14-23 # a jump\r\n{KINGS.lower()}\n{KINGS} 18-14 10x17\n",
        encoding="utf-8",
    )
    lines = opening_lines(str(file))
    fen = Board(KINGS).fen()
    assert lines == ("9-14 23-18 14x23", fen, f"{fen} 18-14 10x17")
    boards = [opening_board(line) for line in lines]
    assert [len(board.moves) for board in boards] == [3, 0, 2]
    assert [board.start.turn for board in boards] == [Color.BLACK, Color.WHITE, Color.WHITE]


def test_a_pdn_file_gives_each_game_s_opening_or_all_its_moves(tmp_path):
    file = tmp_path / "games.PDN"
    played = Board().push_all(["11-15", "23-19", "8-11"]).moves
    file.write_text(write_pdn([Game(played, opening_plies=2), Game(played), Game(start=Board(KINGS).position), Game()]))
    assert opening_lines(str(file)) == ("11-15 23-19", "11-15 23-19 8-11", Board(KINGS).fen(), "")


@pytest.mark.parametrize(
    ("name", "text", "line", "fault"),
    [
        ("a.txt", "11-15\n\n11-15 23-20\n", 3, "line 3: move '23-20': not legal; from 23 there is 23-19, 23-18"),
        ("a.txt", "11-15 then\n", 1, "line 1: move 'then': expected squares"),
        ("a.txt", "B:W99:B1\n", 1, "line 1: FEN 'B:W99:B1', character 4: '99' lies outside squares 1 to 32"),
        ("a.txt", "11-15\nB:W32:B\n", 2, "line 2: the game is over after this opening"),
        ("a.txt", "# nothing\n\n", 0, "there is no opening in this file"),
        ("a.pdn", "", 0, "there is no opening in this file"),
        ("a.pdn", "1. 11-15 *\n1. 11-15\n22-22", 3, "line 3: column 1: ply 2: move '22-22'"),
        ("a.pdn", '1. 11-15 *\n[FEN "B:W32:B"]\n*', 0, "game 2 is over after its moves"),
        ("a.txt", "\N{LATIN SMALL LETTER E WITH ACUTE}", 0, "not a text file"),
    ],
)
def test_faults_are_named_with_file_and_line(tmp_path, name, text, line, fault):
    file = tmp_path / name
    file.write_text(text, encoding="latin-1")
    with pytest.raises(OpeningsError) as error:
        opening_lines(str(file))
    assert (error.value.source, error.value.line) == (str(file), line)
    assert fault in str(error.value)
    assert str(file) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("all", "no such file; names are start, first-moves, two-move, three-move"),
        ("", "no such file; names are start"),
        ("\0", "null"),
    ],
)
def test_a_source_that_is_no_file_is_named(source, fault):
    with pytest.raises(OpeningsError, match=fault):
        opening_lines(source)
