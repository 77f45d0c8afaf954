"""``evocheckers analyse``: a player's values of a position's moves, or its review of a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.completion import complete_player
from evocheckers.cli.options import ThreadsOption, check_figure, check_writable, with_searches
from evocheckers.cli.output import JsonOption, announce_compilation, bar, collect, console, write_json
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
        Path | None, typer.Option(metavar="FILE", help="Plot the value over the game as .png or .svg.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Value every move of a position, or review a game: its value after every move, and the mistakes."""
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
            raise EvocheckersError("a figure shows the value over a game; give a PDN file")
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

    from evocheckers.analysis.analyse import analyse_position
    from evocheckers.analysis.values import FORCED, MoveValue, chance_of, man_of, men_of
    from evocheckers.rules.board import Board

    board = Board(fen)
    if not board.legal_moves():
        out.print(f"{board.turn} has no legal move and has lost")
        write_json({"fen": board.fen(), "player": contestant.name, "moves": []}, json_file)
        return
    moves: list[MoveValue] = []
    with bar(out, len(board.legal_moves()), f"analysing by {contestant.name}") as advance:
        finished = collect(analyse_position(board, contestant, lines), moves, advance)
    moves[1:] = sorted(moves[1:], key=lambda found: -found.score)
    moves = moves[:lines]
    out.print(str(board))
    table = Table(title=f"{board.turn} to move, by {contestant.name}; men and chance of winning to {board.turn}")
    table.add_column("move")
    table.add_column("men", justify="right")
    table.add_column("chance", justify="right")
    table.add_column("expected play")
    man, data = man_of(contestant), []
    for found in moves:
        men, line = men_of(found.score, man), [str(move) for move in found.line]
        text = f"{men:+.3f}" if abs(men) < FORCED else found.score_text
        table.add_row(str(found.move), text, f"{chance_of(men):.0%}", " ".join(line[:10]))
        data.append({"move": str(found.move), "men": men, "chance": chance_of(men), "text": text, "line": line})
    out.print(table)
    write_json({"fen": board.fen(), "player": contestant.name, "moves": data}, json_file)
    if not finished:
        out.print("interrupted: the best so far")
        raise KeyboardInterrupt


def _game(game: "Game", contestant: "Contestant", figure: Path | None, out: "Console", json_file: Path | None) -> None:
    from rich.table import Table

    from evocheckers.analysis.analyse import PlyAnalysis, accuracy_of, analyse_game, to_json
    from evocheckers.analysis.plots import plot_values
    from evocheckers.rules.move import Color

    plies: list[PlyAnalysis] = []
    with bar(out, len(game.moves), f"analysing by {contestant.name}") as advance:
        finished = collect(analyse_game(game, contestant), plies, advance)
    names = f"{game.tags.get('Black', '?')} - {game.tags.get('White', '?')}, {game.result}"
    table = Table(title=f"{names}; by {contestant.name}, values in men to Black")
    for name in ("ply", "side", "move", "men", "best", "mark", "cost"):
        table.add_column(name, justify="right" if name in ("ply", "men", "cost") else "left")
    for one in plies:
        move = one.review
        best = str(move.best) if move.best != move.move else ""
        cost = f"{move.cost_men:.2f} men, {move.cost_chance:.0%}" if move.mark else ""
        style = "bold red" if move.mark else None
        cells = str(move.ply), str(move.color), str(move.move), one.text, best, str(move.mark or ""), cost
        table.add_row(*cells, style=style)
    out.print(table)
    for color in Color:
        own = [one.review for one in plies if one.review.color is color]
        if not own:
            continue
        same = sum(move.choice == move.move for move in own)
        accuracy = accuracy_of(plies, color)
        parts = [f"{same} of {len(own)} moves as {contestant.name} would play"]
        parts += [f"accuracy {accuracy:.0f}%"] if accuracy is not None else []
        worst = max(own, key=lambda move: move.cost_chance)
        if worst.cost_chance:
            lost = f"{worst.cost_men:.2f} men, {worst.cost_chance:.0%} of the chance"
            parts.append(f"the costliest at ply {worst.ply}, {worst.move} ({lost})")
        out.print(f"{color}: {'; '.join(parts)}", soft_wrap=True)
    if figure is not None:
        plot_values(plies, f"{names}, by {contestant.name}", figure)
        out.print(f"wrote {figure}")
    write_json({"player": contestant.name, "tags": game.tags, "plies": to_json(plies)}, json_file)
    if not finished:
        out.print(f"interrupted: {len(plies)} of {len(game.moves)} plies were analysed")
        raise KeyboardInterrupt
