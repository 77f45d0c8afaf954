import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from evocheckers import Network
from tests.conftest import PUBLISHED


def run(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", "from evocheckers.cli.app import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom evocheckers.cli.app import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numba', 'numpy', 'scipy', 'pydantic', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_perft():
    done = run("perft", "6", "--json", "-")
    assert done.returncode == 0
    assert json.loads(done.stdout)["nodes"] == 36768
    split = run("perft", "2", "--divide", "--fen", "B:W21-32:B1-12")
    assert "11-15  7" in split.stdout
    assert "perft(2) = 49" in split.stdout


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("perft", "3", "--fen", "B:W99:B1"), "character 4: '99' lies outside squares 1 to 32"),
        (("perft", "99"), "perft depth is 99"),
        (("perft", "--", "-1"), "perft depth is -1"),
        (("perft", "-1"), "No such option: -1 (see"),
        (("perft", "x"), "valid integer"),
        (("nothing",), "No such command 'nothing'"),
        (("perft", "0", "--divide"), "at least 1"),
        (("perft", "3", "--json", "/nonexistent/folder/file"), "no such file"),
        (("watch", "--pdn", "/nonexistent/folder/file"), "there is no folder /nonexistent/folder"),
        (("match", "blondie@4", "random"), "player 'blondie@4': no kind 'blondie'; write champion"),
        (("match", "material@4", "material@4x"), "limit '4x' is none of plies (@8), time (@2s, @50ms)"),
        (("match", "random", "random", "--openings", "all"), "openings 'all': no such file; names are start, first"),
        (("match", "random", "random", "--json", "/nonexistent/x/y"), "there is no folder"),
        (("match", "engine:/nonexistent/engine", "random"), "engine '/nonexistent/engine': command not found"),
        (("tournament", "random"), "at least two players"),
        (("analyse", "B:W99:B1"), "character 4: '99' lies outside"),
        (("analyse", "nothing.pdn"), "no such file"),
        (("analyse", "B:W32:B1", "--player", "random"), "does not evaluate positions"),
        (("reproduce", "everything"), "no reproduction 'everything'; there are control-equal-depth"),
        (("reproduce", "six-games", "--player", "champion@4"), "without a limit"),
        (("endgames", "probe", "B:W21-32:B1-12"), "endgame"),
        (("engine", "--player", "nobody"), "no kind 'nobody'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, part):
    done = run(*arguments)
    assert done.returncode == 2
    lines = [line for line in done.stderr.strip().splitlines() if "compiling" not in line]
    assert len(lines) == 1
    assert lines[0].startswith("evocheckers: ")
    assert part in lines[0]


@pytest.mark.parametrize(
    ("name", "content", "arguments", "part"),
    [
        ("bad.pdn", b"1. 11-15\n22-22", ("watch", "{file}"), "line 2, column 1: ply 2: move '22-22'"),
        ("bad.pdn", b"{never closed", ("watch", "{file}"), "line 1, column 1: '{' is never closed"),
        ("n.safetensors", b"\x08\0\0\0\0\0\0\0{", ("watch", "--black", "net:{file}"), "not a whole safetensors file"),
        ("x", b"", ("watch", "--opening", "11-15 11-16"), "move '11-16': not legal"),
        ("x", b"", ("watch", "--fen", "B:W4:B1"), "character 4: a white man cannot stand on square 4"),
        ("x", b"", ("watch", "none.pdn"), "no such file"),
    ],
)
def test_bad_files_are_one_line_and_status_2(tmp_path, name, content, arguments, part):
    (tmp_path / name).write_bytes(content)
    done = run(*(argument.replace("{file}", str(tmp_path / name)) for argument in arguments))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert part in done.stderr


def test_watch_replays_a_file_and_plays_given_networks(tmp_path):
    done = run("watch", str(PUBLISHED / "published-games.pdn"))
    assert done.stdout.count('[Result "0-1"]') == 2
    Network.random(np.random.default_rng(3)).save(tmp_path / "mine.safetensors")
    mine = f"net:{tmp_path / 'mine.safetensors'}@2"
    done = run("watch", "--white", mine, "--black", "material@2", "--opening", "11-15 23-19")
    assert done.returncode == 0, done.stderr
    assert f'[White "{mine}"]' in done.stdout
    assert "1. 11-15 23-19 2. " in done.stdout


def test_watch_plays_the_same_game_for_the_same_seed(tmp_path):
    one = run("watch", "--seed", "4", "--pdn", str(tmp_path / "game.pdn"))
    two = run("watch", "--seed", "4")
    assert one.returncode == two.returncode == 0
    assert one.stdout == two.stdout
    assert (tmp_path / "game.pdn").read_text() in one.stdout


def test_bench_prints_ratios(tmp_path):
    done = run("bench", "--rounds", "1", "--json", str(tmp_path / "bench.json"))
    assert done.returncode == 0, done.stderr
    assert "multiply-add peak" in done.stdout
    result = json.loads((tmp_path / "bench.json").read_text())
    assert {"name", "value", "unit", "yardstick", "ratio"} <= set(result["measures"][0])
    assert all(measure["ratio"] > 0 for measure in result["measures"])


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_is_status_130():
    command = [sys.executable, "-c", "from evocheckers.cli.app import main; main()", "bench", "--rounds", "100"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(2)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors


def test_a_closed_pipe_is_no_traceback():
    command = [sys.executable, "-c", "from evocheckers.cli.app import main; main()", "perft", "3", "--divide"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait()
