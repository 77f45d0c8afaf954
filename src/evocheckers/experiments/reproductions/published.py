"""The two games that the papers print: replayed, checked, and read by the network and an endgame database."""

import json
from functools import partial
from importlib import resources
from typing import Any

from evocheckers.experiments.analysis import analyse_game
from evocheckers.experiments.reproductions.laboratory import Laboratory
from evocheckers.experiments.reproductions.report import Report
from evocheckers.rules.board import Board
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
    rows = []
    for number, (game, marks) in enumerate(games_with_marks(), 1):
        found = forced_plies(game)
        board = game.board()
        value = lab.endgames().probe(board)
        analyses = list(analyse_game(game, player))
        free = [analysis for analysis in analyses if analysis.ply not in found]
        cells = [game.tags["Event"], len(game.moves), f"{len(marks)} / {len(found)}", "yes" if found == marks else "no"]
        for color in ("Black", "White"):
            own = [analysis for analysis in free if str(analysis.color) == color]
            cells.append(f"{sum(analysis.best == analysis.move for analysis in own)} of {len(own)}")
        rows.append([*cells, board.fen(), f"{value} for {board.turn}" if value is not None else "too many pieces"])
        scores = [analysis.score for analysis in analyses]
        report.figure(
            f"game-{number}",
            f"{game.tags['Event']}: score to Black by {player.name}",
            partial(_draw, scores, game.tags["Event"]),
        )
    header = ("game", "plies", "(f) marks / forced plies", "the same", "Black as the network", "White as the network")
    report.table("", (*header, "last position", "endgame database"), rows)
    report.text(
        f"The network is `{player.name}`; columns five and six count its agreement with moves that were not forced."
    )
    return report


def _draw(scores: list[float], title: str, plt: Any) -> None:
    plt.axhline(0, color="grey", linewidth=0.8)
    plt.plot(range(1, len(scores) + 1), scores)
    plt.xlabel("ply")
    plt.ylabel("score to Black, men")
    plt.title(title)
