from evocheckers import Board
from evocheckers.games.openings import FIRST_MOVES, OPENING_NAMES, opening_name


def test_every_named_opening_is_legal_and_written_as_moves_are():
    boards = {moves: Board().push_all(moves.split()) for moves in OPENING_NAMES}
    assert {moves: " ".join(map(str, board.moves)) for moves, board in boards.items()} == {
        one: one for one in OPENING_NAMES
    }
    assert len({board.position for board in boards.values()}) == len(OPENING_NAMES)
    assert all(moves.split()[0] in FIRST_MOVES for moves in OPENING_NAMES)


def test_a_name_belongs_to_a_position():
    assert opening_name(Board().position) == ""
    assert opening_name(Board().push_all(["11-15"]).position) == ""
    assert opening_name(Board().push_all(["9-14"]).position) == "Double Corner"
    assert opening_name(Board().push_all(["11-15", "22-17", "8-11", "23-19", "11-16"]).position) == "Glasgow"
