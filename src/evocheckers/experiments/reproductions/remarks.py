"""The papers' remarks on moves of their printed games, and the positions of Expert's figures 6 to 8."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evocheckers.experiments.analysis import PlyAnalysis
from evocheckers.rules.board import Board
from evocheckers.rules.move import row_and_column
from evocheckers.rules.pdn import Game


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
FIGURES = (
    (6, 18, "the computer initiates a sequence to go up one piece"),
    (7, 38, "the computer earns a king"),
    (8, 40, "the final position"),
)
"""Expert's figures: number, the ply of the second game that they follow, what they show."""


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


def opinion(remark: Remark, analyses: Sequence[PlyAnalysis]) -> list[str]:
    """A network on a remark: the value to White before and after, and its own choice at the first ply."""
    before = -analyses[remark.first - 2].score if remark.first > 1 else 0.0
    asked = analyses[remark.first - 1]
    own = "the same" if asked.best == asked.move else f"{asked.best}, better by {asked.drop:.2f}"
    return [f"{before:+.2f} → {-analyses[remark.last - 1].score:+.2f}", own]


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
