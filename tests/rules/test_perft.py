from pathlib import Path

import pytest

from evocheckers import Board, divide, perft
from evocheckers.rules.perft import DepthError
from tests.helpers.places import DATA


def suite(path: Path) -> list[tuple[str, list[int]]]:
    lines = [line.split(";") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(fen.strip(), [int(count) for count in counts.split()]) for fen, counts in lines]


@pytest.mark.parametrize(("fen", "counts"), suite(DATA / "perft.txt"))
def test_counts(fen, counts):
    board = Board(fen)
    for depth, count in enumerate(counts, 1):
        split = {str(move): nodes for move, nodes in divide(board, depth).items()}
        assert perft(board, depth) == count, f"{fen} at {depth}: {split}"
        assert sum(split.values()) == count


def test_colour_flip_keeps_the_game(boards):
    for board in boards[::4]:
        assert perft(board, 4) == perft(board.flip_colors(), 4), board.fen()


@pytest.mark.parametrize("depth", [-1, 31])
def test_a_depth_out_of_range_is_refused(depth):
    with pytest.raises(DepthError, match=str(depth)) as error:
        perft(Board(), depth)
    assert error.value.depth_plies == depth


def test_a_depth_that_cannot_be_divided_is_refused():
    with pytest.raises(DepthError, match="depth_plies = 0") as error:
        divide(Board(), 0)
    assert error.value.depth_plies == 0


def test_depth_zero_is_the_position_itself():
    assert perft(Board(), 0) == 1
