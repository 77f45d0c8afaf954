"""The ``evocheckers`` command.

A command line loads the file of the command that it names; help and completion load all of them. Each command imports
what it needs when it runs, so that help is instant.
"""

import functools
import io
import os
import signal
import sys
import warnings
from importlib import import_module
from typing import Annotated, Any

import typer

from evocheckers.cli.signals import end, leave_on_signal, raise_on_signal
from evocheckers.errors import EvocheckersError, printable
from evocheckers.version import PROGRAM_VERSION

app = typer.Typer(
    name="evocheckers",
    help="Neural networks that teach themselves checkers.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_USAGE_ERROR: Any = typer.BadParameter.__base__
"""Typer carries its own copy of Click and exports only subclasses of this one."""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evocheckers {PROGRAM_VERSION}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Neural networks that teach themselves checkers."""


_COMMANDS = {
    "play": "play.play",
    "evolve": "evolve.evolve",
    "runs": "runs.app",
    "match": "match.match",
    "tournament": "match.tournament",
    "reproduce": "reproduce.reproduce",
    "analyse": "analyse.analyse",
    "puzzles": "puzzles.app",
    "endgames": "endgames.app",
    "engine": "engine.engine",
    "networks": "networks.networks",
    "perft": "perft.perft",
    "bench": "bench.bench",
    "watch": "watch.watch",
}
"""Every command, in the order of the help, and the function or group of commands that it runs."""


@functools.cache
def with_commands(first_word: str = "") -> typer.Typer:
    """The application with the command that is named, or else with all."""
    for name in [first_word] if first_word in _COMMANDS else _COMMANDS:
        module, _, attribute = _COMMANDS[name].partition(".")
        found = getattr(import_module(f"evocheckers.cli.{module}"), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


_INTERRUPTED, _BROKEN_PIPE = 130, 141


def main() -> None:
    """Run the command line; bad input gives one line on standard error and exit status 2."""
    received = raise_on_signal()
    try:
        try:
            status = _run()
        finally:
            leave_on_signal()
    except (KeyboardInterrupt, typer.Abort):
        status = _INTERRUPTED
    except Exception:
        if not received:
            raise
        status = _INTERRUPTED  # libraries interrupted during import may raise another exception
    if status == _INTERRUPTED:  # Typer's exit status for an interrupt, and ours
        end(received[0] if received else signal.SIGINT)
    sys.exit(status)


def _run() -> int:
    """Run the command given by the arguments; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a character gets another one
            stream.reconfigure(errors="replace")
    warnings.formatwarning = lambda message, *_, **__: f"evocheckers: warning: {printable(message)}\n"
    arguments = sys.argv[1:]
    if arguments[-1:] == ["--json"]:  # without a file: standard output
        arguments.append("-")
    try:
        application = with_commands(arguments[0] if arguments else "")
        status = application(arguments, prog_name="evocheckers", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except _USAGE_ERROR as error:
        text = error.format_message()
        if not text:  # no command was given, so the help has been shown
            return 2
        return _refuse(f"{text} (see {error.ctx.command_path} --help)" if error.ctx else text)
    except EvocheckersError as error:
        return _refuse(str(error))
    except MemoryError as error:
        return _refuse(f"not enough memory: {printable(error) or 'none is left'}")
    except OverflowError as error:
        return _refuse(f"a number is too large: {printable(error)}")
    except OSError as error:
        fault = (error.strerror or str(error)).lower()
        return _refuse(f"{error.filename}: {fault}" if error.filename else fault)
    return int(status or 0)


def _refuse(text: str) -> int:
    print(f"evocheckers: {printable(text)}", file=sys.stderr)
    return 2
