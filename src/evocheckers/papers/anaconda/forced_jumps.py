"""What is a "forced jump"? Two readings: their cost, given the paper's machine, and whether the second one learns.

Chellapilla and Fogel extend their search "any time a forced jump move was encountered because in these situations no
real decision is available". Either every jump is forced, as in the rules, or only one that leaves no choice: see
``Forced``. They state no limit to the extensions of a line; here there is one.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from evocheckers.analysis.ensemble import Ensemble, measure
from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.openings import ballots
from evocheckers.native.randomness import key
from evocheckers.networks.evaluator import Forced
from evocheckers.networks.network import MAX_EXTENSIONS, Network
from evocheckers.papers.lab import READINGS, Evolution, Laboratory
from evocheckers.papers.report import Report
from evocheckers.rules.board import Board
from evocheckers.runs.file import Run
from evocheckers.search.limit import Limit
from evocheckers.search.searcher import Searcher
from evocheckers.tournaments.score import Score

GENERATION_SECONDS = 7 * 86_400 / 30
"""The paper: "30 generations required about 7 days"."""
CLOCK_HZ = 400e6
"""The clock of its machine, a Pentium II."""
EVALUATION_CYCLES = 10_000
"""Cycles of one evaluation, at the very least: 5,046 multiplications and as many additions, one a cycle."""
GAMES = 150
"""Games in a generation."""
LIMIT = 4
"""Extensions per line when runs evolve under the second reading."""
GENERATIONS = 10
_READINGS = (
    (Forced.ANY_JUMP, 0),
    (Forced.ANY_JUMP, 2),
    (Forced.ANY_JUMP, 4),
    (Forced.ANY_JUMP, 6),
    (Forced.ONLY_MOVE, 2),
    (Forced.ONLY_MOVE, LIMIT),
    (Forced.ONLY_MOVE, MAX_EXTENSIONS),
)
_QUICK_READINGS = ((Forced.ANY_JUMP, 2), (Forced.ONLY_MOVE, LIMIT), (Forced.ONLY_MOVE, MAX_EXTENSIONS))
_SMALL = {"parents": 2, "plies": 2}


def forced_jumps(lab: Laboratory, command: str) -> Report:
    """Both readings: nodes per move, cycles per node, and evolution under the second."""
    report = Report('What is a "forced jump"?', command)
    report.text(
        'The paper extends its search by two plies "any time a forced jump move was encountered because in these '
        'situations no real decision is available". Reading 1, `any-jump`: a side that can jump has to, so every jump '
        "is forced. Reading 2, `only-move`: a jump that is the only legal move. No limit is given; here `extensions` "
        f"limits how often a line is extended, and {MAX_EXTENSIONS} means no limit."
    )
    _tell_cost(lab, report)
    _tell_learning(lab, report)
    return report


def _tell_cost(lab: Laboratory, report: Report) -> None:
    """Nodes per move under each reading, and the cycles that the paper's machine could spend on each node."""
    plies = lab.size(4, 2)
    games, every = lab.size(4, 1), lab.size(8, 20)

    def count() -> dict[str, object]:
        networks = [Network.random(np.random.default_rng(number)) for number in range(6)]
        boards, moves = _sample(lab, networks, games, every, plies)
        readings = _QUICK_READINGS if lab.quick else _READINGS
        nodes = [_nodes(networks[0], boards, forced, extensions, plies) for forced, extensions in readings]
        leaves = sum(_search(networks[0], board, Forced.ANY_JUMP, 2, plies, plain=True)[1] for board in boards)
        return {"moves": moves, "nodes": nodes, "leaves": leaves}

    found = lab.step("nodes", {"plies": plies, "games": games, "every": every, "quick": lab.quick}, count)
    readings = dict(zip(_QUICK_READINGS if lab.quick else _READINGS, found["nodes"], strict=True))
    usual = readings[Forced.ANY_JUMP, 2]
    moves = found["moves"] * GAMES
    rows = []
    for (forced, extensions), nodes in readings.items():
        mean = float(np.mean(nodes))
        cycles = GENERATION_SECONDS * CLOCK_HZ / (mean * moves)
        name = f"{forced.value}-{'none' if extensions == MAX_EXTENSIONS else extensions}"
        report.fact(f"{name}-nodes", f"{mean:,.0f}")
        report.fact(f"{name}-generation", f"{mean * moves / 1e6:,.0f} million")
        report.fact(f"{name}-cycles", f"{cycles:,.0f}")
        limit = "none" if extensions == MAX_EXTENSIONS else str(extensions)
        cells = f"{mean:,.0f}", f"{np.median(nodes):,.0f}", f"{max(nodes):,}"
        rows.append([f"`{forced.value}`", limit, *cells, f"{mean * moves / 1e6:,.0f}", f"{cycles:,.0f}"])
    header = ("reading", "limit", "mean", "median", "most", "million nodes a generation", "cycles a node")
    report.table(f"Nodes a move at {plies} plies, by alpha-beta without a table", header, rows)
    ratio = found["leaves"] / sum(usual)
    unlimited = readings[Forced.ONLY_MOVE, MAX_EXTENSIONS]
    reached = sum(a != b for a, b in zip(readings[Forced.ONLY_MOVE, LIMIT], unlimited, strict=True))
    report.fact("leaves-a-node", f"{ratio:.1f}")
    report.fact("limit-met", f"{reached} of {len(unlimited)}")
    report.text(
        f"{len(unlimited)} positions of {games} games between random networks; a node is a position whose moves are "
        f"tried, and for each of them about {ratio:.1f} leaves are valued (first reading, limit 2). A generation of "
        f'{GAMES} games has about {moves:,.0f} moves with a choice. "30 generations required about 7 days on a 400-MHz '
        f'Pentium II" leaves {GENERATION_SECONDS:,.0f} seconds a generation; the last column is what that machine '
        f"could spend on a node and its leaves. One evaluation of 5,046 weights takes it {EVALUATION_CYCLES:,} cycles "
        f"at the very least. A limit of {LIMIT} changes the second reading in {reached} of {len(unlimited)} "
        "positions, most of them little, as the medians show. Without one, rare positions explode and make the mean."
    )


def _sample(
    lab: Laboratory, networks: Sequence[Network], games: int, every: int, plies: int
) -> tuple[list[Board], float]:
    """Positions with a choice from games between random networks, and the number of them per game."""
    pairings = [Pairing(i % 6, (i + 1) % 6, key(i), plies, plies) for i in range(games)]
    result = lab.executor.play(GameBatch([network.evaluator() for network in networks], pairings, GameRules()))
    boards, choices = [], 0
    for game in range(games):
        board = Board()
        for ply, move in enumerate(result[game].moves):
            if len(board.legal_moves()) > 1:
                choices += 1
                if ply % every == every // 2:
                    boards.append(board.copy())
            board.push(move)
    return boards, choices / games


def _nodes(network: Network, boards: Sequence[Board], forced: Forced, extensions: int, plies: int) -> list[int]:
    return [_search(network, board, forced, extensions, plies)[0] for board in boards]


def _search(
    network: Network, board: Board, forced: Forced, extensions: int, plies: int, plain: bool = False
) -> tuple[int, int]:
    """Nodes and evaluations of one search without a table; the plain evaluator values every leaf."""
    searcher = Searcher(replace(network, forced=forced).evaluator(plain), extensions, table_bits=None)
    result = searcher.search(board, Limit(plies=plies), deepening=False)
    return result.nodes, result.evaluations


def _tell_learning(lab: Laboratory, report: Report) -> None:
    """Anaconda under the second reading: its last networks compared with its first."""
    generations = lab.size(GENERATIONS, 1) if lab.generations is None else lab.generations
    seeds = range(1, lab.seeds + 1)
    changes = {"forced": Forced.ONLY_MOVE.value, "extensions": LIMIT, **(_SMALL if lab.quick else {})}
    plies = lab.size(4, 2)
    paths = lab.evolved_together([Evolution("anaconda", generations, changes, seed, "only-move") for seed in seeds])
    lines = ballots()[:1] if lab.quick else ballots()
    rows, gains = [], []
    for opponent in READINGS:
        scores = {}
        for generation in (0, generations):
            networks = []
            for path in paths:
                with Run.open(path) as run:
                    networks.append(run.network(generation))
            name = f"only-move-{generation}-{opponent.replace(':', '-')}"
            about = {"seeds": len(paths), "plies": plies, "lines": len(lines), "quick": lab.quick}
            answer = lab.step(name, about, partial(_scores, lab, networks, f"{opponent}@{plies}", plies, lines))
            scores[generation] = Ensemble([Score(*counts) for counts in answer])
            found = scores[generation]
            rows.append([f"`{opponent}`", generation, found.together.wdl_text, found.share_text, found.elo_text])
        gain = _gain(scores[0], scores[generations])
        gains.append(f"{gain} against `{opponent}`")
        report.fact(f"gain-{opponent.rpartition(':')[2]}", gain)
    header = ("opponent", "generation", "W-D-L", "score, 95% over runs", "points")
    title = f"Anaconda under the second reading, {len(paths)} seeds, {2 * len(lines)} games each at {plies} plies"
    report.table(title, header, rows)
    report.fact("learnt", f"{len(paths)} seeds, {generations} generations")
    report.text(
        f"Does it learn? {len(paths)} runs of `anaconda` with `forced = only-move` and at most {LIMIT} extensions on a "
        f"line, {generations} generations each. What the last networks score above the first, seed by seed: "
        f"{'; '.join(gains)}. As played; intervals are Student's t over the runs."
    )


def _scores(
    lab: Laboratory, networks: Sequence[Network], opponent: str, plies: int, lines: Sequence[str]
) -> list[list[int]]:
    matches = measure(networks, lab.contestant(opponent), plies, lab.executor, lines=lines)
    scores = [match.score for match in matches]
    return [[score.wins, score.draws, score.losses, score.ahead, score.behind] for score in scores]


def _gain(first: Ensemble, last: Ensemble) -> str:
    """The gain in per cent of the points, with its interval over the runs."""
    from scipy import stats

    gains = [100 * (b.share - a.share) for a, b in zip(first.scores, last.scores, strict=True)]
    mean = float(np.mean(gains))
    if len(gains) < 2 or min(gains) == max(gains):
        return f"{mean:+.1f}% of the points"
    half = float(stats.t.ppf(0.975, len(gains) - 1) * stats.sem(gains))
    return f"{mean:+.1f}% of the points [{mean - half:+.1f}, {mean + half:+.1f}]"
