"""The two games that the papers print: replayed, checked, and read by the network and an endgame database."""

import json
from functools import partial
from importlib import resources
from typing import Any

from evocheckers.experiments.analysis import analyse_game
from evocheckers.experiments.reproductions.laboratory import Laboratory
from evocheckers.experiments.reproductions.report import Report
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.pdn import Game, read_pdn


def games_with_marks() -> list[tuple[Game, list[int]]]:
    """The printed games, and the plies that the papers mark as forced."""
    folder = resources.files("evocheckers") / "data"
    games = read_pdn((folder / "published-games.pdn").read_text())
    marks = json.loads((folder / "published-games.json").read_text())["games"]
    return [(game, mark["forced_plies"]) for game, mark in zip(games, marks, strict=True)]


def forced_plies(game: Game) -> list[int]:
    """The plies with one legal move, counted from 1."""
    board, found = Board(game.start), []
    for ply, move in enumerate(game.moves, 1):
        if len(board.legal_moves()) == 1:
            found.append(ply)
        board.push(move)
    return found


def published_games(lab: Laboratory, command: str) -> Report:
    """Replay, check and analyse."""
    plies = lab.size(8, 4)
    report = Report("The two published games", command)
    report.text(
        "Both games are legal to the last ply, and the moves that the papers mark with (f) are exactly those with one "
        "legal move."
    )
    player = lab.contestant(f"{lab.player}@{plies}")
    facts: dict[str, list[str]] = {}
    names = []
    for number, (game, marks) in enumerate(games_with_marks(), 1):
        names.append(game.tags["Event"])
        found = forced_plies(game)
        board = game.board()
        value = lab.endgames().probe(board)
        analyses = list(analyse_game(game, player))
        cells = {
            "plies": str(len(game.moves)),
            "moves marked (f)": str(len(marks)),
            "plies with one legal move": f"{len(found)}, {'the same' if found == marks else 'others'}",
        }
        for color in (Color.BLACK, Color.WHITE):
            own = [analysis for analysis in analyses if analysis.color is color and analysis.ply not in found]
            same = sum(analysis.best == analysis.move for analysis in own)
            cells[f"{color}'s free moves that {player.name} would play"] = f"{same} of {len(own)}"
        cells["last position"] = f"`{board.fen()}`"
        cells["by the endgame database"] = f"{value} for {board.turn}" if value is not None else "too many pieces"
        for name, cell in cells.items():
            facts.setdefault(name, []).append(cell)
        report.figure(
            f"game-{number}",
            f"{game.tags['Event']}: score to Black by {player.name}",
            partial(_draw, [analysis.score for analysis in analyses], game.tags["Event"]),
        )
    report.table("", ("", *names), [[name, *cells] for name, cells in facts.items()])
    return report


def _draw(scores: list[float], title: str, plt: Any) -> None:
    plt.axhline(0, color="grey", linewidth=0.8)
    plt.plot(range(1, len(scores) + 1), scores)
    plt.xlabel("ply")
    plt.ylabel("score to Black, men")
    plt.title(title)
