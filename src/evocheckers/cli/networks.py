"""``evocheckers networks``: where networks come from."""

from pathlib import Path
from typing import Annotated, Any

import typer

from evocheckers.cli.output import JsonOption, console, write_json


def networks(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Network files; by default the shipped ones.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Show how networks were evolved, and the commands that evolve them again."""
    from evocheckers.evolution.registry import command_of
    from evocheckers.networks.network import Network
    from evocheckers.networks.shipped import CHAMPION, SHIPPED, shipped_network

    found = {str(file): Network.load(file) for file in files} if files else {n: shipped_network(n) for n in SHIPPED}
    out = console(json_file)
    facts: list[dict[str, Any]] = []
    for name, network in found.items():
        command, kind, source = command_of(network), network.architecture.name, dict(network.source)
        described = {"kind": kind, "king_value": network.king_value, "command": command, "source": source}
        facts.append({"name": name, **described})
        called = f"{name}, the champion" if not files and name == CHAMPION else name
        out.print(f"{called}: {kind}, {network.weights.size} numbers" + _king(network.king_value))
        if command:
            made = f"  generation {source['generation']}, by {source.get('program', 'an unknown program')}"
            out.print(f"{made}, the run's digest {str(source.get('digest'))[:16]}\n  {command}", soft_wrap=True)
            if "average" in source:
                out.print(
                    f"  then: evocheckers runs export RUN --average {source['average']} --out FILE.safetensors",
                    soft_wrap=True,
                )
    write_json({"networks": facts}, json_file)


def _king(king_value: float | None) -> str:
    return "" if king_value is None else f", K = {king_value:.2f}"
