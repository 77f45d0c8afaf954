"""``evocheckers endgames``: databases of won, drawn and lost positions."""

from typing import Annotated

import typer

from evocheckers.cli.options import WorkersOption, check_writable
from evocheckers.cli.output import JsonOption, announce_compilation, console, write_json
from evocheckers.errors import EvocheckersError

app = typer.Typer(help="Build and query endgame databases.", no_args_is_help=True)


@app.command("build")
def build(
    pieces: Annotated[int, typer.Option(min=2, max=6, help="Solve all positions of up to this many pieces.")] = 4,
    workers: WorkersOption = None,
    check: Annotated[bool, typer.Option("--check", help="Then recompute every entry from its successors.")] = False,
    json_file: JsonOption = None,
) -> None:
    """Solve all positions with few pieces. A build that was killed continues after the last finished piece count."""
    import time

    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table

    from evocheckers.endgames.files import default_folder
    from evocheckers.endgames.values import Database

    announce_compilation()
    check_writable(json_file)
    out = console(json_file)
    began = time.perf_counter()
    columns = (BarColumn(bar_width=24), TimeRemainingColumn(compact=True), TextColumn("{task.description}"))
    with Progress(*columns, console=out, disable=not out.is_terminal) as progress:
        task = progress.add_task("")
        database = Database.prepare(
            pieces,
            workers,
            lambda done, total, text: progress.update(task, completed=done, total=total, description=text),
        )
    seconds = time.perf_counter() - began
    table = Table(title=f"Endgame database of {database.pieces} pieces in {default_folder()}")
    for name in ("pieces", "positions", "won", "drawn", "lost"):
        table.add_column(name, justify="right")
    for number, counts in database.counts.items():
        table.add_row(str(number), *(f"{count:,}" for count in counts))
    out.print(table)
    out.print(f"{seconds:.1f} s; digest {database.digest()[:16]}; values are those of the side to move")
    facts = {
        "pieces": database.pieces,
        "seconds": seconds,
        "digest": database.digest(),
        "counts": {number: counts._asdict() for number, counts in database.counts.items()},
    }
    if check:
        wrong = database.count_inconsistent(workers)
        out.print(f"{wrong} inconsistent entries")
        facts["inconsistent"] = wrong
    write_json(facts, json_file)


@app.command("probe")
def probe(
    fen: Annotated[str, typer.Argument(metavar="FEN", help="The position, such as W:WK1,K23,K28:B25.")],
    json_file: JsonOption = None,
) -> None:
    """Show the value of a position and of every move in it."""
    from evocheckers.endgames.values import Database
    from evocheckers.rules.board import Board

    announce_compilation()
    check_writable(json_file)
    board = Board(fen)
    database = Database.find()
    if database is None:
        raise EvocheckersError("there is no endgame database yet; make one with: evocheckers endgames build --pieces 4")
    value = database.probe(board)
    if value is None:
        pieces = (board.position.black | board.position.white).bit_count()
        raise EvocheckersError(f"{board.fen()} has {pieces} pieces; the endgame database holds up to {database.pieces}")
    out = console(json_file)
    out.print(f"{value} for {board.turn}, who is to move", highlight=False)
    values = database.values_of_moves(board)
    for move, worth in values.items():
        out.print(f"{move!s:>12}  {worth}")
    moves = {str(move): str(worth) for move, worth in values.items()}
    write_json({"fen": board.fen(), "value": str(value), "moves": moves}, json_file)
