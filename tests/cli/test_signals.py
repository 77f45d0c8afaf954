"""Ctrl-C and SIGTERM at any moment: one line, status 130 or 143, no traceback."""

import os
import signal
import subprocess
import sys
import time

import pytest

if os.name == "nt":
    pytest.skip("signals", allow_module_level=True)

SOON = 1.0
"""Seconds: several times what is promised, since other tests may be running."""

DURING_WORK = """
import os, signal, sys, threading, time
from evocheckers.__main__ import main
def tell():
    while not any(thread.name == "evocheckers" for thread in threading.enumerate()):
        time.sleep(0.001)
    print(time.time(), flush=True)
    os.kill(os.getpid(), int(number))
number = sys.argv.pop(1)
threading.Thread(target=tell, daemon=True).start()
main()
"""
DURING_IMPORTS = """
import os, runpy, signal, sys
from evocheckers.__main__ import main
left = int(sys.argv.pop(1))
def tell(event, arguments):
    global left
    if event == "import":
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(tell)
main()
"""
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


def run(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", code, *arguments]
    environ = os.environ | environment
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=60)


@pytest.mark.parametrize("number", WORDS)
@pytest.mark.parametrize(
    ("warm_up", "command"),
    [
        ("perft 3", "perft 16"),
        ("analyse B:W21-32:B1-12 --player champion@2", "analyse B:W21-32:B1-12 --player champion@20"),
        ("watch --black champion@2 --white champion@2", "watch --black champion@22 --white champion@22"),
    ],
)
def test_in_the_midst_of_compiled_code(warm_up, command, number):
    subprocess.run([sys.executable, "-m", "evocheckers", *warm_up.split()], check=True, stdout=subprocess.DEVNULL)
    done = run(DURING_WORK, str(int(number)), *command.split())
    assert time.time() - float(done.stdout.splitlines()[0]) < SOON
    assert done.stderr.splitlines() == [f"evocheckers: {WORDS[number]}"]
    assert done.returncode == 128 + number


def test_while_compiling(tmp_path):
    command = [sys.executable, "-m", "evocheckers", "analyse", "B:W21-32:B1-12"]
    environment = os.environ | {"EVOCHECKERS_CACHE": str(tmp_path)}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    assert "compiling" in process.stderr.readline()
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - began < SOON
    assert errors.splitlines() == ["evocheckers: interrupted"]
    assert process.returncode == 130


@pytest.mark.parametrize("imports", [1, 2, 5, 10, 20, 40, 80, 160, 240, 320, 480, 640, 800])
def test_at_any_moment_of_the_start(imports):
    done = run(DURING_IMPORTS, str(imports), "perft", "16")
    assert done.stderr.splitlines() == ["evocheckers: interrupted"]
    assert done.returncode == 130


def test_an_ignored_signal_stays_ignored():
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + DURING_WORK
    done = run(code, str(int(signal.SIGINT)), "perft", "10")
    assert "perft(10) = " in done.stdout
    assert done.returncode == 0
    assert done.stderr == ""
