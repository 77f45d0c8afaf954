import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evocheckers import Board
from evocheckers.players.hub.protocol import (
    MAX_LINE_BYTES,
    HubError,
    Line,
    clean,
    format_line,
    format_move,
    format_position,
    parse_line,
    parse_move,
    parse_position,
    read_lines,
)
from evocheckers.rules.fen import START, Position
from evocheckers.rules.notation import AmbiguousMoveError, IllegalMoveError, MoveTextError

START_TEXT = "B" + "b" * 12 + "e" * 8 + "w" * 12

NAMES = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters='="'), min_size=1, max_size=12)
VALUES = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters='"'), max_size=30)


@given(NAMES, st.dictionaries(NAMES, st.none() | VALUES, max_size=5))
def test_lines_come_back_as_they_were_written(command, arguments):
    text = format_line(command, arguments)
    assert parse_line(text) == Line(command, {name: value or "" for name, value in arguments.items()})
    assert parse_line(f"  {text} \r\n") == parse_line(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    try:
        line = parse_line(text)
    except HubError:
        return
    if all(clean(value) == value for value in line.arguments.values()):
        assert parse_line(format_line(line.command, line.arguments)) == line


@given(st.text(max_size=300))
def test_cleaned_text_can_be_sent(text):
    assert parse_line(format_line("error", {"message": clean(text)})).arguments["message"] == clean(text)
    assert len(clean(text)) <= 200


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("go think", {"think": ""}),
        ('level infinite=""', {"infinite": ""}),
        ("level time = 3.5 inc=1", {"time": "3.5", "inc": "1"}),
        ('\tid name="Scan 3" author="Fabien Letouzey"', {"name": "Scan 3", "author": "Fabien Letouzey"}),
        ('pos moves="a=b  c"', {"moves": "a=b  c"}),
    ],
)
def test_lines_as_engines_write_them(text, arguments):
    assert parse_line(text).arguments == arguments


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "an empty line"),
        ("  \n", "an empty line"),
        ("=3", "no command"),
        ('"go"', "no command"),
        ("go=think", "no command"),
        ("level depth=", "cannot read"),
        ("level =3", "cannot read"),
        ('pos moves="11-15', "cannot read"),
        ('pos moves="11-15"22-18', "cannot read"),
        ("level depth=3=4", "cannot read"),
        ("level depth=\x00", "cannot read"),
        ("level depth=3 depth=4", "'depth' is given twice"),
        ("a" * (MAX_LINE_BYTES + 1), "longer than 65536 bytes"),
        (" " * (MAX_LINE_BYTES + 1), "longer than 65536 bytes"),
    ],
)
def test_damaged_lines(text, reason):
    with pytest.raises(HubError, match=reason) as caught:
        parse_line(text)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("go", {"move": 'say "x"'}),
        ("go", {"move": "a\nb"}),
        ("two words", {}),
        ("", {}),
        ("go", {"a=b": None}),
        ("go", {"moves": "x" * MAX_LINE_BYTES}),
    ],
)
def test_what_cannot_be_written_is_refused(command, arguments):
    with pytest.raises(HubError):
        format_line(command, arguments)


def test_reading_a_stream_keeps_within_bounds():
    longest = b"a" * (MAX_LINE_BYTES - 1)
    text = (
        b"hub\n" + longest + b"\n" + b"\xff" * (5 * MAX_LINE_BYTES) + b"\nping\r\n" + b"\xc3\xa9" * 40_000 + b"\nquit"
    )
    lines = list(read_lines(io.BytesIO(text)))
    assert [parse_line(lines[i]).command for i in (0, 1, 3, 5)] == ["hub", longest.decode(), "ping", "quit"]
    for i in (2, 4):
        assert len(lines[i]) == MAX_LINE_BYTES + 1
        with pytest.raises(HubError, match="longer than"):
            parse_line(lines[i])


def test_positions(boards):
    assert format_position(START) == START_TEXT
    for board in boards:
        text = format_position(board.position)
        assert len(text) == 33
        assert parse_position(text) == board.position
        assert text[1:] == "".join(board.piece_at(square) for square in range(1, 33)).replace(".", "e")


@given(st.text("bwBWe", min_size=32, max_size=32), st.sampled_from("BW"))
def test_any_position_is_read_back_or_refused(squares, side):
    try:
        position = parse_position(side + squares)
    except HubError:
        return
    assert isinstance(position, Position)
    assert format_position(position) == side + squares


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "0 characters"),
        (START_TEXT + "e", "34 characters"),
        ("x" + "e" * 32, "side to move"),
        ("Bb" + "." * 31, "square 2 is not one of"),
        ("B" + "b" * 13 + "e" * 19, "13 pieces"),
        ("Bw" + "e" * 31, "crowning row"),
    ],
)
def test_damaged_positions(text, reason):
    with pytest.raises(HubError, match=reason):
        parse_position(text)


def test_moves_come_back(boards):
    captures = 0
    for board in boards:
        for move in board.legal_moves():
            text = format_move(move)
            found = parse_move(text, board)
            captures += bool(move.captured)
            assert board.child(found) == board.child(move)
            assert format_move(found) == text
            assert parse_move(str(move), board) == move
    assert captures > 100


def test_captures_are_start_end_and_what_is_taken():
    board = Board("B:W15,23:B10")
    (move,) = board.legal_moves()
    assert (str(move), format_move(move)) == ("10x19x26", "10x26x15x23")
    for text in ("10x26x15x23", "10x26x23x15", "10x19x26", "10x26", " 10-26 "):
        assert parse_move(text, board) == move
    for text in ("10x26x15", "10x26x15x15", "10x19x15", "10x26x15x23x24"):
        with pytest.raises(IllegalMoveError):
            parse_move(text, board)
    for text in ("", "10", "10x", "10x33", "hello", "10x26x", "-10x26"):
        with pytest.raises(MoveTextError):
            parse_move(text, board)


def test_two_ways_over_the_same_pieces_are_one_move_to_hub():
    board = Board("B:W6,7,14,15:BK2")
    moves = board.legal_moves()
    assert [str(move) for move in moves] == ["2x9x18x11x2", "2x11x18x9x2"]
    assert {format_move(move) for move in moves} == {"2x2x6x7x14x15"}
    assert parse_move("2x2x6x7x14x15", board) == parse_move("2x2", board) == moves[0]
    assert parse_move(str(moves[1]), board) == moves[1]


def test_short_captures_that_differ_are_ambiguous():
    board = Board("B:WK7,K8,K15,K16,K24:BK12")
    short, long = board.parse("12x19x28"), board.parse("12x3x10x19x28")
    assert parse_move("12x28x16x24", board) == short
    assert parse_move("12x28x7x8x15x24", board) == long
    with pytest.raises(AmbiguousMoveError):
        parse_move("12x28", board)
