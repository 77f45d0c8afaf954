"""Mobility: does an evolved evaluation reflect how many moves each side has, which it was never shown?"""

from collections.abc import Mapping

import numpy as np

from evocheckers.evaluation.evaluator import Evaluator
from evocheckers.evaluation.network import Network
from evocheckers.experiments.reproductions.laboratory import READINGS, Laboratory
from evocheckers.experiments.reproductions.report import Report
from evocheckers.experiments.reproductions.restraint import HEADER, Restraint, move_counts, rows_in_play
from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.openings import FIRST_MOVES, ballots, openings
from evocheckers.native.randomness import key
from evocheckers.players.words import PlayerError
from evocheckers.rules.board import Board

_MOBILITY = 17
"""Separates these games' random numbers from others."""


def mobility(lab: Laboratory, command: str) -> Report:
    """Correlate evaluation and mobility with pieces held fixed, and watch the networks play."""
    report = Report("Does the network see mobility?", command)
    plies = lab.size(6, 2)
    lines = FIRST_MOVES[:2] if lab.quick else ballots()[::2]
    beginners = [Network.random(np.random.default_rng(seed)).evaluator() for seed in range(lab.size(20, 4))]
    in_play = rows_in_play(lab, plies, lines, lab.size(10, 2))
    report.text(_finding(in_play))
    for player in lab.players:
        _correlate(lab, report, player, beginners)
        for opponent in READINGS:
            found, word = in_play[player, opponent], opponent.replace(":", "-")
            report.fact(f"{player}-{word}-margin", found.margin_text)
            report.fact(f"{player}-{word}-blocking", found.blocking_text)
    report.text(
        "Every network gets the number of pieces as a direct input, and more pieces have more moves, so what counts is "
        "the correlation of evaluation and mobility that is left when men and kings are held fixed (partial "
        "correlation, Pearson's). Mobility is the mover's number of moves less the opponent's; the positions are quiet "
        "ones (no jump for either side) from games of the network against itself, a tenth of the moves at random."
    )
    for (player, opponent), found in in_play.items():
        if player.endswith("random networks"):
            word = opponent.replace(":", "-")
            report.fact(f"random-{word}-margin", found.margin_text)
            report.fact(f"random-{word}-blocking", found.blocking_text)
    report.text(
        f"In play, at {plies} plies, {2 * len(lines)} games a line: how many moves a player has less those of its "
        "opponent, on average over the quiet positions in which both have as many men and as many kings; the interval "
        "is over games. Blocking: games that ended because somebody had pieces and no move. Random networks are "
        "those that evolution begins with; they and piece differential show what any player's games are like."
    )
    rows = []
    for (player, opponent), found in in_play.items():
        name = player if player.endswith("networks") else f"`{player}`"
        rows.append([name, f"`{opponent}`", found.margin_text, found.blocking_text, found.blocked_text])
    report.table("Mobility in play", HEADER, rows)
    return report


def _finding(in_play: Mapping[tuple[str, str], Restraint]) -> str:
    """By how many moves each player is ahead, in one sentence per opponent."""
    told = []
    for opponent in READINGS:
        shown = {player: found for (player, other), found in in_play.items() if other == opponent}
        margins = ", ".join(f"{name} {found.margin_text}" for name, found in shown.items() if name not in READINGS)
        told.append(f"own moves less those of `{opponent}`: {margins}")
    return f"At equal pieces, on average: {'; '.join(told)}."


def _correlate(lab: Laboratory, report: Report, player: str, beginners: list[Evaluator]) -> None:
    """Correlate evaluation and mobility over the positions of a network's games."""
    evolved = lab.contestant(f"{player}@4").evaluator
    if not isinstance(evolved, Evaluator):
        raise PlayerError(player, "has no compiled evaluation; write champion, net:, run: or material")
    boards = _positions(lab, evolved, lab.size(43, 6))
    moves = np.array([_mobility(board) for board in boards], float)
    pieces = np.array([_lead(board) for board in boards], float)
    mine = _numbers(evolved, boards, moves, pieces)
    several = np.array([_numbers(e, boards, moves, pieces) for e in beginners])
    beaten = int((several[:, 1] < mine[1]).sum())
    report.text(
        f"With men and kings held fixed, the evaluation of `{player}` correlates with mobility by {mine[1]:+.2f}, more "
        f"than that of {beaten} of {len(beginners)} random networks, over {len(boards):,} positions."
    )
    rows = [[f"`{player}`", *(f"{number:+.3f}" for number in mine)]]
    low, high = np.quantile(several, [0.025, 0.975], axis=0)
    cells = [f"{m:+.3f} [{a:+.3f}, {b:+.3f}]" for m, a, b in zip(several.mean(axis=0), low, high, strict=True)]
    rows.append([f"{len(beginners)} random networks (generation 0): mean and 95% of them", *cells])
    title = f"Correlation of evaluation and mobility, positions of `{player}`"
    report.table(title, ("network", "plain", "pieces held fixed"), rows)
    report.fact(f"{player}-correlation", f"{mine[1]:+.2f}")
    report.fact(f"{player}-above", f"{beaten} of {len(beginners)}")


def _positions(lab: Laboratory, evaluator: Evaluator, games: int) -> list[Board]:
    """Quiet positions of games, each only once."""
    starts = openings("two-move")
    pairings = [Pairing(0, 0, key(_MOBILITY, number), 2, 2, starts[number % len(starts)]) for number in range(games)]
    result = lab.executor.play(GameBatch([evaluator], pairings, GameRules(120, random_move_rate=0.1)))
    found: dict[object, Board] = {}
    for row in range(games):
        board = Board(result.starts[row])
        for move in result[row].moves:
            board.push(move)
            if move_counts(board):
                found.setdefault(board.position, Board(board.position))
    return list(found.values())


def _mobility(board: Board) -> int:
    counts = move_counts(board)
    return counts[0] - counts[1] if counts else 0


def _lead(board: Board) -> tuple[int, int]:
    """Men and kings of the mover minus those of the opponent."""
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
