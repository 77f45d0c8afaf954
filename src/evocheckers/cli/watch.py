"""``evocheckers watch``: a game in the terminal."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.completion import complete_player
from evocheckers.cli.options import RepetitionOption, SeedOption, check_writable, with_searches
from evocheckers.cli.output import JsonOption, announce_compilation, console, write_json

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
        str, typer.Option(metavar="PLAYER", autocompletion=complete_player, help="Who plays Black.")
    ] = "champion@4",
    white: Annotated[
        str, typer.Option(metavar="PLAYER", autocompletion=complete_player, help="Who plays White.")
    ] = "material:noise@4",
    opening: Annotated[str, typer.Option(metavar="MOVES", help="Moves to begin with, such as '11-15 23-19'.")] = "",
    fen: Annotated[str | None, typer.Option(help="The position to start from, as FEN.")] = None,
    seed: SeedOption = 1,
    repetition: RepetitionOption = True,
    delay: Annotated[float, typer.Option(min=0, max=10, help="Seconds between moves on a terminal.")] = 0.15,
    pdn: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the game as PDN.")] = None,
    json_file: JsonOption = None,
) -> None:
    """Watch a game between two players, or the games of a PDN file."""
    from evocheckers.files import read_regular, write_whole
    from evocheckers.rules.pdn import read_pdn

    announce_compilation()
    check_writable(pdn, json_file)
    out = console(json_file)
    if record is not None:
        for game in read_pdn(read_regular(record).decode("utf-8", "replace")):
            _replay(game, out, delay)
        return
    game, ending = _play((black, white), opening, fen, seed, repetition, out, delay)
    out.print(str(game), end="", soft_wrap=True)
    out.print(ending, soft_wrap=True)
    if pdn is not None:
        write_whole(pdn, str(game))
    moves = [str(move) for move in game.moves]
    write_json({"tags": game.tags, "result": game.result, "ending": ending, "moves": moves}, json_file)


def _play(
    sides: tuple[str, str],
    opening: str,
    fen: str | None,
    seed: int,
    repetition: bool,
    out: "Console",
    delay: float,
) -> tuple["Game", str]:
    """Play a game between Black and White, showing every move as it is made."""
    from evocheckers.games.game import PlayedGame, play_game
    from evocheckers.players.make import make_contestant
    from evocheckers.rules.board import Board
    from evocheckers.tournaments.match import search_alike

    board = (Board(fen) if fen is not None else Board()).push_all(opening.replace(",", " ").split())
    given = len(board.moves)
    black, white = with_searches([make_contestant(side) for side in sides], repetition)
    pair = search_alike(black, white)
    for contestant in pair:
        contestant.check()
    with ExitStack() as closing:
        players = pair[0].player(), pair[1].player()
        for player in players:
            closing.callback(player.close)
        show = closing.enter_context(_screen(board, out, delay))
        outcome, note = play_game(*players, board, seed=seed, on_move=lambda _: show(), repetition=repetition)
    moves = tuple(board.moves)
    played = PlayedGame(1, pair[0].name, pair[1].name, moves[:given], moves[given:], outcome, note, board.start)
    ending = f"{outcome} after {len(played.moves)} plies"
    return played.to_pdn(f"Seed {seed}"), f"{ending}: {note}" if note else ending


@contextmanager
def _screen(board: "Board", out: "Console", delay: float) -> "Iterator[Callable[[], None]]":
    """A picture of the board: on a terminal it changes with every call, elsewhere it is printed once, at the end."""
    from rich.live import Live

    if not out.is_terminal:
        yield lambda: None
        out.print(_picture(board))
        return
    with Live(_picture(board), console=out, auto_refresh=False) as live:

        def show() -> None:
            live.update(_picture(board), refresh=True)
            time.sleep(delay)

        yield show


def _replay(game: "Game", out: "Console", delay: float) -> None:
    """Replay a recorded game move by move, then show it as text."""
    from evocheckers.rules.board import Board

    board = Board(game.start)
    with _screen(board, out, delay) as show:
        for move in game.moves:
            board.push(move)
            show()
    out.print(str(game), end="", soft_wrap=True)


def _picture(board: "Board") -> "Panel":
    """The board with square numbers at the left of the rows, White at the bottom."""
    from rich.panel import Panel
    from rich.text import Text

    lines = []
    for row in range(8):
        cells = [" "] * 8
        for place in range(4):
            square = 4 * row + place + 1
            cells[2 * place + 1 - row % 2] = _SIGNS[board.piece_at(square)]
        lines.append(f"[dim]{4 * row + 1:>2}[/dim] {' '.join(cells)}")
    last = str(board.moves[-1]) if board.moves else "start"
    title = f"{len(board.moves)}. {last}"
    return Panel(Text.from_markup("\n".join(lines)), title=title, subtitle=f"{board.turn} to move", width=24)
