"""What is a "forced jump"? Two readings: how many nodes they search, and whether a network learns under the second.

Chellapilla and Fogel extend their search "any time a forced jump move was encountered because in these situations no
real decision is available". Either every jump is forced, as in the rules, or only one that leaves no choice: see
``Forced``. They state no limit to the extensions of a line; here there is one. Nodes are compared with what the paper's
machine can have searched in the time that a generation took.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from evocheckers.analysis.ensemble import Ensemble, measure
from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.openings import ballots
from evocheckers.native.randomness import key
from evocheckers.networks.network import Network
from evocheckers.networks.search_rules import MAX_EXTENSIONS, Forced
from evocheckers.papers.lab import PIECE_COUNTERS, Evolution, Laboratory
from evocheckers.papers.report import Report
from evocheckers.papers.scores import counts, gain
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
_RULES = (
    (Forced.ANY_JUMP, 0),
    (Forced.ANY_JUMP, 2),
    (Forced.ANY_JUMP, 4),
    (Forced.ANY_JUMP, 6),
    (Forced.ONLY_MOVE, 2),
    (Forced.ONLY_MOVE, LIMIT),
    (Forced.ONLY_MOVE, MAX_EXTENSIONS),
)
_QUICK_RULES = ((Forced.ANY_JUMP, 2), (Forced.ONLY_MOVE, LIMIT), (Forced.ONLY_MOVE, MAX_EXTENSIONS))
_SMALL = {"parents": 2, "plies": 2}


def forced_jumps(lab: Laboratory, command: str) -> Report:
    """Both readings: nodes per move, cycles per node, and evolution under the second."""
    report = Report("anaconda/forced-jumps", command)
    report.fact("no-limit", MAX_EXTENSIONS)
    _add_nodes(lab, report)
    _add_learning(lab, report)
    return report


def _add_nodes(lab: Laboratory, report: Report) -> None:
    """Nodes per move under each reading, and the cycles that the paper's machine could spend on each node."""
    plies = lab.size(4, 2)
    games, every = lab.size(4, 1), lab.size(8, 20)

    def count() -> dict[str, object]:
        networks = [Network.random(np.random.default_rng(number)) for number in range(6)]
        boards, moves = _sample(lab, networks, games, every, plies)
        rules = _QUICK_RULES if lab.quick else _RULES
        nodes = [_nodes(networks[0], boards, forced, extensions, plies) for forced, extensions in rules]
        leaves = sum(_search(networks[0], board, Forced.ANY_JUMP, 2, plies, plain=True)[1] for board in boards)
        return {"moves": moves, "nodes": nodes, "leaves": leaves}

    found = lab.step("nodes", {"plies": plies, "games": games, "every": every, "quick": lab.quick}, count)
    nodes_by_rule = dict(zip(_QUICK_RULES if lab.quick else _RULES, found["nodes"], strict=True))
    usual = nodes_by_rule[Forced.ANY_JUMP, 2]
    moves = found["moves"] * GAMES
    rows = []
    for (forced, extensions), nodes in nodes_by_rule.items():
        mean = float(np.mean(nodes))
        cycles = GENERATION_SECONDS * CLOCK_HZ / (mean * moves)
        name = f"{forced.value}-{'none' if extensions == MAX_EXTENSIONS else extensions}"
        report.fact(f"{name}-nodes", f"{mean:,.0f}", quoted=True)
        report.fact(f"{name}-generation", f"{mean * moves / 1e6:,.0f} million", quoted=True)
        report.fact(f"{name}-cycles", f"{cycles:,.0f}", quoted=True)
        limit = "none" if extensions == MAX_EXTENSIONS else str(extensions)
        cells = f"{mean:,.0f}", f"{np.median(nodes):,.0f}", f"{max(nodes):,}"
        rows.append([f"`{forced.value}`", limit, *cells, f"{mean * moves / 1e6:,.0f}", f"{cycles:,.0f}"])
    header = ("reading", "limit", "mean", "median", "most", "million nodes a generation", "cycles a node")
    report.table("nodes", header, rows)
    ratio = found["leaves"] / sum(usual)
    unlimited = nodes_by_rule[Forced.ONLY_MOVE, MAX_EXTENSIONS]
    reached = sum(a != b for a, b in zip(nodes_by_rule[Forced.ONLY_MOVE, LIMIT], unlimited, strict=True))
    report.fact("leaves-a-node", f"{ratio:.1f}")
    report.fact("limit-met", f"{reached} of {len(unlimited)}")
    report.state(plies=plies, positions=len(unlimited), games=games, moves=f"{moves:,.0f}", limit=LIMIT)
    report.fact("generation-games", GAMES)
    report.fact("generation-seconds", f"{GENERATION_SECONDS:,.0f}")
    report.fact("evaluation-cycles", f"{EVALUATION_CYCLES:,}")


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
    searcher = Searcher(network.with_rules(forced=forced, extensions=extensions).evaluator(plain), table_bits=None)
    result = searcher.search(board, Limit(plies=plies), deepening=False)
    return result.nodes, result.evaluations


def _add_learning(lab: Laboratory, report: Report) -> None:
    """Anaconda under the second reading: its last networks compared with its first."""
    generations = lab.size(GENERATIONS, 1) if lab.generations is None else lab.generations
    seeds = range(1, lab.seeds + 1)
    changes = {"forced": Forced.ONLY_MOVE.value, "extensions": LIMIT, **(_SMALL if lab.quick else {})}
    plies = lab.size(4, 2)
    paths = lab.evolved_together([Evolution("anaconda", generations, changes, seed, "only-move") for seed in seeds])
    lines = ballots()[:1] if lab.quick else ballots()
    rows = []
    for opponent in PIECE_COUNTERS:
        scores = {}
        for generation in (0, generations):
            networks = []
            for path in paths:
                with Run.open(path) as run:
                    networks.append(run.network(generation))
            name = f"only-move-{generation}-{opponent.replace(':', '-')}"
            about = {"seeds": len(paths), "plies": plies, "lines": len(lines), "quick": lab.quick}
            answer = lab.step(name, about, partial(_scores, lab, networks, f"{opponent}@{plies}", plies, lines))
            scores[generation] = Ensemble([Score(*one) for one in answer])
            found = scores[generation]
            rows.append([f"`{opponent}`", generation, found.together.wdl_text, found.share_text, found.elo_text])
        report.fact(f"gain-{opponent.rpartition(':')[2]}", _gain_text(scores[0], scores[generations]))
    report.table("learning", ("opponent", "generation", "W-D-L", "score, 95% over runs", "points"), rows)
    report.fact("learnt", f"{len(paths)} seeds, {generations} generations", quoted=True)
    report.state(runs=len(paths), generations=generations, match_games=2 * len(lines))


def _scores(
    lab: Laboratory, networks: Sequence[Network], opponent: str, plies: int, lines: Sequence[str]
) -> list[list[int]]:
    matches = measure(networks, lab.contestant(opponent), plies, lab.executor, lines=lines)
    return [counts(match.score) for match in matches]


def _gain_text(first: Ensemble, last: Ensemble) -> str:
    """The gain in per cent of the points, with its interval over the runs if they differ."""
    mean, low, high = gain(last, first)
    return f"{mean:+.1f}% of the points" + (f" [{low:+.1f}, {high:+.1f}]" if high > low else "")
