"""Matches: counted from the first player, the same for any number of workers, and proof against bad engines."""

import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evocheckers import Board, Color, Forced, Wins, piece_differential, read_pdn, write_pdn
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.players.make import make_contestant
from evocheckers.players.player import Contestant
from evocheckers.rules.fen import format_fen
from evocheckers.rules.outcome import Reason
from evocheckers.search.limit import Limit
from evocheckers.tournaments.match import Match, first_color, play_match, search_alike
from evocheckers.tournaments.round_robin import Tournament, play_round_robin
from evocheckers.tournaments.score import elo_of

TWO = ThreadExecutor(2)


SIX = ballots()[:6]


def played(first: str, second: str, lines=SIX, workers=2, **options) -> Match:
    pair = make_contestant(first), make_contestant(second)
    games = list(play_match(*pair, lines, ThreadExecutor(workers), workers=workers, **options))
    return Match(pair[0].name, pair[1].name, sorted(games, key=lambda game: game.number))


def test_a_match_is_counted_from_the_first_player():
    match = played("material@3", "random")
    assert match.score.wins == match.score.games == 12
    turned = played("random", "material@3")
    assert turned.score.losses == 12
    assert [game.black for game in turned.games[:2]] == ["random", "material@3"]
    numbers = turned.to_json()
    names = ["first", "second", "games", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high", "digest"]
    assert set(names) <= set(numbers)
    assert (numbers["wins"], numbers["losses"], numbers["score"]) == (0, 12, 0.0)


def test_the_interval_over_openings_groups_their_games():
    match = played("material@1", "material@2", [opening for opening in SIX for _ in range(3)])
    by_opening: dict[tuple, list[float]] = {}
    for game in match.games:
        by_opening.setdefault(game.opening, []).append((1 + game.value_to(first_color(game))) / 2)
    means = [sum(values) / len(values) for values in by_opening.values()]
    assert match.shares_by_opening == pytest.approx(means)
    low, high = stats.t.interval(0.95, len(means) - 1, loc=np.mean(means), scale=stats.sem(means))
    assert match.interval_by_opening == pytest.approx((max(0, low), min(1, high)))
    assert match.to_json()["elo_low_by_opening"] == pytest.approx(elo_of(match.interval_by_opening[0]))
    won = played("material@3", "random")
    assert won.interval_by_opening == won.score.interval, "equal shares tell nothing of their scatter"


@pytest.mark.parametrize("second", ["material@2", "material@300n"])  # in a batch, and game by game
def test_openings_may_begin_with_a_position(second):
    fens = [Board("W:W18,22,30,31,32:B1,2,3,10,11").fen(), Board("B:W18,22,30,31,32:B1,2,3,10,11").fen()]
    match = played("material@2", second, [f"{fens[0]} 22-17", fens[1]])
    assert [(format_fen(game.start), len(game.opening)) for game in match.games] == [(fens[0], 1)] * 2 + [
        (fens[1], 0)
    ] * 2
    for game, record in zip(match.games, read_pdn(write_pdn(game.to_pdn("test") for game in match.games)), strict=True):
        assert record.board() == game.board()
        assert game.outcome == game.board().outcome(200)


@pytest.mark.parametrize("second", ["material:noise@4", "material:noise@300n", "random"])
def test_the_same_games_for_any_number_of_workers(second):
    digests = {played("material@3", second, FIRST_MOVES[:3], workers).digest for workers in (1, 2, 4)}
    assert len(digests) == 1
    assert digests != {played("material@3", second, FIRST_MOVES[:3], seed=1).digest}


def test_games_go_to_pdn_and_back_with_how_they_ended():
    match = played("material@2", "material:noise@2", max_plies=60)
    games = read_pdn(write_pdn(game.to_pdn("test") for game in match.games))
    assert len(games) == 12
    for record, game in zip(games, match.games, strict=True):
        assert record.moves == [*game.opening, *game.moves]
        assert record.opening == list(game.opening)
        assert record.result == game.outcome.result
        assert record.tags["Termination"] == str(game.outcome.reason)
        lead = record.board().position.black.bit_count() - record.board().position.white.bit_count()
        assert lead == game.lead_of(Color.BLACK)


def test_piece_counting_searches_as_its_opponent():
    network = Contestant("network", piece_differential().with_rules(extensions=0), Limit(plies=2))
    counting = Contestant("material", piece_differential(), Limit(plies=2))
    assert [c.batch_evaluator.rules.extensions for c in search_alike(network, counting)] == [0, 0]
    assert [c.batch_evaluator.rules.extensions for c in search_alike(counting, counting)] == [2, 2]
    other = Contestant("other", piece_differential().with_rules(extensions=1), Limit(plies=2))
    assert [c.batch_evaluator.rules.extensions for c in search_alike(network, other)] == [0, 1]
    assert len(list(play_match(network, other, ("",), TWO))) == 2


def test_piece_counting_reads_the_paper_as_its_opponent():
    reading = piece_differential().with_rules(forced=Forced.ONLY_MOVE, wins=Wins.EQUAL, extensions=3)
    network = Contestant("network", reading, Limit(plies=2))
    for pair in (
        search_alike(network, make_contestant("material@2")),
        search_alike(make_contestant("material@2"), network),
    ):
        assert [c.batch_evaluator.rules for c in pair] == [reading.rules, reading.rules]
    own = make_contestant("material@2").with_rules(extensions=1, forced=Forced.ANY_JUMP, wins=Wins.EQUAL)
    assert search_alike(own, network)[0].batch_evaluator.rules.forced is Forced.ANY_JUMP
    assert make_contestant("anaconda-840").with_rules(wins=Wins.EQUAL).batch_evaluator.rules.wins is Wins.EQUAL


def test_a_round_robin_and_its_ratings():
    contestants = [make_contestant(name) for name in ("random", "material@1", "material@4")]
    matches: dict = {}
    for first, second, game in play_round_robin(contestants, FIRST_MOVES[:3], TWO):
        matches.setdefault((first, second), []).append(game)
    names = [contestant.name for contestant in contestants]
    result = Tournament(names, {pair: Match(names[pair[0]], names[pair[1]], games) for pair, games in matches.items()})
    assert set(matches) == {(0, 1), (0, 2), (1, 2)}
    ratings = [fitted.rating for fitted in result.ratings()]
    assert ratings[0] < ratings[1] < ratings[2]
    points = result.points(2, 0)
    assert points is not None
    assert points == (6.0, 6)
    assert result.points(0, 2) == (0.0, 6)
    assert result.to_json()["ratings"][2]["low"] < ratings[2]


ENGINE = """
import sys, time
how = sys.argv[1]
for line in sys.stdin:
    word = line.split()[0]
    if word == "hub":
        print("id name=bad"); print("wait", flush=True)
    elif word == "init":
        print("ready", flush=True)
    elif word == "go":
        if how == "dies":
            sys.exit(3)
        if how == "hangs":
            time.sleep(60)
        if how == "floods":
            while True:
                print("info " + "x" * 1000)
        print("done move=1-32" if how == "illegal" else "blah blah", flush=True)
    elif word == "quit":
        break
"""


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("dies", "exit status 3"),
        ("illegal", "1-32"),
        ("nonsense", "answer"),
        ("floods", "more than"),
        ("hangs", "no answer"),
    ],
)
def test_a_bad_engine_forfeits_and_the_match_goes_on(how, reason, tmp_path):
    script = tmp_path / "engine.py"
    script.write_text(textwrap.dedent(ENGINE))
    bad = make_contestant(f"engine:{sys.executable} {script} {how}@20ms")
    games = list(play_match(bad, make_contestant("material@2"), FIRST_MOVES[:1], TWO, workers=1))
    assert [game.outcome.reason for game in games] == [Reason.FORFEIT] * 2
    assert all(reason in game.note for game in games), games[0].note
    assert Match("bad", "material", games).score.losses == 2
    assert not [path for path in Path("/proc").glob("[0-9]*/cmdline") if str(script).encode() in command_of(path)]


def command_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has just ended
        return b""


def test_our_engine_plays_our_engine():
    command = f"engine:{sys.executable} -m evocheckers engine --player material@1"
    pair = make_contestant(f"{command}@2"), make_contestant(f"{command}@1")
    games = list(play_match(*pair, ("",), TWO, max_plies=30, workers=1))
    assert len(games) == 2
    assert all(game.outcome.reason in (Reason.MOVE_LIMIT, Reason.NO_MOVES, Reason.NO_PIECES) for game in games)


@pytest.mark.parametrize("second", ["material@2", "material@60n"])  # in a batch, and game by game
def test_the_third_occurrence_draws_if_that_rule_is_played(second):
    lines = ["B:WK32:BK5"] * 4
    reasons = {
        rule: {game.outcome.reason for game in played("material@2", second, lines, repetition=rule).games}
        for rule in (False, True)
    }
    assert Reason.REPETITION in reasons[True]
    assert Reason.REPETITION not in reasons[False]
