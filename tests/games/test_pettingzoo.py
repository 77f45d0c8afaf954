import random
import subprocess
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from evocheckers import Board, EvocheckersError
from evocheckers.games.pettingzoo import ActionError, CheckersEnvironment, env, raw_env
from evocheckers.rules.move import Color, row_and_column


def begin(fen: str | None = None, **settings) -> CheckersEnvironment:
    environment = raw_env(**settings)
    environment.reset(options={"fen": fen} if fen else None)
    return environment


def legal(environment: CheckersEnvironment) -> list[int]:
    return [int(action) for action in np.flatnonzero(environment.observe(environment.agent_selection)["action_mask"])]


def test_the_environment_passes_pettingzoo_s_own_tests(capfd):
    with warnings.catch_warnings():
        for advice in (
            "Observation space for each agent probably",
            "Observation is not a NumPy",
            "We recommend agents",
        ):
            warnings.filterwarnings("ignore", message=advice)  # given to all that have masks, or named agents
        api_test(env(), num_cycles=300)
        seed_test(env, num_cycles=50)
    assert "Passed API test" in capfd.readouterr().out


def test_random_games_follow_the_rules_and_are_scored():
    generator = random.Random(1)
    for _ in range(8):
        environment = begin()
        paths = 0
        while environment.agents and not environment.terminations["black"] and not environment.truncations["black"]:
            turn = environment.agent_selection
            assert environment.observation_space(turn).contains(environment.observe(turn))
            other = {"black": "white", "white": "black"}[turn]
            assert not environment.observe(other)["action_mask"].any()
            before = len(environment.board.moves)
            environment.step(generator.choice(legal(environment)))
            paths += 1
            assert (environment.agent_selection == turn) == (len(environment.board.moves) == before)
        outcome = environment.board.outcome(200)
        assert outcome is not None
        expected = {"black": 0.0, "white": 0.0}
        if outcome.winner is not None:
            expected = {"black": 1.0, "white": -1.0} if outcome.winner is Color.BLACK else {"black": -1.0, "white": 1.0}
        assert environment.rewards == expected
        hops = sum(len(move.path) - 1 for move in environment.board.moves)
        assert paths == hops


def test_both_sides_see_the_board_from_their_own_side():
    black, white = begin("B:W21,22,K30:B1,12,K5"), begin(Board("B:W21,22,K30:B1,12,K5").flip_colors().fen())
    assert (black.agent_selection, white.agent_selection) == ("black", "white")
    for mine, theirs in (("black", "white"), ("white", "black")):
        for key in ("observation", "action_mask"):
            assert np.array_equal(black.observe(mine)[key], white.observe(theirs)[key])
    planes = black.observe("black")["observation"]
    assert planes.sum(axis=(0, 1)).tolist() == [2, 1, 2, 1, 0]
    assert planes[row_and_column(12)].tolist() == [1, 0, 0, 0, 0]
    assert planes[row_and_column(30)].tolist() == [0, 0, 0, 1, 0]


def test_the_first_moves_are_single_actions():
    environment = begin()
    squares = {9: (0, 1), 10: (0, 1), 11: (0, 1), 12: (0,)}  # 12 stands at the edge
    assert legal(environment) == [4 * (square - 1) + way for square, ways in squares.items() for way in ways]


def test_a_multiple_jump_is_several_actions_of_one_agent():
    environment = begin("B:W6,15,30:BK1,12")
    (first,) = legal(environment)
    assert first == 4 * 0 + 1  # from 1 forward to the right, over 6
    environment.step(first)
    assert (environment.agent_selection, environment.board.moves) == ("black", [])
    planes = environment.observe("black")["observation"]
    assert planes[row_and_column(10)].tolist() == [0, 1, 0, 0, 1]
    assert planes.sum(axis=(0, 1)).tolist() == [1, 1, 2, 0, 1]  # the piece on 6 is gone
    (second,) = legal(environment)
    environment.step(second)
    assert [str(move) for move in environment.board.moves] == ["1x10x19"]
    assert environment.agent_selection == "white"
    assert environment.observe("white")["observation"][:, :, 4].sum() == 0


def test_limits():
    moves = ["1-5", "32-27", "5-1", "27-32"]
    for settings, ended in (({"max_plies": 4}, "truncations"), ({"repetitions": 2}, "terminations")):
        environment = begin("B:WK32:BK1", **settings)
        for text in moves:
            assert not any(environment.truncations.values())
            assert not any(environment.terminations.values())
            wanted = environment.board.parse(text).path
            environment.step(next(action for action, path in environment._hops().items() if path == wanted))
        assert getattr(environment, ended) == {"black": True, "white": True}
        assert environment.rewards == {"black": 0.0, "white": 0.0}


def test_what_is_not_legal_is_named():
    environment = begin()
    with pytest.raises(ActionError, match="action 0 is not legal; legal actions: 32, 33") as error:
        environment.step(0)
    assert error.value.action == 0
    with pytest.raises(EvocheckersError, match="no legal move"):
        begin("B:W32:B")
    for settings in ({"max_plies": 0}, {"repetitions": 1}, {"render_mode": "human"}):
        with pytest.raises(EvocheckersError, match=next(iter(settings))):
            raw_env(**settings)


def test_boards_can_be_printed():
    assert begin(render_mode="ansi").render() == str(Board())
    assert begin().render() is None


def test_without_pettingzoo_one_line_says_what_to_install():
    code = "import sys; sys.modules['pettingzoo'] = None; import evocheckers.games.pettingzoo"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: this environment needs PettingZoo: pip install 'evocheckers[pettingzoo]'"
    )
