"""Games that a command plays: collected until an interrupt, played out, written, counted."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.endgames.values import Database
    from evocheckers.games.game import PlayedGame


T = TypeVar("T")

ENDGAME_PIECES = 4
"""Pieces of the database that games are played out with if there is no larger one."""


def collect(items: Iterable[T], into: list[T], advance: Callable[[], None]) -> bool:
    """Collect items until the end or an interrupt; returns whether the end was reached."""
    try:
        for item in items:
            into.append(item)
            advance()
    except KeyboardInterrupt:
        return False
    return True


def endgame_database(out: "Console", pieces: int | None = None) -> "Database":
    """The largest database available, or the one of ``pieces``; built first if there is none."""
    from evocheckers.endgames.values import Database

    found = Database.find(pieces)
    if found is not None and found.pieces >= (pieces or ENDGAME_PIECES):
        return found
    out.print(f"building the endgame database of {pieces or ENDGAME_PIECES} pieces, once ...")
    return Database.prepare(pieces or ENDGAME_PIECES)


def write_games(games: "list[PlayedGame]", event: str, file: Path | None) -> None:
    """Write games as PDN if asked to."""
    from evocheckers.files import write_whole
    from evocheckers.rules.pdn import write_pdn

    if file is not None:
        write_whole(file, write_pdn(game.to_pdn(event) for game in games))


def endings(games: "Iterable[PlayedGame]") -> str:
    """How games ended, most frequent first."""
    from collections import Counter

    counts = Counter(str(game.outcome.reason) for game in games)
    return ", ".join(f"{reason} {count}" for reason, count in counts.most_common())
