import json
import random

import pytest

from evocheckers import Board, Color, Move, Reason, read_pdn
from evocheckers.rules.fen import START, START_FEN
from evocheckers.rules.move import SquareError, square_at
from evocheckers.rules.notation import AmbiguousMoveError, IllegalMoveError, MoveTextError
from tests.helpers.places import PUBLISHED


def test_a_nine_jump_capture_removes_nine():
    board = Board("B:W6,7,8,14,15,16,22,23,24:BK1")
    board.push("1x10x17x26x19x10x3x12x19x28")
    assert board.fen() == "W:W:BK28"
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Color.BLACK, Reason.NO_PIECES)


def test_published_games_replay_with_the_marked_forced_moves():
    games = read_pdn((PUBLISHED / "published-games.pdn").read_text())
    facts = json.loads((PUBLISHED / "published-games.json").read_text())["games"]
    assert len(games) == len(facts) == 2
    for game, fact in zip(games, facts, strict=True):
        board = Board()
        forced = []
        for ply, move in enumerate(game.moves, 1):
            if len(board.legal_moves()) == 1:
                forced.append(ply)
            board.push(move)
        assert (len(game.moves), forced, board.fen()) == (fact["plies"], fact["forced_plies"], fact["final_fen"])
        assert game.result == "0-1"


def test_random_games_can_be_undone_flipped_and_read_back():
    generator = random.Random(3)
    for _ in range(20):
        board = Board()
        seen = []
        while board.outcome(max_plies=120) is None:
            seen.append(board.fen())
            assert Board(board.fen()) == board
            flipped = board.flip_colors()
            assert flipped.flip_colors() == board
            assert board.mirror().mirror() == board
            turned = {tuple(33 - square for square in move.path) for move in flipped.legal_moves()}
            assert turned == {move.path for move in board.legal_moves()}
            board.push(generator.choice(board.legal_moves()))
        copy = board.copy()
        while board.moves:
            board.undo()
            assert board.fen() == seen.pop()
        assert board.fen() == START_FEN
        assert copy.moves
        with pytest.raises(IndexError):
            board.undo()


def test_a_side_that_cannot_move_has_lost():
    board = Board("W:W13:B9,6")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.result) == (Color.BLACK, Reason.NO_MOVES, "1-0")


def test_draws_only_where_asked_for():
    board = Board("B:WK32:BK1")
    for text in ("1-5", "32-27", "5-1", "27-32") * 2:
        board.push(text)
    assert board.outcome() is None
    assert board.outcome(max_plies=8).reason is Reason.MOVE_LIMIT  # type: ignore[union-attr]
    assert board.outcome(repetitions=3).reason is Reason.REPETITION  # type: ignore[union-attr]
    assert board.outcome(max_plies=9, repetitions=4) is None
    assert str(board.outcome(repetitions=3)) == "draw by repetition"


def test_short_captures_are_accepted_when_they_are_clear():
    board = Board("B:W6,15:BK1")
    assert str(board.parse("1x19")) == "1x10x19"
    assert str(board.parse("1-10-19")) == "1x10x19"
    two_ways = Board("B:W6,7,14,15:BK2")
    with pytest.raises(AmbiguousMoveError) as error:
        two_ways.parse("2x2")
    assert sorted(error.value.choices) == ["2x11x18x9x2", "2x9x18x11x2"]
    assert "could be 2x9x18x11x2 or 2x11x18x9x2" in str(error.value)


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("11-16-20", IllegalMoveError, "from 11 there is 11-15, 11-16"),
        ("21-17", IllegalMoveError, "legal moves: 9-13"),
        ("11", MoveTextError, "expected squares"),
        ("11-33", MoveTextError, "33 is not a square"),
        ("", MoveTextError, "expected squares"),
        ("٣-7", MoveTextError, "expected squares"),
        ("1" * 100, MoveTextError, "..."),
    ],
)
def test_bad_move_text_says_what_is_wrong(text, kind, part):
    with pytest.raises(kind) as error:
        Board().parse(text)
    assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_a_compulsory_jump_is_named():
    with pytest.raises(IllegalMoveError, match="a jump is compulsory"):
        Board("B:W15:B10,1").parse("1-5")


def test_a_move_of_another_position_is_refused():
    with pytest.raises(IllegalMoveError):
        Board().push(Move((11, 18), (15,)))


def test_positions_can_be_hashed_and_boards_cannot():
    one, other = Board(), Board()
    one.push_all(["9-13", "24-20", "10-15"])
    other.push_all(["10-15", "24-20", "9-13"])
    assert one == other
    assert one != other.child("20-16")
    assert one != "a board"
    assert {one.position: 1}[other.position] == 1
    assert len({one.position, Board().position, START}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize("square", [0, 33, -1])
def test_a_square_off_the_board_is_named(square):
    with pytest.raises(SquareError, match="not between 1 and 32") as error:
        Board().piece_at(square)
    assert error.value.place == square


def test_a_light_square_is_named():
    with pytest.raises(SquareError, match="row 0, column 2: not a dark square") as error:
        square_at(0, 2)
    assert error.value.place == (0, 2)
