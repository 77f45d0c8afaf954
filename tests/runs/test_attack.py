"""Crafted run files and tampered states: a few of what ``tools.attack.run_files`` tries at length."""

import zlib

import numpy as np
import pytest

from evocheckers.runs import schema
from evocheckers.runs.schema import ColumnsError, TooLargeError, pack, unpack
from tools.attack.crafting import healthy
from tools.attack.run_files import MAX_SECONDS, attack_many, warm_up

SLOWER_HERE = 5
"""How much slower a machine may be that tests two things at once."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    found = healthy(tmp_path_factory.mktemp("healthy"))
    warm_up(found)
    return found


@pytest.mark.parametrize(("kind", "count"), [("files", 30), ("states", 10)])
def test_whatever_is_wrong_is_told_in_one_line(sources, kind, count):
    found = attack_many(sources, kind, range(5000, 5000 + count), 0)
    assert [fault for fault in found.faults if not fault.endswith(" s")] == []
    assert found.slowest < SLOWER_HERE * MAX_SECONDS
    assert found.refused


def bomb(header: bytes, megabytes: int) -> bytes:
    packer = zlib.compressobj(9)
    parts = [packer.compress(len(header).to_bytes(4, "little") + header)]
    parts += [packer.compress(bytes(1 << 20)) for _ in range(megabytes)]
    return b"".join([*parts, packer.flush()])


@pytest.mark.parametrize(
    ("header", "fault"),
    [
        (b'[["a", "|O", [1]]]', r"type '\|O'"),
        (b'[["a", "<i8", [-1]]]', r"shape \[-1\]"),
        (b'[["a", "<i8", [99999999999]]]', "shape"),
        (b'[["a", "<i8", [100000, 100000]]]', "more than 256 MiB"),
        (b'[["a", "|i1", [1]]]', "trailing data"),
        (b'[["a", "|i1", [1]], ["a", "|i1", [1]]]', "two columns 'a'"),
        (b'[["a", "|i1"]]', "without name, type and shape"),
        (b"{}", "not a list"),
        (b"[" * 9000, "not JSON"),
    ],
)
def test_columns_are_not_believed(header, fault):
    with pytest.raises(ColumnsError, match=fault):
        unpack(bomb(header, 4))


def test_columns_end_where_they_should(monkeypatch):
    packed = pack({"a": np.arange(1000), "b": np.zeros((0, 5), np.float32), "c": np.array(7)})
    found = unpack(packed)
    assert [(column.dtype.str, column.shape) for column in found.values()] == [
        ("<i8", (1000,)),
        ("<f4", (0, 5)),
        ("<i8", ()),
    ]
    assert (found["a"] == np.arange(1000)).all()
    for cut in (packed[:-1], packed[: len(packed) // 2], packed + b"x", b"", "text", None):
        with pytest.raises((ColumnsError, zlib.error)):
            unpack(cut)
    monkeypatch.setattr(schema, "MAX_BYTES", 100)
    with pytest.raises(TooLargeError, match="more than the 0 MiB"):
        pack({"a": np.arange(1000)})
