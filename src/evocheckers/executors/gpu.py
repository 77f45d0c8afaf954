"""One NVIDIA GPU, through CuPy: the same games as on threads, move for move.

Each game is played by a block of warps. A few games get many warps each, which help each other to finish sooner; many
games get fewer, since they keep the chip busy anyway. The CUDA source is compiled at first use for the GPU at hand;
CuPy keeps the result on disk.
"""

import functools
import threading
from typing import Any, NamedTuple

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.executors.cuda.launch import MOVE_BYTES, Variant, compiler_options, optional_kinds, prepare
from evocheckers.games.batch import BatchResult, GameBatch, Precision, empty_result, play_batch
from evocheckers.networks.evaluator import EvaluatorTable
from evocheckers.networks.registry import Kind


class Shape(NamedTuple):
    """How each game is played."""

    warps: int
    """Up to 16 if they help each other, else 8; fewer on a GPU with too little shared memory."""
    helping: bool
    table_bits: int
    """Binary logarithm of the number of entries in its transposition table."""


FEW_GAMES = Shape(16, True, 15)
MANY_GAMES = Shape(4, False, 13)


class GpuError(EvocheckersError):
    """No GPU to play on; the message says what is missing."""


class GpuExecutor:
    """Plays batches on a GPU, in the precision that their rules ask for.

    The adjudicator of unfinished games plays on the machine's cores, since its database is in the machine's memory.
    """

    batches_at_once = 2
    """One batch's games use the capacity that the last long games of another leave idle."""

    def __init__(self, shape: Shape | None = None) -> None:
        """``shape`` is chosen for each batch unless given."""
        self._cupy = _cupy()
        self._threads = threading.local()
        self._launching = threading.Lock()
        self._shape = shape
        self._device = self._cupy.cuda.Device()
        self._multiprocessors = self._device.attributes["MultiProcessorCount"]
        self._shared_bytes = self._device.attributes["MaxSharedMemoryPerBlockOptin"]

    def play(self, batch: GameBatch) -> BatchResult:
        """Play all games of a batch."""
        cupy = self._cupy
        if not batch.pairings:
            return empty_result(batch.starts, batch.rules)
        evaluators = batch.evaluators
        kinds = evaluators.kinds if isinstance(evaluators, EvaluatorTable) else [one.kind for one in evaluators]
        if np.all(np.equal(kinds, Kind.ADJUDICATOR)):
            return play_batch(*batch)
        self._device.use()  # this thread may be a new one
        if not hasattr(self._threads, "stream"):
            self._threads.stream = cupy.cuda.Stream(non_blocking=True)
        with self._threads.stream:
            return self._play(batch)

    def _play(self, batch: GameBatch) -> BatchResult:
        cupy = self._cupy
        half = batch.rules.precision is Precision.FP16
        few = len(batch.pairings) <= 2 * self._multiprocessors
        warps, helping, table_bits = self._shape or (FEW_GAMES if few else MANY_GAMES)
        launch = prepare(batch, table_bits)
        with self._launching:
            module, sizes = _module(cupy, Variant(half, helping, optional_kinds(launch.inputs["kinds"])))
        kernel = module.get_function("play")
        line = (launch.numbers["max_line"], launch.numbers["room"])
        while warps > 1 and sizes.shared(warps, *line) > self._shared_bytes:
            warps //= 2
        shared_bytes = sizes.shared(warps, *line)
        with self._launching:
            kernel.max_dynamic_shared_size_bytes = shared_bytes
            resident = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                kernel.kernel.ptr, 32 * warps, shared_bytes
            )
        blocks = min(len(batch.pairings), max(1, resident) * self._multiprocessors)
        held = {name: cupy.asarray(array) for name, array in {**launch.inputs, **launch.outputs}.items()}
        held |= {name: cupy.zeros(size, cupy.uint8) for name, size in launch.rooms(blocks).items()}
        stride = launch.numbers["stride"]
        if half:
            players = len(batch.evaluators)
            packed = cupy.empty((players, sizes.near // 4), cupy.float32)
            place = (held["kinds"], held["weights"], np.int64(stride), packed)
            module.get_function("pack_half")((players,), (128,), place)
            held["weights"], stride = packed, sizes.near // 4
        struct = launch.struct(lambda name: int(held[name].data.ptr), stride=stride)
        described = cupy.asarray(np.frombuffer(bytes(struct), np.uint8))
        with self._launching:
            kernel.max_dynamic_shared_size_bytes = shared_bytes  # another thread's batch may have set its own
            kernel((blocks,), (32 * warps,), (described,), shared_mem=shared_bytes)
        self._threads.stream.synchronize()  # a copy that waits for games would keep other batches from starting
        for name, array in launch.outputs.items():
            array[...] = held[name].get()
        return launch.finish(batch)

    def count_moves(self, own: int, opp: int, kings: int, depth_plies: int) -> int:
        """Perft of a position, as the side to move sees it: a check of the rules on the GPU."""
        cupy = self._cupy
        moves, levels = cupy.zeros(30 * 1024 * 4, cupy.uint32), cupy.zeros(60, cupy.int32)
        total = cupy.zeros(1, cupy.uint64)
        words = (np.uint32(own), np.uint32(opp), np.uint32(kings), np.int32(depth_plies))
        _module(cupy, Variant())[0].get_function("count_moves")((1,), (32,), (*words, moves, levels, total))
        return int(total[0])


class _Sizes(NamedTuple):
    """Sizes in bytes, as the CUDA source reports them."""

    block: int
    warp: int
    frame: int
    near: int
    """All numbers of one network."""

    def shared(self, warps: int, max_line: int, room: int) -> int:
        """Shared memory of a block, in bytes."""
        return self.near + self.block + warps * (self.warp + max_line * self.frame + room * MOVE_BYTES)


def _cupy() -> Any:
    """CuPy, if it is installed and there is a GPU."""
    try:
        import cupy
    except ImportError:
        raise GpuError("the GPU executor needs CuPy: pip install 'evocheckers[gpu]'") from None
    try:
        cupy.cuda.Device().compute_capability  # noqa: B018
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise GpuError(f"no NVIDIA GPU can be used here ({error})") from None
    return cupy


@functools.cache
def _module(cupy: Any, variant: Variant) -> tuple[Any, _Sizes]:
    module = cupy.RawModule(code=variant.source_text(), options=compiler_options(variant))
    sizes = cupy.zeros(len(_Sizes._fields), cupy.int32)
    module.get_function("sizes")((1,), (1,), (sizes,))
    return module, _Sizes(*sizes.get().tolist())
