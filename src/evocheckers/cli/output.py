"""What commands share: where results go, progress, the games they collect and write, the notice of compilation."""

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from evocheckers.errors import printable_lines
from evocheckers.files import write_whole

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.endgames.values import Database
    from evocheckers.games.game import PlayedGame


JsonOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Also write the result as JSON; - for standard output."),
]


PIPED_WIDTH = 120
"""Width of tables if there is no terminal."""


def announce_compilation() -> None:
    """Print a notice, once, if machine code must be compiled first or a database built."""
    from evocheckers.native.cache import compile_listeners

    text = "evocheckers: compiling what this command needs, once; half a minute or less ..."
    compile_listeners[:] = [lambda: print(text, file=sys.stderr, flush=True)]
    notices = logging.StreamHandler()
    notices.setFormatter(logging.Formatter("evocheckers: %(message)s ..."))
    logger = logging.getLogger("evocheckers")
    logger.handlers[:] = [notices]
    logger.setLevel(logging.INFO)


def console(json_file: Path | None = None) -> "Console":
    """A console for text; on standard error if JSON goes to standard output."""
    from rich.console import Console
    from rich.text import Text

    class Plain(Console):
        """Escapes control characters in everything it shows: names, tags and settings come from files."""

        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(printable_lines(text), **options)

    chosen = Plain(stderr=json_file == Path("-"), highlight=False, markup=False)
    if not chosen.is_terminal:
        chosen.width = max(chosen.width, PIPED_WIDTH)
    return chosen


def write_json(data: Any, json_file: Path | None) -> None:
    """Write a result as JSON, if asked to."""
    if json_file is None:
        return
    text = json.dumps(data, indent=1) + "\n"
    if json_file == Path("-"):
        sys.stdout.write(text)
    else:
        write_whole(json_file, text)


@contextmanager
def status(text: str, shown_on: "Console") -> Iterator[Any]:
    """A spinner with a text on terminals, nothing elsewhere; its ``update`` changes the text."""
    with shown_on.status(text) as spinner:
        yield spinner


@contextmanager
def bar(out: "Console", total: int, text: str) -> Iterator[Any]:
    """A progress bar on terminals, nothing elsewhere; yields a function that advances it and may change its text."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, TextColumn("{task.description}"), console=out, disable=not out.is_terminal) as progress:
        task = progress.add_task(text, total=total)

        def advance(text: str | None = None) -> None:
            progress.update(task, advance=1, description=text)

        yield advance


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
