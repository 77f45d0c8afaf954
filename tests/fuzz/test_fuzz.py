"""Bounded, repeatable fuzzing of every reader: good inputs, mutated."""

import random

import pytest

from tests.fuzz.targets import TARGETS, survive

INPUTS = {"fen": 20_000, "move_text": 20_000, "pdn": 1_500, "network": 3_000}
WORDS = [b":", b",", b"-", b"x", b"K", b"W", b"B", b"(", b")", b"{", b"}", b"[", b'"', b"1-0", b"\xff", b"\x00", b"99"]


def mutate(data: bytes, generator: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(generator.choice((1, 1, 2, 4, 8))):
        at = generator.randrange(len(changed) + 1)
        kind = generator.randrange(5)
        if kind == 0:
            changed[at : at + generator.randrange(1, 9)] = b""
        elif kind == 1:
            changed[at:at] = generator.choice(WORDS)
        elif kind == 2 and changed:
            changed[at % len(changed)] = generator.randrange(256)
        elif kind == 3:
            changed[at:at] = str(generator.randrange(40)).encode()
        else:
            start = generator.randrange(len(changed) + 1)
            changed[at:at] = changed[start : start + generator.randrange(1, 20)]
    return bytes(changed)


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_reader(name):
    target, corpus = TARGETS[name]
    generator = random.Random(1)
    read = sum(survive(target, mutate(generator.choice(corpus), generator)) for _ in range(INPUTS[name]))
    assert 0 < read < INPUTS[name]
    assert any(survive(target, data) for data in corpus)
