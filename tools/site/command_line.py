"""Every command with its arguments and options, from Typer."""

import typer
from typer.cli import get_docs_for_click
from typer.main import get_command

from evocheckers.cli.app import app


def text() -> str:
    """What ``--help`` says of every command, without the page's own heading."""
    command = get_command(app)
    context = typer.Context(command, info_name="evocheckers")
    return get_docs_for_click(obj=command, ctx=context, name="evocheckers").partition("\n")[2].strip()
