"""``evocheckers watch``: a game on the terminal."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.output import announce_compilation, console
from evocheckers.cli.playing import check_writable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.panel import Panel

    from evocheckers.games.game import PlayedGame
    from evocheckers.rules.board import Board
    from evocheckers.rules.pdn import Game

_SIGNS = {"b": "[red]⛀[/red]", "B": "[red]⛁[/red]", "w": "⛂", "W": "⛃", ".": "·"}


def watch(
    record: Annotated[
        Path | None, typer.Argument(metavar="[FILE.pdn]", help="Replay the games of a file instead of playing one.")
    ] = None,
    black: Annotated[str, typer.Option(metavar="PLAYER", help="Who plays Black.")] = "champion@4",
    white: Annotated[str, typer.Option(metavar="PLAYER", help="Who plays White.")] = "material:noise@4",
    opening: Annotated[str, typer.Option(metavar="MOVES", help="Moves to begin with, such as '11-15 23-19'.")] = "",
    fen: Annotated[str | None, typer.Option(help="The position to begin from, if not the usual one.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Whatever is drawn is drawn from this.")] = 1,
    delay: Annotated[float, typer.Option(min=0, max=10, help="Seconds between moves on a terminal.")] = 0.15,
    pdn: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the game as PDN.")] = None,
) -> None:
    """Watch a game between two players, or the games of a PDN file."""
    from evocheckers.rules.pdn import read_pdn

    announce_compilation()
    check_writable(pdn)
    out = console()
    if record is not None:
        for game in read_pdn(record.read_text(encoding="utf-8", errors="replace")):
            _show(game, out, delay)
        return
    played = _play(black, white, opening, fen, seed)
    game = played.to_pdn(f"Seed {seed}")
    _show(game, out, delay)
    ending = f"{played.outcome} after {len(played.moves)} plies"
    out.print(f"{ending}: {played.note}" if played.note else ending, soft_wrap=True)
    if pdn is not None:
        pdn.write_text(str(game))


def _play(black: str, white: str, opening: str, fen: str | None, seed: int) -> "PlayedGame":
    from evocheckers.experiments.contestants import make_contestant
    from evocheckers.games.game import PlayedGame, play_game
    from evocheckers.rules.board import Board
    from evocheckers.tournaments.match import search_alike

    board = (Board(fen) if fen is not None else Board()).push_all(opening.replace(",", " ").split())
    pair = search_alike(make_contestant(black), make_contestant(white))
    players = pair[0].player(), pair[1].player()
    try:
        moves, outcome, note = play_game(*players, board, seed=seed)
    finally:
        for player in players:
            player.close()
    return PlayedGame(1, pair[0].name, pair[1].name, tuple(board.moves), moves, outcome, note, board.start)


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
