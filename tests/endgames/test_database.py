import os
import signal
import threading

import numpy as np
import pytest

from evocheckers import Board, Color, Limit, Searcher, piece_differential, read_pdn
from evocheckers.endgames.index import HEADER, SLICES_AT, UNKNOWN, VALUES_PER_WORD, EndgameError, Slice
from evocheckers.endgames.values import Counts, Database, Value, _count
from evocheckers.native.threads import NAME
from evocheckers.rules.fen import Position
from tests.helpers.endgames import random_endgames
from tests.helpers.places import PUBLISHED


def test_counts(four):
    assert four.counts == {
        1: Counts(120, 60, 0, 60),
        2: Counts(6_972, 2_458, 2_370, 2_144),
        3: Counts(261_224, 132_846, 8_477, 119_901),
        4: Counts(7_092_774, 3_016_033, 1_717_922, 2_358_819),
    }


def test_king_against_king_as_published(three):
    """Ed Trice's database of one king against one, on damforum.nl: 230 wins, 654 draws, 108 losses."""
    part = Slice(0, 1, 0, 1)
    first = HEADER + int(three.packed[SLICES_AT + part.number])
    wins, losses, unknown = _count(three.packed[first : first + part.words])
    assert (part.size, wins, losses) == (992, 230, 108)
    assert part.words * VALUES_PER_WORD - unknown == 992


def test_every_value_follows_from_its_successors(four):
    assert four.count_inconsistent(threads=2) == 0


@pytest.mark.parametrize("value", [0, 1, 2, 3])
def test_a_wrong_entry_is_found(three, value):
    packed = three.packed.copy()
    place = HEADER + (packed.size - HEADER) // 2
    others = packed[place] & ~np.uint32(3)
    same = packed[place] == others | value
    packed[place] = others | value
    assert (Database(3, packed).count_inconsistent(threads=1) == 0) == same


def test_two_pieces_against_a_plain_solution(three):
    """All positions of two pieces, solved in Python by the board's own moves."""
    positions = [
        Position(Color.BLACK, 1 << black, 1 << white, kings)
        for black in range(32)
        for white in range(32)
        for kings in {0, 1 << black, 1 << white, 1 << black | 1 << white}
        if black != white and (black < 28 or kings >> black & 1) and (white >= 4 or kings >> white & 1)
    ]
    assert len(positions) == 992 + 868 + 868 + 760
    moves = {}
    for position in positions:
        board = Board(position)
        moves[position] = [board.child(move).flip_colors().position for move in board.legal_moves()]
    values: dict[Position, Value] = {}
    changed = True
    while changed:
        changed = False
        for position, successors in moves.items():
            known = [Value.LOSS if not after.black else values.get(after) for after in successors]
            if position in values:
                continue
            if Value.LOSS in known:
                values[position] = Value.WIN
            elif all(value is Value.WIN for value in known):
                values[position] = Value.LOSS
            changed |= position in values
    for position in positions:
        assert three.probe(Board(position)) == values.get(position, Value.DRAW)


def test_forced_ends_are_in_the_database(four):
    searcher = Searcher(piece_differential(1.5), table_bits=None)
    decided = 0
    for board in random_endgames(400, 4, seed=2) + random_endgames(200, 3, seed=3):
        if not board.legal_moves():
            assert four.probe(board) is Value.LOSS
            continue
        result = searcher.search(board, Limit(plies=7))
        if result.plies_to_end is not None:
            decided += 1
            assert four.probe(board) is (Value.WIN if result.score > 0 else Value.LOSS), board.fen()
    assert decided > 100


def test_moves_and_positions_agree(four):
    for board in random_endgames(300, 4, seed=4):
        values = four.values_of_moves(board)
        assert list(values) == board.legal_moves()
        best = max(values.values(), key=[Value.LOSS, Value.DRAW, Value.WIN].index, default=Value.LOSS)
        assert four.probe(board) is best
        assert four.probe(board.flip_colors()) is best


def test_a_board_beyond_the_database(three):
    assert three.probe(Board()) is None
    assert three.values_of_moves(Board()) == {}
    board = Board("B:WK14,K32:BK10,K1")
    assert {str(move): value for move, value in three.values_of_moves(board).items()} == {"10x17": Value.WIN}
    assert three.probe(Board("B:W5,6:B")) is Value.LOSS
    assert three.probe(Board("W:W5,6:B")) is Value.WIN


def test_the_end_of_anacondas_first_game_is_won(four):
    """The printed moves end with four pieces left and White, who won, to move."""
    game = next(iter(read_pdn((PUBLISHED / "published-games.pdn").read_text())))
    board = game.board()
    _, black, white, _ = board.position
    assert (black | white).bit_count() == 4
    assert board.turn is Color.WHITE
    assert four.probe(board) is Value.WIN


def test_values_do_not_depend_on_threads(three, four):
    assert Database.build(3, threads=1).digest() == three.digest()
    assert Database.build(4, threads=1).digest() == four.digest()


def test_a_smaller_database_is_taken_over(three):
    done: list[tuple[int, int, str]] = []
    smaller = Database.build(2)
    assert Database.build(3, 1, lambda *report: done.append(report), smaller).digest() == three.digest()
    assert len(done) == 6
    assert done[-1][0] == done[-1][1] == VALUES_PER_WORD * (three.packed.size - HEADER)
    assert done[0][2] == "0+1K against 0+2K: 33 rounds"
    assert [entries for entries, _, _ in done] == sorted(entries for entries, _, _ in done)
    assert Database.build(2, start=three).digest() == smaller.digest()


def test_tables_that_are_none(three):
    with pytest.raises(EndgameError, match="of 3 pieces"):
        Database(3, three.packed[:-1])
    with pytest.raises(EndgameError, match="of 2 pieces"):
        Database(2, three.packed)
    with pytest.raises(EndgameError, match="not a table"):
        Database(3, np.zeros_like(three.packed))
    with pytest.raises(EndgameError, match="9 pieces"):
        Database.build(9)
    with pytest.raises(ValueError, match="read-only"):
        three.packed[HEADER] = UNKNOWN


def test_an_interrupt_stops_all_threads(four):
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        Database.build(5, threads=2, start=four)
    timer.join()
    for thread in threading.enumerate():
        if thread.name == NAME and thread.ident is not None:  # an interrupt may keep one from starting at all
            thread.join(1)
            assert not thread.is_alive()
