"""How players are written, ``KIND[:ARGUMENT][@LIMIT]``: ``champion@8``, ``material:noise@4``, ``engine:scan hub@2s``.

With ``+db`` after a limit of time or nodes (``champion@50ms+db``), the search probes endgame databases.

Parsing opens no file and starts nothing; ``players.make`` makes players from the parsed text.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from evocheckers.errors import EvocheckersError, did_you_mean
from evocheckers.networks.piece_counting import KING_VALUE
from evocheckers.networks.shipped import RENAMED, SHIPPED
from evocheckers.search.limit import Limit, SearchError

KINDS = {
    "champion": "champion",
    **{name: name for name in SHIPPED},
    "net": "net:FILE",
    "run": "run:FILE#GENERATION",
    "material": "material, material:noise or material:K=1.3",
    "random": "random",
    "engine": "engine:COMMAND",
}
"""Every kind, and how it is written."""

DATABASES = "+db"
"""Suffix of a limit: the search probes endgame databases."""
LIMITS = "plies (@8), time (@2s, @50ms) or nodes (@100kn)"
PLIES = 4
"""Default search depth, the same as in the papers' evolution."""
SECONDS = 1.0
"""Default thinking time of an external engine."""
MATERIAL_NOISE = 0.01
"""Largest noise that ``material:noise`` adds to each leaf."""

MAX_SHOWN = 200
"""Most characters of a text that a message quotes."""

_FILES = {"net": re.compile(r"\.safetensors$"), "run": re.compile(r"\.sqlite(#[0-9]{1,9})?$")}
"""Files that are players without a kind before them."""

_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|m)")
_NODES = re.compile(r"([0-9]{1,15})(n|kn|Mn)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "n": 1, "kn": 1000, "Mn": 1_000_000}


class PlayerError(EvocheckersError):
    """A text that names no player; the message says what is wrong and what to write."""

    def __init__(self, text: str, fault: str) -> None:
        self.text, self.fault = text, fault
        shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
        super().__init__(f"player {shown!r}: {fault}")


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A parsed player text."""

    text: str
    kind: str
    argument: str
    limit: Limit | None
    """None if not given."""
    databases: bool = False
    """Whether its search probes endgame databases."""


def parse_player(text: str, others: Callable[[], Collection[str]] = tuple) -> PlayerSpec:
    """Parse a player's text; ``others`` gives the kinds of other packages and is called only if needed."""
    body, limit, databases = _split_limit(text.strip())
    kind, colon, argument = body.partition(":")
    kind_of_file = next((kind for kind, ending in _FILES.items() if ending.search(body)), "")
    if kind_of_file and kind not in KINDS:
        kind, colon, argument = kind_of_file, ":", body
    if kind in RENAMED:
        raise PlayerError(text, f"{kind} is now called {RENAMED[kind]}")
    if kind not in KINDS:
        known = others()
        if kind in known:
            if databases:
                raise PlayerError(text, f"{DATABASES} is for our own search")
            return PlayerSpec(text, kind, argument, limit)
        hint = did_you_mean(kind, [*KINDS, *known])
        raise PlayerError(
            text, f"no player {kind[:MAX_SHOWN]!r}{hint}; write {'; '.join([*KINDS.values(), *sorted(known)])}"
        )
    if KINDS[kind] == kind and colon:
        raise PlayerError(text, f"{kind} takes no argument; write {kind}")
    if kind in ("net", "run", "engine") and not argument:
        raise PlayerError(text, f"nothing after {kind}:; write {KINDS[kind]}")
    if kind == "random" and limit is not None:
        raise PlayerError(text, "random takes no limit; write random")
    if databases and (kind == "engine" or limit is None or limit.plies is not None):
        raise PlayerError(text, f"{DATABASES} is for our own search by time or nodes; write champion@50ms{DATABASES}")
    return PlayerSpec(text, kind, argument, limit, databases)


def _split_limit(text: str) -> tuple[str, Limit | None, bool]:
    """Split off the limit after the last ``@``; ``+db`` after it asks for databases.

    Files and commands may contain ``@`` themselves: after these, a limit must begin with a digit.
    """
    body, sign, tail = text.rpartition("@")
    may_hold_sign = text.startswith(("net:", "run:", "engine:"))
    if not sign or (may_hold_sign and not re.match("[0-9]", tail)):
        return text, None, False
    try:
        return body, parse_limit(tail.removesuffix(DATABASES)), tail.endswith(DATABASES)
    except EvocheckersError as error:
        raise PlayerError(text, str(error)) from None


def parse_limit(text: str) -> Limit:
    """Parse a limit: ``8``, ``2s``, ``50ms``, ``100kn``."""
    if re.fullmatch(r"[0-9]{1,6}", text):
        return Limit(plies=int(text))
    if match := _TIME.fullmatch(text):
        return Limit(seconds=float(match[1]) * _UNITS[match[2]])
    if match := _NODES.fullmatch(text):
        return Limit(nodes=int(match[1]) * int(_UNITS[match[2]]))
    raise SearchError(f"limit {text[:MAX_SHOWN]!r} is not one of {LIMITS}")


def format_limit(limit: Limit) -> str:
    """The inverse of ``parse_limit``."""
    if limit.plies is not None:
        return str(limit.plies)
    if limit.seconds is not None:
        return f"{limit.seconds:g}s" if limit.seconds >= 1 else f"{limit.seconds * 1000:g}ms"
    return f"{limit.nodes}n"


def parse_material(spec: PlayerSpec) -> tuple[float, float]:
    """King value and noise of ``material:...``."""
    king_value, noise = KING_VALUE, 0.0
    for part in spec.argument.split(",") if spec.argument else []:
        name, sign, number = part.partition("=")
        if part == "noise":
            noise = MATERIAL_NOISE
        elif name == "K" and sign and re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,9})?", number):
            king_value = float(number)
        else:
            raise PlayerError(spec.text, f"cannot read {part[:MAX_SHOWN]!r}; write {KINDS['material']}")
    return king_value, noise


def parse_run(spec: PlayerSpec) -> tuple[str, int | None]:
    """File and generation of ``run:FILE#GENERATION``; None stands for the last generation."""
    path, sign, number = spec.argument.rpartition("#")
    if not sign:
        return spec.argument, None
    if not re.fullmatch(r"[0-9]{1,9}", number):
        raise PlayerError(spec.text, f"generation {number[:MAX_SHOWN]!r} is not a number; write {KINDS['run']}")
    return path, int(number)
