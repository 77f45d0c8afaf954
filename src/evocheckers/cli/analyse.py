"""``evocheckers analyse``: a player's analysis of a position or a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.completion import complete_player
from evocheckers.cli.games import collect
from evocheckers.cli.options import ThreadsOption, check_figure, check_writable, with_searches
from evocheckers.cli.output import JsonOption, announce_compilation, bar, console, write_json
from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.players.player import Contestant
    from evocheckers.rules.pdn import Game


def analyse(
    subject: Annotated[str, typer.Argument(metavar="FEN|FILE.pdn", help="A position, or a file of games.")],
    player: Annotated[
        str, typer.Option(metavar="PLAYER", autocompletion=complete_player, help="Who analyses, and how deep.")
    ] = "champion@8",
    number: Annotated[int, typer.Option("--game", min=1, help="Which game of the file.")] = 1,
    lines: Annotated[
        int | None, typer.Option(min=1, max=64, help="The best lines of a position to show; by default all moves.")
    ] = None,
    threads: ThreadsOption = 1,
    figure: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the score over the game as .png or .svg.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Score every move of a position, or follow the score through a game and show where it dropped."""
    from evocheckers.files import read_regular
    from evocheckers.players.make import make_contestant
    from evocheckers.rules.pdn import read_pdn

    announce_compilation()
    check_figure(figure)
    check_writable(json_file)
    out = console(json_file)
    (contestant,) = with_searches([make_contestant(player)], True, threads)
    path = Path(subject)
    if not (subject.lower().endswith(".pdn") or (len(subject) < 200 and path.is_file())):
        if figure is not None:
            raise EvocheckersError("a figure shows the score over a game; give a PDN file")
        _position(subject, contestant, lines, out, json_file)
        return
    if lines is not None:
        raise EvocheckersError("--lines is for a position; a game is followed by its own moves")
    games = read_pdn(read_regular(path).decode("utf-8", "replace"))
    if number > len(games):
        raise EvocheckersError(f"{path} holds {len(games)} games, not {number}")
    _game(games[number - 1], contestant, figure, out, json_file)


def _position(fen: str, contestant: "Contestant", lines: int | None, out: "Console", json_file: Path | None) -> None:
    from rich.table import Table

    from evocheckers.analysis.analyse import MoveAnalysis, analyse_position
    from evocheckers.rules.board import Board

    board = Board(fen)
    if not board.legal_moves():
        out.print(f"{board.turn} has no legal move and has lost")
        write_json({"fen": board.fen(), "player": contestant.name, "moves": []}, json_file)
        return
    moves: list[MoveAnalysis] = []
    with bar(out, len(board.legal_moves()), f"analysing by {contestant.name}") as advance:
        finished = collect(analyse_position(board, contestant, lines), moves, advance)
    moves[1:] = sorted(moves[1:], key=lambda found: -found.score)
    moves = moves[:lines]
    out.print(str(board))
    table = Table(title=f"{board.turn} to move, by {contestant.name}; scores in men to {board.turn}")
    table.add_column("move")
    table.add_column("score", justify="right")
    table.add_column("expected play")
    for found in moves:
        table.add_row(str(found.move), found.score_text, " ".join(map(str, found.line[:10])))
    out.print(table)
    data = [{"move": str(m.move), "score": m.score, "text": m.score_text, "line": [*map(str, m.line)]} for m in moves]
    write_json({"fen": board.fen(), "player": contestant.name, "moves": data}, json_file)
    if not finished:
        out.print("interrupted: the best so far")
        raise KeyboardInterrupt


def _game(game: "Game", contestant: "Contestant", figure: Path | None, out: "Console", json_file: Path | None) -> None:
    from rich.table import Table

    from evocheckers.analysis.analyse import PlyAnalysis, analyse_game, to_json
    from evocheckers.analysis.plots import plot_scores

    plies: list[PlyAnalysis] = []
    with bar(out, len(game.moves), f"analysing by {contestant.name}") as advance:
        finished = collect(analyse_game(game, contestant), plies, advance)
    names = f"{game.tags.get('Black', '?')} - {game.tags.get('White', '?')}, {game.result}"
    table = Table(title=f"{names}; by {contestant.name}, scores in men to Black")
    for name in ("ply", "side", "move", "score", "best", "drop"):
        table.add_column(name, justify="right" if name in ("ply", "score", "drop") else "left")
    for a in plies:
        drop = f"{a.drop:.2f}" if a.is_mistake else ""
        best = str(a.best) if a.best != a.move else ""
        style = "bold red" if a.is_mistake else None
        table.add_row(str(a.ply), str(a.color), str(a.move), a.score_text, best, drop, style=style)
    out.print(table)
    for color in ("Black", "White"):
        own = [a for a in plies if str(a.color) == color]
        same = sum(a.best == a.move for a in own)
        worst = max(own, key=lambda a: a.drop, default=None)
        if worst is not None:
            fell = (
                f"; its evaluation fell most at ply {worst.ply}, {worst.move} ({worst.drop:.2f})" if worst.drop else ""
            )
            out.print(f"{color}: {same} of {len(own)} moves as {contestant.name} would play{fell}", soft_wrap=True)
    if figure is not None:
        plot_scores(plies, f"{names}, by {contestant.name}", figure)
        out.print(f"wrote {figure}")
    write_json({"player": contestant.name, "tags": game.tags, "plies": to_json(plies)}, json_file)
    if not finished:
        out.print(f"interrupted: {len(plies)} of {len(game.moves)} plies were analysed")
        raise KeyboardInterrupt
