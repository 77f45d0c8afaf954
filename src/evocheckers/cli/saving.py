"""``evocheckers runs copy`` and ``runs repair``: write a run to a new file."""

from pathlib import Path
from typing import Annotated

import typer

from evocheckers.cli.output import announce_compilation, console, status


def copy(
    run_file: Annotated[Path, typer.Argument(metavar="RUN", help="A run file, even one that is being written.")],
    out_file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")],
) -> None:
    """Copy a run completely, even while it is being written; a running one must not be copied in any other way."""
    from evocheckers.runs.run import Run

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
    from evocheckers.runs.files import MAX_MEMORY_MB
    from evocheckers.runs.repair import Repaired
    from evocheckers.runs.repair import repair as save

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
