"""Are won endings won? Positions won according to the database, against a defender who has it too."""

import statistics
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from evocheckers.endgames.index import FIRST_ROW, LAST_ROW
from evocheckers.endgames.values import Database, Value
from evocheckers.games.game import play_game
from evocheckers.native.threads import thread_count
from evocheckers.papers.lab import Laboratory, identity
from evocheckers.papers.report import Report
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position, format_fen
from evocheckers.rules.move import Color

MOVES_PER_SIDE = 60
"""A win must be completed within these; the longest with four pieces takes 55."""
_SEED = 21


def endings(lab: Laboratory, command: str) -> Report:
    """Play won endings with and without the database."""
    database = lab.endgames()
    positions = won_positions(database, lab.size(200, 4))
    nodes = f"{lab.size(20, 2)}kn"
    report = Report("ours/endings", command)
    report.state(positions=len(positions), pieces=database.pieces, nodes=nodes, moves=MOVES_PER_SIDE)
    rows = []
    for player in lab.players:
        defender = lab.contestant(f"{player}@{nodes}+db")
        for label, attacker in (("with", defender), ("without", lab.contestant(f"{player}@{nodes}"))):
            about = {"positions": positions, "attacker": identity(attacker), "moves": MOVES_PER_SIDE}
            about |= {"defender": identity(defender), "databases": attacker.databases}
            name = f"endings-{label}-{player.replace(':', '-').replace('/', '-')}"
            play = partial(_play, attacker, defender, positions, lab.workers)
            lengths = [plies for plies in lab.step(name, about, play) if plies]
            won = f"{len(lengths)} of {len(positions)}"
            mean = f"{statistics.mean(lengths):.1f}" if lengths else "-"
            rows.append([f"`{player}` {label} the database", won, mean, max(lengths, default="-")])
            report.fact(f"{player}-{label}", won, quoted=True)
    report.table("won", ("attacker", "won", "plies, mean", "plies, most"), rows)
    return report


def won_positions(database: Database, count: int) -> list[str]:
    """FENs of won positions, sampled with a fixed seed: Black to move, all pieces of the database on the board."""
    generator = np.random.default_rng(_SEED)
    found: dict[str, None] = {}
    while len(found) < count:
        squares = generator.permutation(32)[: database.pieces].tolist()
        own = int(generator.integers(1, database.pieces))
        black, white = (sum(1 << square for square in part) for part in (squares[:own], squares[own:]))
        kings = sum(1 << square for square in squares if generator.random() < 0.5)
        position = Position(Color.BLACK, black, white, kings)
        if black & ~kings & int(LAST_ROW) or white & ~kings & int(FIRST_ROW):  # a man on its last row
            continue
        sides = [Board(position), Board(position._replace(turn=Color.WHITE))]
        if any(move.captured for side in sides for move in side.legal_moves()):
            continue
        if database.probe(sides[0]) is Value.WIN:
            found[format_fen(position)] = None
    return list(found)


def _play(attacker: Contestant, defender: Contestant, fens: Sequence[str], workers: int | None) -> list[int]:
    """The plies of each won game; 0 if not won."""

    def play(part: Sequence[str]) -> list[int]:
        black, white = attacker.player(), defender.player()
        lengths = []
        for fen in part:
            board = Board(fen)
            outcome, _ = play_game(black, white, board, 2 * MOVES_PER_SIDE, repetition=True)
            lengths.append(len(board.moves) if outcome.winner is Color.BLACK else 0)
        return lengths

    threads = thread_count(workers)
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(play, [fens[first::threads] for first in range(threads)]))
    return [parts[number % threads][number // threads] for number in range(len(fens))]
