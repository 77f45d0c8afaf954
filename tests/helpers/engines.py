"""Small programs that pretend to be engines, and misbehave as they are told."""

import os
import shlex
import sys
import textwrap
from pathlib import Path

import pytest

from evocheckers import Limit
from evocheckers.players.hub.client import ExternalEngine
from evocheckers.rules.fen import START

FRAME = """
import os, signal, subprocess, sys, time

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

with open({pids!r}, "a") as file:
    file.write(f"{{os.getpid()}}\\n")
{start}
for line in sys.stdin:
    with open({log!r}, "a") as file:
        file.write(line)
    command = line.split()[0]
    if command == "hub":
        say("Welcome to a banner = that is no Hub")
        say('id name="Fake engine"')
        say('{param}')
        say("wait")
    elif command == "init":
        say("loading...")
        say("ready")
    elif command == "ping":
        say("pong")
    elif command == "quit":
        {quit}
    elif command == "go":
{go}
"""

GOOD = 'say("info depth=1 score=0.1"); say("done move=11-15 ponder=22-18")'
VARIANTS = 'param name=variant value=normal type=enum values="normal english"'


class Fakes:
    """Writes fake engines and knows which processes they were."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pid_file, self.log_file = folder / "pids", folder / "log"

    def __call__(self, go: str = GOOD, start: str = "", quitting: str = "break", param: str = VARIANTS) -> str:
        """The command of an engine that does ``go`` when asked for a move."""
        path = self.folder / "engine.py"
        go = textwrap.indent(textwrap.dedent(go), " " * 8)
        pids, log = str(self.pid_file), str(self.log_file)
        path.write_text(FRAME.format(pids=pids, log=log, start=start, go=go, quit=quitting, param=param))
        return shlex.join([sys.executable, "-I", "-S", str(path)])

    @property
    def pids(self) -> list[int]:
        return [int(line) for line in self.pid_file.read_text().split()]

    @property
    def log(self) -> list[str]:
        return self.log_file.read_text().splitlines()

    def assert_all_gone(self) -> None:
        """Ended and waited for: not even zombies."""
        for pid in self.pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


def choose(engine: ExternalEngine, limit: Limit | None = None) -> str:
    """The first move of an engine."""
    return str(engine.choose(START, [], limit or Limit(plies=2)))
