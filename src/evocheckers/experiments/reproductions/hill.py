"""Horgan's tables 1 to 3 and the figure: hill climbing in the dense network."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evocheckers.evaluation.evaluator import Evaluator, evaluate_positions, piece_differential
from evocheckers.experiments.reproductions.laboratory import Laboratory
from evocheckers.experiments.reproductions.report import Report
from evocheckers.games.batch import Executor, GameBatch, GameRules, Pairing
from evocheckers.native.randomness import key
from evocheckers.rules.board import Board
from evocheckers.runs.run import Run

ITERATIONS = (0, 1000, 5000, 10_000, 20_000, 30_000, 40_000, 50_000)
PAPER_RANDOM = ((6, 5, 5), (6, 10, 10), (10, 10, 10), (9, 10, 9), (9, 9, 10), (9, 9, 10), (10, 10, 10), (10, 10, 10))
"""Table 1: wins of ten against random moves at depths 1 to 3. The paper also has iteration 1: 5, 6, 6."""
PAPER_MATRIX = (
    (6, 4, 0, 1, 1, 1, 0, 0),
    (6, 5, 3, 4, 6, 8, 2, 7),
    (10, 7, 6, 5, 7, 5, 6, 7),
    (9, 6, 5, 4, 6, 4, 2, 8),
    (9, 4, 3, 4, 5, 6, 5, 6),
    (9, 2, 5, 6, 4, 4, 4, 4),
    (10, 8, 4, 8, 5, 6, 6, 7),
    (10, 3, 3, 2, 4, 6, 3, 5),
)
"""Table 2: wins of ten, row against column."""
PAPER_AVERAGE = (1.625, 5.125, 6.625, 5.5, 5.25, 4.75, 6.75, 4.5)
"""Table 3: average wins of ten against all networks of the set."""
PAPER_TRIALS = 10
_HILL = 13
"""Sets these games' random numbers apart."""
AGAINST_RANDOM = GameRules(200, pieces_decide=True)
"""As in training, more pieces win after 200 plies; the opponent brings variety enough."""
AGAINST_EACH_OTHER = GameRules(200, random_move_rate=0.05, pieces_decide=True)
"""One move in twenty at random, as in training: otherwise all games of a pair would be the same two."""


def over_the_hill(lab: Laboratory, command: str) -> Report:
    """Climb, and rebuild the tables."""
    per_generation = 100
    iterations = ITERATIONS if not lab.quick else (0, 100, 200, 400)
    trials = lab.size(200, 20)
    path = lab.evolved("over-the-hill", iterations[-1] // per_generation, {})
    with Run.open(path) as run:
        evaluators = [run.network(number // per_generation).evaluator() for number in iterations]
    report = Report("Over the hill: tables 1 to 3", command)
    report.text(
        f"Champion and rookie for {iterations[-1]:,} iterations, seed 1. The paper counts wins in {PAPER_TRIALS} "
        f"games; here each cell is {trials} games, given as wins of {PAPER_TRIALS}, half with each colour. As in "
        "training, more pieces win after 200 plies."
    )
    about = {"iterations": iterations, "trials": trials, "rate": AGAINST_EACH_OTHER.random_move_rate}
    against_random = lab.step(
        "table-1",
        about,
        lambda: [[_wins(lab.executor, e, None, depth, trials) for depth in (1, 2, 3)] for e in evaluators],
    )
    rows = []
    for row, number in enumerate(iterations):
        rows.append([f"{number:,}", *_beside(None if lab.quick else PAPER_RANDOM[row], against_random[row])])
    report.table(
        "Table 1: wins of 10 against random moves, paper / ours", ("iteration", "depth 1", "depth 2", "depth 3"), rows
    )
    matrix = lab.step(
        "table-2", about, lambda: [[_wins(lab.executor, a, b, 1, trials) for b in evaluators] for a in evaluators]
    )
    header = ("", *(f"{number:,}" for number in iterations))
    rows = [
        [f"{number:,}", *_beside(None if lab.quick else PAPER_MATRIX[iterations.index(number)], line)]
        for number, line in zip(iterations, matrix, strict=True)
    ]
    report.table("Table 2: wins of 10, row against column, paper / ours (draws are no wins)", header, rows)
    averages = [PAPER_TRIALS * sum(line) / len(line) for line in matrix]
    paper_averages: Sequence[float | str] = PAPER_AVERAGE if not lab.quick else [""] * len(iterations)
    rows = [[f"{n:,}", str(p), f"{a:.2f}"] for n, p, a in zip(iterations, paper_averages, averages, strict=True)]
    report.table("Table 3: average wins of 10", ("iteration", "paper", "ours"), rows)
    if not lab.quick:
        apart = [abs(ours - paper) for ours, paper in zip(averages, PAPER_AVERAGE, strict=True)]
        mean = sum(apart) / len(apart)
        report.text(f"Table 3: ours and the paper's are {mean:.1f} wins apart on average, {max(apart):.1f} at most.")
    worth = _piece_values(lab.executor, evaluators)
    report.table(
        "What one more piece changes in the evaluation (regression over positions of random games)",
        ("iteration", "own", "opponent's"),
        [[f"{n:,}", f"{own:+.4f}", f"{opp:+.4f}"] for n, (own, opp) in zip(iterations, worth, strict=True)],
    )
    report.figure("average-wins", "Average wins by iteration", lambda plt: _draw(plt, iterations, averages, lab.quick))
    return report


def _beside(paper: Sequence[int] | None, shares: Sequence[float]) -> list[str]:
    """Cells with the paper's wins of ten and ours, or ours alone."""
    ours = [f"{PAPER_TRIALS * share:.1f}" for share in shares]
    return ours if paper is None else [f"{a} / {b}" for a, b in zip(paper, ours, strict=True)]


def _wins(executor: Executor, first: Evaluator, second: Evaluator | None, depth: int, trials: int) -> float:
    """The share of games that the first one wins, half of them with each colour; None moves at random."""
    opponent_plies = depth if second is not None else 0
    depths = (depth, opponent_plies)
    pairings = [
        Pairing(black, 1 - black, key(_HILL, depth, number), depths[black], depths[1 - black])
        for number in range(trials)
        for black in (number % 2,)
    ]
    evaluators = [first, second or piece_differential()]
    rules = AGAINST_EACH_OTHER if second is not None else AGAINST_RANDOM
    result = executor.play(GameBatch(evaluators, pairings, rules))
    won = [
        int(winner) == (1 if pairing.black == 0 else -1)
        for winner, pairing in zip(result.winners, pairings, strict=True)
    ]
    return sum(won) / trials


def _piece_values(executor: Executor, evaluators: Sequence[Evaluator], games: int = 50) -> list[tuple[float, float]]:
    """How each evaluation changes with an own piece and with one of the opponent's."""
    pairings = [Pairing(0, 0, key(_HILL, number), 0, 0) for number in range(games)]
    result = executor.play(GameBatch([piece_differential()], pairings, AGAINST_RANDOM))
    words = []
    for game in range(games):
        board = Board()
        for move in result[game].moves:
            board.push(move)
            words.append(board.mover_words)
    positions = np.array(words, np.uint32)
    counts = [[own.bit_count(), opp.bit_count(), 1] for own, opp, _ in words]
    return [
        tuple(np.linalg.lstsq(np.array(counts), evaluate_positions(evaluator, positions), rcond=None)[0][:2])
        for evaluator in evaluators
    ]


def _draw(plt: Any, iterations: Sequence[int], averages: list[float], quick: bool) -> None:
    plt.plot(iterations, averages, marker="o", label="ours")
    if not quick:
        plt.plot(ITERATIONS, PAPER_AVERAGE, marker="s", linestyle="--", label="Horgan")
    plt.xlabel("iteration")
    plt.ylabel("average wins of 10")
    plt.ylim(0, 10)
    plt.legend(frameon=False)
