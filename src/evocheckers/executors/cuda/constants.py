"""Numbers that the CUDA source has in common with the rest of the package: they stand in Python and are handed over.

The source is compiled behind the text of ``declarations``.
"""

from evocheckers.evaluation import dispatch, evaluator, planes
from evocheckers.evaluation import spatial_vectors as packed
from evocheckers.evaluation.dispatch import Kind
from evocheckers.evaluation.network import MAX_EXTENSIONS
from evocheckers.games import batch, play
from evocheckers.native import vectors
from evocheckers.rules import bitboard
from evocheckers.rules.outcome import REPETITIONS, Reason
from evocheckers.search import state, table

LEAF_BITS = 12
"""A game remembers as many leaves: the binary logarithm."""
MAX_MOVES = 64
"""Of a position, as far as there is room for them."""
NOT_PLAYED = 0
"""In the place of a reason: the game did not fit."""

_TAIL = packed.SECOND_BIASES
"""Where the small layers' numbers begin; the source counts from there."""


def integers() -> dict[str, int]:
    """Kinds, reasons, flags, indices, and how networks are packed."""
    return {
        "KIND_SPATIAL": Kind.SPATIAL,
        "KIND_SPATIAL_BARE": Kind.SPATIAL_BARE,
        "KIND_PLANES": Kind.PLANES,
        "FIXED_BIT": evaluator.FIXED_BIT,
        "MOVER_BIT": evaluator.MOVER_BIT,
        "BLACK_BIT": evaluator.BLACK_BIT,
        "STANDING_BIT": evaluator.STANDING_BIT,
        "ONLY_MOVE_BIT": evaluator.ONLY_MOVE_BIT,
        "EQUAL_WINS_BIT": evaluator.EQUAL_WINS_BIT,
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
        "MAX_EXTENSIONS": MAX_EXTENSIONS,
        "HISTORY": state.HISTORY,
        "FULL": state.FULL,
        "EMPTY": state.EMPTY,
        "WIDENED": state.WIDENED,
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
    """What goes into words without a sign: moves' codes, and the table."""
    return {
        "CAPTURE_BIT": int(bitboard.CAPTURE_BIT),
        "PATH_SHIFT": int(bitboard.PATH_SHIFT),
        "EXACT": int(table.EXACT),
        "AT_LEAST": int(table.AT_LEAST),
        "AT_MOST": int(table.AT_MOST),
        "EXTENSION_SHIFT": table.EXTENSION_SHIFT,
        "BOUND_SHIFT": table.BOUND_SHIFT,
        "SIDE_SHIFT": table.SIDE_SHIFT,
        "AGE_SHIFT": table.AGE_SHIFT,
        "LEAF_BITS": LEAF_BITS,
    }


def floats() -> dict[str, float]:
    """Values, and tanh's coefficients."""
    return {
        "WIN_VALUE": float(state.WIN),
        "DECIDED_VALUE": float(state.DECIDED),
        "INFINITE_VALUE": float(state.INFINITY),
        "EVALUATION_LIMIT": float(dispatch.LIMIT),
        "PLANES_UNIT": float(planes.UNIT),
        "TANH_LIMIT": float(vectors.TANH_LIMIT),
        **{f"TANH_P{i}": float(x) for i, x in enumerate(vectors.TANH_P)},
        **{f"TANH_Q{i}": float(x) for i, x in enumerate(vectors.TANH_Q)},
    }


def declarations() -> str:
    """The numbers as C++."""
    lines = [f"#define {name} {number!r}f" for name, number in floats().items()]
    for kind, numbers in (("int", integers()), ("unsigned int", words())):
        listed = ", ".join(f"{name} = {int(number)}" for name, number in numbers.items())
        lines.append(f"namespace evo {{ enum : {kind} {{ {listed} }}; }}")
    return "\n".join(lines) + "\n"
