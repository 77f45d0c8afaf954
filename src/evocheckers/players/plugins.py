"""Kinds of players from other packages, found through entry points of the group ``evocheckers.players``.

An entry point's name is the kind; its object is a function ``(argument: str, limit: Limit | None) -> Contestant`` that
takes the text after the colon and the limit, if any; the page always gives one. A player of another package that raises
an error or gives an illegal move loses the game.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points

from evocheckers.errors import EvocheckersError
from evocheckers.players.grammar import KINDS, PlayerError, PlayerSpec, format_limit
from evocheckers.players.player import Contestant, Player, PlayerFailure
from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position
from evocheckers.rules.move import Move

GROUP = "evocheckers.players"


def foreign_kinds() -> dict[str, EntryPoint]:
    """Entry points of other packages by kind, not loaded; our own kinds take precedence."""
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in KINDS}


def foreign_contestant(spec: PlayerSpec) -> Contestant:
    """The player that another package makes from a parsed text."""
    point = foreign_kinds().get(spec.kind)
    if point is None:
        raise PlayerError(spec.text, f"no package offers the kind {spec.kind!r}")
    try:
        made = point.load()(spec.argument, spec.limit)
    except EvocheckersError as error:
        raise PlayerError(spec.text, str(error)) from error
    except Exception as error:  # another package's code can raise anything
        raise PlayerError(spec.text, f"{point.value} failed: {type(error).__name__}: {error}") from error
    if not isinstance(made, Contestant):
        raise PlayerError(spec.text, f"{point.value} returned {type(made).__name__}, not a Contestant")
    name, make = spec.text.strip(), made.make
    if spec.limit is None and made.limit is not None:
        name = f"{name}@{format_limit(made.limit)}"
    return replace(made, name=name, make=None if make is None else lambda: ForeignPlayer(name, make))


class ForeignPlayer:
    """Another package's player; any error in it becomes a ``PlayerFailure``."""

    def __init__(self, name: str, make: Callable[[], Player]) -> None:
        self._name = name
        try:
            self._player = make()
        except Exception as error:
            raise self._failure(error) from error

    def begin(self, start: Position, seed: int) -> None:
        try:
            self._player.begin(start, seed)
        except Exception as error:
            raise self._failure(error) from error

    def choose(self, board: Board) -> Move:
        try:
            move = self._player.choose(board.copy())
        except Exception as error:
            raise self._failure(error) from error
        if move not in board.legal_moves():
            raise PlayerFailure(f"{self._name} played {move}, which is not legal in {board.fen()}")
        return move

    def stop(self) -> None:
        self._player.stop()

    def close(self) -> None:
        self._player.close()

    def _failure(self, error: Exception) -> PlayerFailure:
        if isinstance(error, PlayerFailure):
            return error
        return PlayerFailure(f"{self._name} failed: {type(error).__name__}: {error}")
