"""``evocheckers watch``: a game on the terminal."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.output import announce_compilation, console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.panel import Panel

    from evocheckers.rules.board import Board
    from evocheckers.rules.pdn import Game

_SIGNS = {"b": "[red]⛀[/red]", "B": "[red]⛁[/red]", "w": "⛂", "W": "⛃", ".": "·"}


def watch(
    record: Annotated[
        Path | None, typer.Argument(metavar="[FILE.pdn]", help="Replay the games of a file instead of playing one.")
    ] = None,
    black: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Black's network; a random one if not given.")
    ] = None,
    white: Annotated[
        Path | None, typer.Option(metavar="FILE", help="White's network; a random one if not given.")
    ] = None,
    opening: Annotated[str, typer.Option(metavar="MOVES", help="Moves to begin with, such as '11-15 23-19'.")] = "",
    fen: Annotated[str | None, typer.Option(help="The position to begin from, if not the usual one.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Which random networks, and which draws among equals.")] = 1,
    plies: Annotated[int, typer.Option(min=1, max=12, help="How far both look ahead.")] = 4,
    delay: Annotated[float, typer.Option(min=0, max=10, help="Seconds between moves on a terminal.")] = 0.15,
    pdn: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the game as PDN.")] = None,
) -> None:
    """Watch a game between two networks, or the games of a PDN file."""
    from evocheckers.rules.pdn import read_pdn

    announce_compilation()
    out = console()
    if record is not None:
        for game in read_pdn(record.read_text(encoding="utf-8", errors="replace")):
            _show(game, out, delay)
        return
    game, ending = _play(black, white, opening, fen, seed, plies)
    _show(game, out, delay)
    out.print(ending)
    if pdn is not None:
        pdn.write_text(str(game))


def _play(
    black: Path | None, white: Path | None, opening: str, fen: str | None, seed: int, plies: int
) -> tuple["Game", str]:
    import numpy as np

    from evocheckers.evaluation.network import Network
    from evocheckers.games.batch import Pairing, play_batch
    from evocheckers.rules.board import Board
    from evocheckers.rules.pdn import Game

    generator = np.random.default_rng(seed)
    networks = [Network.load(path) if path else Network.random(generator) for path in (black, white)]
    board = Board(fen) if fen is not None else Board()
    start = board.position
    board.push_all(opening.replace(",", " ").split())
    pairing = Pairing(0, 1, seed, plies, plies, board.position)
    record = play_batch([network.evaluator() for network in networks], [pairing], threads=1)[0]
    names = [path.stem if path else f"random network {number}" for number, path in enumerate((black, white), 1)]
    tags = {"Event": f"Seed {seed}, {plies} plies", "Black": names[0], "White": names[1]}
    game = Game([*board.moves, *record.moves], tags, record.outcome.result, start)
    count = len(record.moves)
    return game, f"{record.outcome} after {count} plies; {record.evaluations:,} positions evaluated"


def _show(game: "Game", out: "Console", delay: float) -> None:
    """Move by move on a terminal, elsewhere the last position; then the game as text."""
    from rich.live import Live

    from evocheckers.rules.board import Board

    board = Board(game.start)
    if out.is_terminal:
        with Live(_picture(board), console=out, auto_refresh=False) as live:
            for move in game.moves:
                board.push(move)
                live.update(_picture(board), refresh=True)
                time.sleep(delay)
    else:
        board.push_all(game.moves)
        out.print(_picture(board))
    out.print(str(game), markup=False, end="", soft_wrap=True)


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
