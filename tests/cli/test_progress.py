"""What a running evolution shows, on terminals and in pipes."""

import re

import pytest

from evocheckers.cli.output import console
from evocheckers.cli.progress import EvolutionProgress
from tests.helpers.commands import Terminal, run

SMALL = ("--set", "parents=3", "--set", "opponents=2", "--set", "plies=2")
SHOWN = {
    "anaconda": (SMALL, r" \d/4 .*left best [+-]?\d+, K \d\.\d\d"),
    "es": (("--set", "pairs=8", "--set", "plies=2"), r" \d/4 .*left \d/8 pairs decided, s 0\.15, K \d\.\d\d"),
    "over-the-hill": (("--set", "iterations=10"), r" \d/4 .*left \d+ of 10 rookies won"),
}


@pytest.mark.parametrize(("preset", "columns"), [*((preset, 80) for preset in SHOWN), ("anaconda", 120)])
def test_every_scheme_shows_what_it_has_to_show(tmp_path, preset, columns):
    settings, expected = SHOWN[preset]
    with Terminal(columns, "evolve", preset, "--run", str(tmp_path / "a"), "--generations", "4", *settings) as terminal:
        assert terminal.finish() == 0, terminal.text
    moving = [line for line in terminal.lines if "left" in line]
    assert all(len(line) <= columns for line in moving)
    assert re.search(expected, terminal.text), terminal.text
    assert re.search(r"\d:\d\d:\d\d .*left measuring generation \d", terminal.text), "no elapsed time, or no word of it"


def test_several_runs_at_once_say_what_they_do(tmp_path):
    small = ("--set", "pairs=2", "--set", "plies=1", "--measure-every", "2", "--runs", "2")
    with Terminal(80, "evolve", "es", "--run", str(tmp_path / "a"), "--generations", "2", *small) as terminal:
        assert terminal.finish() == 0, terminal.text
    assert all(len(line) <= 80 for line in terminal.lines if "left" in line)
    assert re.search(r" [34]/4 \d:\d\d:\d\d .*left measuring generation 2", terminal.text), terminal.text


def test_compiling_is_told_on_the_bar(tmp_path, monkeypatch):
    monkeypatch.setenv("EVOCHECKERS_CACHE", str(tmp_path / "cache"))
    arguments = ("evolve", "over-the-hill", "--run", str(tmp_path / "a"), "--generations", "1", "--measure-every", "0")
    with Terminal(80, *arguments, "--set", "iterations=1") as terminal:
        terminal.read_until("left compiling, once")
    assert not [line for line in terminal.lines if len(line) > 80 and "left" in line]


def test_lines_in_pipes_come_now_and_then(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr("evocheckers.cli.progress.time.monotonic", lambda: now)
    with EvolutionProgress(console(), 100) as shown:
        for number in range(1, 101):
            shown.begin(f"generation {number}")
            now += 21.0 if number == 1 else 1.0  # the first one compiles
            shown.finish(number, f"best {number}")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["generation    1/100  best 1  21 s", "generation    6/100  best 6  26 s, 2 min left"]
    assert len(lines) == 21
    assert lines[-1] == "generation  100/100  best 100  2 min, 0 s left"


def test_a_quick_run_in_a_pipe_is_few_lines(tmp_path):
    arguments = ("evolve", "anaconda", "--run", str(tmp_path / "a"), "--generations", "9", "--measure-every", "9")
    lines = run(*arguments, "--set", "parents=1", "--set", "opponents=1", "--set", "plies=1").stdout.splitlines()
    generations = [line for line in lines if re.match(r"generation +\d+/9  best", line)]
    assert len(generations) < 5
    assert generations[-1].startswith("generation    9/9")
    assert sum("against piece differential" in line for line in lines) == 2
