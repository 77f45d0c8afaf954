"""Batches of games between many evaluators: what to play, and the records that come back."""

import enum
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.evaluator import Evaluators, join, stack
from evocheckers.evaluation.network import EXTENSIONS
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Color, Move
from evocheckers.rules.outcome import Outcome, Reason
from evocheckers.search.state import MAX_DEPTH_PLIES

MOVES_PER_SIDE = 100
"""The papers' limit: a draw after 100 moves by each side."""


class Precision(enum.Enum):
    """Precision of the networks' arithmetic."""

    FP32 = "fp32"
    """Single precision: the same bits everywhere."""
    FP16 = "fp16"
    """Half precision on a GPU's tensor cores: faster; two moves of almost equal value may swap places."""


class PairingError(EvocheckersError):
    """A game that cannot be played."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: indices of the evaluators, their search depths, the seed of all random choices, and the start.

    A depth of 0 plays random moves.
    """

    black: int
    white: int
    seed: int
    black_plies: int = 4
    white_plies: int = 4
    start: Position = START


@dataclass(frozen=True, slots=True)
class GameRules:
    """What all games of a batch have in common."""

    max_plies: int = 2 * MOVES_PER_SIDE
    """The game ends after this many plies."""
    extensions: int = EXTENSIONS
    random_move_rate: float = 0.0
    """Share of moves that are chosen at random."""
    rate_rise: float = 0.0
    """Added to that share whenever a position occurs again."""
    pieces_decide: bool = False
    """Whether the side with more pieces wins at the move limit; otherwise the game is a draw."""
    precision: Precision = Precision.FP32
    repetition: bool = False
    """Whether the third occurrence of a position since the game began is a draw; the papers have no such rule."""
    compulsory: bool = True
    """Whether a jump must be taken, as the rules demand. Otherwise a player may also step, as in Horgan's program; this
    is for players without quiescence, in games that ``Board`` does not replay."""

    def __post_init__(self) -> None:
        if self.max_plies < 1:
            raise PairingError(f"max_plies is {self.max_plies}, must be at least 1")
        if not (0 <= self.random_move_rate <= 1 and 0 <= self.rate_rise <= 1):
            raise PairingError("rates of random moves must be between 0 and 1")


class GameBatch(NamedTuple):
    """Games to play, wherever they are played."""

    evaluators: Evaluators
    pairings: Sequence[Pairing]
    rules: GameRules = GameRules()

    @property
    def starts(self) -> list[Position]:
        return [pairing.start for pairing in self.pairings]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A played game."""

    outcome: Outcome
    moves: tuple[Move, ...]
    evaluations: int


COLUMNS = ("winners", "reasons", "plies", "evaluations", "codes")
"""The arrays of a ``BatchResult``."""


@dataclass(frozen=True, eq=False)
class BatchResult:
    """The records of a batch, as arrays with a row for each game."""

    winners: np.ndarray
    """1 for Black, -1 for White, 0 for a draw."""
    reasons: np.ndarray
    """Numbers of ``Reason``."""
    plies: np.ndarray
    evaluations: np.ndarray
    codes: np.ndarray
    """The moves in the move generator's code, each from its mover's view; zeros after the last."""
    starts: Sequence[Position]

    def __len__(self) -> int:
        return len(self.winners)

    def outcome(self, game: int) -> Outcome:
        """Who won a game, and why it ended."""
        winner = {1: Color.BLACK, -1: Color.WHITE, 0: None}[int(self.winners[game])]
        return Outcome(winner, Reason(int(self.reasons[game])))

    def __getitem__(self, game: int) -> GameRecord:
        mover = self.starts[game].turn
        moves = []
        for code in self.codes[game, : self.plies[game]].tolist():
            moves.append(Move.from_code(code, mover))
            mover = mover.opponent
        return GameRecord(self.outcome(game), tuple(moves), int(self.evaluations[game]))

    def digest(self) -> str:
        """A digest of results and moves, which must not depend on machine or threads."""
        digest = hashlib.sha256()
        for column in (self.winners, self.reasons, self.plies, self.codes):
            digest.update(np.ascontiguousarray(column, column.dtype.newbyteorder("<")).tobytes())
        return digest.hexdigest()


class Executor(Protocol):
    """Plays batches of games.

    An executor that plays several batches faster at once than one after another gives their number as
    ``batches_at_once``, and is called from as many threads.
    """

    def play(self, batch: GameBatch) -> BatchResult:
        """Play a batch."""
        ...


(
    BLACK_COLUMN,
    WHITE_COLUMN,
    BLACK_PLIES_COLUMN,
    WHITE_PLIES_COLUMN,
    OWN_COLUMN,
    OPP_COLUMN,
    KINGS_COLUMN,
    WHITE_BEGINS_COLUMN,
    ROW_COLUMNS,
) = range(9)
"""Indices into a game's row, and the number of columns."""


def batch_rows(pairings: Sequence[Pairing], evaluators: int) -> tuple[np.ndarray, np.ndarray]:
    """A checked row for each game, and the seeds."""
    rows = np.zeros((len(pairings), ROW_COLUMNS), np.int64)
    who = [(p.black, p.white, p.black_plies, p.white_plies) for p in pairings]
    rows[:, : WHITE_PLIES_COLUMN + 1] = np.array(who, np.int64).reshape(-1, 4)
    players, plies = rows[:, : WHITE_COLUMN + 1], rows[:, BLACK_PLIES_COLUMN : WHITE_PLIES_COLUMN + 1]
    for player in players[(players < 0) | (players >= evaluators)].tolist():
        raise PairingError(f"a pairing names evaluator {player}, but there are {evaluators}")
    for depth in plies[(plies < 0) | (plies > MAX_DEPTH_PLIES)].tolist():
        raise PairingError(f"a pairing asks for {depth} plies, not 0 to {MAX_DEPTH_PLIES}")
    rows[:, OWN_COLUMN:] = start_rows([pairing.start for pairing in pairings])
    return rows, np.array([pairing.seed & (2**64 - 1) for pairing in pairings], np.uint64)


def start_rows(starts: Sequence[Position]) -> np.ndarray:
    """For each start, the boards as the side to move sees them, and 1 if that side is White."""
    known: dict[Position, tuple[int, int, int, int]] = {}
    for start in starts:
        if start not in known:
            known[start] = (*Board(start).mover_words, int(start.turn is Color.WHITE))
    return np.array([known[start] for start in starts], np.int64).reshape(-1, 4)


def empty_result(starts: Sequence[Position], rules: GameRules) -> BatchResult:
    """Records to be filled."""
    count = len(starts)
    return BatchResult(
        winners=np.zeros(count, np.int8),
        reasons=np.zeros(count, np.int8),
        plies=np.zeros(count, np.int32),
        evaluations=np.zeros(count, np.int64),
        codes=np.zeros((count, rules.max_plies), np.uint32),
        starts=starts,
    )


def join_batches(batches: Sequence[GameBatch]) -> GameBatch:
    """Join several batches under the same rules into one."""
    pairings: list[Pairing] = []
    first = 0
    for batch in batches:
        pairings += [replace(p, black=p.black + first, white=p.white + first) for p in batch.pairings]
        first += len(batch.evaluators)
    return GameBatch(join([stack(batch.evaluators) for batch in batches]), pairings, batches[0].rules)


def split_result(result: BatchResult, counts: Sequence[int]) -> list[BatchResult]:
    """The inverse of ``join_batches``: split the records by the number of games in each batch."""
    parts = []
    first = 0
    for count in counts:
        rows = slice(first, first + count)
        columns = {name: getattr(result, name)[rows] for name in COLUMNS}
        parts.append(BatchResult(**columns, starts=result.starts[rows]))
        first += count
    return parts
