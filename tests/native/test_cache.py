"""Machine code on disk: used again, never stale, and no reason to fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evocheckers
from evocheckers.native.compile import source_digest

PACKAGE = Path(evocheckers.__file__).parent
COUNT = (
    "from evocheckers.native.compile import compile_listeners; compile_listeners.append(lambda: print('compiling'));"
)
PERFT = COUNT + "from evocheckers import Board, perft; print(perft(Board(), 3))"


def run(code: str, cache: Path, package: Path = PACKAGE, environment: dict[str, str] | None = None) -> list[str]:
    env = os.environ | {"EVOCHECKERS_CACHE": str(cache), "PYTHONPATH": str(package.parent)} | (environment or {})
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_code_is_compiled_once(tmp_path):
    assert run(PERFT, tmp_path) == ["compiling", "302"]
    assert run(PERFT, tmp_path) == ["302"]


def test_an_edit_in_an_imported_file_is_noticed(tmp_path):
    package = tmp_path / "evocheckers"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    before = source_digest(package)
    assert run(PERFT, tmp_path / "cache", package) == ["compiling", "302"]
    rules = package / "rules" / "bitboard.py"
    text = rules.read_text()
    # Men that step to the left only: perft itself, in another file, is untouched.
    edited = text.replace("targets = u32(up_right(own) & empty)", "targets = u32(up_right(own) & empty & u32(0))")
    assert edited != text
    rules.write_text(edited)
    assert source_digest(package) != before
    assert run(PERFT, tmp_path / "cache", package) != ["302"]


def test_a_damaged_cache_is_no_reason_to_fail(tmp_path):
    run(PERFT, tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    assert run(PERFT, tmp_path)[-1] == "302"


@pytest.mark.skipif(os.name == "nt", reason="permissions")
def test_no_writable_folder_is_no_reason_to_fail(tmp_path):
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    environment = {"XDG_CACHE_HOME": str(nowhere), "TMPDIR": str(nowhere), "HOME": ""}
    assert run(PERFT, nowhere / "below", environment=environment)[-1] == "302"
