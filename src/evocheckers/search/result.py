"""The results of searches, whichever search found them."""

from dataclasses import dataclass
from typing import NamedTuple

from evocheckers.rules.move import Color, Move
from evocheckers.search.values import DECIDED, KNOWN_LEAST, WIN


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """One of several lines found by a search."""

    score: float
    """For the side to move, as in ``SearchResult``."""
    depth: int
    """The depth to which it was searched, in plies."""
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search."""

    move: Move
    score: float
    """For the side to move: the evaluation's pre-activation, or beyond ±``DECIDED`` a forced end."""
    depth_plies: int
    """The last finished depth."""
    line: tuple[Move, ...]
    """The expected play, beginning with the chosen move."""
    equal_moves: int
    """The number of moves that equal the best; one of them was chosen."""
    nodes: int
    evaluations: int
    seconds: float
    lines: tuple[ScoredLine, ...] = ()
    """The best lines, best first: as many as requested, if there are that many moves."""

    def __str__(self) -> str:
        line = " ".join(map(str, self.line))
        return f"{self.move}  {self.score_text}  {line}  ({self.depth_plies} plies, {self.nodes:,} nodes)"

    def __repr__(self) -> str:
        return f"<SearchResult {self}>"

    @property
    def plies_to_end(self) -> int | None:
        """For a forced win or loss, the number of plies until the loser has no move left; None if that is not known."""
        return round(float(WIN) - abs(self.score)) if DECIDED < abs(self.score) < WIN else None

    @property
    def score_text(self) -> str:
        """The score as readable text."""
        end = "win" if self.score > 0 else "loss"
        if self.plies_to_end is not None:
            return f"{end} in {self.plies_to_end}"
        return end if abs(self.score) >= KNOWN_LEAST else f"{self.score:+.3f}"


class RawResult(NamedTuple):
    """A result with moves as codes, as the exact and the selective search give it."""

    depth_plies: int
    """The last finished depth."""
    equal_moves: int
    lines: list[tuple[float, int, list[int]]]
    """Score, depth and move codes, the best line first; empty if there is no move or the search was given up."""
    nodes: int
    evaluations: int


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C, or a notebook's interrupt, during a search."""

    def __init__(self, result: SearchResult) -> None:
        super().__init__()
        self.result = result
        """The best result so far."""


def scored_lines(found: list[tuple[float, int, list[int]]], mover: Color, first_ply: int) -> tuple[ScoredLine, ...]:
    """Convert scores, depths and codes to lines; plies to the end count from the position searched."""
    lines = []
    for score, depth, codes in found:
        if DECIDED < abs(score) < WIN:
            score += first_ply if score > 0 else -first_ply
        score += 0.0  # avoids a negative zero
        sides = (mover, mover.opponent)
        lines.append(
            ScoredLine(score, depth, tuple(Move.from_code(code, sides[i % 2]) for i, code in enumerate(codes)))
        )
    return tuple(lines)
