"""What the CUDA source gets from the rest of the package: numbers, and the kinds of evaluators.

Numbers are defined in Python alone. The text of ``declarations`` precedes the source when it is compiled.
"""

from collections.abc import Collection, Mapping

from evocheckers.games import batch
from evocheckers.games import batch as play
from evocheckers.native import vectors
from evocheckers.networks import search_rules
from evocheckers.networks.kind import LIMIT, GpuCode
from evocheckers.networks.registry import Kind
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


def kinds_for(optional: Collection[str]) -> list[GpuCode]:
    """The kinds to compile: those that always are, and the optional ones with these namespaces."""
    found = dict.fromkeys(kind.description.gpu for kind in Kind)
    return [gpu for gpu in found if gpu is not None and (not gpu.is_optional or gpu.namespace in optional)]


def integers() -> dict[str, int]:
    """Kinds, reasons, flags and indices."""
    return {
        **{f"KIND_{kind.name}": kind.value for kind in Kind if kind.description.gpu is not None},
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
        "TANH_LIMIT": float(vectors.TANH_LIMIT),
        **{f"TANH_P{i}": float(x) for i, x in enumerate(vectors.TANH_P)},
        **{f"TANH_Q{i}": float(x) for i, x in enumerate(vectors.TANH_Q)},
    }


def declarations(optional: Collection[str]) -> str:
    """The numbers and the kinds as C++, with the optional kinds of these namespaces."""
    kinds = kinds_for(optional)
    reals = floats() | {name: number for gpu in kinds for name, number in gpu.floats.items()}
    lines = [f"#define {name} {number!r}f" for name, number in reals.items()]
    lines += [_enumeration("evo", "int", integers()), _enumeration("evo", "unsigned int", words())]
    lines += [_enumeration(f"evo::{gpu.namespace}", "int", gpu.integers) for gpu in kinds if gpu.integers]
    lines += [f'#include "{gpu.header}"' for gpu in kinds]
    lines += [f"#define EVO_KINDS {', '.join(f'{gpu.namespace}::Kind' for gpu in kinds)}"]
    return "\n".join(lines) + "\n"


def _enumeration(namespace: str, kind: str, numbers: Mapping[str, int]) -> str:
    listed = ", ".join(f"{name} = {int(number)}" for name, number in numbers.items())
    return f"namespace {namespace} {{ enum : {kind} {{ {listed} }}; }}"
