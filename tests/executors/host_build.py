"""The CUDA source built for the CPU: the GPU's rules, network and search where there is no GPU."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np

from evocheckers.executors.cuda.launch import Variant, include_folders, prepare
from evocheckers.games.batch import BatchResult, GameBatch
from evocheckers.native.intrinsics import aligned

COMPILER = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
FLUSHING = """

#include <immintrin.h>
extern "C" void play_flushing(evo::Batch* batch, int warps) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    play(batch, warps);
    _mm_setcsr(before);
}
"""
"""CuPy's compiler takes numbers next to zero for zero: so does this, and so do the threads that it starts."""
OPTIONS = ("-x", "c++", "-std=c++17", "-O2", "-mavx2", "-mfma", "-ffp-contract=off", "-fPIC", "-shared", "-pthread")


class HostExecutor:
    """Plays batches with the CUDA source, no GPU: its warps are threads."""

    warps = 1

    def __init__(self, folder: Path, helping: bool, table_bits: int = 13) -> None:
        assert COMPILER is not None
        source, library = folder / "flushing.cpp", folder / "games.so"
        variant = Variant(helping=helping, optional=("planes",))
        source.write_text(variant.source_text() + FLUSHING)
        options = (
            *OPTIONS,
            *(f"-I{folder}" for folder in include_folders()),
            *variant.definitions(),
        )
        subprocess.run([COMPILER, *options, str(source), "-o", str(library)], check=True)
        self._library = ctypes.CDLL(str(library))
        self._library.count_moves.restype = ctypes.c_uint64
        self._table_bits = table_bits

    def play(self, batch: GameBatch) -> BatchResult:
        launch = prepare(batch, self._table_bits)
        rooms = {name: aligned(size, np.uint8) for name, size in launch.rooms(1).items()}
        held = {**launch.inputs, **launch.outputs, **rooms}
        struct = launch.struct(lambda name: int(held[name].ctypes.data))
        self._library.play_flushing(ctypes.byref(struct), self.warps)
        return launch.finish(batch)

    def count_moves(self, own: int, opp: int, kings: int, depth_plies: int) -> int:
        return self._library.count_moves(own, opp, kings, depth_plies)
