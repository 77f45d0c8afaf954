"""Numbers that the CUDA source shares with the rest of the package: defined in Python and handed over.

The text of ``declarations`` precedes the source when it is compiled.
"""

from evocheckers.games import batch
from evocheckers.games import batch as play
from evocheckers.native import vectors
from evocheckers.networks import search_rules
from evocheckers.networks.kind import LIMIT
from evocheckers.networks.kind import LIMIT
from evocheckers.networks.planes import reference as planes
from evocheckers.networks.registry import Kind
from evocheckers.networks.spatial import vectors as packed
from evocheckers.rules import bitboard
from evocheckers.rules.outcome import REPETITIONS, Reason
from evocheckers.search import table as bounds
from evocheckers.search.exact import table
from evocheckers.search.exact.state import FULL_WINDOW, NULL_WINDOW, WIDENED
from evocheckers.search.state import HISTORY
from evocheckers.search.values import DECIDED, INFINITY, WIN

LEAF_BITS = 12
"""Binary logarithm of the number of leaves that a game remembers."""
MAX_MOVES = 64
"""Most moves of a position that there is room for."""
NOT_PLAYED = 0
"""In place of a reason: the game did not fit into the working memory."""

_TAIL = packed.SECOND_BIASES
"""Offset of the small layers' numbers; the source counts from there."""


def integers() -> dict[str, int]:
    """Kinds, reasons, flags, indices, and the layout of packed networks."""
    return {
        "KIND_SPATIAL": Kind.SPATIAL,
        "KIND_SPATIAL_BARE": Kind.SPATIAL_BARE,
        "KIND_PLANES": Kind.PLANES,
        "FIXED_BIT": search_rules.FIXED_BIT,
        "MOVER_BIT": search_rules.MOVER_BIT,
        "BLACK_BIT": search_rules.BLACK_BIT,
        "STANDING_BIT": search_rules.STANDING_BIT,
        "ONLY_MOVE_BIT": search_rules.ONLY_MOVE_BIT,
        "EQUAL_WINS_BIT": search_rules.EQUAL_WINS_BIT,
        "NOT_PLAYED": NOT_PLAYED,
        "NO_PIECES": Reason.NO_PIECES,
        "NO_MOVES": Reason.NO_MOVES,
        "MOVE_LIMIT": Reason.MOVE_LIMIT,
        "REPETITION": Reason.REPETITION,
        "REPETITIONS": REPETITIONS,
        "ADJUDICATION": Reason.ADJUDICATION,
        "BLACK_COLUMN": batch.BLACK_COLUMN,
        "WHITE_COLUMN": batch.WHITE_COLUMN,
        "BLACK_PLIES_COLUMN": batch.BLACK_PLIES_COLUMN,
        "WHITE_PLIES_COLUMN": batch.WHITE_PLIES_COLUMN,
        "OWN_COLUMN": batch.OWN_COLUMN,
        "OPP_COLUMN": batch.OPP_COLUMN,
        "KINGS_COLUMN": batch.KINGS_COLUMN,
        "WHITE_BEGINS_COLUMN": batch.WHITE_BEGINS_COLUMN,
        "ROW_COLUMNS": batch.ROW_COLUMNS,
        "MOVE_AT_RANDOM_SHIFT": play.MOVE_AT_RANDOM_SHIFT,
        "WHICH_AT_RANDOM_SHIFT": play.WHICH_AT_RANDOM_SHIFT,
        "MAX_MOVES": MAX_MOVES,
        "MAX_EXTENSIONS": search_rules.MAX_EXTENSIONS,
        "HISTORY": HISTORY,
        "FULL_WINDOW": FULL_WINDOW,
        "NULL_WINDOW": NULL_WINDOW,
        "WIDENED": WIDENED,
        "COLUMN": packed.COLUMN,
        "SECOND": packed.SECOND,
        "TAIL": _TAIL,
        "SECOND_BIASES": packed.SECOND_BIASES - _TAIL,
        "THIRD": packed.THIRD - _TAIL,
        "THIRD_BIASES": packed.THIRD_BIASES - _TAIL,
        "OUTPUT": packed.OUTPUT - _TAIL,
        "KING_VALUE": packed.KING_VALUE - _TAIL,
        "TAIL_SIZE": packed.PACKED - _TAIL,
        "PLANES_WIDTH": planes.WIDTH,
        "PLANES_KING_VALUE": planes.KING_VALUE,
        "PLANES_LEAST": planes.LEAST,
        "PLANES_MOST": planes.MOST,
        "PLANES_OUTPUT_BIAS": planes.OUTPUT_BIAS,
        "PLANES_HEADER": planes.HEADER,
        "PLANES_SECOND": planes.SECOND,
        "PLANES_BIASES": planes.BIASES,
        "PLANES_ONE": planes.ONE,
        "PLANES_WORDS": planes.SHORTS_ROOM,
    }


def words() -> dict[str, int]:
    """Unsigned numbers: move codes, and the transposition table."""
    return {
        "CAPTURE_BIT": int(bitboard.CAPTURE_BIT),
        "PATH_SHIFT": int(bitboard.PATH_SHIFT),
        "EXACT": bounds.EXACT,
        "AT_LEAST": bounds.AT_LEAST,
        "AT_MOST": bounds.AT_MOST,
        "EXTENSION_SHIFT": table.EXTENSION_SHIFT,
        "BOUND_SHIFT": table.BOUND_SHIFT,
        "SIDE_SHIFT": table.SIDE_SHIFT,
        "AGE_SHIFT": table.AGE_SHIFT,
        "LEAF_BITS": LEAF_BITS,
    }


def floats() -> dict[str, float]:
    """Values, and tanh's coefficients."""
    return {
        "WIN_VALUE": float(WIN),
        "DECIDED_VALUE": float(DECIDED),
        "INFINITE_VALUE": float(INFINITY),
        "EVALUATION_LIMIT": float(LIMIT),
        "PLANES_UNIT": float(planes.UNIT),
        "TANH_LIMIT": float(vectors.TANH_LIMIT),
        **{f"TANH_P{i}": float(x) for i, x in enumerate(vectors.TANH_P)},
        **{f"TANH_Q{i}": float(x) for i, x in enumerate(vectors.TANH_Q)},
    }


def declarations() -> str:
    """The numbers as C++ declarations."""
    lines = [f"#define {name} {number!r}f" for name, number in floats().items()]
    for kind, numbers in (("int", integers()), ("unsigned int", words())):
        listed = ", ".join(f"{name} = {int(number)}" for name, number in numbers.items())
        lines.append(f"namespace evo {{ enum : {kind} {{ {listed} }}; }}")
    return "\n".join(lines) + "\n"
