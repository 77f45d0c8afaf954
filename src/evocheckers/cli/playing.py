"""What commands that play games share: options, a bar, the endgame database, and results kept when interrupted."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.endgames.database import Database
    from evocheckers.games.batch import Executor
    from evocheckers.games.game import PlayedGame

T = TypeVar("T")

ENDGAME_PIECES = 4
"""The database that games are played out with where there is no larger one."""

OpeningsOption = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE",
        help="start, first-moves (7), two-move (43 ballots), three-move (156 ballots), or a file: an opening a line, "
        "or PDN. Both colours of each are played.",
    ),
]
RoundsOption = Annotated[int, typer.Option(min=1, max=10_000, help="How often every opening is played.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Whatever is drawn is drawn from this.")]
WorkersOption = Annotated[int | None, typer.Option(min=1, max=1024, help="Threads; all cores if not given.")]
MovesOption = Annotated[int, typer.Option("--moves", min=1, max=1000, help="A draw after so many moves by each side.")]
ExtensionsOption = Annotated[
    int | None,
    typer.Option(min=0, max=15, help="Extensions of a line at forced jumps; as each network was evolved if not given."),
]
AdjudicateOption = Annotated[
    bool, typer.Option("--adjudicate", help="Have unfinished games played out with an endgame database.")
]
PdnOption = Annotated[Path | None, typer.Option("--pdn", metavar="FILE", help="Write all games as PDN.")]


ExecutorOption = Annotated[
    str, typer.Option("--executor", metavar="threads|gpu|ray", help="Where games are played; all give the same ones.")
]
AddressOption = Annotated[
    str | None,
    typer.Option("--address", help="With --executor ray: the cluster's address; without, this machine's cores."),
]


def make_executor(name: str, workers: int | None = None, address: str | None = None) -> "Executor":
    """The executor of that name; only commands choose one."""
    if address is not None and name != "ray":
        raise EvocheckersError("--address is for --executor ray")
    if workers is not None and (name == "gpu" or address is not None):
        raise EvocheckersError("--workers is for this machine's cores; a GPU and a cluster use all that they have")
    if name == "threads":
        from evocheckers.executors.threads import ThreadExecutor

        return ThreadExecutor(workers)
    if name == "gpu":
        from evocheckers.executors.gpu import GpuExecutor

        return GpuExecutor()
    if name == "ray":
        from evocheckers.executors.cluster import RayExecutor

        return RayExecutor(address, workers)
    raise EvocheckersError(f"no executor {name!r}; write threads, gpu or ray")


def opening_choice(source: str, rounds: int) -> tuple[str, ...]:
    """The opening lines of a match, from a name or a file."""
    from evocheckers.games.openings import opening_lines

    return opening_lines(source) * rounds


def check_writable(*files: Path | None) -> None:
    """Refuse before hours of play what could not be written after them."""
    for file in files:
        if file is None or file == Path("-"):
            continue
        if not file.absolute().parent.is_dir():
            raise EvocheckersError(f"cannot write {file}: there is no folder {file.parent}")
        is_new = not file.exists()
        try:
            with file.open("a"):
                pass
        except OSError as error:
            raise EvocheckersError(f"cannot write {file}: {(error.strerror or str(error)).lower()}") from None
        if is_new:
            file.unlink()


def check_figure(figure: Path | None) -> None:
    """Refuse a picture of unknown kind, or one that could not be written."""
    if figure is not None and figure.suffix not in (".png", ".svg"):
        raise EvocheckersError(f"cannot draw {figure}: its name ends neither in .png nor in .svg")
    check_writable(figure)


@contextmanager
def bar(out: "Console", total: int, text: str) -> Iterator[Any]:
    """A bar on terminals, nothing elsewhere; the function that it gives moves it on by one and may change its text."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, TextColumn("{task.description}"), console=out, disable=not out.is_terminal) as progress:
        task = progress.add_task(text, total=total)

        def advance(text: str | None = None) -> None:
            progress.update(task, advance=1, description=text)

        yield advance


def collect(items: Iterable[T], into: list[T], advance: Any) -> bool:
    """Gather until the end or an interrupt; whether it came to the end."""
    try:
        for item in items:
            into.append(item)
            advance()
    except KeyboardInterrupt:
        return False
    return True


def endgame_database(out: "Console", pieces: int | None = None) -> "Database":
    """The largest database there is, or the one of so many pieces; built first where there is none."""
    from evocheckers.endgames.database import Database

    found = Database.find(pieces)
    if found is not None and found.pieces >= (pieces or ENDGAME_PIECES):
        return found
    out.print(f"building the endgame database of {pieces or ENDGAME_PIECES} pieces, once ...")
    return Database.prepare(pieces or ENDGAME_PIECES)


def write_games(games: "list[PlayedGame]", event: str, file: Path | None) -> None:
    """Write games as PDN where that was asked for."""
    from evocheckers.rules.pdn import write_pdn

    if file is not None:
        file.write_text(write_pdn(game.to_pdn(event) for game in games))


def endings(games: "Iterable[PlayedGame]") -> str:
    """How games ended, most frequent first."""
    from collections import Counter

    counts = Counter(str(game.outcome.reason) for game in games)
    return ", ".join(f"{reason} {count}" for reason, count in counts.most_common())
