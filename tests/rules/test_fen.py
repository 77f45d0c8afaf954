import pytest
from hypothesis import given
from hypothesis import strategies as st

from evocheckers import Board, Color
from evocheckers.rules.fen import START, START_FEN, FenError, Position, format_fen, parse_fen


@st.composite
def positions(draw: st.DrawFn) -> Position:
    squares = draw(st.permutations(range(32)))
    blacks, whites = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    black = sum(1 << s for s in squares[:blacks])
    white = sum(1 << s for s in squares[blacks : blacks + whites])
    kings = draw(st.integers(0, 2**32 - 1)) & (black | white)
    kings |= black & 0xF0000000 | white & 0x0000000F
    return Position(draw(st.sampled_from(Color)), black, white, kings)


@given(positions())
def test_round_trip(position):
    assert parse_fen(format_fen(position)) == position


def test_ranges_order_dots_and_spaces_are_read():
    assert parse_fen("B:W21-32:B1-12.") == START
    assert parse_fen(" b : B1-12 : w21 , 22-32 ") == START
    assert Board("W:BK1-4:WK29-32").fen() == "W:WK29,K30,K31,K32:BK1,K2,K3,K4"
    assert Board().fen() == START_FEN


@pytest.mark.parametrize(
    ("fen", "place", "part"),
    [
        ("", 1, "three fields"),
        ("B:W1:B2:W3", 1, "found 4"),
        ("X:W21:B1", 1, "not B or W"),
        ("B:W21:W22", 7, "listed twice"),
        ("B:21:B1", 3, "begins with B or W"),
        ("B:W21,33:B1", 7, "outside squares"),
        ("B:W21,21:B1", 7, "square 21 is listed twice"),
        ("B:W21:B21", 7, "both sides"),
        ("B:W21,:B1", 7, "'' is not a square"),
        ("B:W21:B29", 8, "crowning row"),
        ("B:W4:B1", 4, "a white man cannot stand on square 4"),
        ("B:W9-21:B1", 3, "13 pieces"),
        ("B:W5-3:B1", 4, "outside squares"),
        ("B:W²:B1", 4, "not a square"),
    ],
)
def test_faults_are_named_with_their_place(fen, place, part):
    with pytest.raises(FenError) as error:
        parse_fen(fen)
    assert error.value.place == place
    assert part in str(error.value)
    assert "\n" not in str(error.value)
