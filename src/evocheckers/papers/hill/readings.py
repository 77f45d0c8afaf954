"""Why Horgan's networks win at depths 2 and 3 while the same lose under our rules: one reading after another.

The paper leaves open whether jumps are compulsory, how leaves are valued and whether captures are searched out. Random
and climbed networks meet random moves under every reading. The source code that the paper refers to
(https://github.com/lhorgan/dcheckers) settles what the text leaves open: jumps are optional, inputs go by colour, the
noise has a standard deviation of 0.05, and it is the noise that is normalised.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from evocheckers.games.batch import Executor, GameBatch, Pairing
from evocheckers.native.randomness import key, normals
from evocheckers.networks.dense import reference as dense
from evocheckers.networks.evaluator import piece_differential
from evocheckers.networks.network import Network
from evocheckers.papers.hill.climbing import DEPTHS, RULES, Reading, climb, of_ten, wins_against_random
from evocheckers.papers.hill.over_the_hill import PAPER_RANDOM
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.report import Report
from evocheckers.rules.board import Board
from evocheckers.rules.move import Move
from evocheckers.search.limit import Limit
from evocheckers.search.searcher import Searcher

PRESET = Reading("the preset")
PROGRAM = Reading(
    "as the author's program",
    {"leaf": "black", "noise": 0.05, "weight_limit": None},
    False,
)
READINGS = {
    "searched-out": Reading("captures searched out, two extensions", {"extensions": 2, "quiescence": True}),
    "quiescence": Reading("captures searched out, no extension", {"quiescence": True}),
    "preset": PRESET,
    "mover": Reading("leaves valued by the side to move", {"leaf": "mover"}),
    "colour": Reading("inputs by colour: Black's value, White minimises", {"leaf": "black"}),
    "free": Reading("nobody has to jump", {}, False),
    "free-mover": Reading("nobody has to jump, leaves valued by the side to move", {"leaf": "mover"}, False),
    "free-colour": Reading("nobody has to jump, inputs by colour", {"leaf": "black"}, False),
    "program": PROGRAM,
}
_NETWORK, _EXCHANGES, _CHOICES = 15, 16, 17
"""Separate the random numbers of the networks, of the games whose captures are counted, and of those whose positions
are taken."""


def readings(lab: Laboratory, command: str) -> Report:
    """Random and climbed networks against random moves, under each reading."""
    iterations = (1000, 5000) if not lab.quick else (10, 20)
    count, games, trials = lab.size(40, 4), lab.size(20, 4), lab.size(200, 10)
    report = Report("hill/over-the-hill-readings", command)
    report.state(networks=count, random_games=games, seeds=lab.seeds, climbed_games=trials)
    report.lists["number"] = [str(number) for number in iterations]
    random_rows = [["Horgan, iteration 1 (a network of zeros)", *map(str, PAPER_RANDOM[1])]]
    papers = {number: ["Horgan", *map(str, PAPER_RANDOM.get(number, [""] * 3)), "about 40%"] for number in iterations}
    climbed_rows = {number: [paper] for number, paper in papers.items()}
    for name, reading in READINGS.items():
        about = {"changes": dict(reading.changes), "compulsory": reading.compulsory, "look": "plain"}
        few = {"count": count, "games": games}
        shares = lab.step(f"random-{name}", {**about, **few}, partial(_of_random, lab, reading, count, games))
        random_rows.append([reading.name, *map(of_ten, shares)])
        report.fact(f"random-{name}", ", ".join(map(of_ten, shares)), quoted=True)
        size = {"iterations": iterations, "seeds": lab.seeds, "trials": trials}
        climbed = lab.step(f"climbed-{name}", {**about, **size}, partial(_of_climbed, lab, reading, iterations, trials))
        for number, found in zip(iterations, climbed, strict=True):
            climbed_rows[number].append([reading.name, *map(of_ten, found[:3]), f"{100 * found[3]:.0f}%"])
            report.fact(f"climbed-{name}-{number}", ", ".join(map(of_ten, found[:3])), quoted=True)
    depths = [f"depth {depth}" for depth in DEPTHS]
    report.table("random", ("reading", *depths), random_rows)
    for number, rows in climbed_rows.items():
        report.fact(f"iterations-{number}", f"{number:,}")
        report.table(f"climbed-{number}", ("reading", *depths, "rookies accepted"), rows)
    rows = []
    for name in ("preset", "free"):
        reading = READINGS[name]
        about = {"compulsory": reading.compulsory, "count": count, "look": "plain"}
        count_them = partial(exchanges, reading.executor(lab.executor), random_networks(PRESET, count))
        counted = lab.step(f"exchanges-{name}", about, count_them)
        rows.append([reading.name, *(f"{taken:.0f} / {lost:.0f}" for taken, lost in counted)])
        report.fact(f"exchanges-{name}", ", ".join(rows[-1][1:]), quoted=True)
    report.table("exchanges", ("reading", "random moves", *depths), rows)
    look = partial(choices, lab.executor, random_networks(PRESET, count), lab.size(150, 4))
    chosen = lab.step("choices", {"count": count, "look": "plain"}, look)
    replies = [f"{replies:.1f}" for replies, _ in chosen]
    jumps = [f"{100 * jumps:.0f}%" for _, jumps in chosen]
    report.table(
        "choices",
        ("", "all moves", *depths),
        [["replies that are left to the opponent", *replies], ["the opponent has to jump", *jumps]],
    )
    report.fact("choices-replies", ", ".join(replies), quoted=True)
    report.fact("choices-jumps", ", ".join(jumps), quoted=True)
    return report


def _of_random(lab: Laboratory, reading: Reading, count: int, games: int) -> list[float]:
    executor, networks = reading.executor(lab.executor), random_networks(reading, count)
    return [wins_against_random(executor, networks, depth, games) for depth in DEPTHS]


def _of_climbed(lab: Laboratory, reading: Reading, iterations: Sequence[int], trials: int) -> list[list[float]]:
    """For each number of iterations, the shares of wins by depth, and the share of rookies accepted."""
    executor = reading.executor(lab.executor)
    runs = climb(reading, iterations, lab.executor, range(1, lab.seeds + 1))
    found = []
    for at, number in enumerate(iterations):
        networks = [run[at].network for run in runs]
        wins = [wins_against_random(executor, networks, depth, trials) for depth in DEPTHS]
        found.append([*wins, sum(run[at].updates for run in runs) / len(runs) / number])
    return found


def random_networks(reading: Reading, count: int) -> list[Network]:
    """Champions as they are after their first defeat: a tenth of some noise."""
    settings = reading.settings
    size = np.float32(settings.noise * settings.share)
    numbers = dense.numbers(settings.inputs)
    return [reading.network(size * normals(key(_NETWORK, number), numbers)) for number in range(count)]


def exchanges(executor: Executor, networks: Sequence[Network]) -> list[tuple[float, float]]:
    """Pieces taken and lost per 100 moves against random moves: by random moves, then by networks at depths 1 to 3."""
    nobody = len(networks)
    evaluators = [*(network.evaluator() for network in networks), piece_differential()]
    found = []
    for depth in (0, *DEPTHS):
        pairings = [Pairing(number, nobody, key(_EXCHANGES, depth, number), depth, 0) for number in range(nobody)]
        result = executor.play(GameBatch(evaluators, pairings, RULES))
        moves = [result[game].moves for game in range(nobody)]
        made = sum(len(game[::2]) for game in moves)
        taken, lost = (sum(len(m.captured) for game in moves for m in game[side::2]) for side in (0, 1))
        found.append((100 * taken / made, 100 * lost / made))
    return found


def choices(executor: Executor, networks: Sequence[Network], games: int) -> list[tuple[float, float]]:
    """How many replies a move leaves, and how often they are jumps: the mean over all legal moves, then for the moves
    that networks choose at depths 1 to 3 in the same positions."""
    pairings = [Pairing(0, 0, key(_CHOICES, number), 0, 0) for number in range(games)]
    result = executor.play(GameBatch([piece_differential()], pairings, RULES))
    searchers = [Searcher(network.evaluator(), table_bits=10) for network in networks]
    rows: list[list[tuple[float, float]]] = []
    for game in range(games):
        board = Board()
        for ply, move in enumerate(result[game].moves):
            moves = board.legal_moves()
            if ply % 7 == 3 and len(moves) > 2 and not moves[0].captured:
                left = {one: _left(board, one) for one in moves}
                searcher = searchers[len(rows) % len(searchers)]
                found = [searcher.search(board, Limit(plies=depth), ply).move for depth in DEPTHS]
                mean = tuple(np.mean(list(left.values()), axis=0).tolist())
                rows.append([mean, *(left[one] for one in found)])
            board.push(move)
    return [tuple(column) for column in np.mean(rows, axis=0).tolist()]


def _left(board: Board, move: Move) -> tuple[float, float]:
    """How many replies a move leaves, and whether they are jumps."""
    after = board.copy()
    after.push(move)
    replies = after.legal_moves()
    return len(replies), float(bool(replies) and bool(replies[0].captured))
