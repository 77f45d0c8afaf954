"""A batch of games as the CUDA source takes it, and how that source is compiled."""

import ctypes
import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.executors.cuda.constants import LEAF_BITS, MAX_MOVES, NOT_PLAYED, declarations
from evocheckers.games.batch import COLUMNS, BatchResult, GameBatch, Precision, batch_rows, empty_result, play_batch
from evocheckers.networks.evaluator import stack
from evocheckers.networks.registry import Kind

PACKAGE = Path(__file__).parents[2]
"""Headers of the kinds of networks stand beside their Python files."""
SOURCE = PACKAGE / "executors" / "cuda" / "games.cu"

ENTRY_BYTES, LEAF_BYTES, MOVE_BYTES = 32, 16, 16
MOST_CAPTURES = 26
"""A line is at most this many plies longer than its depth and extensions."""
MOVES_A_PLY = 20
"""Room for a line's moves: this many per ply, more than almost all lines need."""

_POINTERS = ("rows", "kinds", "flags", "seeds", "weights")
_NUMBERS = ("games", "max_plies", "extensions", "pieces_decide", "repetition", "max_line", "table_bits", "room")
_ROOMS = ("next_game", "tables", "leaves", "roots", "seen")


class Variant(NamedTuple):
    """Which variant of the source to compile; it runs faster without what a batch does not need."""

    half: bool = False
    """Spatial networks in half precision."""
    helping: bool = False
    """Warps help each other."""
    optional: tuple[str, ...] = ()
    """The optional kinds that can play, by their namespaces."""

    def definitions(self) -> list[str]:
        """Definitions for the compiler's command line."""
        return ["-DEVO_HALF"] * self.half + ["-DEVO_HELPING"] * self.helping

    def source_text(self) -> str:
        """The source, preceded by what it gets from the package."""
        return declarations(self.optional) + SOURCE.read_text()


def optional_kinds(kinds: np.ndarray) -> tuple[str, ...]:
    """The optional kinds among these."""
    codes = dict.fromkeys(kind.description.gpu for kind in Kind if kind in kinds)
    return tuple(gpu.namespace for gpu in codes if gpu is not None and gpu.is_optional)


def compiler_options(variant: Variant, package: Path = PACKAGE) -> tuple[str, ...]:
    """Options for the source in a copy of the package.

    CuPy's cache depends on ``games.cu`` and these options, not on the headers, so a digest of all files is one of them.
    """
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in source_files(package))).hexdigest()
    folders = [f"-I{folder}" for folder in include_folders(package)]
    return ("-std=c++17", "--fmad=false", *folders, f"-DEVO_SOURCE={digest[:16]}", *variant.definitions())


def include_folders(package: Path = PACKAGE) -> tuple[Path, Path]:
    """Where headers are found: by their names, and those of networks by their paths in the package."""
    return package / "executors" / "cuda", package


def source_files(package: Path = PACKAGE) -> list[Path]:
    """All files of the source, sorted."""
    return sorted(path for path in package.rglob("*") if path.suffix in (".cu", ".h"))


class LaunchError(EvocheckersError):
    """A batch that this source cannot play."""


class BatchStruct(ctypes.Structure):
    """``Batch`` of games.cu."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in _POINTERS),
        ("stride", ctypes.c_int64),
        *((name, ctypes.c_int) for name in _NUMBERS),
        ("random_move_rate", ctypes.c_double),
        ("rate_rise", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in (*COLUMNS, *_ROOMS)),
    )


class Launch(NamedTuple):
    """A batch ready to be played: arrays that stay alive, and the result to fill."""

    inputs: dict[str, np.ndarray]
    numbers: dict[str, Any]
    result: BatchResult

    @property
    def outputs(self) -> dict[str, np.ndarray]:
        return {name: getattr(self.result, name) for name in COLUMNS}

    def rooms(self, blocks: int) -> dict[str, int]:
        """Bytes of working memory, to be zeroed, for this many blocks."""
        return {
            "next_game": 4,
            "tables": (blocks << self.numbers["table_bits"]) * ENTRY_BYTES,
            "leaves": (blocks << LEAF_BITS) * LEAF_BYTES,
            "roots": blocks * (MAX_MOVES + MAX_MOVES * MAX_MOVES) * MOVE_BYTES,
            "seen": blocks * self.numbers["max_plies"] * 3 * 4,
        }

    def struct(self, address: Callable[[str], int], **others: int) -> BatchStruct:
        """The structure, given each array's address; ``others`` replace numbers."""
        places = {name: address(name) for name in (*_POINTERS, *COLUMNS, *_ROOMS)}
        return BatchStruct(**places, **{**self.numbers, **others})

    def finish(self, batch: GameBatch) -> BatchResult:
        """The result; the few games that did not fit into the working memory are played on this machine's cores."""
        left = np.flatnonzero(self.result.reasons == NOT_PLAYED).tolist()
        if left:
            rules = replace(batch.rules, precision=Precision.FP32)
            others = play_batch(batch.evaluators, [batch.pairings[game] for game in left], rules)
            for name, array in self.outputs.items():
                array[left] = getattr(others, name)
        return self.result


def prepare(batch: GameBatch, table_bits: int) -> Launch:
    """Lay out a batch."""
    table = stack(batch.evaluators)
    for kind in (kind for kind in Kind if kind in table.kinds):
        gpu = kind.description.gpu
        if gpu is None:
            played = ", ".join(kind.name.lower() for kind in Kind if kind.description.gpu is not None)
            raise LaunchError(f"the GPU plays {played}, not {kind.name.lower()}; use --executor threads")
        is_network = kind.description.architecture is not None
        if batch.rules.precision is Precision.FP16 and is_network and not gpu.has_half_precision:
            raise LaunchError(f"{kind.name.lower()} networks are played in one precision, fp32")
    if not batch.rules.compulsory:
        raise LaunchError("on the GPU jumps are compulsory; use --executor threads")
    rows, seeds = batch_rows(batch.pairings, len(table))
    rules = batch.rules
    plies = max((max(p.black_plies, p.white_plies) for p in batch.pairings), default=1)
    inputs = {"rows": rows, "kinds": table.kinds, "flags": table.flags, "seeds": seeds, "weights": table.weights}
    numbers = {
        "stride": table.weights.shape[1],
        "games": len(batch.pairings),
        "max_plies": rules.max_plies,
        "extensions": table.extensions,
        "pieces_decide": int(rules.pieces_decide),
        "repetition": int(rules.repetition),
        "max_line": plies + 2 * table.extensions + MOST_CAPTURES,
        "table_bits": table_bits,
        "room": MAX_MOVES + MOVES_A_PLY * (plies + 2 * table.extensions + 2),
        "random_move_rate": rules.random_move_rate,
        "rate_rise": rules.rate_rise,
    }
    return Launch(inputs, numbers, empty_result(batch.starts, rules))
