import re
from xml.etree import ElementTree

import pytest

from evocheckers import Board
from evocheckers.rules.move import row_and_column
from evocheckers.rules.svg import SIDE

SVG = "{http://www.w3.org/2000/svg}"


def picture(board: Board) -> ElementTree.Element:
    return ElementTree.fromstring(board._repr_svg_())  # noqa: S314


def middles(group: ElementTree.Element, tag: str) -> set[tuple[int, int]]:
    """Rows and columns on which the elements of a group stand."""
    found = set()
    for one in group.iter(SVG + tag):
        match = re.fullmatch(r"translate\((\d+) (\d+)\)", one.get("transform", ""))
        assert match is not None
        found.add((int(match[2]) // SIDE, int(match[1]) // SIDE))
    return found


def test_every_piece_stands_on_its_square_and_kings_are_crowned():
    board = Board("B:W21,K3,30:BK32,12,1")
    numbers, black, white = picture(board).findall(SVG + "g")
    assert [text.text for text in numbers] == [str(square) for square in range(1, 33)]
    assert middles(black, "circle") == {row_and_column(square) for square in (1, 12, 32)}
    assert middles(white, "circle") == {row_and_column(square) for square in (3, 21, 30)}
    assert middles(black, "path") == {row_and_column(32)}
    assert middles(white, "path") == {row_and_column(3)}


def test_the_last_move_and_its_captures_are_marked():
    board = Board("B:W6,15,30:BK1,12")
    assert "after" not in board._repr_svg_()
    before = len(picture(board).findall(SVG + "path"))
    board.push("1x19")
    root = picture(board)
    assert root.findtext(SVG + "title") == f"{board.fen()}, after 1x10x19"
    assert len(root.findall(SVG + "path")) == before + 3
    assert middles(root.findall(SVG + "g")[-1], "path") == {row_and_column(6), row_and_column(15)}


@pytest.mark.parametrize("moves", ["", "11-15 23-19 8-11 22-17 9-13 17-14 10x17"])
def test_the_picture_is_small_and_complete_in_itself(moves):
    text = Board().push_all(moves.split())._repr_svg_()
    assert len(text) < 6000
    assert "href" not in text
    assert " id=" not in text
