"""Unfinished games played out, as the papers did: by a strong program with an endgame database.

The judge (``evaluation.judge``) plays both sides from where a game stopped, until the database knows the value of the
position or the game ends. The verdict takes the place of the draw; how it was found is kept with the game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evocheckers.endgames.database import Database, Value
from evocheckers.evaluation import judge
from evocheckers.evaluation.dispatch import Kind
from evocheckers.evaluation.evaluator import Evaluator, Leaf
from evocheckers.games.batch import Executor, GameBatch, GameRules, Pairing
from evocheckers.games.game import PlayedGame
from evocheckers.native.randomness import key
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Outcome, Reason

PLIES = 11
"""How far the judge looks ahead."""
MAX_PLIES = 200
"""A game that the judge cannot decide within so many plies is a draw."""
UNFINISHED = (Reason.MOVE_LIMIT, Reason.REPETITION)
_ADJUDICATION = 11
"""Sets these games' random numbers apart."""


def judge_evaluator(database: Database) -> Evaluator:
    """The judge with a database."""
    return Evaluator(Kind.JUDGE, judge.pack(database.packed), leaf=Leaf.MOVER)


def adjudicate(
    games: Sequence[PlayedGame], database: Database, executor: Executor, plies: int = PLIES
) -> list[PlayedGame]:
    """The same games, the unfinished ones with a verdict."""
    verdicts: dict[int, PlayedGame] = {}
    open_games: list[tuple[int, Board]] = []
    for index, game in enumerate(games):
        if game.outcome.reason in UNFINISHED:
            board = Board(game.board().position)
            verdict = _from_database(board, database)
            if verdict is None:
                open_games.append((index, board))
            else:
                verdicts[index] = _decided(game, verdict, f"{verdict_text(verdict)} by the endgame database")
    judging = judge_evaluator(database)
    for index, board, moves, outcome in _played_out(open_games, judging, executor, plies):
        game = games[index]
        known = None
        for ply, move in enumerate(moves, 1):
            board.push(move)
            known = _from_database(board, database)
            if known is not None:
                note = f"played on for {ply} plies, then {verdict_text(known)} by the endgame database"
                verdicts[index] = _decided(game, known, note)
                break
        if known is None:
            note = f"played on for {len(moves)} plies: {outcome}"
            verdicts[index] = _decided(game, Outcome(outcome.winner, Reason.ADJUDICATION), note)
    return [verdicts.get(index, game) for index, game in enumerate(games)]


def _played_out(
    open_games: list[tuple[int, Board]], judging: Evaluator, executor: Executor, plies: int
) -> Iterator[tuple[int, Board, tuple, Outcome]]:
    pairings = [Pairing(0, 0, key(index, _ADJUDICATION), plies, plies, board.position) for index, board in open_games]
    if not pairings:
        return
    result = executor.play(GameBatch([judging], pairings, GameRules(MAX_PLIES, extensions=0)))
    for row, (index, board) in enumerate(open_games):
        yield index, board, result[row].moves, result.outcome(row)


def _from_database(board: Board, database: Database) -> Outcome | None:
    value = database.probe(board)
    if value is None:
        return None
    winner: Color | None = None
    if value is not Value.DRAW:
        winner = board.turn if value is Value.WIN else board.turn.opponent
    return Outcome(winner, Reason.ADJUDICATION)


def _decided(game: PlayedGame, outcome: Outcome, note: str) -> PlayedGame:
    return replace(game, outcome=outcome, note=note)


def verdict_text(outcome: Outcome) -> str:
    """A verdict in words."""
    return "a draw" if outcome.winner is None else f"won for {outcome.winner}"
