"""Adjudication of unfinished games as in the papers: a strong program with an endgame database plays them out.

The adjudicator (``networks.adjudicator``) plays both sides from where a game stopped, until the database knows the
value of the position or the game ends. The verdict replaces the draw; how it was found is kept with the game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evocheckers.endgames.values import Database, Value
from evocheckers.games.batch import Executor, GameBatch, GameRules, Pairing
from evocheckers.games.game import PlayedGame
from evocheckers.native.randomness import key
from evocheckers.networks.adjudicator import pack
from evocheckers.networks.evaluator import Evaluator
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import Leaf, SearchRules
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.rules.outcome import Outcome, Reason

PLIES = 11
"""Search depth of the adjudicator."""
MAX_ADJUDICATED_PLIES = 200
"""A game that the adjudicator cannot decide within this many plies is a draw."""
BATCH = 16
"""Games played out between two progress reports."""
UNFINISHED = (Reason.MOVE_LIMIT, Reason.REPETITION)
_ADJUDICATION = 11
"""Keeps these games' random numbers apart from all others."""


def adjudicating_evaluator(database: Database) -> Evaluator:
    """The adjudicator with a database."""
    return Evaluator(Kind.ADJUDICATOR, pack(database.packed), SearchRules(leaf=Leaf.MOVER, extensions=0))


def adjudicate(
    games: Sequence[PlayedGame], database: Database, executor: Executor, plies: int = PLIES
) -> Iterator[PlayedGame]:
    """The same games in the same order, the unfinished ones with a verdict."""
    adjudicator = adjudicating_evaluator(database)
    for first in range(0, len(games), BATCH):
        part = list(games[first : first + BATCH])
        waiting = []
        for place, game in enumerate(part):
            if game.outcome.reason in UNFINISHED:
                verdict = _known(game, database)
                if verdict is None:
                    waiting.append(place)
                else:
                    part[place] = verdict
        if waiting:
            result = executor.play(_batch([part[place] for place in waiting], adjudicator, plies))
            for row, place in enumerate(waiting):
                part[place] = _played_out(part[place], result[row].moves, result.outcome(row), database)
        yield from part


def _batch(games: Sequence[PlayedGame], adjudicator: Evaluator, plies: int) -> GameBatch:
    pairings = [Pairing(0, 0, key(game.number, _ADJUDICATION), plies, plies, game.board().position) for game in games]
    return GameBatch([adjudicator], pairings, GameRules(MAX_ADJUDICATED_PLIES))


def _known(game: PlayedGame, database: Database) -> PlayedGame | None:
    """The verdict on a game whose last position is in the database."""
    verdict = _from_database(Board(game.board().position), database)
    return None if verdict is None else _decided(game, verdict, f"{verdict_text(verdict)} by the endgame database")


def _played_out(game: PlayedGame, moves: Sequence[Move], outcome: Outcome, database: Database) -> PlayedGame:
    """The verdict on a game that the adjudicator has played on."""
    board = Board(game.board().position)
    for ply, move in enumerate(moves, 1):
        board.push(move)
        verdict = _from_database(board, database)
        if verdict is not None:
            note = f"played on for {ply} plies, then {verdict_text(verdict)} by the endgame database"
            return _decided(game, verdict, note, moves[:ply])
    verdict = Outcome(outcome.winner, Reason.ADJUDICATION)
    return _decided(game, verdict, f"played on for {len(moves)} plies: {outcome}", moves)


def _from_database(board: Board, database: Database) -> Outcome | None:
    value = database.probe(board)
    if value is None:
        return None
    winner: Color | None = None
    if value is not Value.DRAW:
        winner = board.turn if value is Value.WIN else board.turn.opponent
    return Outcome(winner, Reason.ADJUDICATION)


def _decided(game: PlayedGame, outcome: Outcome, note: str, moves: Sequence[Move] = ()) -> PlayedGame:
    return replace(game, outcome=outcome, note=note, played_on=tuple(moves))


def verdict_text(outcome: Outcome) -> str:
    """A verdict in words."""
    return "a draw" if outcome.winner is None else f"won for {outcome.winner}"
