"""``evocheckers bench``: the speed of this machine."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evocheckers.cli.completion import complete_player
from evocheckers.cli.output import JsonOption, announce_compilation, console, status, write_json
from evocheckers.errors import EvocheckersError

ROUNDS = 5


def bench(
    rounds: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="Rounds of measurement, of which the median is shown; 5 by default."),
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure the GPU instead, against this machine's cores.")] = False,
    ray: Annotated[bool, typer.Option("--ray", help="Measure Ray instead, and simulate larger clusters.")] = False,
    search: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            autocompletion=complete_player,
            help="Measure instead how deep a player's search gets on a fixed set of positions; may be repeated.",
        ),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Measure evaluations, moves and games per second, each next to a yardstick measured in the same run."""
    if sum((gpu, ray, bool(search))) > 1:
        raise EvocheckersError("one at a time: --gpu, --ray or --search")
    if rounds is not None and (gpu or ray or search):
        raise EvocheckersError("--rounds is for this machine's cores; --gpu, --ray and --search have their own")
    rounds = rounds or ROUNDS
    if search:
        _bench_search(search, json_file)
        return
    if gpu or ray:
        (_bench_gpu if gpu else _bench_ray)(json_file)
        return
    from rich.table import Table

    from evocheckers.bench.machine import Bench, run_bench

    announce_compilation()
    out = console(json_file)
    result = None
    with status("warming up", out) as spinner:
        for step in run_bench(rounds):
            if isinstance(step, Bench):
                result = step
            else:
                spinner.update(step)
    if result is None:
        raise RuntimeError("the bench ended without a result")
    table = Table(title=f"Speed of this machine ({result.cores} cores; medians of {rounds} rounds)")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("against")
    table.add_column("ratio", justify="right")
    for measure in result.measures:
        table.add_row(measure.name, _quantity(measure.value, measure.unit), measure.yardstick, f"{measure.ratio:.2f}")
    out.print(table)
    write_json(result.to_json(), json_file)


def _bench_search(players: list[str], json_file: Path | None) -> None:
    from rich.table import Table

    from evocheckers.bench.search import NODES, SECONDS, SearchDepth, measure_depth, search_positions
    from evocheckers.players.make import make_contestant

    announce_compilation()
    out = console(json_file)
    rows: list[SearchDepth] = []
    contestants = [make_contestant(player) for player in players]
    with status("warming up", out) as spinner:
        for contestant in contestants:
            for step in measure_depth(contestant, search_positions()):
                if isinstance(step, SearchDepth):
                    rows.append(step)
                else:
                    spinner.update(step)
    table = Table(title=f"The selective search on {len(search_positions())} positions: mean plies by time and by nodes")
    table.add_column("player")
    limits = [*(f"{1000 * seconds:.0f} ms" for seconds in SECONDS), *(f"{nodes // 1000} kn" for nodes in NODES)]
    for column in (*limits, "nodes", "branching", "late, 99%", "two threads"):
        table.add_column(column, justify="right")
    for row in rows:
        plies = [f"{plies:.2f}" for plies in (*row.plies_by_time, *row.plies_by_nodes)]
        rates = _quantity(row.nodes_per_second, "1/s"), f"{row.branching_factor:.2f}"
        table.add_row(row.player, *plies, *rates, f"{1000 * row.late:.1f} ms", f"{row.two_threads:.2f} of the time")
    out.print(table)
    write_json({"rows": [row.to_json() for row in rows]}, json_file)


def _bench_gpu(json_file: Path | None) -> None:
    from rich.table import Table

    from evocheckers.bench.gpu import COMPARED, GENERATION, MANY, GpuRow, run_gpu_bench

    announce_compilation()
    out = console(json_file)
    rows = []
    with status("compiling", out) as spinner:
        for step in run_gpu_bench():
            if isinstance(step, GpuRow):
                rows.append(step)
            elif step.startswith("perft"):
                out.print(step)
            else:
                spinner.update(step)
    table = Table(title="Games at 4 plies between random networks on the GPU")
    columns = (
        "precision",
        "extensions",
        f"identical of {COMPARED}",
        f"{GENERATION} games",
        f"{MANY} games",
        "on threads",
    )
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        speeds = f"{row.generation_ms:.0f} ms", f"{row.games_per_second:.0f} /s", f"{row.threads_per_second:.0f} /s"
        table.add_row(row.precision, str(row.extensions), str(row.identical), *speeds)
    out.print(table)
    write_json({"rows": [asdict(row) for row in rows]}, json_file)


def _bench_ray(json_file: Path | None) -> None:
    from rich.table import Table

    from evocheckers.bench.ray import GAMES, Costs, Measured, Simulated, run_sizing

    announce_compilation()
    out = console(json_file)
    measured: list[Measured] = []
    simulated: list[Simulated] = []
    costs = None
    with status("compiling", out) as spinner:
        for step in run_sizing():
            if isinstance(step, Costs):
                costs = step
            elif isinstance(step, Measured):
                measured.append(step)
            elif isinstance(step, Simulated):
                simulated.append(step)
            else:
                spinner.update(step)
    if costs is None:
        raise RuntimeError("the bench ended without a result")
    games = {"mean": costs.games.mean(), "longest": costs.games.max()}
    others = {"task": costs.task, "driver": costs.driver, "network": costs.network}
    seconds = {name: float(value) for name, value in {**games, **others}.items()}
    parts = [f"{name} {1000 * value:.2f} ms" for name, value in seconds.items()]
    out.print(f"costs: game {parts[0]}, {parts[1]}; {', '.join(parts[2:])}", soft_wrap=True)
    table = Table(title=f"{GAMES} games at 4 plies between random networks, games a second")
    for column in ("workers", "threads", "Ray", "of threads", "simulated"):
        table.add_column(column, justify="right")
    for row in measured:
        share = row.ray_per_second / row.threads_per_second
        rates = (f"{row.threads_per_second:.1f}", f"{row.ray_per_second:.1f}", f"{share:.2f}")
        table.add_row(str(row.workers), *rates, f"{row.expected_per_second:.1f}")
    out.print(table)
    table = Table(title="A generation of Anaconda with larger populations, simulated")
    for column in ("networks", "games", "cores", "tasks", "seconds", "busy with games"):
        table.add_column(column, justify="right")
    for line in simulated:
        counts = (f"{line.population:,}", f"{line.games:,}", f"{line.cores:,}", f"{line.tasks:,}")
        table.add_row(*counts, f"{line.seconds:.2f}", f"{100 * line.busy:.0f}%")
    out.print(table)
    rows = {"measured": [asdict(row) for row in measured], "simulated": [asdict(line) for line in simulated]}
    write_json({"seconds": seconds, **rows}, json_file)


def _quantity(value: float, unit: str) -> str:
    if unit != "1/s":
        return f"{value:.3g} {unit}"
    for size, name in ((1e9, " G/s"), (1e6, " M/s"), (1e3, " k/s")):
        if value >= size:
            return f"{value / size:.3g}{name}"
    return f"{value:.3g} /s"
