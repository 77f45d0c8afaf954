import pytest

from evocheckers import Board, Color, read_pdn
from evocheckers.analysis.analyse import accuracy_of, analyse_game, analyse_position, searcher_of
from evocheckers.analysis.mistakes import Mark
from evocheckers.analysis.plots import plot_values
from evocheckers.players.grammar import PlayerError
from evocheckers.players.make import make_contestant
from tests.helpers.boards import random_boards
from tests.helpers.places import PUBLISHED


def test_every_move_of_a_position_best_first():
    board = Board("B:W18,32:B14,1")  # 14x23 is compulsory
    (only,) = analyse_position(board, make_contestant("material@4"))
    assert str(only.move) == "14x23"
    moves = list(analyse_position(Board(), make_contestant("material:noise@5")))
    assert len(moves) == 7
    assert moves[0].score == max(m.score for m in moves)
    assert all(m.line[0] == m.move for m in moves)


@pytest.mark.parametrize("name", ["champion@4", "champion@3", "material:noise@4"])
def test_moves_are_valued_as_the_player_itself_values_them(name):
    contestant = make_contestant(name)
    for board in random_boards(40, seed=9):
        if not board.legal_moves() or board.legal_moves()[0].captured:
            continue
        searcher, limit = searcher_of(contestant)
        chosen = searcher.search(board, limit)
        moves = {m.move: m.score for m in analyse_position(board, contestant)}
        best = max(moves.values())
        assert moves[chosen.move] == best == chosen.score
        assert sum(score == best for score in moves.values()) == chosen.equal_moves


def test_a_blunder_is_found_and_scores_are_blacks():
    game = read_pdn('[FEN "B:W22,32:B14,3,4"]\n1. 14-17 22x13 2. 3-7 32-27 *')[0]
    plies = list(analyse_game(game, make_contestant("material@6")))
    assert [p.review.color for p in plies] == [Color.BLACK, Color.WHITE] * 2
    assert [p.review.ply for p in plies if p.review.mark is Mark.BLUNDER] == [1]
    assert [p.review.ply for p in plies if p.review.mark is Mark.MISTAKE] == [4]
    assert plies[0].review.cost_men >= 1
    assert plies[0].review.choice != plies[0].review.move
    assert accuracy_of(plies, Color.BLACK) == 50  # a blunder and a move that costs nothing
    turned = read_pdn('[FEN "W:B11,1:W19,30,29"]\n1. ... 19-16 2. 11x20 30-26 3. 1-6 *')[0]  # colours exchanged
    mirrored = list(analyse_game(turned, make_contestant("material@6")))
    assert [p.men for p in mirrored] == pytest.approx([-p.men for p in plies])
    assert [p.review.cost_men for p in mirrored] == [p.review.cost_men for p in plies]


def test_the_score_follows_the_published_win(tmp_path):
    game = read_pdn((PUBLISHED / "published-games.pdn").read_text())[0]
    plies = list(analyse_game(game, make_contestant("material@4")))
    assert len(plies) == 119
    assert plies[-1].men < -1  # White, three kings against a man
    plot_values(plies, "game", tmp_path / "game.png")
    assert (tmp_path / "game.png").stat().st_size > 5000


@pytest.mark.parametrize("name", ["random", "engine:nothing"])
def test_who_does_not_evaluate_cannot_analyse(name):
    with pytest.raises(PlayerError, match="does not evaluate"):
        next(analyse_position(Board(), make_contestant(name)))
