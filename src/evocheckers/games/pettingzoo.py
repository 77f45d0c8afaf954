"""Checkers as a PettingZoo environment, for other packages' learners: ``pip install 'evocheckers[pettingzoo]'``.

Agents are ``black`` and ``white``. An agent sees 8 by 8 squares from its own side (row 0 is its home row; the board is
turned for White) in five planes of zeros and ones: its men, its kings, the opponent's men, the opponent's kings, and
the piece that must go on jumping.

An action is one hop, ``4 * (square - 1) + direction``, again from the agent's own side: directions 0 and 1 are forward
to a lower and a higher column, 2 and 3 backward. Each of the 128 actions thus means the same in every position, so that
a policy can learn it; an index into the list of legal moves would not. A jump over several pieces is several actions of
the same agent; until it ends, no other piece may move. ``action_mask`` marks the legal actions.

A win is worth 1, a loss -1, a draw 0. Rewards come only at the end. ``max_plies`` cuts a game off (a truncation, not a
result); ``repetitions`` makes it a draw once a position has occurred that many times.
"""

from typing import Any, ClassVar

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Square, row_and_column
from evocheckers.rules.outcome import Reason

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ImportError("this environment needs PettingZoo: pip install 'evocheckers[pettingzoo]'") from None

AGENTS = ("black", "white")
"""Indexed by colour."""
ACTIONS = 32 * 4
PLANES = 5

Observation = dict[str, np.ndarray]


class ActionError(EvocheckersError):
    """An action that is not legal now."""

    def __init__(self, action: object, legal: list[int]) -> None:
        self.action, self.legal = action, legal
        super().__init__(f"action {action} is not legal; legal actions: {', '.join(map(str, legal))}")


def env(**settings: Any) -> AECEnv:
    """The environment with PettingZoo's usual checks: an illegal action loses the game."""
    checked = wrappers.TerminateIllegalWrapper(CheckersEnvironment(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class CheckersEnvironment(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """The bare environment: an illegal action raises an ``ActionError``.

    ``reset(options={"fen": ...})`` begins at another position. Nothing is random, so ``seed`` has no effect.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "evocheckers_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, max_plies: int | None = 200, repetitions: int | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise EvocheckersError(f"render_mode is {render_mode!r}, neither 'ansi' nor None")
        for name, value, least in (("max_plies", max_plies, 1), ("repetitions", repetitions, 2)):
            if value is not None and value < least:
                raise EvocheckersError(f"{name} is {value}, less than {least}")
        self.max_plies, self.repetitions, self.render_mode = max_plies, repetitions, render_mode
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: _observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game, at ``options["fen"]`` if given."""
        self.board = Board((options or {})["fen"]) if "fen" in (options or {}) else Board()
        if not self.board.legal_moves():
            raise EvocheckersError(f"there is no legal move in {self.board.fen()}")
        self._path: tuple[Square, ...] = ()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.board.turn]

    def step(self, action: int | None) -> None:
        """One hop by the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        hops = self._hops()
        if action not in hops:
            raise ActionError(action, sorted(hops))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._path = hops[int(action)]
        for move in self.board.legal_moves():
            if move.path == self._path:
                self.board.push(move)
                self._path = ()
                self._look_for_an_end()
                break
        self.agent_selection = AGENTS[self.board.turn]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is empty while the other agent is to move."""
        side = Color(AGENTS.index(agent))
        mask = np.zeros(ACTIONS, np.int8)
        if agent == self.agent_selection and not (self.terminations[agent] or self.truncations[agent]):
            mask[list(self._hops())] = 1
        return {"observation": self._planes(side), "action_mask": mask}

    def render(self) -> str | None:
        return str(self.board) if self.render_mode == "ansi" else None

    def _hops(self) -> dict[int, tuple[Square, ...]]:
        """The path that each legal action leads to."""
        begun = len(self._path)
        hops = {}
        for move in self.board.legal_moves():
            if move.path[:begun] == self._path:
                path = move.path[: max(begun, 1) + 1]
                hops[_action(path[-2], path[-1], self.board.turn)] = path
        return hops

    def _look_for_an_end(self) -> None:
        outcome = self.board.outcome(self.max_plies, self.repetitions)
        if outcome is None:
            return
        ended = self.truncations if outcome.reason is Reason.MOVE_LIMIT else self.terminations
        ended.update(dict.fromkeys(AGENTS, True))
        if outcome.winner is not None:
            self.rewards = {AGENTS[outcome.winner]: 1.0, AGENTS[outcome.winner.opponent]: -1.0}

    def _planes(self, side: Color) -> np.ndarray:
        planes = np.zeros((8, 8, PLANES), np.int8)
        pieces = {square: self.board.piece_at(square) for square in range(1, 33)}
        if self._path:  # a jump under way: its piece where it is now, without the pieces jumped so far
            jump = next(move for move in self.board.legal_moves() if move.path[: len(self._path)] == self._path)
            jumper = pieces[jump.start]
            for square in (jump.start, *jump.captured[: len(self._path) - 1]):
                pieces[square] = "."
            pieces[self._path[-1]] = jumper
            planes[(*row_and_column(_seen(self._path[-1], side)), 4)] = 1
        for square, piece in pieces.items():
            if piece != ".":
                is_own = (piece.lower() == "b") == (side is Color.BLACK)
                planes[(*row_and_column(_seen(square, side)), 2 * (not is_own) + piece.isupper())] = 1
        return planes


raw_env = CheckersEnvironment
"""PettingZoo's name for the bare environment."""


def _observation_space() -> spaces.Dict:
    planes, mask = spaces.Box(0, 1, (8, 8, PLANES), np.int8), spaces.Box(0, 1, (ACTIONS,), np.int8)
    return spaces.Dict({"observation": planes, "action_mask": mask})


def _seen(square: Square, side: Color) -> Square:
    """A square as a side sees it."""
    return square if side is Color.BLACK else 33 - square


def _action(start: Square, end: Square, side: Color) -> int:
    """The action of one hop."""
    row, column = row_and_column(_seen(start, side))
    to_row, to_column = row_and_column(_seen(end, side))
    return 4 * (_seen(start, side) - 1) + 2 * (to_row < row) + (to_column > column)
