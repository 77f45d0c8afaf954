"""Commands in the documents: the tutorial's are run and must show what it says; all others must exist."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from evocheckers.cli.app import with_commands
from tests.docs.pages import DOCS, PAGES, console_commands, indented_commands
from tests.helpers.commands import COMMAND, run

COMMAND_LINE = with_commands()
TUTORIAL = [DOCS / "tutorial" / f"first-{name}.md" for name in ("run", "match", "plot")]
PROGRAM = re.compile(r"^(?:\.venv/bin/)?evocheckers ")


def fits(shown: str, found: str) -> bool:
    """Whether a text is the one that a page shows: ``...`` stands for anything, on a line of its own for any lines."""
    parts = re.split(r"(\n\.\.\.\n|\.\.\.)", shown.strip())
    pattern = "".join({"\n...\n": r"\n(?:.*\n)?", "...": ".*"}.get(part, re.escape(part)) for part in parts)
    return re.fullmatch(pattern, found.strip(), re.DOTALL) is not None


def test_the_comparison_can_fail():
    assert fits("a\n... c\n", "a\nb c")
    assert fits("a\n...\nc\n", "a\nc")
    assert fits("a\n...\nc\n", "a\nb\nb\nc")
    assert not fits("a\n...\nc\n", "ac")
    assert not fits("a\n... c", "a\nb d")
    assert not fits("a", "a\nb")


def test_the_tutorial_shows_what_its_commands_print(tmp_path: Path):
    """All three pages in order, in one folder: the second plays what the first has bred."""
    environment = {**os.environ, "COLUMNS": "100"}
    commands = [command for page in TUTORIAL for command in console_commands(page)]
    assert len(commands) > 5
    for page, words, shown in commands:
        if not PROGRAM.match(words):
            continue  # setting up
        line = [*COMMAND, *shlex.split(words)[1:]]
        done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{page.name}: {words}: {done.stderr}"
        found = "\n".join(text.rstrip() for text in done.stdout.splitlines())
        assert fits(shown, found), f"{page.name}: {words} prints\n{found}"


def test_other_pages_show_what_their_commands_print():
    others = [command for page in PAGES if page not in TUTORIAL for command in console_commands(page)]
    shown = [command for command in others if command.shown.strip() and PROGRAM.match(command.words)]
    assert shown
    for page, words, text in shown:
        done = run(*shlex.split(words)[1:])
        assert fits(text, done.stdout + done.stderr), f"{page.name}: {words} prints\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_option_exists(page: Path):
    for _, words, _ in [*console_commands(page), *indented_commands(page)]:
        if PROGRAM.match(words):
            check(words)


def check(words: str) -> None:
    """Refuse a call whose command or whose options are none of ours."""
    command, rest = get_command(COMMAND_LINE), re.split(r"[\s\[\]|]+", PROGRAM.sub("", words).replace("'", ""))
    while rest and (found := getattr(command, "commands", {}).get(rest[0])):
        command, rest = found, rest[1:]
    assert not hasattr(command, "commands") or rest[0].startswith("-"), f"{words}: no such command"
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help", "-h"}
    unknown = [word for word in rest if word.startswith("-") and len(word) > 1 and word.split("=")[0] not in known]
    assert not unknown, f"{words}: no option {unknown}"


def test_unknown_commands_and_options_are_noticed():
    check("evocheckers runs show RUN --json -")
    for words in ("evocheckers run show", "evocheckers runs list --nothing", "evocheckers evolv es"):
        with pytest.raises(AssertionError):
            check(words)
