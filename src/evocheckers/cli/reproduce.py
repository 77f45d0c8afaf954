"""``evocheckers reproduce``: every table, figure and match of the papers."""

from pathlib import Path
from typing import Annotated

import typer

from evocheckers.cli.completion import complete_reproduction
from evocheckers.cli.options import AddressOption, ExecutorOption, WorkersOption, check_writable, make_executor
from evocheckers.cli.output import JsonOption, announce_compilation, console, endgame_database, status, write_json
from evocheckers.errors import EvocheckersError

DEFAULT_PLAYERS = ("anaconda-840", "self-play-220")
"""The papers' algorithm first, then the strongest network of the papers' own architecture."""


def reproduce(
    name: Annotated[
        str | None, typer.Argument(autocompletion=complete_reproduction, help="The experiment; see --list.")
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List them all.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="A small version, in under two minutes.")] = False,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help="A network under test, without limit; may be given several times. By default anaconda-840, the "
            "papers' own, and then self-play-220.",
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="Runs of each system, if it evolves several; by default 3, forced-jumps 8, cycles 16, quick 2.",
        ),
    ] = None,
    generations: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Generations of each run, for forced-jumps; by default 10.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where to write; by default reports/NAME.")
    ] = None,
    executor_name: ExecutorOption = "threads",
    address: AddressOption = None,
    workers: WorkersOption = None,
    json_file: JsonOption = None,
) -> None:
    """Rebuild a table of the papers next to our own. If interrupted, the same command continues."""
    from rich.markdown import Markdown

    from evocheckers.networks.shipped import own_name
    from evocheckers.papers.catalogue import PAPERS, REPRODUCTIONS
    from evocheckers.papers.lab import Laboratory
    from evocheckers.players.grammar import parse_player

    out = console(json_file)
    if list_all or name is None:
        for paper, group in PAPERS.items():
            out.print(paper, style="bold", highlight=False)
            for found in group:
                out.print(f"  {found.name:<24} {found.about} ({found.duration})", soft_wrap=True)
        return
    if name not in REPRODUCTIONS:
        raise EvocheckersError(f"no reproduction {name!r}; there are {', '.join(REPRODUCTIONS)}")
    chosen = REPRODUCTIONS[name]
    if seeds is not None and not chosen.has_seeds:
        those = ", ".join(found.name for found in REPRODUCTIONS.values() if found.has_seeds)
        raise EvocheckersError(f"{name} has one run of each system; --seeds is for {those}")
    if generations is not None and not chosen.has_generations:
        those = ", ".join(found.name for found in REPRODUCTIONS.values() if found.has_generations)
        raise EvocheckersError(f"{name} has its own number of generations; --generations is for {those}")
    for player in players or ():
        spec = parse_player(player)
        if spec.limit is not None or spec.kind in ("random", "engine"):
            raise EvocheckersError(
                f"player {player!r}: write champion, net:FILE or run:FILE#GENERATION, without a limit"
            )
    announce_compilation()
    check_writable(json_file)
    folder = folder or Path("reports") / (f"{name}-quick" if quick else name)
    folder.mkdir(parents=True, exist_ok=True)
    duration = "under two minutes" if quick else f"{chosen.duration} on two cores"
    out.print(f"{name}: {chosen.about}; {duration}. Saved in {folder}", soft_wrap=True)
    options = " --quick" if quick else ""
    options += "".join(f" --player {own_name(player)}" for player in players or ())
    options += "" if seeds is None else f" --seeds {seeds}"
    options += "" if generations is None else f" --generations {generations}"
    runs = seeds or (2 if quick else chosen.seeds)
    with status("working", out) as spinner:

        def log(text: str) -> None:
            out.print(text, soft_wrap=True)
            spinner.update(text)

        executor = make_executor(executor_name, workers, address)
        tested = tuple(dict.fromkeys(map(own_name, players or DEFAULT_PLAYERS)))
        settings = folder, executor, tested, quick, runs, workers, log, lambda: endgame_database(out, 4)
        laboratory = Laboratory(*settings, generations=generations)
        report = chosen.run(laboratory, f"evocheckers reproduce {name}{options}")
        path = report.write(folder)
    out.print(Markdown(report.to_markdown()))
    out.print(f"wrote {path}")
    write_json(report.to_json(), json_file)
