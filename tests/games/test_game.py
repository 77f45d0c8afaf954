"""One game between players: how it ends, and what its moves cost."""

from evocheckers import Board, Color, Contestant, Limit, Move, Outcome, Position, Reason
from evocheckers.games.game import Effort, PlayedGame, play_game
from evocheckers.players.make import make_contestant


class Shuffler:
    """Moves its king to and fro."""

    def begin(self, start: Position, seed: int) -> None:
        pass

    def choose(self, board: Board) -> Move:
        return board.parse({"1": "1-5", "5": "5-1", "32": "32-27", "27": "27-32"}[self._king(board)])

    @staticmethod
    def _king(board: Board) -> str:
        sign = "B" if board.turn is Color.BLACK else "W"
        return next(str(square) for square in range(1, 33) if board.piece_at(square) == sign)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def shuffled(repetition: bool, board: Board) -> tuple[Outcome, list[Effort]]:
    efforts: list[Effort] = []
    outcome, _ = play_game(Shuffler(), Shuffler(), board, 40, on_move=efforts.append, repetition=repetition)
    return outcome, efforts


def test_the_third_occurrence_draws_if_that_rule_is_played():
    board = Board("B:WK32:BK1")
    outcome, efforts = shuffled(True, board)
    assert (outcome, len(efforts)) == (Outcome(None, Reason.REPETITION), 8)
    assert str(outcome) == "draw by repetition"
    outcome, efforts = shuffled(False, Board("B:WK32:BK1"))
    assert (outcome, len(efforts)) == (Outcome(None, Reason.MOVE_LIMIT), 40)
    given = Board("B:WK32:BK1").push_all(["1-5", "32-27", "5-1", "27-32"])
    assert len(shuffled(True, given)[1]) == 4  # what was played before counts


def test_the_record_tells_the_reason():
    board = Board("B:WK32:BK1")
    outcome, _ = shuffled(True, board)
    game = PlayedGame(1, "a", "b", (), tuple(board.moves), outcome, start=board.start).to_pdn("test")
    assert (game.tags["Termination"], game.result) == ("repetition", "1/2-1/2")


def test_every_move_is_told_with_what_it_cost():
    board = Board("B:W15,23,32:B10")  # one move, then none
    efforts: list[Effort] = []
    player = Contestant("material", make_contestant("material").evaluator, Limit(nodes=500)).player()
    play_game(player, player, board, 1, on_move=efforts.append)
    assert [(effort.is_forced, effort.plies) for effort in efforts] == [(True, None)]
    efforts.clear()
    play_game(player, player, Board(), 3, on_move=efforts.append)
    assert [effort.is_forced for effort in efforts] == [False] * 3
    assert all(effort.plies is not None and effort.plies >= 2 and effort.seconds > 0 for effort in efforts)
