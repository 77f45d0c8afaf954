import json
import os
import stat
import zlib
from pathlib import Path

import numpy as np
import pytest

from evocheckers import EvocheckersError
from evocheckers.endgames import files
from evocheckers.endgames.files import default_folder, file_name, ready_folder
from evocheckers.endgames.index import DataFolderError, EndgameFileError
from evocheckers.endgames.values import Database


@pytest.fixture(scope="module")
def two() -> Database:
    return Database.build(2)


@pytest.fixture
def saved(two, tmp_path) -> Path:
    two.save(tmp_path / file_name(2))
    return tmp_path / file_name(2)


@pytest.fixture
def no_folders(monkeypatch, tmp_path) -> Path:
    """No place for databases but the temporary files, and those in a folder of this test."""
    for name in ("EVOCHECKERS_DATA", "XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def rewritten(path: Path, **changes: object) -> Path:
    """The file with other fields in its first line, and a digest that fits."""
    line, _, rest = path.read_bytes().partition(b"\n")
    fields = {**json.loads(line), **changes}
    fields["sha256"] = files._digest(fields, rest)
    path.write_bytes(files._line(fields) + rest)
    return path


def test_a_file_gives_the_database_back(three, tmp_path):
    path = tmp_path / "three.wdl"
    three.save(path)
    loaded = Database.load(path)
    assert loaded.pieces == 3
    assert np.array_equal(loaded.packed, three.packed)
    assert loaded.counts == three.counts
    assert os.listdir(tmp_path) == ["three.wdl"]
    line = json.loads(path.read_bytes().partition(b"\n")[0])
    assert line["format"] == "evocheckers-endgames"
    assert line["counts"][2] == [3, 261_224, 132_846, 8_477, 119_901]


def test_every_flipped_bit_is_found(saved):
    whole = saved.read_bytes()
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        saved.write_bytes(data)
        with pytest.raises(EndgameFileError):
            Database.load(saved)


def test_a_file_cut_short_or_continued_is_found(saved):
    whole = saved.read_bytes()
    for size in {0, 1, 10, whole.index(b"\n"), whole.index(b"\n") + 1, len(whole) // 2, len(whole) - 1}:
        saved.write_bytes(whole[:size])
        with pytest.raises(EndgameFileError):
            Database.load(saved)
    saved.write_bytes(whole + b"\0")
    with pytest.raises(EndgameFileError):
        Database.load(saved)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"format": "evocheckers-network"}, "does not say format=evocheckers-endgames"),
        ({"version": 2}, "version 2; this program reads version 1"),
        ({"version": "1"}, "this program reads version 1"),
        ({"pieces": 9}, "9 pieces, not 2 to 6"),
        ({"pieces": True}, "True pieces"),
        ({"pieces": "2"}, "2 pieces"),
        ({"pieces": 3}, "bytes that they should be"),
        ({"counts": [[2, 1, 1, 0, 0]]}, "its counts do not match its values"),
        ({"counts": None}, "its counts do not match its values"),
        ({"note": "hello"}, "not as this program writes it"),
    ],
)
def test_other_files_are_refused(saved, changes, fault):
    with pytest.raises(EndgameFileError, match=fault) as caught:
        Database.load(rewritten(saved, **changes))
    assert caught.value.path == saved
    assert str(saved) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, EvocheckersError)


@pytest.mark.parametrize("values", [b"no zlib", zlib.compress(bytes(10)), zlib.compress(bytes(10**6))])
def test_other_values_are_refused(saved, values):
    line = saved.read_bytes().partition(b"\n")[0]
    saved.write_bytes(line + b"\n" + values)
    with pytest.raises(EndgameFileError):
        Database.load(rewritten(saved))


@pytest.mark.parametrize("data", [b"", b"\n", b"[]\n", b"null\n", b"\xff\xfe\n", b"[" * 20_000, b"{" + b" " * 20_000])
def test_anything_else_is_refused(tmp_path, data):
    (tmp_path / "other").write_bytes(data)
    with pytest.raises(EndgameFileError):
        Database.load(tmp_path / "other")


def test_files_that_cannot_be_opened(two, tmp_path):
    with pytest.raises(EndgameFileError, match="no such file"):
        Database.load(tmp_path / "missing")
    with pytest.raises(EndgameFileError, match="is a folder"):
        Database.load(tmp_path)
    with pytest.raises(EndgameFileError, match="no such file"):
        two.save(tmp_path / "missing" / "two.wdl")
    (tmp_path / "file").touch()
    with pytest.raises(DataFolderError, match="file: is not a folder"):
        Database.prepare(2, folder=tmp_path / "file")


def test_a_failed_save_leaves_the_old_file(two, saved, monkeypatch):
    before = saved.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EndgameFileError, match="no space left"):
        two.save(saved)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == [saved.name]


def test_prepare_builds_once_and_goes_on_from_what_is_there(three, tmp_path):
    folder = tmp_path / "a" / "b"
    assert Database.find(folder=folder) is None
    done: list[str] = []
    first = Database.prepare(2, folder=folder)
    again = Database.prepare(3, 1, lambda entries, total, text: done.append(text), folder)
    assert len(done) == 6
    assert again.digest() == three.digest()
    assert sorted(os.listdir(folder)) == ["endgames-2.wdl", "endgames-3.wdl"]
    Database.prepare(3, progress=lambda *report: pytest.fail("built again"), folder=folder)
    largest, smaller = Database.find(folder=folder), Database.find(2, folder)
    assert largest is not None
    assert smaller is not None
    assert (largest.pieces, smaller.pieces) == (3, 2)
    assert smaller.digest() == first.digest()


def test_the_folder_is_chosen_by_the_environment(no_folders, monkeypatch):
    files._new_folder.cache_clear()
    with pytest.warns(UserWarning, match="there is no home folder: data goes to"):
        assert default_folder().parent == no_folders
    monkeypatch.setenv("HOME", str(no_folders / "home"))
    assert default_folder() == no_folders / "home" / ".local" / "share" / "evocheckers"
    monkeypatch.setenv("XDG_DATA_HOME", str(no_folders / "data"))
    assert default_folder() == no_folders / "data" / "evocheckers"
    monkeypatch.setenv("EVOCHECKERS_DATA", str(no_folders / "own"))
    assert default_folder() == no_folders / "own"


@pytest.mark.skipif(os.name == "nt", reason="permissions")
def test_a_folder_that_others_can_write_is_not_used(no_folders, monkeypatch, three):
    """Networks and games are taken from it unasked."""
    shared = no_folders / "home" / ".local" / "share" / "evocheckers"
    shared.mkdir(parents=True)
    shared.chmod(0o777)
    three.save(shared / file_name(3))
    monkeypatch.setenv("HOME", str(no_folders / "home"))
    assert Database.find() is None
    with pytest.warns(UserWarning, match="evocheckers can be written by others: data goes to"):
        private = default_folder()
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    monkeypatch.setenv("EVOCHECKERS_DATA", str(shared))
    with pytest.raises(DataFolderError, match="can be written by others; EVOCHECKERS_DATA must name a folder that you"):
        default_folder()


@pytest.mark.parametrize(("place", "fault"), [("file", "is not a folder"), ("file/below", "not a directory")])
def test_a_named_folder_that_cannot_be_used_is_refused(no_folders, monkeypatch, place, fault):
    """Nothing is written anywhere else."""
    monkeypatch.setenv("XDG_DATA_HOME", str(no_folders / "data"))
    (no_folders / "file").touch()
    monkeypatch.setenv("EVOCHECKERS_DATA", str(no_folders / place))
    with pytest.raises(DataFolderError, match=f"{place}: {fault}; EVOCHECKERS_DATA must name a folder"):
        default_folder()
    with pytest.raises(DataFolderError, match=f"{place}: {fault}"):
        Database.prepare(2)
    with pytest.raises(DataFolderError, match=f"{place}: {fault}$"):
        ready_folder(no_folders / place)
    assert os.listdir(no_folders) == ["file"]


def test_databases_are_found_in_all_places(no_folders, two, three, monkeypatch):
    assert Database.find() is None
    monkeypatch.setenv("EVOCHECKERS_DATA", str(no_folders / "own"))
    monkeypatch.setenv("XDG_DATA_HOME", str(no_folders / "data"))
    two.save(default_folder() / file_name(2))
    (default_folder() / "endgames-99.wdl").touch()
    (default_folder() / "endgames-x.wdl").touch()
    found = Database.find()
    assert found is not None
    assert found.pieces == 2
    shared = no_folders / "data" / "evocheckers"
    shared.mkdir(parents=True)
    three.save(shared / file_name(3))
    shared.chmod(stat.S_IRUSR | stat.S_IXUSR)
    found = Database.find()
    assert found is not None
    assert found.pieces == 2  # who names a place means that place
    monkeypatch.delenv("EVOCHECKERS_DATA")
    found = Database.find()
    shared.chmod(stat.S_IRWXU)
    assert found is not None
    assert found.pieces == 3
    assert Database.find(1) is None
