"""The exact search against plain minimax, written from the definition in search/exact/tree.py."""

import numpy as np
import pytest

from evocheckers import Board, Color, Evaluator, Leaf, Limit, Move, Network, Searcher, View, piece_differential
from evocheckers.networks.registry import ARCHITECTURES, Kind
from evocheckers.networks.search_rules import Forced, SearchRules, Wins
from tests.helpers.boards import biased, random_boards

WIN = 1_000_000


def minimax(board: Board, evaluator: Evaluator, depth: int, extensions: int, ply: int, root: Color) -> float:
    moves = board.legal_moves()
    if not moves:
        return -WIN if evaluator.rules.wins is Wins.EQUAL else ply - WIN
    must_jump = bool(moves[0].captured)
    if depth <= 0 and not (must_jump and evaluator.rules.quiescence):
        if evaluator.rules.leaf is Leaf.MOVER or board.turn is root:
            return evaluator(board)
        return -evaluator(board, root)
    if extensions > 0 and is_forced(moves, evaluator):
        depth, extensions = depth + 2, extensions - 1
    best = -np.inf
    for move in moves:
        board.push(move)
        best = max(best, -minimax(board, evaluator, depth - 1, extensions, ply + 1, root))
        board.undo()
    return best


def is_forced(moves: list[Move], evaluator: Evaluator) -> bool:
    return bool(moves[0].captured) and (len(moves) == 1 or evaluator.rules.forced is Forced.ANY_JUMP)


def evaluators() -> dict[str, Evaluator]:
    generator = np.random.default_rng(4)
    found = {"material": piece_differential(1.5)}
    for view in View:
        for leaf in Leaf:
            network = Network.random(generator)
            spatial = Network(Kind.SPATIAL, network.weights, 1.5, SearchRules(view, leaf))
            found[f"spatial {view.value} {leaf.value}"] = spatial.evaluator()
            found[f"plain {view.value} {leaf.value}"] = spatial.evaluator(plain=True)
            leaning = Network(Kind.SPATIAL, biased(network.weights), 1.5, SearchRules(view, leaf))
            found[f"biased {view.value} {leaf.value}"] = leaning.evaluator()
            planes = Network.random(generator, 0.3, 1.5, Kind.PLANES).with_rules(view=view, leaf=leaf)
            found[f"planes {view.value} {leaf.value}"] = planes.evaluator()
    for kind in (Kind.DENSE_512, Kind.DENSE_128):
        weights = generator.normal(size=ARCHITECTURES[kind].numbers(10)).astype(np.float32)
        found[kind.name] = Network(kind, weights, rules=SearchRules(View.FIXED)).evaluator()
        found[f"{kind.name} standing"] = Network(kind, weights, rules=SearchRules(quiescence=False)).evaluator()
    rules = SearchRules(leaf=Leaf.BLACK, quiescence=False)
    found["standing black"] = Network(Kind.SPATIAL, network.weights, 1.5, rules).evaluator()
    return found


EVALUATORS = evaluators()


@pytest.mark.parametrize("name", EVALUATORS)
def test_the_search_equals_plain_minimax(name):
    check_against_minimax(EVALUATORS[name], list(random_boards(10, seed=31)))


@pytest.mark.parametrize("wins", Wins)
@pytest.mark.parametrize("forced", Forced)
@pytest.mark.parametrize("name", ["material", "spatial own-side root", "planes own-side mover"])
def test_every_reading_of_the_paper(name, forced, wins):
    ends = [Board("B:W30:BK22,26"), Board("B:WK5:BK14,K15,K10"), Board("W:W32,31,11:B8,7,K22"), Board("B:W27:B24,23")]
    boards = [*random_boards(10, seed=32), *ends]
    check_against_minimax(EVALUATORS[name].with_rules(forced=forced, wins=wins), boards)


def check_against_minimax(evaluator: Evaluator, boards: list[Board]) -> None:
    playing = Searcher(evaluator, table_bits=12)
    for number, board in enumerate(boards):
        if not board.legal_moves():
            continue
        plies, extensions = 1 + number % 3, number % 2 + (number % 5 == 0)
        values = {}
        moves = board.legal_moves()
        bonus = 2 if extensions and is_forced(moves, evaluator) else 0
        left = extensions - (1 if bonus else 0)
        for move in moves:
            child = board.copy()
            child.push(move)
            values[move] = -minimax(child, evaluator, plies + bonus - 1, left, 1, board.turn)
        best = max(values.values())
        root = {move for move, value in values.items() if value == best}
        playing.extensions = extensions
        extended = evaluator.with_rules(extensions=extensions)
        for searcher, deepening in (
            (Searcher(extended, table_bits=None), False),
            (Searcher(extended, table_bits=3), True),
            (playing, True),
        ):
            drawn = set()
            for draw in range(3 * len(root)):
                result = searcher.search(board, Limit(plies=plies), draw, deepening)
                assert result.score == best, board.fen()
                assert result.equal_moves == len(root)
                drawn.add(result.move)
            assert drawn == root, board.fen()
        playing.forget()
