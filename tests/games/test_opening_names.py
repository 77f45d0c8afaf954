from evocheckers import Board
from evocheckers.games.opening_names import NAMES, opening_name
from evocheckers.games.openings import FIRST_MOVES


def test_every_named_opening_is_legal_and_written_as_moves_are():
    boards = {moves: Board().push_all(moves.split()) for moves in NAMES}
    assert {moves: " ".join(map(str, board.moves)) for moves, board in boards.items()} == {one: one for one in NAMES}
    assert len({board.position for board in boards.values()}) == len(NAMES)
    assert all(moves.split()[0] in FIRST_MOVES for moves in NAMES)


def test_a_name_belongs_to_a_position():
    assert opening_name(Board().position) == ""
    assert opening_name(Board().push_all(["11-15"]).position) == ""
    assert opening_name(Board().push_all(["9-14"]).position) == "Double Corner"
    assert opening_name(Board().push_all(["11-15", "22-17", "8-11", "23-19", "11-16"]).position) == "Glasgow"
