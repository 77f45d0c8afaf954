"""``evocheckers engine``: a player for other programs, using the Hub protocol."""

from dataclasses import replace
from typing import Annotated

import typer

from evocheckers.cli.completion import complete_player
from evocheckers.cli.options import ThreadsOption


def engine(
    player: Annotated[
        str,
        typer.Option(
            metavar="PLAYER", autocompletion=complete_player, help="Who plays; the other program sets the level."
        ),
    ] = ("champion"),
    seed: Annotated[int, typer.Option(min=0, help="Seed for choosing among equal moves.")] = 0,
    repetition: Annotated[
        bool,
        typer.Option("--repetition/--no-repetition", help="Searches by time or nodes count repetitions as draws."),
    ] = True,
    threads: ThreadsOption = 1,
) -> None:
    """Speak the Hub protocol on standard input and output, for English draughts (variant=english)."""
    from evocheckers.analysis.analyse import searcher_of
    from evocheckers.native.randomness import key
    from evocheckers.players.hub.engine import serve_stdio
    from evocheckers.players.make import make_contestant
    from evocheckers.version import PROGRAM_VERSION

    contestant = replace(make_contestant(player), repetition=repetition, threads=threads)
    searcher, _ = searcher_of(contestant)
    name = f"evocheckers {contestant.name.rpartition('@')[0]}"
    serve_stdio(name, PROGRAM_VERSION, searcher, lambda board: key(seed, *board.position, len(board.moves)))
