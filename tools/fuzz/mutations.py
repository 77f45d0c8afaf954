"""Inputs that are almost valid."""

import random

WORDS = [b":", b",", b"-", b"x", b"K", b"W", b"B", b"(", b")", b"{", b"}", b"[", b"]", b'"', b"=", b"@", b"#", b"\n"]
WORDS += [
    b"1-0",
    b"99",
    b"1e999",
    b"-1",
    b"nan",
    b"\xff",
    b"\x00",
    "é".encode(),
    "\u2028".encode(),
    "²".encode(),
    b"0" * 60,
]


def mutate(data: bytes, generator: random.Random) -> bytes:
    """Remove, replace or repeat some parts, or insert what readers tend to stumble over."""
    changed = bytearray(data)
    for _ in range(generator.choice((1, 1, 2, 4, 8))):
        at = generator.randrange(len(changed) + 1)
        kind = generator.randrange(6)
        if kind == 0:
            changed[at : at + generator.randrange(1, 9)] = b""
        elif kind == 1:
            changed[at:at] = generator.choice(WORDS)
        elif kind == 2 and changed:
            changed[at % len(changed)] = generator.randrange(256)
        elif kind == 3:
            changed[at:at] = str(generator.randrange(40)).encode()
        elif kind == 4 and generator.random() < 0.2:
            del changed[at:]
        else:
            start = generator.randrange(len(changed) + 1)
            changed[at:at] = changed[start : start + generator.randrange(1, 20)]
    return bytes(changed)
