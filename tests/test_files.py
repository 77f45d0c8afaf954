"""Files from anywhere, and what a message may contain: refused before they are read, written whole, on one line."""

import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest

from evocheckers import EvocheckersError, Network
from evocheckers.cli.evolve import parse_assignments, parse_grid, read_config
from evocheckers.endgames.values import Database
from evocheckers.errors import printable, printable_lines
from evocheckers.evolution.registry import PRESETS, make_settings
from evocheckers.evolution.scheme import ConfigError
from evocheckers.files import read_regular, write_whole, writing_fault
from evocheckers.games.openings import opening_lines
from evocheckers.players.grammar import parse_player
from tests.helpers.commands import run as run_command
from tests.helpers.network_files import WEIGHTS, metadata

ENDLESS = ("/dev/zero", "fifo")


@pytest.fixture
def places(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    return [Path("/dev/zero"), tmp_path / "fifo", tmp_path]


def test_what_has_no_end_is_not_read(places):
    """Nobody writes into the pipe: opening it the usual way would wait for ever."""
    for place in places:
        with pytest.raises(OSError, match=r"regular file|folder"):
            read_regular(place)
        for read in (Network.load, Database.load, read_config, lambda path: opening_lines(str(path))):
            with pytest.raises(EvocheckersError, match=r"regular file|folder"):
                read(place)


def test_commands_refuse_what_has_no_end(places):
    for words in (("analyse", f"{places[1]}"), ("watch", "/dev/zero"), ("networks", f"{places[1]}")):
        done = run_command(*words)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_large_files_are_not_read(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(EvocheckersError, match="larger than 16 megabytes"):
        Network.load(tmp_path / "large")
    with pytest.raises(EvocheckersError, match="larger than 1 megabytes"):
        read_config(tmp_path / "large")


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "a.txt"
    write_whole(file, "first")
    file.chmod(0o640)

    def full(self: Path, data: bytes) -> None:
        with self.open("wb") as out:
            out.write(data[:2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space"):
            write_whole(file, "second")
        with pytest.raises(OSError, match="No space"):
            Network.random(np.random.default_rng(1)).save(tmp_path / "new.safetensors")
    assert os.listdir(tmp_path) == ["a.txt"]
    assert file.read_text() == "first"
    (tmp_path / "link").symlink_to(file)
    write_whole(tmp_path / "link", "second")
    assert (tmp_path / "link").is_symlink()
    assert file.read_text() == "second"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    write_whole("/dev/null", "third")


def test_looking_whether_a_file_can_be_written_leaves_none(tmp_path):
    assert writing_fault(tmp_path / "a") == ""
    assert os.listdir(tmp_path) == []
    assert "directory" in writing_fault(tmp_path)
    assert writing_fault(tmp_path / "nowhere" / "a")
    assert writing_fault(Path("/dev/null")) == ""


def test_messages_are_one_line_without_control_characters():
    error = EvocheckersError("a\n\tb \x1b[2J\x9b\u202e\udcff\x07")
    assert str(error) == "a b \\x1b[2J\\x9b\\u202e\\udcff\\x07"
    assert printable(str(error)) == str(error)
    assert printable("König – ⛀ 王") == "König – ⛀ 王"
    assert printable_lines("a\x07\nb") == "a\\x07\nb"


def safetensors(header: object) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + WEIGHTS.tobytes()


@pytest.mark.parametrize(
    "words",
    [None, [], "x", {"format": None}, {"format": []}, {**metadata(), "source": "[" * 9000}]
    + [{**metadata(), key: "9" * 5000} for key in ("king_value", "extensions", "version", "kind")],
)
def test_whatever_a_network_says_of_itself(words):
    tensor = {"dtype": "F32", "shape": [5046], "data_offsets": [0, 4 * 5046]}
    with pytest.raises(EvocheckersError, match="network file"):
        Network.from_bytes(safetensors({"__metadata__": words, "weights": tensor}))


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 3000, "{a=" * 3000, "-" + "9" * 5000, "1e9999", "0x" + "f" * 6000])
def test_thousands_of_digits_and_brackets_without_end(tmp_path, text):
    for preset in PRESETS.values():
        for name in preset.scheme.settings.model_fields:
            values = parse_assignments([f"{name}={text}"])
            with pytest.raises(ConfigError, match=name) as refused:
                make_settings(preset.scheme, {**preset.settings, **values})
            assert len(str(refused.value)) < 400
    (tmp_path / "config.toml").write_text(f"parents = {text}")
    with pytest.raises(ConfigError):
        make_settings(PRESETS["anaconda"].scheme, read_config(tmp_path / "config.toml"))
    parse_grid([f"parents={text}"])
    for player in (
        f"material:K={text}",
        f"champion@{text}",
        f"champion@{text}s",
        f"champion@{text}kn",
        f"run:a#{text}",
    ):
        done = run_command("match", player, "random") if text == "9" * 5000 else None
        if done is not None:
            assert done.returncode == 2
            assert done.stderr.splitlines()[-1].startswith("evocheckers: player"), done.stderr
        else:
            with pytest.raises(EvocheckersError):
                parse_player(f"champion@{text}")


def test_tags_and_names_do_not_reach_the_terminal_raw(tmp_path):
    (tmp_path / "a.pdn").write_text('[Event "\x1b]0;owned\x07"]\n[Black "a\\\n\x1b[2Jb"]\n1. 11-15 *\n')
    done = run_command("watch", str(tmp_path / "a.pdn"), "--delay", "0")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    assert "\\x1b]0;owned\\x07" in done.stdout
    done = run_command("analyse", "\x1b[2J:W1:B2")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
