"""The ``evocheckers`` command: each command imports what it needs when it runs, so that help is instant."""

import io
import os
import signal
import socket
import sys
import threading
import time
from typing import Annotated, Any

import typer

from evocheckers import __version__
from evocheckers.cli import (
    analyse,
    bench,
    endgames,
    engine,
    evolve,
    match,
    networks,
    perft,
    play,
    reproduce,
    runs,
    watch,
)
from evocheckers.errors import EvocheckersError

app = typer.Typer(
    name="evocheckers",
    help="Neural networks that teach themselves checkers by evolution.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_USAGE_ERROR: Any = typer.BadParameter.__base__
"""Typer carries its own copy of Click and exports only this class's children."""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evocheckers {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Neural networks that teach themselves checkers by evolution."""


app.command("play")(play.play)
app.command("evolve")(evolve.evolve)
app.add_typer(runs.app, name="runs")
app.command("match")(match.match)
app.command("tournament")(match.tournament)
app.command("reproduce")(reproduce.reproduce)
app.command("analyse")(analyse.analyse)
app.add_typer(endgames.app, name="endgames")
app.command("engine")(engine.engine)
app.command("networks")(networks.networks)
app.command("perft")(perft.perft)
app.command("bench")(bench.bench)
app.command("watch")(watch.watch)


_INTERRUPTED, _BROKEN_PIPE = 130, 141
_GRACE_SECONDS = 3.0


def main() -> None:
    """Run the command line; bad input is one line on standard error and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a sign gets another one
            stream.reconfigure(errors="replace")
    arguments = sys.argv[1:]
    if arguments[-1:] == ["--json"]:  # to nowhere else, so to standard output
        arguments.append("-")
    terminations: list[int] = []

    def terminate(number: int, _: object) -> None:
        terminations.append(number)
        raise KeyboardInterrupt  # whoever tidies up after Ctrl-C does so after this, too

    signal.signal(signal.SIGTERM, terminate)
    _end_when_terminated()
    status = 0
    try:
        status = app(arguments, standalone_mode=False)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = _BROKEN_PIPE
    except _USAGE_ERROR as error:
        hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        status = _refuse(f"{error.format_message()}{hint}")
    except EvocheckersError as error:
        status = _refuse(str(error))
    except OSError as error:
        fault = (error.strerror or str(error)).lower()
        status = _refuse(f"{error.filename}: {fault}" if error.filename else fault)
    except (KeyboardInterrupt, typer.Abort):
        status = _INTERRUPTED
    if status == _INTERRUPTED:  # Typer's answer to an interrupt, and ours
        print(f"evocheckers: {'terminated' if terminations else 'interrupted'}", file=sys.stderr)
        status = 128 + signal.SIGTERM if terminations else _INTERRUPTED
    sys.exit(status)


def _end_when_terminated() -> None:
    """After SIGTERM and a moment's grace, end even where compiled code keeps Python from noticing."""
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)

    def listen(*_: socket.socket) -> None:
        while signal.SIGTERM not in ear.recv(64):
            pass
        time.sleep(_GRACE_SECONDS)
        os._exit(128 + signal.SIGTERM)

    threading.Thread(target=listen, args=(mouth,), name="signals", daemon=True).start()  # and keeps the socket open


def _refuse(text: str) -> int:
    print(f"evocheckers: {text}", file=sys.stderr)
    return 2
