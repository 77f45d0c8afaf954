"""``evocheckers puzzles``: positions to solve, from recorded games."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.completion import complete_player
from evocheckers.cli.options import WorkersOption, check_writable
from evocheckers.cli.output import JsonOption, announce_compilation, bar, console, endgame_database, write_json
from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.analysis.puzzle_files import Making, Puzzles
    from evocheckers.analysis.puzzles import Demands, Judge
    from evocheckers.analysis.recorded_games import Recorded
    from evocheckers.endgames.values import Database


app = typer.Typer(help="Make puzzles from recorded games, and check them.", no_args_is_help=True)

SAVE_EVERY = 20
"""The file is also written after this many games without a puzzle, to record the progress."""


@app.command("make")
def make(
    games: Annotated[Path, typer.Argument(metavar="RUN|FILE.pdn", help="Run or PDN file with the recorded games.")],
    out_file: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Puzzle file to write; continued if it exists.")
    ] = Path("puzzles.json"),
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Puzzles to make.")] = 100,
    player: Annotated[
        str,
        typer.Option(metavar="PLAYER", autocompletion=complete_player, help="Who judges; --plies sets the depth."),
    ] = "champion",
    plies: Annotated[int, typer.Option(min=4, max=20, help="Depth at which every move is searched.")] = 12,
    margin: Annotated[float, typer.Option(min=0.3, max=5, help="By how much other moves are worse, in men.")] = 0.75,
    pieces: Annotated[int, typer.Option(min=2, max=6, help="Pieces of the endgame database to ask.")] = 4,
    workers: WorkersOption = None,
) -> None:
    """Find positions with exactly one clearly best move. If killed at any moment, the same command continues."""
    from evocheckers.analysis.puzzle_files import Making, Puzzles
    from evocheckers.analysis.puzzles import Demands
    from evocheckers.analysis.recorded_games import recorded_games
    from evocheckers.native.threads import thread_count
    from evocheckers.networks.shipped import own_name

    announce_compilation()
    check_writable(out_file)
    out = console()
    with recorded_games(games) as recorded:
        demands = Demands(plies=plies, margin=margin)
        source = {"name": recorded.name, "digest": recorded.digest, "command": recorded.command}
        making = Making(own_name(player), demands, pieces, source)
        made = Puzzles(making, _command(recorded, count, making))
        if out_file.exists():
            before = Puzzles.load(out_file)
            if before.making != making:
                raise EvocheckersError(f"{out_file} was made in another way or from other games; give another --out")
            made = replace(before, command=made.command)
            out.print(f"{out_file}: {len(made.puzzles)} puzzles of {made.examined} games; goes on")
        database = endgame_database(out, pieces)
        judges = [_judge(player, demands, database) for _ in range(thread_count(workers))]
        made = _fill(made, recorded, judges, count, out_file, out)
    games_text = f"{made.examined} games examined"
    out.print(f"wrote {out_file}: {len(made.puzzles)} puzzles, {games_text}, digest {made.digest()[:16]}")
    if len(made.puzzles) < count:
        out.print(f"the games hold no more than {len(made.puzzles)} puzzles of this sort")


def _command(recorded: "Recorded", count: int, making: "Making") -> str:
    """The command that recreates the file."""
    words = ["evocheckers puzzles make", recorded.name, f"--count {count}", f"--player {making.judge}"]
    words += [f"--plies {making.demands.plies}", f"--margin {making.demands.margin:g}", f"--pieces {making.pieces}"]
    return " ".join(words)


def _judge(player: str, demands: "Demands", database: "Database") -> "Judge":
    from evocheckers.analysis.puzzles import Judge
    from evocheckers.players.make import make_contestant

    return Judge(make_contestant(f"{player}@{demands.plies}"), database, demands)


def _fill(
    made: "Puzzles", recorded: "Recorded", judges: "list[Judge]", count: int, out_file: Path, out: "Console"
) -> "Puzzles":
    """Examine games until there are enough puzzles; after an interrupt, what was found is written."""
    from evocheckers.analysis.puzzle_files import gather

    with bar(out, max(0, count - len(made.puzzles)), "looking for puzzles") as advance:
        try:
            for now in gather(made, recorded.records, judges, count):
                is_more = len(now.puzzles) > len(made.puzzles)
                made = now
                if is_more:
                    advance(f"{made.examined} games")
                if is_more or made.examined % SAVE_EVERY == 0:
                    made.save(out_file)
        finally:
            made.save(out_file)
    return made


@app.command("check")
def check(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A file of puzzles; by default the package's own.")
    ] = None,
    plies: Annotated[
        int | None, typer.Option(min=4, max=20, help="Depth; by default the one that the puzzles were made with.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Search every move of every puzzle again: is the solution still the only clearly best move?"""
    from evocheckers.analysis.puzzle_files import Puzzles, shipped_puzzles
    from evocheckers.analysis.puzzles import is_puzzle
    from evocheckers.rules.board import Board

    announce_compilation()
    check_writable(json_file)
    out = console(json_file)
    made = Puzzles.load(file) if file is not None else shipped_puzzles()
    demands = replace(made.making.demands, plies=plies or made.making.demands.plies)
    judge = _judge(made.making.judge, demands, endgame_database(out, made.making.pieces))
    rows = []
    with bar(out, len(made.puzzles), "checking") as advance:
        for number, puzzle in enumerate(made.puzzles, 1):
            judge.begin()
            verdict = judge.verdict(Board(puzzle.fen))
            holds = str(verdict.moves[0].move) == puzzle.moves[0] and is_puzzle(verdict, demands)
            rows.append({"puzzle": number, "move": puzzle.moves[0], "holds": holds, "scores": verdict.scores[:2]})
            advance()
    for row in rows:
        if not row["holds"]:
            out.print(
                f"puzzle {row['puzzle']}: {row['move']} is not the only clearly best move at {demands.plies} plies"
            )
    held = sum(bool(row["holds"]) for row in rows)
    out.print(
        f"{held} of {len(rows)} hold at {demands.plies} plies, margin {demands.margin:g}; digest {made.digest()[:16]}"
    )
    write_json(rows, json_file)
