"""What networks learn from: positions and results taken from games, and the sampling of batches.

A position is a row of four words: ``own``, ``opp`` and ``kings`` as the side to move sees them, and a word with the
result for that side in half points (the lowest two bits: 0 a loss, 1 a draw, 2 a win), then a bit that is set if White
is to move, then the number of its game. Only quiet positions are kept, those in which the side to move has no jump,
since no others are ever evaluated.

A step's batch is sampled by hashes of the step and the index in the batch, so that sampling has no state.
"""

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evocheckers.games.batch import BatchResult, start_rows
from evocheckers.native.compile import entry, inner
from evocheckers.native.intrinsics import fetch_and_increment, i64, pointer_to, u32, u64
from evocheckers.native.randomness import mix, uniform
from evocheckers.native.threads import run_threads, thread_count
from evocheckers.networks.gradient_layout import LearningError
from evocheckers.rules.bitboard import MAX_MOVES, MOVE_WORDS, jumpers, list_moves, turn


class ReplayError(LearningError):
    """A game with an illegal move; ``game`` is its number."""

    def __init__(self, game: int) -> None:
        self.game = game
        super().__init__(f"game {game + 1} of the batch holds an illegal move")


WORDS = 4
"""Words of a position: own, opp, kings, and result, side and game."""
LABEL_MASK = 3
WHITE_BIT = 4
GAME_SHIFT = 3
MAX_GAMES = 1 << (32 - GAME_SHIFT)


@entry
def _replay(
    next_game: np.ndarray,
    stop: np.ndarray,
    starts: np.ndarray,
    codes: np.ndarray,
    plies: np.ndarray,
    winners: np.ndarray,
    offsets: np.ndarray,
    first_game: int,
    scratch: np.ndarray,
    counts: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write each game's positions from its offset on; a count of -1 marks a game with an illegal move."""
    moves = pointer_to(scratch)
    while stop[0] == 0:
        game = fetch_and_increment(pointer_to(next_game))
        if game >= starts.shape[0]:
            break
        own, opp, kings = u32(starts[game, 0]), u32(starts[game, 1]), u32(starts[game, 2])
        white = starts[game, 3] != 0
        result = -winners[game] if white else winners[game]
        at, count = offsets[game], 0
        for ply in range(plies[game]):
            if jumpers(own, opp, kings) == u32(0):
                row = out[at + count]
                row[0], row[1], row[2] = own, opp, kings
                row[3] = u32((game + first_game) << GAME_SHIFT | (WHITE_BIT if white else 0) | (result + 1))
                count += 1
            end = list_moves(own, opp, kings, moves, 0)
            move = 0
            while move < end and moves[move + 3] != codes[game, ply]:
                move += MOVE_WORDS
            if move == end:
                count = -1
                break
            own, opp, kings = turn(moves[move], moves[move + 1], moves[move + 2])
            result, white = -result, not white
        counts[game] = count


@entry
def _compact(offsets: np.ndarray, counts: np.ndarray, spread: np.ndarray, out: np.ndarray) -> None:
    at = 0
    for game in range(counts.size):
        for i in range(counts[game]):
            for word in range(WORDS):
                out[at, word] = spread[offsets[game] + i, word]
            at += 1


def positions_of(result: BatchResult, first_game: int = 0, threads: int | None = None) -> np.ndarray:
    """The quiet positions in which a move was made, game by game; games are numbered from ``first_game``."""
    if first_game + len(result) > MAX_GAMES:
        raise LearningError(f"games are numbered below {MAX_GAMES}, not to {first_game + len(result) - 1}")
    offsets = np.concatenate([[0], np.cumsum(result.plies, dtype=np.int64)])
    spread = np.empty((offsets[-1], WORDS), np.uint32)
    counts = np.zeros(len(result), np.int64)
    starts = start_rows(result.starts)
    columns = (result.codes, result.plies, result.winners)

    def work(_: int, next_game: np.ndarray, stop: np.ndarray) -> None:
        scratch: Any = np.zeros(MAX_MOVES * MOVE_WORDS, np.uint32)
        _replay(next_game, stop, starts, *columns, offsets, first_game, scratch, counts, spread)

    run_threads(work, min(thread_count(threads), max(len(result), 1)))
    if (bad := np.flatnonzero(counts < 0)).size:
        raise ReplayError(int(bad[0]))
    out = np.empty((counts.sum(), WORDS), np.uint32)
    _compact(offsets, counts, spread, out)
    return out


def games_of(positions: np.ndarray) -> np.ndarray:
    """The number of each position's game."""
    return positions[:, 3] >> GAME_SHIFT


def labels_of(positions: np.ndarray) -> np.ndarray:
    """The result for the side to move in each position: 1, 0.5 or 0."""
    return (positions[:, 3] & LABEL_MASK) * np.float32(0.5)


_memory = threading.local()


class Experience(NamedTuple):
    """A generation's positions and who played them."""

    positions: np.ndarray
    black_ids: np.ndarray
    """The learner that played Black, for each game."""
    white_ids: np.ndarray


def experience_of(games: BatchResult, black_ids: np.ndarray, white_ids: np.ndarray) -> Experience:
    """The experience from games."""
    return Experience(positions_of(games), black_ids, white_ids)


def all_positions(experience: Sequence[Experience]) -> np.ndarray:
    """The positions of several generations, in memory that the next call in this thread reuses.

    There may be hundreds of megabytes: allocating fresh memory takes longer than copying them.
    """
    count = sum(len(part.positions) for part in experience)
    if len(getattr(_memory, "rows", ())) < count:
        _memory.rows = np.empty((count + count // 4, WORDS), np.uint32)
    rows: np.ndarray = _memory.rows[:count]
    return np.concatenate([part.positions for part in experience], out=rows)


def own_positions(experience: Sequence[Experience], learner: int) -> np.ndarray:
    """The indices, among all positions, of those from a learner's own games."""
    found, first = [], 0
    for part in experience:
        mine = (part.black_ids == learner) | (part.white_ids == learner)
        found.append(first + np.flatnonzero(mine[games_of(part.positions)]))
        first += len(part.positions)
    return np.concatenate(found).astype(np.uint32)


_WHOSE = u64(1)
"""Separates the random number that decides between own and all positions from the one that selects a position."""


@inner
def sample_block(
    seed: u64, step: int, first: int, own: np.ndarray, total: int, social_share: float, picked: np.ndarray
) -> None:
    """Sample a step's batch from index ``first`` on: a ``social_share`` from all ``total``, the rest from ``own``.

    An empty ``own`` means all.
    """
    key = mix(seed, u64(step))
    for i in range(picked.size):
        number = mix(key, u64(first + i))
        if own.size == 0 or (social_share > 0.0 and uniform(mix(number, _WHOSE)) < social_share):
            picked[i] = i64(number % u64(total))
        else:
            picked[i] = i64(own[number % u64(own.size)])
