"""``evocheckers engine``: a player for other programs, over the Hub protocol."""

from typing import Annotated

import typer


def engine(
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Who plays; the other program sets the level.")] = (
        "champion"
    ),
    seed: Annotated[int, typer.Option(min=0, help="Draws among equal moves.")] = 0,
) -> None:
    """Speak the Hub protocol on standard input and output, for English draughts (variant=english)."""
    from evocheckers import __version__
    from evocheckers.experiments.analysis import searcher_of
    from evocheckers.experiments.contestants import make_contestant
    from evocheckers.hub.server import serve_stdio
    from evocheckers.native.randomness import key

    contestant = make_contestant(player)
    searcher, _ = searcher_of(contestant)
    name = f"evocheckers {contestant.name.rpartition('@')[0]}"
    serve_stdio(name, __version__, searcher, lambda board: key(seed, *board.position, len(board.moves)))
