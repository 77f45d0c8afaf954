"""One game between any two players, played to its end, and why it ended."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from evocheckers.games.batch import GameRules
from evocheckers.players.player import Player, PlayerFailure
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Color, Move
from evocheckers.rules.outcome import REPETITIONS, Outcome, Reason
from evocheckers.rules.pdn import Game


class Effort(NamedTuple):
    """What a move cost its player."""

    seconds: float
    plies: int | None
    """Search depth, if the player reports it."""
    is_forced: bool
    """Whether it was the only legal move."""


@dataclass(frozen=True)
class PlayedGame:
    """A played game, with its opening."""

    number: int
    """From 1, in the order of the pairings."""
    black: str
    white: str
    opening: tuple[Move, ...]
    """The moves of the opening, which were given."""
    moves: tuple[Move, ...]
    """The moves that the players chose."""
    outcome: Outcome
    note: str = ""
    """Why a game was forfeited, or how it was adjudicated."""
    start: Position = START
    played_on: tuple[Move, ...] = ()
    """The adjudicator's moves after the last one, up to its verdict."""
    efforts: tuple[Effort, ...] = ()
    """What each of ``moves`` cost; empty for games of compiled batches."""

    def __repr__(self) -> str:
        return f"<PlayedGame {self.number}: {self.black} - {self.white} {self.outcome.result}, {len(self.moves)} plies>"

    def board(self) -> Board:
        """The board after the last move."""
        return Board(self.start).push_all((*self.opening, *self.moves))

    def lead_of(self, color: Color) -> int:
        """A side's lead in pieces at the end."""
        mover = self.start.turn
        lead = self.start.black.bit_count() - self.start.white.bit_count()
        for move in (*self.opening, *self.moves):
            lead += len(move.captured) if mover is Color.BLACK else -len(move.captured)
            mover = mover.opponent
        return lead if color is Color.BLACK else -lead

    def value_to(self, color: Color) -> int:
        """1 if that side won, 0 for a draw, -1 if it lost."""
        return 0 if self.outcome.winner is None else 1 if self.outcome.winner is color else -1

    def to_pdn(self, event: str) -> Game:
        """The game as a PDN record, with its opening and how it ended."""
        tags = {"Event": event, "Round": str(self.number), "Black": self.black, "White": self.white}
        tags["Termination"] = f"{self.outcome.reason}{f': {self.note}' if self.note else ''}"
        if self.played_on:
            tags["PlayedOn"] = " ".join(map(str, self.played_on))
        return Game([*self.opening, *self.moves], tags, self.outcome.result, self.start, len(self.opening))


class Stopped(Exception):  # noqa: N818
    """A game that was abandoned because its result is no longer needed."""


def play_game(
    black: Player,
    white: Player,
    board: Board,
    max_plies: int = GameRules().max_plies,
    seed: int = 0,
    stop: threading.Event | None = None,
    on_move: Callable[[Effort], None] = lambda _: None,
    repetition: bool = False,
) -> tuple[Outcome, str]:
    """Play on from a board, which is modified; return how the game ended and, if it was forfeited, why.

    A player that fails loses at once; its move is never replaced by another. ``on_move`` is called after every move
    with what it cost. ``stop`` ends the game with ``Stopped``. With ``repetition``, the third occurrence of a position
    is a draw, counting those before the board was handed over.
    """
    limit = max_plies + len(board.moves)
    players = {Color.BLACK: black, Color.WHITE: white}
    for color, player in players.items():
        try:
            player.begin(board.start, seed + int(color))
        except PlayerFailure as failure:
            return Outcome(color.opponent, Reason.FORFEIT), str(failure)
    while True:
        outcome = board.outcome(limit, REPETITIONS if repetition else None)
        if outcome is not None:
            return outcome, ""
        mover = board.turn
        is_forced = len(board.legal_moves()) == 1
        began = time.perf_counter()
        try:
            move = players[mover].choose(board)
        except PlayerFailure as failure:
            if stop is not None and stop.is_set():
                raise Stopped from None
            return Outcome(mover.opponent, Reason.FORFEIT), str(failure)
        effort = Effort(time.perf_counter() - began, getattr(players[mover], "depth_plies", None), is_forced)
        if stop is not None and stop.is_set():
            raise Stopped
        board.push(move)
        on_move(effort)
