"""Options that several commands share, what they mean, and checks before work begins."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.completion import complete_openings
from evocheckers.errors import EvocheckersError
from evocheckers.files import writing_fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evocheckers.games.batch import Executor
    from evocheckers.players.player import Contestant


OpeningsOption = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE",
        autocompletion=complete_openings,
        help="start, first-moves (7), two-move (43 ballots), three-move (156 ballots), or a file: one opening a line, "
        "or PDN. Each is played with both colours.",
    ),
]
RoundsOption = Annotated[int, typer.Option(min=1, max=10_000, help="Times that every opening is played.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed for all random choices.")]
WorkersOption = Annotated[int | None, typer.Option(min=1, max=1024, help="Threads; by default one for each core.")]
MovesOption = Annotated[
    int, typer.Option("--moves", min=1, max=1000, help="The game is a draw after this many moves by each side.")
]
ExtensionsOption = Annotated[
    int | None,
    typer.Option(min=0, max=15, help="Extensions of a line at forced jumps; by default as each network was evolved."),
]
ForcedOption = Annotated[
    str | None,
    typer.Option(
        metavar="any-jump|only-move",
        help="Which jumps a line is extended at: any, or only moves; by default as each network was evolved.",
    ),
]
WinsOption = Annotated[
    str | None,
    typer.Option(
        metavar="sooner|equal",
        help="Whether searches by plies prefer sooner wins, or all wins are equal; by default as evolved.",
    ),
]
RepetitionOption = Annotated[
    bool, typer.Option("--repetition/--no-repetition", help="The third occurrence of a position is a draw.")
]
ThreadsOption = Annotated[
    int, typer.Option(min=1, max=256, help="Threads of one search by time or nodes; with several, results vary.")
]
AdjudicateOption = Annotated[
    bool, typer.Option("--adjudicate", help="Play out unfinished games with an endgame database.")
]
PdnOption = Annotated[Path | None, typer.Option("--pdn", metavar="FILE", help="Write all games as PDN.")]


ExecutorOption = Annotated[
    str, typer.Option("--executor", metavar="threads|gpu|ray", help="Where games are played; all give the same games.")
]
AddressOption = Annotated[
    str | None,
    typer.Option("--address", help="Address of a Ray cluster; without it, --executor ray uses this machine's cores."),
]


def make_executor(name: str, workers: int | None = None, address: str | None = None) -> "Executor":
    """The executor of this name."""
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
        from evocheckers.executors.ray import RayExecutor

        return RayExecutor(address, workers)
    raise EvocheckersError(f"no executor {name!r}; write threads, gpu or ray")


def make_contestants(
    players: "Sequence[str]", extensions: int | None, forced: str | None, wins: str | None
) -> "list[Contestant]":
    """Players by their specifications; the other arguments replace the rules of their searches."""
    from evocheckers.networks.search_rules import Forced, Wins
    from evocheckers.players.make import make_contestant

    for option, text, known in (("--forced", forced, Forced), ("--wins", wins, Wins)):
        words = [one.value for one in known]
        if text is not None and text not in words:
            raise EvocheckersError(f"{option} {text}: write {' or '.join(words)}")
    given = {"extensions": extensions, "forced": forced, "wins": wins}
    changes = {name: value for name, value in given.items() if value is not None}
    return [make_contestant(player).with_rules(**changes) for player in players]


def with_searches(contestants: "Sequence[Contestant]", repetition: bool, threads: int = 1) -> "list[Contestant]":
    """The same players, with searches by time or nodes that use this repetition rule and number of threads."""
    from dataclasses import replace

    from evocheckers.networks.evaluator import Evaluator

    def takes_threads(one: "Contestant") -> bool:
        return isinstance(one.evaluator, Evaluator) and one.limit is not None and one.limit.plies is None

    if threads > 1 and not any(map(takes_threads, contestants)):
        raise EvocheckersError("--threads is for players that search by time or nodes, such as champion@50ms")
    return [replace(one, repetition=repetition, threads=threads) for one in contestants]


def opening_choice(source: str, rounds: int) -> tuple[str, ...]:
    """The opening lines of a match, from a name or a file."""
    from evocheckers.games.openings import opening_lines

    return opening_lines(source) * rounds


def check_writable(*files: Path | None) -> None:
    """Fail early if an output file cannot be written."""
    for file in files:
        if file is None or file == Path("-"):
            continue
        if not file.absolute().parent.is_dir():
            raise EvocheckersError(f"cannot write {file}: there is no folder {file.parent}")
        if fault := writing_fault(file):
            raise EvocheckersError(f"cannot write {file}: {fault}")


def check_figure(figure: Path | None) -> None:
    """Fail if a figure's file type is unknown, or if it cannot be written."""
    if figure is not None and figure.suffix not in (".png", ".svg"):
        raise EvocheckersError(f"cannot plot to {figure}: its name ends neither in .png nor in .svg")
    check_writable(figure)
