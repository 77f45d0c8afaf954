"""Puzzles from recorded games: positions with one move that is clearly best and not easy to see.

A position becomes a puzzle if the following holds according to a deep search, and to an endgame database where the
expected play comes down to few enough pieces:

- *every* other move is worse than the best one by ``margin`` men or more, and none of them leaves its side ahead by
  ``ahead`` men or more, so that there is no second way to win; the best move leaves its side no worse than even;
- a search one ply shallower agrees with all that, and those before it choose the same move: values of odd and even
  depths differ, and what only the last ply shows may vanish with the next;
- the side to move has several moves and none of them is a jump, since jumps must be taken;
- a search of fewer than ``hidden_plies`` plies chooses another move.

The solution continues as long as the solver's next move is again the only good one, or the only legal one.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from evocheckers.analysis.values import SHOWN_MEN, MoveValue, clip_men, value_move
from evocheckers.endgames.values import Database, Value
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position
from evocheckers.rules.move import Move
from evocheckers.search.batched import AnySearcher
from evocheckers.search.limit import Limit

WINNING, GAINING = 2.5, 0.7
"""Scores, in men, from which the solver wins or gains something; below them, the move holds the game."""
LAST_PLY = 60
"""Later positions of a game are ignored: most are a few kings moving about."""
MIN_MOVES = 3
"""Minimum number of legal moves in a puzzle."""
STEADY_PLIES = 4
"""Number of searches before the deepest that must choose the same move."""
MAX_STEPS = 5
"""Maximum number of solver's moves in a solution."""


@dataclass(frozen=True, slots=True)
class Demands:
    """Requirements for a puzzle."""

    plies: int = 12
    """Depth of the deep search."""
    margin: float = 0.75
    """In men: every other move is worse by at least this."""
    ahead: float = 1.0
    """In men: no other move leaves its side ahead by this much."""
    screen_plies: int = 6
    """Depth of the search that rejects most positions before the deep one."""
    hidden_plies: int = 3
    """A search of fewer plies chooses another move."""


class Record(NamedTuple):
    """A recorded game, and where it comes from."""

    source: str
    start: Position
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and its solution."""

    fen: str
    moves: tuple[str, ...]
    """The solution: the solver's moves and the replies, beginning and ending with the solver."""
    goal: str
    """``win``, ``gain`` or ``hold``."""
    score: float
    """The best move's score to the solver, in men; ±6 is a decided game."""
    second: float
    """The second-best move's score."""
    depth: int
    """The smallest depth at and beyond which every search chooses the best move."""
    played: str
    """What was played in the game."""
    source: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Every legal move of a position, best first."""

    moves: tuple[MoveValue, ...]
    scores: tuple[float, ...]
    """To the side to move, clipped to ±6; from the database where it knows the position."""

    def is_clear(self, margin: float) -> bool:
        """Whether the first move is better than all others by ``margin``."""
        return len(self.scores) == 1 or self.scores[0] - self.scores[1] >= margin


class Judge:
    """Scores moves by search and endgame database."""

    def __init__(self, contestant: Contestant, database: Database | None, demands: Demands) -> None:
        self.demands = demands
        self._database = database
        self._searcher: AnySearcher = contestant.searcher()

    def begin(self) -> None:
        """Forget other games, so that the result depends on this one alone."""
        self._searcher.forget()

    def best(self, board: Board, plies: int) -> MoveValue:
        """A search's choice."""
        found = self._searcher.search(board, Limit(plies=plies))
        return MoveValue(found.move, found.score, found.score_text, found.line)

    def value(self, board: Board, move: Move, plies: int) -> MoveValue:
        """Value a move as a search of the whole position does."""
        return value_move(self._searcher, board, move, Limit(plies=max(1, plies - 1)))

    def score(self, board: Board, found: MoveValue) -> float:
        """Score a move; the database decides if the expected play reaches a position that it knows."""
        after = board.copy()
        for move in found.line:
            after.push(move)
            known = self._database.probe(after) if self._database is not None else None
            if known is not None:
                to_mover = known if after.turn is board.turn else known.reversed
                return {Value.WIN: SHOWN_MEN, Value.DRAW: 0.0, Value.LOSS: -SHOWN_MEN}[to_mover]
        return clip_men(found.score)

    def verdict(self, board: Board, plies: int | None = None) -> Verdict:
        """All moves of a position, searched to ``plies`` or to the depth that a puzzle demands."""
        depth = plies or self.demands.plies
        found = [self.value(board, move, depth) for move in board.legal_moves()]
        scored = sorted(((self.score(board, item), item) for item in found), key=lambda pair: -pair[0])
        return Verdict(tuple(item for _, item in scored), tuple(score for score, _ in scored))

    def depth_of(self, board: Board, move: Move) -> int:
        """The smallest depth at and beyond which every search chooses ``move``."""
        depth = self.demands.plies
        for plies in range(self.demands.plies - 1, 0, -1):
            if self.best(board, plies).move != move:
                break
            depth = plies
        return depth


def goal_of(score: float) -> str:
    """What the solver has to achieve."""
    return "win" if score >= WINNING else "gain" if score >= GAINING else "hold"


def find_puzzle(record: Record, judge: Judge, known: Collection[tuple[int, int, int]] = ()) -> Puzzle | None:
    """The first puzzle of a game, if any; ``known`` positions, as the side to move sees them, are skipped."""
    judge.begin()
    board = Board(record.start)
    for played in record.moves[:LAST_PLY]:
        if has_choice(board) and _surprises(board, judge) and board.mover_words not in known:
            made = make_puzzle(board, judge, str(played), f"{record.source}, ply {len(board.moves) + 1}")
            if made is not None:
                return made
        board.push(played)
    return None


def _surprises(board: Board, judge: Judge) -> bool:
    """Whether a deeper search changes the choice, and the first choice was bad."""
    demands = judge.demands
    near, far = (judge.best(board, plies) for plies in (demands.hidden_plies - 1, demands.screen_plies))
    if near.move == far.move or clip_men(far.score) < 0:
        return False
    return clip_men(far.score) - clip_men(judge.value(board, near.move, demands.screen_plies).score) >= demands.margin


def has_choice(board: Board) -> bool:
    """Whether there are several moves, and no jump among them."""
    moves = board.legal_moves()
    return len(moves) >= MIN_MOVES and not moves[0].captured


def is_puzzle(verdict: Verdict, demands: Demands) -> bool:
    """Whether exactly one move is good."""
    best, second = verdict.scores[:2]
    return best >= 0 and best - second >= demands.margin and second < demands.ahead


def make_puzzle(board: Board, judge: Judge, played: str, source: str) -> Puzzle | None:
    """Make a puzzle of a position if searches up to the deepest find it to be one; cheap searches come first."""
    demands = judge.demands
    deepest = demands.plies
    verdicts = []
    for plies in (demands.screen_plies, (demands.screen_plies + deepest) // 2, deepest - 1, deepest):
        verdicts.append(judge.verdict(board, plies))
        if not is_puzzle(verdicts[-1], demands):
            return None
    before, verdict = verdicts[-2:]
    first = verdict.moves[0]
    if before.moves[0].move != first.move:
        return None
    depth = judge.depth_of(board, first.move)
    if not demands.hidden_plies <= depth <= deepest - STEADY_PLIES:
        return None
    return Puzzle(
        fen=board.fen(),
        moves=tuple(str(move) for move in _solution(Board(board.position), first.move, judge)),
        goal=goal_of(verdict.scores[0]),
        score=round(verdict.scores[0], 3),
        second=round(verdict.scores[1], 3),
        depth=depth,
        played=played,
        source=source,
    )


def _solution(board: Board, first: Move, judge: Judge) -> list[Move]:
    """The solver's moves and the best replies, for as long as the solver's are the only good ones."""
    line = [first]
    board.push(first)
    for _ in range(MAX_STEPS - 1):
        if not board.legal_moves():
            break
        reply = judge.best(board, judge.demands.plies).move
        board.push(reply)
        if not board.legal_moves():
            break
        verdict = judge.verdict(board)
        if not verdict.is_clear(judge.demands.margin):
            break
        line += [reply, verdict.moves[0].move]
        board.push(line[-1])
    while len(line) > 1 and not line[-1].captured and _is_forced(Board(board.start), line):
        del line[-2:]
    return line


def _is_forced(board: Board, line: Iterable[Move]) -> bool:
    """Whether the last move of a line was the only legal one."""
    return len(board.push_all([*line][:-1]).legal_moves()) == 1
