"""``evocheckers runs``: list, show, compare, measure, plot, export, copy and repair recorded runs."""

import contextlib
import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

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
from evocheckers.cli.output import JsonOption, announce_compilation, console, endgame_database, status, write_json
from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.analysis.ensemble import Ensemble
    from evocheckers.runs.export import Table
    from evocheckers.runs.file import Run


def copy(
    run_file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file, even one that is being written.")],
    out_file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")],
) -> None:
    """Copy a run completely, even while it is being written; a running one must not be copied in any other way."""
    from evocheckers.runs.file import Run

    with Run.open(run_file) as run:
        run.copy(out_file)
    with Run.open(out_file) as run:
        generation = run.generation
    console().print(f"wrote {out_file}: {generation} generations", soft_wrap=True)


def repair(
    run_file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The new run file.")],
    memory: Annotated[
        int | None,
        typer.Option(metavar="MB", min=1, help="A run that needs more memory than this is refused; 300 by default."),
    ] = None,
) -> None:
    """Save the readable part of a damaged run to a new file, checked against its digests, to resume from there."""
    from evocheckers.runs.repair import Repaired
    from evocheckers.runs.repair import repair as save
    from evocheckers.runs.validation import MAX_MEMORY_MB

    announce_compilation()
    out = console(None)
    done = Repaired(0, "")
    with status("reading", out) as spinner:
        for step in save(run_file, out_file, memory or MAX_MEMORY_MB):
            if isinstance(step, Repaired):
                done = step
            else:
                spinner.update(f"generation {step}")
    saved = f"generations 1 to {done.generation}" if done.generation else "no generation"
    out.print(
        f"{out_file}: {saved} saved" + (f"; then {done.fault}" if done.fault else ", all of them"), soft_wrap=True
    )
    out.print(f"resume: evocheckers evolve {out_file}", soft_wrap=True)


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
    from evocheckers.analysis import ensemble
    from evocheckers.analysis.plots import plot_ensemble
    from evocheckers.players.grammar import parse_player
    from evocheckers.players.make import make_contestant
    from evocheckers.runs.file import Run, find_runs

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
                    played_out = ensemble.played_out(matches, database, executor) if database else None
                rows.append(ensemble.MeasuredGeneration(number, raw, played_out))
                _tell(f"generation {number:>4} as played ", raw, out)
                if played_out is not None:
                    _tell(f"generation {number:>4} played out", played_out, out)
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


app = typer.Typer(help="List, show, measure, plot, export, copy and repair recorded runs.", no_args_is_help=True)
app.command("measure")(measure)
app.command("copy")(copy)
app.command("repair")(repair)

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")]
GenerationOption = Annotated[int | None, typer.Option(min=0, help="Generation; by default the last.")]


@app.command("list")
def list_runs(
    folder: Annotated[Path, typer.Argument(help="Where to look.")] = Path("runs"), json_file: JsonOption = None
) -> None:
    """List the runs in a folder."""
    from rich.table import Table

    from evocheckers.runs.file import Run
    from evocheckers.runs.validation import RunError

    if not folder.is_dir():
        raise EvocheckersError(
            f"cannot list runs: {folder} {'is not a folder' if folder.exists() else 'does not exist'}"
        )
    out = console(json_file)
    rows: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.sqlite")):
        try:
            with Run.open(path) as run:
                rows.append(facts_of(run))
        except RunError as error:
            rows.append({"run": str(path), "fault": error.fault})
    table = Table()
    for name in ("run", "preset", "seed", "generation", "of", "games", "against piece differential"):
        table.add_column(name)
    for row in rows:
        if "fault" in row:
            table.add_row(row["run"], row["fault"])
            continue
        last = row["strength"][-1] if row["strength"] else None
        score = f"{100 * last['share']:.1f}% at {last['generation']}" if last else ""
        counts = (row["seed"], row["generation"], row["generations"], row["games"])
        table.add_row(row["run"], row["preset"], *map(str, counts), score)
    out.print(table if rows else f"no runs in {folder}")
    write_json(rows, json_file)


@app.command("show")
def show(run_file: RunArgument, json_file: JsonOption = None) -> None:
    """Show the settings, progress and strength of a run."""
    from evocheckers.runs.file import Run
    from evocheckers.tournaments.score import Score

    with Run.open(run_file) as run:
        facts = facts_of(run)
    out = console(json_file)
    out.print(f"{facts['run']}: {facts['preset']} ({facts['scheme']}), seed {facts['seed']}, by {facts['program']}")
    out.print(
        f"generation {facts['generation']} of {facts['generations']}, {facts['games']} games, {facts['seconds']:.0f} s"
    )
    out.print(f"digest {facts['digest']}")
    for name, value in facts["config"].items():
        out.print(f"  {name} = {value}", highlight=False)
    for point in facts["strength"]:
        counts = [point[name] for name in ("wins", "draws", "losses", "ahead", "behind")]
        out.print(f"generation {point['generation']:>4} against piece differential: {Score(*counts)}", soft_wrap=True)
    write_json(facts, json_file)


def facts_of(run: "Run") -> dict[str, Any]:
    """What ``runs show`` shows."""
    summaries = run.summaries()
    last = summaries[-1] if summaries else None
    return {
        "run": str(run.path),
        "preset": run.preset,
        "scheme": run.scheme_name,
        "package": run.package,
        "program": run.program,
        "seed": run.seed,
        "config": run.config,
        "generation": last.number if last else 0,
        "generations": run.generations,
        "digest": last.digest if last else "",
        "games": sum(summary.games for summary in summaries),
        "draws": sum(summary.draws for summary in summaries),
        "evaluations": sum(summary.evaluations for summary in summaries),
        "seconds": sum(summary.seconds for summary in summaries),
        "keep": run.keep.value,
        "strength": [
            {
                "generation": number,
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "ahead": score.ahead,
                "behind": score.behind,
                "share": score.share,
                "low": score.interval[0],
                "high": score.interval[1],
            }
            for number, score in run.strengths().items()
        ],
    }


@app.command("games")
def games(run_file: RunArgument, generation: GenerationOption = None, json_file: JsonOption = None) -> None:
    """Show the games of a generation: who played whom, who won, and why."""
    from rich.table import Table

    from evocheckers.runs.file import Run

    with Run.open(run_file) as run:
        number = generation if generation is not None else _last(run)
        black, white, result = run.games(number)
    rows = [
        {
            "black": int(black[i]),
            "white": int(white[i]),
            "result": result.outcome(i).result,
            "reason": str(result.outcome(i).reason),
            "plies": int(result.plies[i]),
            "evaluations": int(result.evaluations[i]),
        }
        for i in range(len(result))
    ]
    table = Table(title=f"generation {number}")
    for name in ("black", "white", "result", "reason", "plies", "evaluations"):
        table.add_column(name, justify="right" if name in ("plies", "evaluations") else "left")
    for row in rows:
        table.add_row(*map(str, row.values()))
    console(json_file).print(table)
    write_json(rows, json_file)


def _last(run: "Run") -> int:
    from evocheckers.runs.validation import RunError

    if run.generation == 0:
        raise RunError(run.path, "has no generation yet")
    return run.generation


@app.command("export")
def export(
    run_file: RunArgument,
    out_file: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The network as .safetensors, its generation's games as .pdn, or a table as .csv or .parquet.",
        ),
    ],
    table: Annotated[
        str | None,
        typer.Option(metavar="generations|individuals|games", help="The table for a .csv or .parquet file."),
    ] = None,
    generation: Annotated[
        int | None,
        typer.Option(min=0, help="Generation; by default the last, and for a table all of them."),
    ] = None,
    average: Annotated[
        int, typer.Option(min=1, help="For a network: the mean over this many generations, up to that one.")
    ] = 1,
) -> None:
    """Write a generation's best network or games, or a table of all generations."""
    from evocheckers.files import write_whole
    from evocheckers.rules.pdn import write_pdn
    from evocheckers.runs.export import TABLES, export_table, pdn_games
    from evocheckers.runs.file import Run
    from evocheckers.runs.validation import RunError

    tables = ", ".join(TABLES)
    if table is not None and table not in TABLES:
        raise EvocheckersError(f"no table {table!r}; there are {tables}")
    is_table = out_file.suffix in (".csv", ".parquet")
    if is_table and table is None:
        raise EvocheckersError(f"{out_file} needs --table and one of {tables}")
    if not is_table and table is not None:
        raise EvocheckersError(f"--table is for a .csv or .parquet file, not {out_file}")
    if average > 1 and out_file.suffix != ".safetensors":
        raise EvocheckersError(f"--average is for a .safetensors file, not {out_file}")
    check_writable(out_file)
    with Run.open(run_file) as run:
        if is_table:
            export_table(run, cast("Table", table), out_file, generation)
            console().print(f"wrote {out_file}", soft_wrap=True)
            return
        if out_file.suffix == ".pdn":
            text = write_pdn(pdn_games(run, generation if generation is not None else _last(run)))
            write_whole(out_file, text)
        elif out_file.suffix == ".safetensors":
            run.exported_network(generation, average).save(out_file)
        else:
            endings = ".safetensors, .pdn, .csv or .parquet"
            raise RunError(run_file, f"cannot export to {out_file}: its name does not end in {endings}")
    console().print(f"wrote {out_file}", soft_wrap=True)


@app.command("compare")
def compare(
    run_file: RunArgument,
    other_file: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="Another run, to compare with instead.")
    ] = None,
    generation: GenerationOption = None,
    earlier: Annotated[
        int | None,
        typer.Option("--with", min=0, help="The generation to compare with; 0, or the other run's last, by default."),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Play a generation's best network against an earlier or another run's, and piece differential, 86 games each."""
    from evocheckers.executors.threads import ThreadExecutor
    from evocheckers.runs.file import Run
    from evocheckers.tournaments.match import network_match
    from evocheckers.tournaments.piece_counter import against_piece_counter

    announce_compilation()
    out = console(json_file)
    executor = ThreadExecutor()
    with Run.open(run_file) as run, status("playing", out):
        number = generation if generation is not None else _last(run)
        network, plies = run.network(number), run.settings.plies
        with Run.open(other_file) if other_file else contextlib.nullcontext(run) as other:
            rival = (0 if other is run else _last(other)) if earlier is None else earlier
            rival_network, name = other.network(rival), f"generation {rival}{f' of {other_file}' if other_file else ''}"
        scores = {
            "piece differential": against_piece_counter(network, plies, executor),
            name: network_match(network, rival_network, plies, executor),
        }
    for opponent, score in scores.items():
        out.print(f"generation {number} against {opponent} at {plies} plies: {score}", soft_wrap=True)
    write_json(
        [
            {"generation": number, "against": opponent, "plies": plies, "wins": s.wins, "draws": s.draws}
            | {"losses": s.losses, "ahead": s.ahead, "behind": s.behind, "share": s.share, "interval": s.interval}
            for opponent, s in scores.items()
        ],
        json_file,
    )


@app.command("plot")
def plot(
    run_file: RunArgument,
    folder: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where to write; by default next to the run.")
    ] = None,
) -> None:
    """Plot strength, games, population, lineage, and a matrix of generations against each other."""
    from evocheckers.analysis.plots import plot_run
    from evocheckers.executors.threads import ThreadExecutor
    from evocheckers.runs.file import Run

    announce_compilation()
    out = console()
    with Run.open(run_file) as run, status("plotting", out):
        files = plot_run(run, folder or run_file.parent, ThreadExecutor())
    for file in files:
        out.print(f"wrote {file}", soft_wrap=True)
