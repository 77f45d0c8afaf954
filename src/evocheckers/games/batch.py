"""Batches of games between many evaluators: what to play, the records that come back, and the code that plays them.

Compiled code plays a batch with one call per thread, the GIL released, and hands out the games one by one. A game
depends on its own row alone (evaluators, start, depths, seed), never on the thread that plays it, so the records are
the same for any number of threads. Executors play the same batches elsewhere, with the same records.
"""

import enum
import hashlib
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from evocheckers.errors import EvocheckersError, whole_number
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import fetch_and_increment, i64, offset, pointer_to, popcount, u32, u64
from evocheckers.native.randomness import mix, uniform
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.networks.evaluator import Evaluators, EvaluatorTable, join, stack
from evocheckers.networks.search_rules import FREE_BIT, STANDING_BIT
from evocheckers.rules.bitboard import MOVE_WORDS, jumpers, list_moves, list_steps_beside, turn
from evocheckers.rules.board import Board
from evocheckers.rules.fen import START, Position
from evocheckers.rules.move import Color, Move
from evocheckers.rules.outcome import REPETITIONS, Outcome, Reason
from evocheckers.search.exact.root import Depths, RootMoves, choose_equal, search_root
from evocheckers.search.exact.search import ExactArrays, exact_state_of
from evocheckers.search.exact.table import AGES
from evocheckers.search.state import (
    EVALUATIONS_COUNTER,
    HISTORY,
    MAX_DEPTH_PLIES,
    NODE_LIMIT_COUNTER,
    NODES_COUNTER,
    PackedEvaluator,
)

MOVES_PER_SIDE = 100
"""The papers' limit: a draw after 100 moves by each side."""


MAX_PLIES = 100_000
"""The longest games that a batch can play."""


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
    _: KW_ONLY
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
        whole_number("max_plies", self.max_plies, 1, MAX_PLIES, PairingError)
        if not (0 <= self.random_move_rate <= 1 and 0 <= self.rate_rise <= 1):
            raise PairingError("rates of random moves must be between 0 and 1")


class GameBatch(NamedTuple):
    """Games to play, wherever they are played. All searches have the same extensions."""

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
    whole = np.array(who).reshape(-1, 4)
    if len(who) and not np.issubdtype(whole.dtype, np.integer):
        raise PairingError("pairings name evaluators and depths by whole numbers")
    rows[:, : WHITE_PLIES_COLUMN + 1] = whole
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
    """Join several batches under the same rules and with the same extensions into one."""
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


GAME_TABLE_BITS = 14
"""Transposition table of 2^14 entries, half a megabyte: at 4 plies, games gain most from one that stays in the core's
own cache."""

MOVE_AT_RANDOM_SHIFT, WHICH_AT_RANDOM_SHIFT = 32, 33
_MOVE_AT_RANDOM, _WHICH_AT_RANDOM = u64(1 << MOVE_AT_RANDOM_SHIFT), u64(1 << WHICH_AT_RANDOM_SHIFT)
"""Keep these random numbers apart from those that break ties between equal moves."""

_NO_PIECES, _NO_MOVES, _MOVE_LIMIT, _REPETITION, _ADJUDICATION = (
    Reason.NO_PIECES.value,
    Reason.NO_MOVES.value,
    Reason.MOVE_LIMIT.value,
    Reason.REPETITION.value,
    Reason.ADJUDICATION.value,
)


@inner
def _next_game(work: Any, age: u32) -> u32:
    """Forget the previous game, so that the cost of a game does not depend on the thread either."""
    for i in range(HISTORY):
        work.history[i] = u32(0)
    if age + u32(4) < u32(AGES):
        return u32(age + u32(2))
    for i in range(work.table.size):
        work.table[i] = u32(0)
    return u32(2)


@inner
def _times_seen(seen: np.ndarray, ply: int, own: u32, opp: u32, kings: u32) -> int:
    """How often the position has occurred before with the same side to move."""
    times = 0
    for earlier in range(ply - 2, -1, -2):
        if seen[earlier, 0] == own and seen[earlier, 1] == opp and seen[earlier, 2] == kings:
            times += 1
    return times


class _Pairings(NamedTuple):
    """The games to play and the evaluators that play them."""

    rows: np.ndarray
    seeds: np.ndarray
    kinds: np.ndarray
    flags: np.ndarray
    weights: np.ndarray


class _Rules(NamedTuple):
    """``GameRules`` as compiled code takes them, and the extensions of all searches."""

    max_plies: int
    extensions: int
    random_move_rate: float
    rate_rise: float
    pieces_decide: bool
    repetition: bool
    compulsory: bool


class _Records(NamedTuple):
    """Output arrays: the columns of a ``BatchResult``."""

    winners: np.ndarray
    reasons: np.ndarray
    plies: np.ndarray
    evaluations: np.ndarray
    codes: np.ndarray


@entry
def _play_games(work: Any, next_game: np.ndarray, games: Any, rules: Any, seen: np.ndarray, records: Any) -> None:
    """Play games until none is left, or until ``work.stop`` is set. ``seen`` has room for the positions of a game."""
    counters = pointer_to(work.counters)
    stop = pointer_to(work.stop)
    moves = pointer_to(work.moves)
    root = RootMoves(pointer_to(work.order), pointer_to(work.equal))
    age = u32(0)
    while stop[0] == 0:
        game = fetch_and_increment(pointer_to(next_game))
        if game >= games.rows.shape[0]:
            break
        row, seed = games.rows[game], games.seeds[game]
        own, opp, kings = u32(row[OWN_COLUMN]), u32(row[OPP_COLUMN]), u32(row[KINGS_COLUMN])
        white_to_move = row[WHITE_BEGINS_COLUMN] != 0
        counters[EVALUATIONS_COUNTER] = 0
        counters[NODES_COUNTER] = 0
        counters[NODE_LIMIT_COUNTER] = i64(1) << 62
        age = _next_game(work, age)
        winner, reason, ply = 0, _MOVE_LIMIT, 0
        rate = rules.random_move_rate
        while True:
            end = list_moves(own, opp, kings, moves, 0)
            if not rules.compulsory and jumpers(own, opp, kings) != u32(0):
                end = list_steps_beside(own, opp, kings, moves, 0, end)
            if end == 0:
                winner = 1 if white_to_move else -1
                reason = _NO_PIECES if own == u32(0) else _NO_MOVES
                break
            if ply >= rules.max_plies or stop[0] != 0:
                if rules.pieces_decide:
                    lead = i64(popcount(own)) - i64(popcount(opp))
                    if lead != 0:
                        winner = 1 if (lead > 0) != white_to_move else -1
                        reason = _ADJUDICATION
                break
            chosen = 0
            if rules.rate_rise > 0.0 or rules.repetition:
                times = _times_seen(seen, ply, own, opp, kings)
                if rules.repetition and times + 1 >= REPETITIONS:
                    reason = _REPETITION
                    break
                if times > 0:
                    rate = min(1.0, rate + rules.rate_rise)
                seen[ply, 0], seen[ply, 1], seen[ply, 2] = own, opp, kings
            depth = row[WHITE_PLIES_COLUMN] if white_to_move else row[BLACK_PLIES_COLUMN]
            if depth == 0 or (rate > 0.0 and uniform(mix(seed, u64(ply) | _MOVE_AT_RANDOM)) < rate):
                number = mix(seed, u64(ply) | _WHICH_AT_RANDOM)
                chosen = i64(number % u64(end // MOVE_WORDS)) * MOVE_WORDS
            elif end > MOVE_WORDS:
                player, side = row[BLACK_COLUMN], u32(0)
                if white_to_move:
                    player, side = row[WHITE_COLUMN], u32(1)
                weights = offset(pointer_to(games.weights), player * games.weights.shape[1])
                flags = games.flags[player] | (0 if rules.compulsory else FREE_BIT)
                evaluator = PackedEvaluator(games.kinds[player], flags, weights)
                s = exact_state_of(work, evaluator, age + side, mix(seed, ~u64(side)), white_to_move)
                depths = Depths(2 - depth % 2, depth, rules.extensions, 0)
                count, _, _ = search_root(s, root, own, opp, kings, depths)
                chosen = choose_equal(root, count, mix(seed, u64(ply))) * MOVE_WORDS
            records.codes[game, ply] = moves[chosen + 3]
            own, opp, kings = turn(moves[chosen], moves[chosen + 1], moves[chosen + 2])
            white_to_move = not white_to_move
            ply += 1
        records.winners[game], records.reasons[game], records.plies[game] = winner, reason, ply
        records.evaluations[game] = counters[EVALUATIONS_COUNTER]


def play_rows(
    table: EvaluatorTable, rows: np.ndarray, seeds: np.ndarray, rules: GameRules, result: BatchResult, threads: int
) -> None:
    """Play games that are already laid out in rows, and fill in their records."""
    games = _Pairings(rows, seeds, table.kinds, table.flags, table.weights)
    about = {name: getattr(rules, name) for name in _Rules._fields if name != "extensions"}
    given = _Rules(**about, extensions=table.extensions)
    records = _Records(*(getattr(result, name) for name in _Records._fields))

    def work(_: int, next_game: np.ndarray, stop: np.ndarray) -> None:
        space = ExactArrays.create(GAME_TABLE_BITS)._replace(stop=stop)
        _play_games(space, next_game, games, given, np.zeros((rules.max_plies, 3), np.uint32), records)

    run_threads(work, min(threads, max(len(rows), 1)))


def play_batch(
    evaluators: Evaluators,
    pairings: Sequence[Pairing],
    rules: GameRules | None = None,
    threads: int | None = None,
) -> BatchResult:
    """Play all games, by default on as many threads as there are cores.

    An interrupt (Ctrl-C) stops all threads at once and is passed on as ``KeyboardInterrupt``.
    """
    rules = rules or GameRules()
    refuse_half_precision(rules)
    rows, seeds = batch_rows(pairings, len(evaluators))
    table = stack(evaluators)
    searching = rows[:, : WHITE_COLUMN + 1][rows[:, BLACK_PLIES_COLUMN : WHITE_PLIES_COLUMN + 1] > 0]
    if not rules.compulsory and not (table.flags[searching] & STANDING_BIT).all():
        wanted = "evaluators that do not follow captures: with_rules(quiescence=False)"
        raise PairingError(f"games in which jumping is optional are for {wanted}")
    result = empty_result([pairing.start for pairing in pairings], rules)
    play_rows(table, rows, seeds, rules, result, thread_count(threads))
    if len(rows) and not result.reasons.all():
        raise PairingError("some games were not played")
    return result


def refuse_half_precision(rules: GameRules) -> None:
    """Refuse half precision, which compiled code for processors does not have."""
    if rules.precision is not Precision.FP32:
        raise PairingError(f"games of precision {rules.precision.value} are played on a GPU: --executor gpu")
