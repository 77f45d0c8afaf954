"""``evocheckers runs measure``: the strength of several runs' networks."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.games import endgame_database
from evocheckers.cli.options import (
    AddressOption,
    AdjudicateOption,
    ExecutorOption,
    RepetitionOption,
    SeedOption,
    WorkersOption,
    check_figure,
    check_writable,
    make_executor,
)
from evocheckers.cli.output import JsonOption, announce_compilation, console, status, write_json
from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.experiments.ensemble import Ensemble


def measure(
    places: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run files, or folders of them.")],
    generations: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="Generations to measure; by default the first and the last.")
    ] = None,
    plies: Annotated[int | None, typer.Option(min=1, max=30, help="Search depth; by default as evolved.")] = None,
    against: Annotated[
        str, typer.Option(metavar="PLAYER", help="The opponent; it searches as deep unless it has a limit of its own.")
    ] = "material:noise",
    adjudicated: AdjudicateOption = False,
    repetition: RepetitionOption = True,
    seed: SeedOption = 0,
    executor_name: ExecutorOption = "threads",
    address: AddressOption = None,
    workers: WorkersOption = None,
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="Plot the result as .png or .svg.")] = None,
    json_file: JsonOption = None,
) -> None:
    """Measure networks of several runs against one opponent, 86 ballot games each, by generation; mean over runs."""
    from evocheckers.experiments import ensemble
    from evocheckers.experiments.contestants import make_contestant
    from evocheckers.experiments.plots import plot_ensemble
    from evocheckers.players.words import parse_player
    from evocheckers.runs.files import find_runs
    from evocheckers.runs.run import Run

    announce_compilation()
    check_figure(figure)
    check_writable(json_file)
    out = console(json_file)
    files = find_runs(places)
    if not files:
        raise EvocheckersError(f"no run file in {', '.join(map(str, places))}")
    spec = parse_player(against)
    executor = make_executor(executor_name, workers, address)
    rows: list[ensemble.MeasuredGeneration] = []
    interrupted = False
    with ExitStack() as closing:
        runs = [closing.enter_context(Run.open(file)) for file in files]
        numbers = _generations(generations, min(run.generation for run in runs))
        depths = sorted({run.settings.plies for run in runs})
        if plies is None and len(depths) > 1:
            raise EvocheckersError(
                f"the runs were evolved at {', '.join(map(str, depths))} plies; choose one with --plies"
            )
        depth = plies or depths[0]
        has_limit = spec.limit is not None or spec.kind in ("random", "engine")
        opponent = make_contestant(against if has_limit else f"{against}@{depth}")
        opponent.check()
        database = endgame_database(out) if adjudicated else None
        systems = " and ".join(sorted({run.preset for run in runs}))
        title = f"{len(runs)} runs of {systems} at {depth} plies against {opponent.name}, 86 games each"
        out.print(title, soft_wrap=True)
        try:
            for number in numbers:
                with status(f"generation {number}", out):
                    networks = [run.network(number) for run in runs]
                    matches = ensemble.measure(networks, opponent, depth, executor, seed, repetition)
                    raw = ensemble.Ensemble([match.score for match in matches])
                    judged = ensemble.played_out(matches, database, executor) if database else None
                rows.append(ensemble.MeasuredGeneration(number, raw, judged))
                _tell(f"generation {number:>4} as played ", raw, out)
                if judged is not None:
                    _tell(f"generation {number:>4} played out", judged, out)
        except KeyboardInterrupt:
            interrupted = True
    data = [
        {"generation": row.generation, "raw": row.raw.to_json()}
        | ({"played_out": row.played_out.to_json()} if row.played_out else {})
        for row in rows
    ]
    facts = {"against": opponent.name, "plies": depth, "files": [str(file) for file in files]}
    write_json({**facts, "generations": data}, json_file)
    if figure is not None and rows:
        plot_ensemble(rows, title, figure)
        out.print(f"wrote {figure}", soft_wrap=True)
    if interrupted:
        raise KeyboardInterrupt


def _tell(what: str, found: "Ensemble", out: "Console") -> None:
    counts = f"runs significantly above half: {found.better}, below: {found.worse}"
    text = f"{what} {found.together.wdl_text:>14}  {found.share_text}, {found.elo_text} points; {counts}"
    out.print(text, soft_wrap=True)


def _generations(text: str | None, last: int) -> list[int]:
    if text is None:
        return sorted({0, last})
    if not re.fullmatch("[0-9]{1,9}(,[0-9]{1,9})*", text):
        raise EvocheckersError(f"generations {text!r}: write numbers like 0,420,840")
    numbers = [int(part) for part in text.split(",")]
    beyond = [number for number in numbers if not 0 <= number <= last]
    if beyond:
        raise EvocheckersError(f"not all runs have a generation {beyond[0]}; they have 0 to {last}")
    return numbers
