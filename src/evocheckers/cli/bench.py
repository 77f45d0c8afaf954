"""``evocheckers bench``: how fast is this machine."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evocheckers.cli.output import JsonOption, announce_compilation, console, status, write_json


def bench(
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Rounds of measurement; the median counts.")] = 5,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure the GPU instead, against this machine's cores.")] = False,
    json_file: JsonOption = None,
) -> None:
    """Measure evaluations, moves and games a second, each beside a yardstick measured in the same run."""
    if gpu:
        _bench_gpu(json_file)
        return
    from rich.table import Table

    from evocheckers.experiments.bench import Bench, run_bench

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


def _bench_gpu(json_file: Path | None) -> None:
    from rich.table import Table

    from evocheckers.experiments.gpu_bench import COMPARED, GENERATION, MANY, GpuRow, run_gpu_bench

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


def _quantity(value: float, unit: str) -> str:
    if unit != "1/s":
        return f"{value:.3g} {unit}"
    for size, name in ((1e9, " G/s"), (1e6, " M/s"), (1e3, " k/s")):
        if value >= size:
            return f"{value / size:.3g}{name}"
    return f"{value:.3g} /s"
