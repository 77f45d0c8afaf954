"""Every command with its arguments and options, from Typer."""

import re

import typer
from typer.cli import get_docs_for_click
from typer.main import get_command

from evocheckers.cli.app import with_commands

_HELP = re.compile(r"(?:^\*\*Options\*\*:\n\n)?^\* `--help`: .*\n?", re.MULTILINE)
_LISTS = re.compile(r"^\*\*Commands\*\*:\n\n(?:\* .*\n)+", re.MULTILINE)


def text() -> str:
    """The ``--help`` text of every command, without the page's heading, ``--help`` itself and shortened lists."""
    command = get_command(with_commands())
    context = typer.Context(command, info_name="evocheckers")
    found = get_docs_for_click(obj=command, ctx=context, name="evocheckers").partition("\n")[2].strip()
    return _HELP.sub("", _LISTS.sub("", found))
