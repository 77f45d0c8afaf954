"""How an evaluator is to be searched: part of the player that was bred, like its weights.

The papers leave several points of their search open, and a network learns for the search that it was bred with. These
rules are therefore kept with a network in its file, and every search, match and batch of games takes them from the
evaluator. ``Evaluator.with_rules`` and ``Network.with_rules`` change them on purpose.

An evaluator that was not bred, such as piece counting, has no rules of its own: its ``extensions`` are None, and it
searches as its opponent does.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evocheckers.errors import EvocheckersError, whole_number

EXTENSIONS = 2
"""The limit of two-ply extensions on one line for the papers' systems here; the papers set no limit."""
MAX_EXTENSIONS = 15
"""Means no limit."""

FIXED_BIT, MOVER_BIT = 1, 2
ONLY_MOVE_BIT, EQUAL_WINS_BIT = 4, 8
"""Flags of an evaluator in compiled code."""
BLACK_BIT, STANDING_BIT = 16, 32
"""More flags: leaves are valued from Black's point of view; leaves are valued as they stand, without quiescence."""
FREE_BIT = 64
"""Set by the rules of a game, not by the evaluator: jumping is optional."""


class View(enum.Enum):
    """How a network sees the board."""

    OWN_SIDE = "own-side"
    """Turned by 180 degrees for White, so that a player's own men always move up."""
    FIXED = "fixed"
    """The same way round for both players."""


class Leaf(enum.Enum):
    """From whose point of view a leaf is valued. The networks are not antisymmetric, so this matters."""

    ROOT = "root"
    """The searching player."""
    MOVER = "mover"
    """The side to move at the leaf."""
    BLACK = "black"
    """Black, whoever searches or moves: inputs are by colour, and White minimises the value."""


class Forced(enum.Enum):
    """Which jumps are "forced", so that a search by plies looks two plies further."""

    ANY_JUMP = "any-jump"
    """All jumps, since a side that can jump must."""
    ONLY_MOVE = "only-move"
    """Jumps that are the only legal move."""


class Wins(enum.Enum):
    """How a search by plies values wins of different lengths."""

    SOONER = "sooner"
    """A sooner win is better, and so is a later loss."""
    EQUAL = "equal"
    """All wins are worth the same, and so are all losses."""


class SearchRulesError(EvocheckersError):
    """Rules of search that do not exist, or that do not go together."""


_ENUMS: dict[str, type[enum.Enum]] = {"view": View, "leaf": Leaf, "forced": Forced, "wins": Wins}


@dataclass(frozen=True, slots=True)
class SearchRules:
    """How an evaluator is searched. The enums' members may also be given by their words.

    >>> SearchRules(view="fixed").view
    <View.FIXED: 'fixed'>
    """

    view: View = View.OWN_SIDE
    """How the network sees the board."""
    leaf: Leaf = Leaf.ROOT
    """From whose point of view a leaf is valued."""
    quiescence: bool = True
    """Whether a search follows captures at a leaf until it is quiet."""
    extensions: int | None = EXTENSIONS
    """The most extensions by two plies on one line, 0 to 15, where 15 means no limit. None: no rule of its own; against
    an opponent that has one, it takes the opponent's extensions, forced jumps and wins, and else ``EXTENSIONS``."""
    forced: Forced = Forced.ANY_JUMP
    """The jumps at which a line is extended."""
    wins: Wins = Wins.SOONER
    """Whether sooner wins are preferred."""

    def __post_init__(self) -> None:
        for name, known in _ENUMS.items():
            object.__setattr__(self, name, _member(name, getattr(self, name), known))
        if not isinstance(self.quiescence, bool | np.bool_):
            raise _unknown("quiescence", self.quiescence, "True or False")
        object.__setattr__(self, "quiescence", bool(self.quiescence))
        if self.extensions is not None:
            found = whole_number(
                "extensions", self.extensions, 0, MAX_EXTENSIONS, SearchRulesError, ", or None for the opponent's"
            )
            object.__setattr__(self, "extensions", found)

    @property
    def flags(self) -> int:
        """All rules but the extensions, as compiled code takes them."""
        eyes = FIXED_BIT * (self.view is View.FIXED)
        leaf = MOVER_BIT * (self.leaf is Leaf.MOVER) + BLACK_BIT * (self.leaf is Leaf.BLACK)
        line = ONLY_MOVE_BIT * (self.forced is Forced.ONLY_MOVE) + EQUAL_WINS_BIT * (self.wins is Wins.EQUAL)
        return eyes + leaf + STANDING_BIT * (not self.quiescence) + line

    @property
    def most_extensions(self) -> int:
        """``extensions``, or ``EXTENSIONS`` if there are none of its own and no opponent to take them from."""
        return EXTENSIONS if self.extensions is None else self.extensions


def settle(rules: Sequence[SearchRules]) -> list[SearchRules]:
    """The rules under which players search against each other: those without rules of their own take the others'."""
    owned = {(one.extensions, one.forced, one.wins) for one in rules if one.extensions is not None}
    is_missing = any(one.extensions is None for one in rules)
    if is_missing and len(owned) > 1:
        raise SearchRulesError("whose search rules should a player without its own take? Set them by with_rules")
    extensions, forced, wins = next(iter(owned), (EXTENSIONS, None, None))
    return [
        replace(one, extensions=extensions, forced=forced or one.forced, wins=wins or one.wins)
        if one.extensions is None
        else one
        for one in rules
    ]


def _unknown(name: str, value: object, known: str) -> SearchRulesError:
    return SearchRulesError(f"{name} = {value!r}: must be {known}")


def _member(name: str, value: Any, known: type[enum.Enum]) -> enum.Enum:
    try:
        return known(value)
    except ValueError:
        raise _unknown(name, value, " or ".join(str(member.value) for member in known)) from None
