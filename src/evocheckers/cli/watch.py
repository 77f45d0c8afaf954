"""``evocheckers watch``: a game on the terminal."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.output import announce_compilation, console

if TYPE_CHECKING:
    from rich.panel import Panel

    from evocheckers.rules.board import Board

_SIGNS = {"b": "[red]⛀[/red]", "B": "[red]⛁[/red]", "w": "⛂", "W": "⛃", ".": "·"}


def watch(
    seed: Annotated[int, typer.Option(min=0, help="Which two random networks, and which draws among equals.")] = 1,
    plies: Annotated[int, typer.Option(min=1, max=12, help="How far both look ahead.")] = 4,
    delay: Annotated[float, typer.Option(min=0, max=10, help="Seconds between moves on a terminal.")] = 0.15,
    pdn: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the game as PDN.")] = None,
) -> None:
    """Watch a game between two random networks, such as evolution starts from."""
    import numpy as np
    from rich.live import Live

    from evocheckers.evaluation.network import Network
    from evocheckers.games.batch import Pairing, play_batch
    from evocheckers.rules.board import Board
    from evocheckers.rules.pdn import Game

    announce_compilation()
    out = console()
    generator = np.random.default_rng(seed)
    evaluators = [Network.random(generator).evaluator() for _ in range(2)]
    pairing = Pairing(0, 1, seed, black_plies=plies, white_plies=plies)
    record = play_batch(evaluators, [pairing], threads=1)[0]
    board = Board()
    if out.is_terminal:
        with Live(_picture(board), console=out, auto_refresh=False) as live:
            for move in record.moves:
                board.push(move)
                live.update(_picture(board), refresh=True)
                time.sleep(delay)
    else:
        board.push_all(record.moves)
        out.print(_picture(board))
    game = Game(
        list(record.moves),
        {"Event": f"Random networks, seed {seed}, {plies} plies", "Black": "network 1", "White": "network 2"},
        record.outcome.result,
    )
    out.print(str(game), markup=False, end="")
    out.print(f"{record.outcome} after {len(record.moves)} plies; {record.evaluations:,} positions evaluated")
    if pdn is not None:
        pdn.write_text(str(game))


def _picture(board: "Board") -> "Panel":
    """The board with square numbers at the rows' left ends, White at the bottom."""
    from rich.panel import Panel

    lines = []
    for row in range(8):
        cells = [" "] * 8
        for place in range(4):
            square = 4 * row + place + 1
            cells[2 * place + 1 - row % 2] = _SIGNS[board.piece_at(square)]
        lines.append(f"[dim]{4 * row + 1:>2}[/dim] {' '.join(cells)}")
    last = str(board.moves[-1]) if board.moves else "start"
    title = f"{len(board.moves)}. {last}"
    return Panel("\n".join(lines), title=title, subtitle=f"{board.turn} to move", width=24)
