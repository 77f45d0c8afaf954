"""Many games between many evaluators: one compiled call a thread, the GIL released, games handed out one by one.

A game depends on its own row alone (who plays, from where, how deep, with which seed), never on the thread that plays
it, so the records are the same for any number of threads.
"""

import enum
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.evaluator import Evaluators, join, stack
from evocheckers.evaluation.network import EXTENSIONS
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import fetch_and_increment, i64, offset, pointer_to, popcount, u32, u64
from evocheckers.native.randomness import mix, uniform
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.rules.bitboard import MOVE_WORDS, list_moves, turn
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Color, Move
from evocheckers.rules.outcome import Outcome, Reason
from evocheckers.search.root import Root, draw_equal, search_root
from evocheckers.search.searcher import Workspace, searching
from evocheckers.search.state import EVALUATIONS, HISTORY, MAX_PLIES, NODE_LIMIT, NODES
from evocheckers.search.table import AGES

MOVES_PER_SIDE = 100
"""The papers' limit: a draw after 100 moves by each side."""

TABLE_BITS = 14
"""A table of 2^14 entries, half a megabyte: games at 4 plies gain most from one that stays in the core's own cache."""

_MOVE_AT_RANDOM, _WHICH_AT_RANDOM = u64(1 << 32), u64(1 << 33)
"""Set these random numbers apart from the draws among equal moves."""

_NO_PIECES, _NO_MOVES, _MOVE_LIMIT, _ADJUDICATION = (
    Reason.NO_PIECES.value,
    Reason.NO_MOVES.value,
    Reason.MOVE_LIMIT.value,
    Reason.ADJUDICATION.value,
)


class Precision(enum.Enum):
    """Of what precision the networks' arithmetic is."""

    FP32 = "fp32"
    """Single precision: the same bits everywhere."""
    FP16 = "fp16"
    """Half precision on a GPU's tensor cores: faster; two moves of almost equal worth may change places."""


class PairingError(EvocheckersError):
    """A game that cannot be played."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: indices of the evaluators, how deep each looks, the seed of its draws, and the start.

    Who looks 0 plies deep moves at random.
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
    """The game ends after so many plies."""
    extensions: int = EXTENSIONS
    random_move_rate: float = 0.0
    """The share of moves that are drawn at random."""
    rate_rise: float = 0.0
    """By how much that share grows whenever a position comes again."""
    pieces_decide: bool = False
    """At the limit, more pieces win; otherwise it is a draw."""
    precision: Precision = Precision.FP32

    def __post_init__(self) -> None:
        if self.max_plies < 1:
            raise PairingError(f"a game of at most {self.max_plies} plies")
        if not (0 <= self.random_move_rate <= 1 and 0 <= self.rate_rise <= 1):
            raise PairingError("rates of random moves lie between 0 and 1")


class GameBatch(NamedTuple):
    """Games to play, wherever they are played."""

    evaluators: Evaluators
    pairings: Sequence[Pairing]
    rules: GameRules = GameRules()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that was played."""

    outcome: Outcome
    moves: tuple[Move, ...]
    evaluations: int


@dataclass(frozen=True, eq=False)
class BatchResult:
    """The records of a batch, as arrays with a row for each game."""

    winners: np.ndarray
    """1 Black, -1 White, 0 a draw."""
    reasons: np.ndarray
    """Numbers of ``Reason``."""
    plies: np.ndarray
    evaluations: np.ndarray
    codes: np.ndarray
    """The moves as the generator codes them, each by its mover's view; zeros after the last."""
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
        """A digest of results and moves: the number that must not depend on machine or threads."""
        digest = hashlib.sha256()
        for column in (self.winners, self.reasons, self.plies, self.codes):
            digest.update(np.ascontiguousarray(column, column.dtype.newbyteorder("<")).tobytes())
        return digest.hexdigest()


class Executor(Protocol):
    """Wherever games are played."""

    def play(self, batch: GameBatch) -> BatchResult:
        """Play a batch."""
        ...


BLACK, WHITE, BLACK_PLIES, WHITE_PLIES, OWN, OPP, KINGS, WHITE_BEGINS, FIELDS = range(9)
"""Columns of a game's row."""


@inner
def _next_game(work: Any, age: u32) -> u32:
    """Forget the game before, so that what a game costs does not depend on the thread either."""
    for i in range(HISTORY):
        work.history[i] = u32(0)
    if age + u32(4) < u32(AGES):
        return u32(age + u32(2))
    for i in range(work.table.size):
        work.table[i] = u32(0)
    return u32(2)


@inner
def _was_seen(seen: np.ndarray, ply: int, own: u32, opp: u32, kings: u32) -> bool:
    """Whether the position stood before with the same side to move."""
    for earlier in range(ply - 2, -1, -2):
        if seen[earlier, 0] == own and seen[earlier, 1] == opp and seen[earlier, 2] == kings:
            return True
    return False


@entry
def _play_games(
    work: Any,
    next_game: np.ndarray,
    kinds: np.ndarray,
    flags: np.ndarray,
    weights: np.ndarray,
    games: np.ndarray,
    seeds: np.ndarray,
    max_plies: int,
    extensions: int,
    random_move_rate: float,
    rate_rise: float,
    pieces_decide: bool,
    seen: np.ndarray,
    winners: np.ndarray,
    reasons: np.ndarray,
    plies: np.ndarray,
    evaluations: np.ndarray,
    codes: np.ndarray,
) -> None:
    """Play games until none is left, or until ``work.stop`` is set."""
    counters = pointer_to(work.counters)
    stop = pointer_to(work.stop)
    moves = pointer_to(work.moves)
    root = Root(pointer_to(work.order), pointer_to(work.equal))
    age = u32(0)
    while stop[0] == 0:
        game = fetch_and_increment(pointer_to(next_game))
        if game >= games.shape[0]:
            break
        row = games[game]
        own, opp, kings = u32(row[OWN]), u32(row[OPP]), u32(row[KINGS])
        white_to_move = row[WHITE_BEGINS] != 0
        counters[EVALUATIONS] = 0
        counters[NODES] = 0
        counters[NODE_LIMIT] = i64(1) << 62
        age = _next_game(work, age)
        winner, reason, ply = 0, _MOVE_LIMIT, 0
        rate = random_move_rate
        while True:
            end = list_moves(own, opp, kings, moves, 0)
            if end == 0:
                winner = 1 if white_to_move else -1
                reason = _NO_PIECES if own == u32(0) else _NO_MOVES
                break
            if ply >= max_plies or stop[0] != 0:
                if pieces_decide:
                    lead = i64(popcount(own)) - i64(popcount(opp))
                    if lead != 0:
                        winner = 1 if (lead > 0) != white_to_move else -1
                        reason = _ADJUDICATION
                break
            chosen = 0
            if rate_rise > 0.0:
                if _was_seen(seen, ply, own, opp, kings):
                    rate = min(1.0, rate + rate_rise)
                seen[ply, 0], seen[ply, 1], seen[ply, 2] = own, opp, kings
            depth = row[WHITE_PLIES] if white_to_move else row[BLACK_PLIES]
            if depth == 0 or (rate > 0.0 and uniform(mix(seeds[game], u64(ply) | _MOVE_AT_RANDOM)) < rate):
                number = mix(seeds[game], u64(ply) | _WHICH_AT_RANDOM)
                chosen = i64(number % u64(end // MOVE_WORDS)) * MOVE_WORDS
            elif end > MOVE_WORDS:
                player, side = row[BLACK], u32(0)
                if white_to_move:
                    player, side = row[WHITE], u32(1)
                salt = mix(seeds[game], ~u64(side))
                player_weights = offset(pointer_to(weights), player * weights.shape[1])
                s = searching(work, kinds[player], flags[player], player_weights, age + side, salt, white_to_move)
                count, _, _ = search_root(s, root, own, opp, kings, 2 - depth % 2, depth, extensions, 0)
                chosen = draw_equal(root, count, mix(seeds[game], u64(ply))) * MOVE_WORDS
            codes[game, ply] = moves[chosen + 3]
            own, opp, kings = turn(moves[chosen], moves[chosen + 1], moves[chosen + 2])
            white_to_move = not white_to_move
            ply += 1
        winners[game], reasons[game], plies[game] = winner, reason, ply
        evaluations[game] = counters[EVALUATIONS]


def batch_rows(pairings: Sequence[Pairing], evaluators: int) -> tuple[np.ndarray, np.ndarray]:
    """A row for each game, checked, and the seeds."""
    rows = np.zeros((len(pairings), FIELDS), np.int64)
    for row, pairing in zip(rows, pairings, strict=True):
        row[:] = _row(pairing, evaluators)
    return rows, np.array([pairing.seed & (2**64 - 1) for pairing in pairings], np.uint64)


def empty_result(pairings: Sequence[Pairing], rules: GameRules) -> BatchResult:
    """Records to be filled."""
    count = len(pairings)
    return BatchResult(
        winners=np.zeros(count, np.int8),
        reasons=np.zeros(count, np.int8),
        plies=np.zeros(count, np.int32),
        evaluations=np.zeros(count, np.int64),
        codes=np.zeros((count, rules.max_plies), np.uint32),
        starts=[pairing.start for pairing in pairings],
    )


def join_batches(batches: Sequence[GameBatch]) -> GameBatch:
    """Several batches under the same rules as one."""
    pairings: list[Pairing] = []
    first = 0
    for batch in batches:
        pairings += [replace(p, black=p.black + first, white=p.white + first) for p in batch.pairings]
        first += len(batch.evaluators)
    return GameBatch(join([stack(batch.evaluators) for batch in batches]), pairings, batches[0].rules)


def split_result(result: BatchResult, counts: Sequence[int]) -> list[BatchResult]:
    """The inverse of ``join_batches``: the records of so many games each."""
    parts = []
    first = 0
    for count in counts:
        rows = slice(first, first + count)
        columns = {
            name: getattr(result, name)[rows] for name in ("winners", "reasons", "plies", "evaluations", "codes")
        }
        parts.append(BatchResult(**columns, starts=result.starts[rows]))
        first += count
    return parts


def play_batch(
    evaluators: Evaluators,
    pairings: Sequence[Pairing],
    rules: GameRules | None = None,
    threads: int | None = None,
) -> BatchResult:
    """Play all games, on as many threads as there are cores unless told otherwise.

    An interrupt (Ctrl-C) stops all threads at once and goes on as ``KeyboardInterrupt``.
    """
    rules = rules or GameRules()
    if rules.precision is not Precision.FP32:
        raise PairingError(f"games of precision {rules.precision.value} are played on a GPU: --executor gpu")
    table = stack(evaluators)
    rows, seeds = batch_rows(pairings, len(evaluators))
    result = empty_result(pairings, rules)

    def work(_: int, next_game: np.ndarray, stop: np.ndarray) -> None:
        _play_games(
            Workspace.create(TABLE_BITS)._replace(stop=stop),
            next_game,
            table.kinds,
            table.flags,
            table.weights,
            rows,
            seeds,
            rules.max_plies,
            rules.extensions,
            rules.random_move_rate,
            rules.rate_rise,
            rules.pieces_decide,
            np.zeros((rules.max_plies, 3), np.uint32),
            result.winners,
            result.reasons,
            result.plies,
            result.evaluations,
            result.codes,
        )

    run_threads(work, min(thread_count(threads), max(len(pairings), 1)))
    return result


def _row(pairing: Pairing, evaluators: int) -> list[int]:
    for player in (pairing.black, pairing.white):
        if not 0 <= player < evaluators:
            raise PairingError(f"a pairing names evaluator {player}, but there are {evaluators}")
    for plies in (pairing.black_plies, pairing.white_plies):
        if not 0 <= plies <= MAX_PLIES:
            raise PairingError(f"a pairing asks for {plies} plies, not 0 to {MAX_PLIES}")
    white_begins = int(pairing.start.turn is Color.WHITE)
    own, opp, kings = Board(pairing.start).mover_words
    depths = [pairing.black_plies, pairing.white_plies]
    return [pairing.black, pairing.white, *depths, own, opp, kings, white_begins]
