"""Mobility in play: does a network leave its opponents fewer moves than it has itself, and win by blocking?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evocheckers.evaluation.network import Network
from evocheckers.experiments.reproductions.laboratory import READINGS, Laboratory, identity
from evocheckers.games.game import PlayedGame
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Reason
from evocheckers.tournaments.match import first_color, play_match
from evocheckers.tournaments.strength import contestant


@dataclass(frozen=True)
class Restraint:
    """What a player's games show about mobility."""

    margins: tuple[float, ...]
    """For each game with such positions: own moves minus the opponent's, averaged where the pieces are equal."""
    won: int
    won_by_blocking: int
    lost: int
    lost_by_blocking: int

    def __add__(self, other: "Restraint") -> "Restraint":
        numbers = zip(list(vars(self).values())[1:], list(vars(other).values())[1:], strict=True)
        return Restraint(self.margins + other.margins, *(a + b for a, b in numbers))

    @property
    def margin_text(self) -> str:
        """The mean and its 95% interval over games."""
        from scipy import stats

        if len(self.margins) < 2:
            return "too few games"
        mean = float(np.mean(self.margins))
        half = float(stats.t.ppf(0.975, len(self.margins) - 1) * stats.sem(self.margins))
        return f"{mean:+.2f} [{mean - half:+.2f}, {mean + half:+.2f}]"

    @property
    def blocking_text(self) -> str:
        return f"{self.won_by_blocking} of {self.won}"

    @property
    def blocked_text(self) -> str:
        return f"{self.lost_by_blocking} of {self.lost}"


HEADER = ("player", "against", "own moves less the opponent's, 95%", "wins by blocking", "losses by being blocked")


def rows_in_play(lab: Laboratory, plies: int, lines: Sequence[str], beginners: int) -> dict[tuple[str, str], Restraint]:
    """By player and opponent: every network, random networks together, and piece differential itself."""
    found: dict[tuple[str, str], Restraint] = {}
    for opponent in READINGS:
        other = lab.contestant(f"{opponent}@{plies}")
        for player in lab.players:
            found[player, opponent] = _restraint(lab, lab.contestant(f"{player}@{plies}"), other, lines)
        together = Restraint((), 0, 0, 0, 0)
        for seed in range(beginners):
            beginner = contestant(f"random-{seed}", Network.random(np.random.default_rng(seed)), plies)
            together += _restraint(lab, beginner, other, lines[seed::beginners])
        found[f"{beginners} random networks", opponent] = together
        for counter in READINGS:
            found[counter, opponent] = _restraint(lab, lab.contestant(f"{counter}@{plies}"), other, lines)
    return found


def _restraint(lab: Laboratory, player: Contestant, opponent: Contestant, lines: Sequence[str]) -> Restraint:
    about = {"player": identity(player), "opponent": identity(opponent), "lines": list(lines)}

    def play() -> list[object]:
        games = sorted(play_match(player, opponent, lines, lab.executor), key=lambda game: game.number)
        found = restraint(games)
        return list(vars(found).values())

    margins, *counts = lab.step(f"play-{player.name}-{opponent.name}", about, play)
    return Restraint(tuple(margins), *counts)


def restraint(games: Sequence[PlayedGame]) -> Restraint:
    """What games show about a match's first player."""
    margins = [float(np.mean(found)) for game in games if (found := list(_margins(game, first_color(game))))]
    values = [game.value_to(first_color(game)) for game in games]
    blocked = [game.outcome.reason is Reason.NO_MOVES for game in games]
    counts = [
        (values.count(value), sum(b for v, b in zip(values, blocked, strict=True) if v == value)) for value in (1, -1)
    ]
    return Restraint(tuple(margins), *counts[0], *counts[1])


def _margins(game: PlayedGame, color: Color) -> Iterator[int]:
    """The colour's moves minus its opponent's in the game's quiet positions with equal men and equal kings."""
    board = Board(game.start).push_all(game.opening)
    for move in game.moves:
        _, black, white, kings = board.position
        is_level = black.bit_count() == white.bit_count() and (black & kings).bit_count() == (white & kings).bit_count()
        if is_level and (counts := move_counts(board)):
            yield counts[0] - counts[1] if board.turn is color else counts[1] - counts[0]
        board.push(move)


def move_counts(board: Board) -> tuple[int, int] | None:
    """How many moves the mover has and the opponent would have; None if either could jump or has no move."""
    mine = board.legal_moves()
    theirs = Board(board.position._replace(turn=board.turn.opponent)).legal_moves()
    if not mine or not theirs or mine[0].captured or theirs[0].captured:
        return None
    return len(mine), len(theirs)
