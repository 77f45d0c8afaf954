"""``evocheckers evolve``: breed players."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evocheckers.cli.output import announce_compilation, console
from evocheckers.cli.playing import AddressOption, ExecutorOption, WorkersOption, make_executor
from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.evolution.evolve import Generation
    from evocheckers.runs.recording import Event
    from evocheckers.runs.run import Run


def evolve(
    name: Annotated[str, typer.Argument(metavar="PRESET|RUN", help="A preset, or a run file to resume.")],
    run_file: Annotated[
        Path | None,
        typer.Option("--run", metavar="FILE", help="Where to record, resumed if it exists; a folder for several runs."),
    ] = None,
    generations: Annotated[int | None, typer.Option(min=1, help="How far to go; the preset says otherwise.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The run's seed; 1 if not given.")] = None,
    executor_name: ExecutorOption = "threads",
    address: AddressOption = None,
    workers: WorkersOption = None,
    count: Annotated[
        int, typer.Option("--runs", min=1, max=10_000, help="So many runs at once, with seeds from --seed on.")
    ] = 1,
    grid: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=A,B,C", help="A run for each value of a setting; may be repeated."),
    ] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; may be repeated.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings from a TOML file.")] = None,
    measure_every: Annotated[
        int | None,
        typer.Option(min=0, help="Generations between matches against piece differential; 20, or as it was. 0: none."),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(metavar="moves|results|points", help="What is recorded of games: all, no moves, or only points."),
    ] = None,
) -> None:
    """Evolve networks from nothing but the rules. Kill it at any moment: the same command goes on where it was."""
    from evocheckers.evolution.presets import PRESETS, is_preset
    from evocheckers.runs.recording import (
        carry_on,
        carry_on_together,
        open_run,
        open_runs,
        parse_assignments,
        parse_grid,
        read_config,
    )
    from evocheckers.runs.schema import Keep

    if keep is not None and keep not in list(Keep):
        raise EvocheckersError(f"cannot keep {keep!r}; write {', '.join(Keep)}")
    kept = Keep(keep) if keep else None
    announce_compilation()
    out = console()
    executor = make_executor(executor_name, workers, address)
    changes = (read_config(config) if config else {}) | parse_assignments(assignments or [])
    if count > 1 or grid:
        if not is_preset(name):
            raise EvocheckersError(f"several runs at once need a preset ({', '.join(PRESETS)}), not {name!r}")
        seeds = range(1 if seed is None else seed, (1 if seed is None else seed) + count)
        folder = run_file or Path("runs")
        with ExitStack() as closing:
            fleet = open_runs(name, folder, generations, seeds, parse_grid(grid or []), changes, kept, measure_every)
            for run in fleet:
                closing.enter_context(run)
            for notice in dict.fromkeys(notice for run in fleet for notice in run.notices):
                out.print(f"note: {notice}", soft_wrap=True)
            _watch_fleet(fleet, carry_on_together(fleet, executor), out)
        return
    with open_run(name, run_file, generations, seed, changes, kept, measure_every) as run:
        done = run.generation
        began = f"goes on after generation {done}" if done else "begins"
        about = PRESETS[run.preset].about if run.preset in PRESETS else run.scheme.name
        out.print(f"{run.preset} ({about})", soft_wrap=True)
        out.print(f"{run.path}: seed {run.seed}, {run.generations} generations; {began}", soft_wrap=True)
        for notice in run.notices:
            out.print(f"note: {notice}", soft_wrap=True)
        try:
            _watch(run, carry_on(run, executor), out)
        except KeyboardInterrupt:
            out.print(f"interrupted; {run.generation} generations are recorded in {run.path}")
            raise
        out.print(f"done: {run.path}, digest {run.digest[:16] or '-'}")
        out.print(f"see it: evocheckers runs plot {run.path}", soft_wrap=True)
        out.print(f"keep it: evocheckers runs export {run.path} --out best.safetensors", soft_wrap=True)


def _watch(run: "Run", steps: object, out: "Console") -> None:
    """Tell of every step; on a terminal the generations pass under a bar, elsewhere each is a line."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    from evocheckers.runs.recording import Measurement

    finished = run.generation
    text = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    columns = (BarColumn(bar_width=12), MofNCompleteColumn(), TimeRemainingColumn(compact=True), text)
    began, first = time.perf_counter(), finished
    with Progress(*columns, console=out, expand=True, disable=not out.is_terminal) as progress:
        task = progress.add_task("", total=run.generations, completed=finished)
        for step in steps:  # type: ignore[attr-defined]
            if isinstance(step, Measurement):
                out.print(f"generation {step.generation:>4} against piece differential: {step.score}", soft_wrap=True)
                continue
            line = _line(step)
            if out.is_terminal:
                progress.update(task, completed=step.number, description=line)
            else:
                left = (time.perf_counter() - began) / (step.number - first) * (run.generations - step.number)
                out.print(
                    f"generation {step.number:>4}/{run.generations}  {line}  {_duration(left)} left", soft_wrap=True
                )


def _watch_fleet(runs: "list[Run]", steps: "Iterator[tuple[int, Event]]", out: "Console") -> None:
    """A line when all runs have come to a measured generation; at the end, all of them side by side."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table

    from evocheckers.runs.recording import Measurement
    from evocheckers.tournaments.score import Score

    out.print(
        f"{runs[0].preset}: {len(runs)} runs at once, {runs[0].generations} generations, in {runs[0].path.parent}"
    )
    total = sum(run.generations - run.generation for run in runs)
    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    sums: dict[int, list[Score]] = {}
    with Progress(*columns, TextColumn("{task.description}"), console=out, disable=not out.is_terminal) as progress:
        task = progress.add_task("generations of all runs", total=total)
        for _, step in steps:
            if not isinstance(step, Measurement):
                progress.advance(task)
                continue
            scores = sums.setdefault(step.generation, [])
            scores.append(step.score)
            if len(scores) == len(runs):
                together = sum(scores, Score(0, 0, 0))
                out.print(
                    f"generation {step.generation:>4} of all against piece differential: {together}", soft_wrap=True
                )
    table = Table(title="Last measurement of every run against piece differential")
    for name in ("run", "seed", "generation", "won-drawn-lost", "score, 95%", "points, 95%"):
        table.add_column(name)
    for run in runs:
        measured = run.strengths()
        if measured:
            number, score = max(measured.items())
            texts = score.wdl_text, score.share_text, score.elo_text
            table.add_row(run.path.stem, str(run.seed), str(number), *texts)
    out.print(table)


def _line(generation: "Generation[Any]") -> str:
    report = generation.report
    games = report.games
    best = report.individuals.ids.tolist().index(report.best_id)
    text = (
        f"{len(games)} games, {100 * (games.winners == 0).mean():.0f}% drawn, {games.plies.mean():.0f} plies, "
        f"{games.evaluations.sum() / max(generation.playing_seconds, 1e-9) / 1e6:.1f} M evaluations/s, "
        f"best {report.best_id} ({report.individuals.scores[best]:+g})"
    )
    king_value = report.best.king_value
    return text if king_value is None else f"{text}, K {king_value:.2f}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
