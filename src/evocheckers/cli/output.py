"""Shared output of commands: where results go, progress, and the notice of a first compilation."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evocheckers.errors import printable_lines
from evocheckers.files import write_whole

if TYPE_CHECKING:
    from rich.console import Console


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
