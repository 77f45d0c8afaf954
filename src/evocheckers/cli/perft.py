"""``evocheckers perft``: count move sequences."""

import time
from typing import Annotated

import typer

from evocheckers.cli.output import JsonOption, announce_compilation, console, write_json


def perft(
    depth: Annotated[int, typer.Argument(help="How many plies; 10 takes a fraction of a second.")],
    fen: Annotated[str | None, typer.Option(help="The position, if not the start: B:W21,K32:B1-12.")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Split the count by the first move.")] = False,
    json_file: JsonOption = None,
) -> None:
    """Count the legal move sequences of DEPTH plies, which checks and times a move generator."""
    from evocheckers.rules import perft as engine
    from evocheckers.rules.board import Board

    announce_compilation()
    board = Board(fen) if fen is not None else Board()
    engine.perft(board, min(depth, 1))
    began = time.perf_counter()
    counts = {str(move): count for move, count in engine.divide(board, depth).items()} if divide else {}
    nodes = sum(counts.values()) if divide else engine.perft(board, depth)
    seconds = time.perf_counter() - began
    out = console(json_file)
    for move, count in counts.items():
        out.print(f"{move:>8}  {count:,}")
    out.print(f"perft({depth}) = {nodes:,}  ({seconds:.2f} s, {nodes / max(seconds, 1e-9) / 1e6:.1f} million a second)")
    write_json(
        {"fen": board.fen(), "depth": depth, "nodes": nodes, "seconds": seconds, "divide": counts or None}, json_file
    )
