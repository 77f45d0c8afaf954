"""Makes the positions on which the selective search is measured: ``python -m tools.search_positions > FILE``.

Two networks of the package play one game from every sixth three-move ballot. Each game gives one position; a quarter
each are from the early game, two stages of the middle, and the late game. It is the first position from there on
without a capture and with at least five moves to choose from.
"""

from evocheckers import Board, Move, Pairing, play_batch
from evocheckers.games.openings import openings
from evocheckers.players.make import make_contestant

PLAYERS = ("anaconda-840@4", "es-190@4")
POSITIONS = 24
STAGES = (6, 16, 28, 42)
"""Plies after the opening."""
LEAST_MOVES = 5


def positions() -> list[str]:
    """The positions as FENs."""
    starts = openings("three-move")[::6][:POSITIONS]
    evaluators = [make_contestant(player).with_rules(extensions=2).batch_evaluator for player in PLAYERS]
    played = play_batch(evaluators, [Pairing(i % 2, 1 - i % 2, i, start=start) for i, start in enumerate(starts)])
    stages = [STAGES[i % len(STAGES)] + i // len(STAGES) % 2 for i in range(POSITIONS)]  # either side to move
    return [_position(Board(start), played[i].moves, stages[i]) for i, start in enumerate(starts)]


def _position(board: Board, moves: tuple[Move, ...], stage: int) -> str:
    """The first suitable position of a game from a stage on; if the game ends too soon, the last suitable one."""
    found = ""
    for ply, move in enumerate(moves):
        legal = board.legal_moves()
        if len(legal) >= LEAST_MOVES and not legal[0].captured:
            found = board.fen()
            if ply >= stage:
                break
        board.push(move)
    return found


if __name__ == "__main__":
    print("# Made by: python -m tools.search_positions")
    print("\n".join(positions()))
