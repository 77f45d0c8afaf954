"""Players as objects."""

from evocheckers import Board, Evaluator, Limit, piece_differential
from evocheckers.players.player import Contestant, SearchingPlayer
from evocheckers.rules.fen import START
from evocheckers.search.batched import BatchedSearcher
from evocheckers.search.searcher import Searcher


class WatchedSearcher(Searcher):
    def __init__(self) -> None:
        super().__init__(piece_differential())
        self.asked: list[str] = []

    def search(self, board, limit, *rest, **named):
        self.asked.append(str(limit))
        return super().search(board, limit, *rest, **named)


def test_everything_is_compiled_before_a_clock_runs():
    for limit, asked in ((Limit(seconds=0.01), ["1 nodes", "0.01 s"]), (Limit(plies=2), ["2 plies"])):
        searcher = WatchedSearcher()
        player = SearchingPlayer(searcher, limit)
        player.begin(START, 3)
        player.choose(Board())
        assert searcher.asked == asked


def test_a_contestant_makes_the_player_that_fits_it():
    compiled = Contestant("a", piece_differential(), Limit(plies=2))
    function = Contestant("b", Evaluator.from_function(lambda planes: planes[:, 0].sum(axis=1)), Limit(plies=2))
    assert isinstance(compiled.searcher(), Searcher)
    assert isinstance(function.searcher(), BatchedSearcher)
    assert (compiled.batch_plies, function.batch_plies, Contestant("random").batch_plies) == (2, None, 0)
    for contestant in (compiled, function, Contestant("random")):
        player = contestant.player()
        player.begin(START, 1)
        assert player.choose(Board()) in Board().legal_moves()
