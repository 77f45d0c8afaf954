"""The two games printed in Chellapilla and Fogel's papers: replayed, checked and analysed.

The games are replayed by the rules, the moves that the papers mark as forced are compared with those without an
alternative, the papers' remarks with the pieces on the board and with what the networks think, and the endings with an
endgame database. Figures are the positions of Expert's figures 6 to 8, and each game's values ply by ply.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any

from evocheckers.analysis.analyse import PlyAnalysis, analyse_game
from evocheckers.endgames.values import Database, Value
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.report import Report
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, row_and_column
from evocheckers.rules.pdn import Game, read_pdn


@dataclass(frozen=True)
class Remark:
    """A paper's words about some plies of a printed game."""

    game: int
    """From 1, in the order of the file."""
    first: int
    """The first ply that it concerns."""
    last: int
    moves: str
    words: str


REMARKS = (
    Remark(1, 39, 44, "moves 20 to 22", "takes an early lead"),
    Remark(1, 55, 60, "moves 28 to 30", "gives up pieces"),
    Remark(1, 115, 116, "move 58", "comes back for a win"),
    Remark(1, 119, 119, "60. 22-25", "sees a way to force a win"),
    Remark(2, 6, 9, "3... 22-18", "Computer initiates a double swap"),
    Remark(2, 18, 22, "9... 24-20", "initiates a move sequence to go up one piece"),
    Remark(2, 22, 22, "11... 27x20x11", "gains a checker during the swap"),
    Remark(2, 35, 37, "18. 14-17", "Human initiates a double swap"),
    Remark(2, 38, 38, "19... 8-3", "Computer gets a King"),
    Remark(2, 35, 40, "moves 18 to 20", "behind by a King and a piece"),
)
FIGURES = {6: 18, 7: 38, 8: 40}
"""Expert's figures by number: the ply of the second game that they follow."""


def board_after(game: Game, plies: int) -> Board:
    """The position after ``plies`` plies."""
    return Board(game.start).push_all(game.moves[:plies])


def pieces_text(board: Board) -> str:
    """Red's pieces against White's; ``k`` marks kings."""
    _, black, white, kings = board.position
    return f"{_side(black, kings)} : {_side(white, kings)}"


def _side(pieces: int, kings: int) -> str:
    men, crowned = (pieces & ~kings).bit_count(), (pieces & kings).bit_count()
    return f"{men}+{crowned}k" if crowned else str(men)


def view_of(remark: Remark, analyses: Sequence[PlyAnalysis]) -> list[str]:
    """A network on a remark: the value to White before and after, and its own choice at the first ply."""
    before = -analyses[remark.first - 2].men if remark.first > 1 else 0.0
    asked = analyses[remark.first - 1].review
    own = "the same" if asked.choice == asked.move else f"{asked.choice}, better by {asked.cost_men:.2f}"
    return [f"{before:+.2f} → {-analyses[remark.last - 1].men:+.2f}", own]


def plot_board(board: Board, plt: Any) -> None:
    """Plot a diagram with Red's side at the top, as in the papers; kings are marked K."""
    plt.gcf().set_size_inches(4, 4)
    for row in range(8):
        for column in range(8):
            colour = "#8a9a86" if (row + column) % 2 else "#eee9dc"
            plt.fill([column, column + 1, column + 1, column], [row, row, row + 1, row + 1], color=colour, linewidth=0)
    for square in range(1, 33):
        row, column = row_and_column(square)
        plt.text(column + 0.04, row + 0.2, str(square), fontsize=6, color="#33402f")
        piece = board.piece_at(square)
        if piece != ".":
            is_black = piece.lower() == "b"
            shown = plt.Circle(
                (column + 0.5, row + 0.5), 0.36, facecolor="#a5342b" if is_black else "white", ec="black"
            )
            plt.gca().add_patch(shown)
            if piece.isupper():
                plt.text(column + 0.5, row + 0.5, "K", ha="center", va="center", color="white" if is_black else "black")
    plt.axis("equal")
    plt.axis("off")
    plt.gca().invert_yaxis()


def games_with_marks() -> list[tuple[Game, list[int]]]:
    """The printed games, and the plies that the papers mark as forced."""
    folder = resources.files("evocheckers") / "papers" / "anaconda"
    games = read_pdn((folder / "published-games.pdn").read_text())
    marks = json.loads((folder / "published-games.json").read_text())["games"]
    return [(game, mark["forced_plies"]) for game, mark in zip(games, marks, strict=True)]


def forced_plies(game: Game) -> list[int]:
    """The plies with only one legal move, counted from 1."""
    board, found = Board(game.start), []
    for ply, move in enumerate(game.moves, 1):
        if len(board.legal_moves()) == 1:
            found.append(ply)
        board.push(move)
    return found


def jumps(game: Game) -> dict[int, bool]:
    """The plies that are jumps, counted from 1, and whether there was another jump to choose."""
    board, found = Board(game.start), {}
    for ply, move in enumerate(game.moves, 1):
        if move.captured:
            found[ply] = len(board.legal_moves()) > 1
        board.push(move)
    return found


def published_games(lab: Laboratory, command: str) -> Report:
    """Replay, check and analyse the games."""
    plies = lab.size(8, 2)
    report = Report("anaconda/published-games", command)
    report.state(plies=plies, pieces=lab.endgames().pieces)
    games = games_with_marks()
    _add_jumps(report, games)
    contestants = [lab.contestant(f"{player}@{plies}") for player in lab.players]
    names = [game.tags["Event"] for game, _ in games]
    analyses = {one.name: [list(analyse_game(game, one)) for game, _ in games] for one in contestants}
    report.table("checks", ("", *names), _checks(lab, games, analyses))
    report.fact("hoyle-won-from", _won_from(lab.endgames(), games[0][0]))
    header = ["game", "moves", "the paper", "pieces"]
    header += [f"{name}, {what}" for name in analyses for what in ("value to White", "own move")]
    report.table("remarks", header, [_remark_row(games, analyses, remark) for remark in REMARKS])
    first = analyses[contestants[0].name]
    for number, remark in enumerate(REMARKS, 1):
        game = games[remark.game - 1][0]
        before, after = (pieces_text(board_after(game, ply)) for ply in (remark.first - 1, remark.last))
        report.fact(f"remark-{number}", f"pieces {before} before, {after} after", quoted=True)
        report.fact(f"remark-{number}-value", view_of(remark, first[remark.game - 1])[0], quoted=True)
    for number, ply in FIGURES.items():
        board = board_after(games[1][0], ply)
        report.figure(f"figure-{number}", partial(plot_board, board))
        move = f"{(ply + 1) // 2}{'.' if ply % 2 else '...'} {games[1][0].moves[ply - 1]}"
        report.fact(f"figure-{number}-move", move)
        report.fact(f"figure-{number}-fen", board.fen())
    for number, name in enumerate(names, 1):
        scores = {player: [one.men for one in found[number - 1]] for player, found in analyses.items()}
        report.figure(f"game-{number}", partial(_plot, scores, name))
        report.fact(f"event-{number}", name)
    return report


def _add_jumps(report: Report, games: Sequence[tuple[Game, list[int]]]) -> None:
    """Whether a jump with a choice is marked as forced."""
    found = [(jumps(game), marks) for game, marks in games]
    free = [ply in marks for plies, marks in found for ply, has_choice in plies.items() if has_choice]
    report.fact("jumps", sum(len(plies) for plies, _ in found))
    report.fact("jumps-with-choice", len(free))
    report.fact("jumps-with-choice-marked", "none" if not any(free) else sum(free))


def _checks(
    lab: Laboratory, games: Sequence[tuple[Game, list[int]]], analyses: Mapping[str, Sequence[Sequence[PlyAnalysis]]]
) -> list[list[str]]:
    """A row per check, a column per game."""
    rows: dict[str, list[str]] = {}
    for number, (game, marks) in enumerate(games):
        found, board = forced_plies(game), game.board()
        value = lab.endgames().probe(board)
        cells = {
            "plies": str(len(game.moves)),
            "moves marked (f)": str(len(marks)),
            "plies with one legal move": f"{len(found)}, {'the same' if found == marks else 'others'}",
        }
        for name, both in analyses.items():
            for color in (Color.BLACK, Color.WHITE):
                own = [one.review for one in both[number] if one.review.color is color and one.review.ply not in found]
                same = sum(one.choice == one.move for one in own)
                cells[f"{color}'s free moves that {name} would play"] = f"{same} of {len(own)}"
        cells["last position"] = f"`{board.fen()}`"
        cells["by the endgame database"] = f"{value} for {board.turn}" if value is not None else "too many pieces"
        for name, cell in cells.items():
            rows.setdefault(name, []).append(cell)
    return [[name, *cells] for name, cells in rows.items()]


def _remark_row(
    games: Sequence[tuple[Game, list[int]]], analyses: Mapping[str, Sequence[Sequence[PlyAnalysis]]], remark: Remark
) -> list[str]:
    game = games[remark.game - 1][0]
    before, after = (pieces_text(board_after(game, ply)) for ply in (remark.first - 1, remark.last))
    views = [cell for found in analyses.values() for cell in view_of(remark, found[remark.game - 1])]
    return [str(remark.game), remark.moves, f"“{remark.words}”", f"{before} → {after}", *views]


def _won_from(database: Database, game: Game) -> str:
    """The move from which the database considers a game won for White, in words."""
    board, first = Board(game.start), 0
    for ply, move in enumerate(game.moves, 1):
        board.push(move)
        value = database.probe(board)
        if value is None:
            continue
        won = Value.WIN if board.turn is Color.WHITE else Value.LOSS
        first = (first or ply) if value is won else 0
    return f"from move {(first + 1) // 2} on" if first else "not before"


def _plot(scores: Mapping[str, Sequence[float]], title: str, plt: Any) -> None:
    plt.axhline(0, color="grey", linewidth=0.8)
    for name, values in scores.items():
        plt.plot(range(1, len(values) + 1), values, label=name, linewidth=1.2)
    plt.xlabel("ply")
    plt.ylabel("score to Black, men")
    plt.title(title)
    plt.legend(frameon=False)
