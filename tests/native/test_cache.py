"""Machine code on disk: used again, never stale, and no reason to fail."""

import ast
import os
import pickle
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import evocheckers
from evocheckers.native.cache import compiled_sources, source_digest
from evocheckers.native.private_folders import intrusion, make_private

PACKAGE = Path(evocheckers.__file__).parent
COUNT = "from evocheckers.native.cache import compile_listeners; compile_listeners.append(lambda: print('compiling'));"
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


DECORATORS = {"entry", "inner", "pasted", "intrinsic", "njit", "jit"}


def compiles(tree: ast.Module) -> bool:
    """Whether a module makes compiled functions, by decorators or by calls."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    used = [decorator for function in functions for decorator in function.decorator_list]
    used += [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(
        isinstance(one, ast.Name | ast.Attribute) and ast.unparse(one).split(".")[-1] in DECORATORS for one in used
    )


def imports(tree: ast.Module) -> set[Path]:
    """The package's files that a module imports."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "evocheckers":
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not found in the text"
        elif isinstance(node, ast.Import):
            names |= {one.name for one in node.names if one.name.startswith("evocheckers.")}
    places = [PACKAGE.joinpath(*name.split(".")[1:]) for name in names]
    return {path for place in places for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()}


def test_every_file_that_compiled_code_depends_on_is_in_the_key():
    trees = {path: ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")}
    needed: set[Path] = set()
    waiting = [path for path, tree in trees.items() if compiles(tree)]
    assert PACKAGE / "evolution" / "evolution_strategy.py" in waiting
    while waiting:
        path = waiting.pop()
        if path not in needed:
            needed.add(path)
            waiting += imports(trees[path])
    assert needed <= set(compiled_sources(PACKAGE))


def test_what_compiled_code_never_sees_is_not_in_the_key():
    folders = {path.relative_to(PACKAGE).parts[0] for path in compiled_sources(PACKAGE)}
    assert not folders & {"cli", "page", "papers", "analysis", "runs"}


@pytest.mark.parametrize("name", ["evolution/evolution_strategy.py", "search/result.py", "games/batch.py"])
def test_an_edited_constant_changes_the_digest(tmp_path, name):
    package = tmp_path / "evocheckers"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "data", "static"))
    before = source_digest(package)
    with (package / name).open("a") as file:
        file.write("\nANOTHER = 1\n")
    assert source_digest(package) != before


def test_another_package_is_compiled_anew_when_edited(tmp_path):
    text = "from evocheckers.native.compile import entry\n@entry\ndef number():\n    return 3\n"
    (tmp_path / "other.py").write_text(text)
    code = f"import sys; sys.path.append({str(tmp_path)!r}); from other import number; print(number())"
    assert run(COUNT + code, tmp_path / "cache") == ["compiling", "3"]
    assert run(COUNT + code, tmp_path / "cache") == ["3"]
    (tmp_path / "other.py").write_text(text.replace("3", "4"))
    assert run(COUNT + code, tmp_path / "cache") == ["compiling", "4"]


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


class Planted:
    """Unpickled by whoever loads a cache."""

    def __reduce__(self):
        return os.mkdir, (os.environ["PLANTED"],)


def planted(folder: Path) -> None:
    """Put other people's code into a cache: every file of it does something when it is loaded."""
    for path in folder.rglob("*"):
        if path.suffix in (".nbi", ".nbc"):
            path.write_bytes(pickle.dumps(Planted()))


@pytest.mark.skipif(os.name == "nt", reason="permissions")
def test_a_cache_that_others_can_write_is_not_loaded(tmp_path, monkeypatch):
    """A cache is code. It is told, and the code is compiled for this process alone."""
    cache, done = tmp_path / "cache", tmp_path / "done"
    monkeypatch.setenv("PLANTED", str(done))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)  # the fallback is in it, or else in the home
    environment = {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)}
    assert run(PERFT, cache, environment=environment) == ["compiling", "302"]
    planted(cache)
    assert run(PERFT, cache, environment=environment)[-1] == "302"
    assert done.exists()  # one's own cache is believed, so the plant works
    done.rmdir()
    planted(cache)
    next(cache.iterdir()).chmod(0o777)
    (tmp_path / "home").write_text("")
    assert run(PERFT, cache, environment=environment) == ["compiling", "302"]
    assert not done.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "home"]


@pytest.mark.skipif(os.name == "nt", reason="permissions")
def test_where_a_folder_is_private(tmp_path):
    folder = tmp_path / "a" / "b"
    make_private(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert intrusion(folder) == ""
    for mode in (0o722, 0o702, 0o1777):
        folder.chmod(mode)
        assert "can be written by others" in intrusion(folder)
    folder.chmod(0o700)
    (tmp_path / "a").chmod(0o777)
    assert intrusion(folder) == f"can be written by others at {tmp_path / 'a'}"
    (tmp_path / "a").chmod(0o1777)  # as for temporary files: nobody else can rename what is in it
    assert intrusion(folder) == ""
    (tmp_path / "link").symlink_to(folder)
    folder.chmod(0o777)
    assert intrusion(tmp_path / "link") == "can be written by others"
    if os.getuid() == 0:
        folder.chmod(0o700)
        os.chown(folder, 12345, -1)
        assert intrusion(folder) == "belongs to another user (12345)"


def test_without_a_home_folder_code_is_for_one_process(tmp_path):
    """Not in a folder that others can foresee."""
    environment = {"HOME": "", "XDG_CACHE_HOME": "", "EVOCHECKERS_CACHE": "", "TMPDIR": str(tmp_path)}
    code = "from evocheckers.native.cache import cache_folder; print(cache_folder())"
    first, second = (run(code, tmp_path, environment=environment)[0] for _ in range(2))
    assert first != second
    assert Path(first).parent == tmp_path
    assert os.listdir(tmp_path) == []
