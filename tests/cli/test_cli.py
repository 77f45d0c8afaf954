import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from evocheckers import Network
from tests.helpers.commands import COMMAND, Terminal, run
from tests.helpers.places import PUBLISHED


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom evocheckers.cli.app import with_commands\n"
        "try:\n    with_commands()(['--help'])\nexcept SystemExit:\n    pass\n"
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
        (("reproduce", "six-games", "--seeds", "2"), "six-games has one run of each system; --seeds is for "),
        (("perft", "99"), "perft: depth_plies = 99"),
        (("perft", "--", "-1"), "perft: depth_plies = -1"),
        (("perft", "-1"), "No such option: -1 (see"),
        (("perft", "x"), "valid integer"),
        (("nothing",), "No such command 'nothing'"),
        (("perft", "0", "--divide"), "between 1 and 30"),
        (("perft", "3", "--json", "/nonexistent/folder/file"), "no such file"),
        (("watch", "--pdn", "/nonexistent/folder/file"), "there is no folder /nonexistent/folder"),
        (("match", "blondie@4", "random"), "player 'blondie@4': no player 'blondie'; write champion"),
        (("match", "material@4", "material@4x"), "limit '4x' is not one of plies (@8), time (@2s, @50ms)"),
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
        (("engine", "--player", "nobody"), "no player 'nobody'"),
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


@pytest.mark.parametrize("arguments", [("endgames", "build", "--pieces", "2"), ("play", "--no-browser", "--port", "0")])
def test_a_data_folder_that_cannot_be_used_is_refused(tmp_path, arguments):
    (tmp_path / "file").touch()
    done = run(*arguments, EVOCHECKERS_DATA=str(tmp_path / "file"), XDG_DATA_HOME=str(tmp_path / "other"))
    assert done.returncode == 2
    told = f"evocheckers: data folder {tmp_path}/file: is not a folder; EVOCHECKERS_DATA must name a folder"
    assert done.stderr.startswith(told)
    assert len(done.stderr.splitlines()) == 1
    assert os.listdir(tmp_path) == ["file"]


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
    values = {measure["name"]: measure["value"] for measure in result["measures"]}
    assert values["4-ply mid-game move"] > values["the same without extensions"]
    assert 4 < values["plies in 30 ms"] <= values["plies in 250 ms"]
    assert {"nodes of a timed search", "plies in 100 ms", "effective branching factor"} <= set(values)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_is_status_130():
    with Terminal(80, "bench", "--rounds", "100") as terminal:
        terminal.read_until("warming up: games")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.finish() == 130
    assert "Traceback" not in terminal.text


def test_a_closed_pipe_is_no_traceback():
    for arguments in (["perft", "3", "--divide"], ["perft", "3", "--json", "-"], ["--help"]):
        command = [*COMMAND, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        assert "Traceback" not in errors
        assert "Exception" not in errors
        process.stderr.close()
        process.wait()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize("arguments", [["perft", "3"], ["perft", "3", "--json", "-"], ["--help"]])
def test_a_full_output_is_one_line(arguments):
    with open("/dev/full", "w") as full:
        command = [*COMMAND, *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "evocheckers: no space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [(), ("runs",)])
def test_no_command_is_help_and_no_message(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert "Usage: evocheckers" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("import numpy; numpy.empty(2**48)", "not enough memory: Unable to allocate"),
        ("raise MemoryError", "not enough memory: none is left"),
        ("import numpy; numpy.int64(2**80)", "a number is too large: "),
    ],
)
def test_what_is_too_large_is_one_line(code, part):
    done = run_command(code)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"evocheckers: {part}")


def test_a_warning_is_one_line_without_source():
    done = run_command("import numpy; numpy.exp(numpy.array([1e9]))")
    assert done.returncode == 0
    assert done.stderr == "evocheckers: warning: overflow encountered in exp\n"


def run_command(code: str) -> subprocess.CompletedProcess:
    """A command that does what the code says."""
    program = f"""
import sys
from evocheckers.cli import app
@app.app.command("other")
def other():
    {code}
sys.argv[1:] = ["other"]
app.main()
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("evocheckers per", {"perft"}),
        ("evocheckers match mat", {"material"}),
        ("evocheckers match champion@4 r", {"run:", "random"}),
        ("evocheckers evolve over-the-hill-", {"over-the-hill-128", "over-the-hill-3of4"}),
        ("evocheckers watch --black ana", {"anaconda-840"}),
        ("evocheckers match random random --openings t", {"two-move", "three-move"}),
    ],
)
def test_shells_complete_words(line, offered):
    words = line.split()
    environment = {"_EVOCHECKERS_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(COMMAND, capture_output=True, text=True, check=False, env=os.environ | environment)
    assert set(done.stdout.split()) == offered
    assert done.stderr == ""
