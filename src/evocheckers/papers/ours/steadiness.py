"""How steady a network's values are: how far they jump from ply to ply.

A network that values leaves from the searching player's point of view could add any constant to all of them and play
the same moves; its values then go up and down with the side to move. One that values them from the side to move's
point of view cannot.
"""

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from evocheckers.analysis.analyse import searcher_of
from evocheckers.analysis.values import SHOWN_MEN, clip_men
from evocheckers.games.openings import FIRST_MOVES
from evocheckers.papers.lab import Laboratory, identity
from evocheckers.papers.report import Report, fact_name
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.pdn import Game
from evocheckers.tournaments.match import play_match

BESIDE = "es-190"
"""A network shown for comparison with those under test."""
HALF_A_MAN = 0.5

Values = Sequence[Sequence[float]]
"""The value to Black of every position of every game."""


def steadiness(lab: Laboratory, command: str) -> Report:
    """Value every position of each network's games with the networks under test and one more for comparison."""
    plies = lab.size(6, 2)
    lines = FIRST_MOVES[:1] if lab.quick else FIRST_MOVES
    report = Report("ours/steadiness", command)
    report.lists["player"] = list(lab.players)
    rows: list[list[str]] = []
    for player in lab.players:
        pair = lab.contestant(f"{player}@4"), lab.contestant("material:noise@4")
        games = sorted(play_match(*pair, lines, lab.executor), key=lambda game: game.number)
        records = [game.to_pdn("steadiness") for game in games]
        found: dict[str, Values] = {}
        for name in dict.fromkeys((player, *lab.players, BESIDE)):
            contestant = lab.contestant(f"{name}@{plies}")
            about = {"moves": [str(move) for game in games for move in game.moves], "player": identity(contestant)}
            found[name] = lab.step(f"values-{player}-{name}", about, partial(_values, records, contestant))
            rows.append([f"`{player}`", f"`{name}`", *_cells(found[name])])
        report.fact(f"{player}-mean-change", f"{changes(found[player]).mean():.2f}", quoted=True)
        report.figure(f"values-{player}", partial(_plot, found))
    means = (f"`{player}` {report.facts[fact_name(f'{player}-mean-change')]}" for player in lab.players)
    report.state(means=", ".join(means), games=2 * len(lines), plies=plies, decided=f"{SHOWN_MEN:.0f}")
    report.table("changes", HEADER, rows)
    return report


HEADER = ("games of", "values of", "plies", "mean change", "95% of changes below", "changes over half a man")


def _values(games: Sequence[Game], contestant: Contestant) -> list[list[float]]:
    return [values_along(game, contestant) for game in games]


def values_along(game: Game, contestant: Contestant) -> list[float]:
    """A player's values, to Black, of a game's positions, searched as the side to move; ends at a repetition."""
    searcher, limit = searcher_of(contestant)
    board, values, seen = Board(game.start), [], set()
    for move in game.moves:
        if board.position in seen:
            break
        seen.add(board.position)
        score = clip_men(searcher.search(board, limit).score)
        values.append(score if board.turn is Color.BLACK else -score)
        board.push(move)
    return values


def changes(values: Values) -> np.ndarray:
    """How far values change between consecutive positions that are not decided."""
    pairs = [pair for game in values for pair in itertools.pairwise(game)]
    return np.array([abs(b - a) for a, b in pairs if max(abs(a), abs(b)) < SHOWN_MEN])


def _cells(values: Values) -> list[str]:
    jumps = changes(values)
    over = 100 * float((jumps > HALF_A_MAN).mean())
    return [f"{len(jumps):,}", f"{jumps.mean():.2f}", f"{np.quantile(jumps, 0.95):.2f}", f"{over:.0f}%"]


def _plot(found: dict[str, Values], plt: Any) -> None:
    for name, values in found.items():
        plt.plot(range(len(values[0])), values[0], label=name, linewidth=1.2)
    plt.axhline(0, color="grey", linewidth=0.8)
    plt.xlabel("ply")
    plt.ylabel("value to Black, men")
    plt.legend(frameon=False)
