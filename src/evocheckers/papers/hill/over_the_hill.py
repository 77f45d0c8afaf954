"""Horgan's tables 1 to 3 and figure 3: hill climbing in the dense network, one run of one seed, as in the paper."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evocheckers.games.batch import Executor, GameBatch, Pairing
from evocheckers.native.randomness import key
from evocheckers.networks.evaluator import evaluate_positions, piece_differential
from evocheckers.networks.network import Network
from evocheckers.papers.hill.climbing import (
    DEPTHS,
    RULES,
    TRIALS,
    Reading,
    climb,
    of_ten,
    wins_against,
    wins_against_random,
)
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.report import Report
from evocheckers.rules.board import Board
from evocheckers.runs.file import Run

ITERATIONS = (0, 1000, 5000, 10_000, 20_000, 30_000, 40_000, 50_000)
PAPER_RANDOM = {
    0: (6, 5, 5),
    1: (5, 6, 6),
    1000: (6, 10, 10),
    5000: (10, 10, 10),
    10_000: (9, 10, 9),
    20_000: (9, 9, 10),
    30_000: (9, 9, 10),
    40_000: (10, 10, 10),
    50_000: (10, 10, 10),
}
"""Table 1: wins out of ten against random moves at depths 1 to 3, by iteration."""
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
"""Table 2: wins out of ten, row against column."""
PAPER_AVERAGE = (1.625, 5.125, 6.625, 5.5, 5.25, 4.75, 6.75, 4.5)
"""Table 3: average wins out of ten against all networks of the set."""
_POSITIONS = 14
"""Separates the random numbers of the games that positions are taken from."""
PER_GENERATION = 100


def over_the_hill(lab: Laboratory, command: str) -> Report:
    """Climb, and rebuild the tables."""
    iterations = ITERATIONS if not lab.quick else (0, 100, 200, 400)
    trials = lab.size(200, 20)
    path = lab.evolved("over-the-hill", iterations[-1] // PER_GENERATION, {})
    with Run.open(path) as run:
        networks = {number: run.network(number // PER_GENERATION) for number in iterations}
    report = Report("hill/over-the-hill", command)
    report.state(iterations=f"{iterations[-1]:,}", paper_games=TRIALS, games=trials)
    about = {"iterations": iterations, "trials": trials, "look": "plain"}
    _first_table(lab, report, about, networks, trials)
    matrix = lab.step(
        "table-2",
        about,
        lambda: [[wins_against(lab.executor, a, b, trials)[0] for b in networks.values()] for a in networks.values()],
    )
    _second_table(report, iterations, matrix, lab.quick)
    averages = [TRIALS * sum(line) / len(line) for line in matrix]
    _third_table(report, iterations, averages, lab.quick)
    worth = _piece_values(lab.executor, list(networks.values()))
    report.table(
        "piece-values",
        ("iteration", "own", "opponent's"),
        [[f"{n:,}", f"{own:+.4f}", f"{opp:+.4f}"] for n, (own, opp) in zip(iterations, worth, strict=True)],
    )
    report.figure("average-wins", lambda plt: _draw(plt, iterations, averages, lab.quick))
    return report


def _first_table(
    lab: Laboratory, report: Report, about: dict[str, Any], networks: dict[int, Network], trials: int
) -> None:
    """Against random moves, with the row for iteration 1, and what iteration 1 gives over many seeds."""
    seeds = lab.size(40, 4)

    def after_one() -> list[Any]:
        firsts = [found[0] for found in climb(Reading("preset"), [1], lab.executor, range(1, seeds + 1))]
        changed = [first.network for first in firsts if first.updates > 0]
        rows = [[wins_against_random(lab.executor, [firsts[0].network], depth, trials) for depth in DEPTHS]]
        if changed:
            games = max(2, 2 * trials // len(changed))
            rows.append([wins_against_random(lab.executor, changed, depth, games) for depth in DEPTHS])
        return [len(changed), firsts[0].updates > 0, *rows]

    def table_1() -> list[list[float]]:
        return [[wins_against_random(lab.executor, [n], depth, trials) for depth in DEPTHS] for n in networks.values()]

    changed, first_won, first_row, *others = lab.step("iteration-1", {**about, "seeds": seeds}, after_one)
    ours = dict(zip(networks, lab.step("table-1", about, table_1), strict=True))
    rows = []
    for number, shares in sorted([*ours.items(), (1, first_row)]):
        paper = PAPER_RANDOM.get(number)
        rows.append([f"{number:,}", *_beside(paper, shares)])
        for depth, share in zip(DEPTHS, shares, strict=True):
            report.fact(f"random-{number}-depth-{depth}", of_ten(share), quoted=True)
    report.table("table-1", ("iteration", "depth 1", "depth 2", "depth 3"), rows)
    report.fact("first-unchanged", f"{seeds - changed} of {seeds}")
    report.fact("first-rookie", "won" if first_won else "did not win")
    if others:
        report.fact("first-changed", ", ".join(of_ten(share) for share in others[0]))


def _second_table(report: Report, iterations: Sequence[int], matrix: list[list[float]], quick: bool) -> None:
    rows = [
        [f"{number:,}", *_beside(None if quick else PAPER_MATRIX[row], matrix[row])]
        for row, number in enumerate(iterations)
    ]
    report.table("table-2", ("", *(f"{number:,}" for number in iterations)), rows)
    pairs = [(i, j) for i in range(len(PAPER_MATRIX)) for j in range(i)]
    paper = sum(PAPER_MATRIX[i][j] + PAPER_MATRIX[j][i] == TRIALS for i, j in pairs)
    sums = [TRIALS * (matrix[i][j] + matrix[j][i]) for i in range(len(matrix)) for j in range(i)]
    report.fact("paper-pairs", f"{paper} of {len(pairs)}")
    report.fact("our-pairs", f"{sum(sums) / len(sums):.1f} on average")
    report.state(our_pairs_least=f"{min(sums):.1f}", our_pairs_most=f"{max(sums):.1f}")


def _third_table(report: Report, iterations: Sequence[int], averages: list[float], quick: bool) -> None:
    paper_averages: Sequence[float | str] = PAPER_AVERAGE if not quick else [""] * len(iterations)
    rows = [[f"{n:,}", str(p), f"{a:.2f}"] for n, p, a in zip(iterations, paper_averages, averages, strict=True)]
    report.table("table-3", ("iteration", "paper", "ours"), rows)
    for number, average in zip(iterations, averages, strict=True):
        report.fact(f"average-{number}", f"{average:.1f}", quoted=True)
    if not quick:
        apart = [abs(ours - paper) for ours, paper in zip(averages, PAPER_AVERAGE, strict=True)]
        report.state(apart=f"{sum(apart) / len(apart):.1f}", apart_most=f"{max(apart):.1f}")


def _beside(paper: Sequence[int] | None, shares: Sequence[float]) -> list[str]:
    """Cells with the paper's wins out of ten and ours, or ours alone."""
    ours = [of_ten(share) for share in shares]
    return ours if paper is None else [f"{a} / {b}" for a, b in zip(paper, ours, strict=True)]


def _piece_values(executor: Executor, networks: Sequence[Network], games: int = 50) -> list[tuple[float, float]]:
    """How each evaluation changes with one more piece of one's own, and with one more of the opponent's."""
    pairings = [Pairing(0, 0, key(_POSITIONS, number), 0, 0) for number in range(games)]
    result = executor.play(GameBatch([piece_differential()], pairings, RULES))
    words = []
    for game in range(games):
        board = Board()
        for move in result[game].moves:
            board.push(move)
            words.append(board.mover_words)
    positions = np.array(words, np.uint32)
    counts = [[own.bit_count(), opp.bit_count(), 1] for own, opp, _ in words]
    return [
        tuple(np.linalg.lstsq(np.array(counts), evaluate_positions(network.evaluator(), positions), rcond=None)[0][:2])
        for network in networks
    ]


def _draw(plt: Any, iterations: Sequence[int], averages: list[float], quick: bool) -> None:
    plt.plot(iterations, averages, marker="o", label="ours")
    if not quick:
        plt.plot(ITERATIONS, PAPER_AVERAGE, marker="s", linestyle="--", label="Horgan")
    plt.xlabel("iteration")
    plt.ylabel("average wins of 10")
    plt.ylim(0, 10)
    plt.legend(frameon=False)
