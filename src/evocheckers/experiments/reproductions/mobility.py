"""Mobility: does the evolved evaluation follow how many moves each side has, which it was never shown?"""

import numpy as np

from evocheckers.evaluation.evaluator import Evaluator
from evocheckers.evaluation.network import Network
from evocheckers.experiments.reproductions.laboratory import Laboratory
from evocheckers.experiments.reproductions.report import Report
from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.openings import openings
from evocheckers.native.randomness import key
from evocheckers.players.words import PlayerError
from evocheckers.rules.board import Board

_MOBILITY = 17
"""Sets these games' random numbers apart."""


def mobility(lab: Laboratory, command: str) -> Report:
    """Correlate evaluation and mobility, for the network and for random ones, with piece differential held fixed."""
    evolved = lab.contestant(f"{lab.player}@4").evaluator
    if not isinstance(evolved, Evaluator):
        raise PlayerError(lab.player, "has no compiled evaluation; write champion, net:, run: or material")
    beginners = [Network.random(np.random.default_rng(seed)).evaluator() for seed in range(lab.size(20, 4))]
    boards = _positions(lab, evolved, lab.size(43, 6))
    moves = np.array([_mobility(board) for board in boards], float)
    pieces = np.array([_lead(board) for board in boards], float)
    report = Report("Does the network see mobility?", command)
    report.text(
        f"{len(boards):,} quiet positions (no jump for either side) from games of the network against itself, with a "
        "tenth of the moves at random. Mobility is the mover's number of moves less the opponent's. Every network "
        "gets the number of pieces as a direct input, and more pieces have more moves, so what counts is the "
        "correlation that is left when men and kings are held fixed (partial correlation, Pearson's)."
    )
    rows = [[lab.player, *_correlations(evolved, boards, moves, pieces)]]
    several = np.array([_numbers(e, boards, moves, pieces) for e in beginners])
    low, high = np.quantile(several, [0.025, 0.975], axis=0)
    cells = [f"{m:+.3f} [{a:+.3f}, {b:+.3f}]" for m, a, b in zip(several.mean(axis=0), low, high, strict=True)]
    rows.append([f"{len(beginners)} random networks (generation 0): mean and 95% of them", *cells])
    report.table("Correlation of evaluation and mobility", ("network", "plain", "pieces held fixed"), rows)
    mine = _numbers(evolved, boards, moves, pieces)[1]
    beaten = int((several[:, 1] < mine).sum())
    report.text(
        f"The network's partial correlation is larger than that of {beaten} of {len(beginners)} random networks."
    )
    return report


def _positions(lab: Laboratory, evaluator: Evaluator, games: int) -> list[Board]:
    """Quiet positions of games, each once."""
    starts = openings("two-move")
    pairings = [Pairing(0, 0, key(_MOBILITY, number), 2, 2, starts[number % len(starts)]) for number in range(games)]
    result = lab.executor.play(GameBatch([evaluator], pairings, GameRules(120, random_move_rate=0.1)))
    found: dict[object, Board] = {}
    for row in range(games):
        board = Board(result.starts[row])
        for move in result[row].moves:
            board.push(move)
            if _is_quiet(board):
                found.setdefault(board.position, Board(board.position))
    return list(found.values())


def _other(board: Board) -> Board:
    return Board(board.position._replace(turn=board.turn.opponent))


def _is_quiet(board: Board) -> bool:
    mine, theirs = board.legal_moves(), _other(board).legal_moves()
    return bool(mine) and bool(theirs) and not mine[0].captured and not theirs[0].captured


def _mobility(board: Board) -> int:
    return len(board.legal_moves()) - len(_other(board).legal_moves())


def _lead(board: Board) -> tuple[int, int]:
    """Men and kings of the mover less those of the opponent."""
    own, opp, kings = board.mover_words
    men = (own & ~kings).bit_count() - (opp & ~kings).bit_count()
    return men, (own & kings).bit_count() - (opp & kings).bit_count()


def _numbers(evaluator: Evaluator, boards: list[Board], moves: np.ndarray, pieces: np.ndarray) -> tuple[float, float]:
    """Plain and partial correlation."""
    from scipy import stats

    values = np.array([evaluator(board) for board in boards])
    known = np.column_stack([pieces, np.ones(len(boards))])

    def left(column: np.ndarray) -> np.ndarray:
        return column - known @ np.linalg.lstsq(known, column, rcond=None)[0]

    plain = stats.pearsonr(values, moves).statistic
    return float(plain), float(stats.pearsonr(left(values), left(moves)).statistic)


def _correlations(evaluator: Evaluator, boards: list[Board], moves: np.ndarray, pieces: np.ndarray) -> list[str]:
    return [f"{number:+.3f}" for number in _numbers(evaluator, boards, moves, pieces)]
