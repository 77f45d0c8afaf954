import pytest

from evocheckers import Board, Color
from evocheckers.endgames.values import Database
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.adjudication import adjudicate
from evocheckers.games.game import PlayedGame
from evocheckers.rules.outcome import Outcome, Reason

UNFINISHED = Outcome(None, Reason.MOVE_LIMIT)


@pytest.fixture(scope="module")
def database() -> Database:
    return Database.build(3)


def game(fen: str, outcome: Outcome = UNFINISHED) -> PlayedGame:
    return PlayedGame(1, "a", "b", (), (), outcome, start=Board(fen).position)


def test_positions_of_the_database_are_decided_at_once(database):
    decided, drawn = adjudicate([game("W:WK1,K23:BK15"), game("B:WK1:BK15")], database, ThreadExecutor(1))
    assert decided.outcome == Outcome(Color.WHITE, Reason.ADJUDICATION)
    assert decided.note == "won for White by the endgame database"
    assert drawn.outcome == Outcome(None, Reason.ADJUDICATION)
    assert drawn.note == "a draw by the endgame database"


def test_others_are_played_on_until_it_decides(database):
    (found,) = adjudicate([game("B:WK1,K2,12:BK10,K11,K14,K15")], database, ThreadExecutor(2))
    assert found.outcome == Outcome(Color.BLACK, Reason.ADJUDICATION)
    assert found.note.startswith("played on for")
    assert found.note.endswith("won for Black by the endgame database")
    end = Board(found.start).push_all(found.played_on)
    assert database.probe(end) is not None
    assert found.to_pdn("x").tags["PlayedOn"].split() == [str(move) for move in found.played_on]


def test_finished_games_stay_as_they_are(database):
    finished = game("B:W32:B1", Outcome(Color.WHITE, Reason.NO_MOVES))
    assert list(adjudicate([finished], database, ThreadExecutor(1))) == [finished]
