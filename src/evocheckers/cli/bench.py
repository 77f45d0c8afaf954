"""``evocheckers bench``: how fast is this machine."""

from typing import Annotated

import typer

from evocheckers.cli.output import JsonOption, announce_compilation, console, status, write_json


def bench(
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Rounds of measurement; the median counts.")] = 5,
    json_file: JsonOption = None,
) -> None:
    """Measure evaluations, moves and games a second, each beside a yardstick measured in the same run."""
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


def _quantity(value: float, unit: str) -> str:
    if unit != "1/s":
        return f"{value:.3g} {unit}"
    for size, name in ((1e9, " G/s"), (1e6, " M/s"), (1e3, " k/s")):
        if value >= size:
            return f"{value / size:.3g}{name}"
    return f"{value:.3g} /s"
