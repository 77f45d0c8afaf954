"""Games replayed from their moves: a stored game, or the one of a PDN that a user gives."""

import re
from collections import OrderedDict
from dataclasses import dataclass, field

from evocheckers.errors import EvocheckersError
from evocheckers.games.openings import opening_name
from evocheckers.page.games.models import PlayedMove
from evocheckers.page.models import describe_move, side_of
from evocheckers.page.store import StoredGame
from evocheckers.rules.board import Board
from evocheckers.rules.pdn import Game, read_pdn

KEPT_PLIES = 60_000
"""Total plies of replayed games cached in memory."""
MAX_PDN_MOVES = 2000
"""Longer texts, counting variations, are not read."""


def read_single_game(text: str) -> Game:
    """The single game of a PDN."""
    if len(re.findall(r"[0-9]\s?[-xX:]\s?[0-9]", text)) > MAX_PDN_MOVES:
        raise EvocheckersError(f"the PDN holds more than {MAX_PDN_MOVES} moves")
    games = read_pdn(text)
    if len(games) != 1:
        raise EvocheckersError(f"the PDN holds {len(games)} games, not one")
    return games[0]


@dataclass(slots=True)
class Replay:
    """A replayed game, as text where possible: many are cached, and the garbage collector scans their objects."""

    board: Board
    """The position after all moves; copy it, do not change it."""
    moves: tuple[str, ...] = ()
    shown: list[str] = field(default_factory=list)
    """The moves as the page shows them, each a ``PlayedMove`` as JSON."""
    opening: str = ""
    """The name of the opening, if any."""

    def begins(self, game: StoredGame) -> bool:
        """Whether the game continues from here."""
        return game.moves[: len(self.moves)] == self.moves


def play_through(game: StoredGame, begun: Replay | None = None) -> Replay:
    """Replay a game from its start, or from where an earlier replay ended."""
    replay = begun or Replay(Board(game.start))
    board, texts = replay.board, list(replay.moves)
    for text in game.moves[len(replay.moves) :]:
        side = side_of(board.turn)
        board.push(text)
        move = describe_move(board.moves[-1])
        played = PlayedMove(text=move.text, path=move.path, captured=move.captured, side=side, fen=board.fen())
        replay.shown.append(played.model_dump_json())
        texts.append(move.text)
        replay.opening = opening_name(board.position) or replay.opening
    replay.moves = tuple(texts)
    return replay


class Replays:
    """Cache of recently replayed games, so that the next move costs one move and not all of them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Replay] = OrderedDict()
        self._plies = 0

    def lacks(self, game: StoredGame) -> bool:
        """Whether replaying a game takes more than a move or two."""
        begun = self._kept.get(game.id)
        return len(game.moves) > 2 and (begun is None or not begun.begins(game))

    def of(self, game: StoredGame) -> Replay:
        """The replay of a game."""
        begun = self._take(game.id)
        return self.keep(game, play_through(game, begun if begun and begun.begins(game) else None))

    def keep(self, game: StoredGame, replay: Replay) -> Replay:
        """Cache a replay and forget the least recently used ones."""
        self._take(game.id)
        self._kept[game.id] = replay
        self._plies += 1 + len(replay.moves)
        while self._plies > KEPT_PLIES:
            self._take(next(iter(self._kept)))
        return replay

    def _take(self, game_id: str) -> Replay | None:
        replay = self._kept.pop(game_id, None)
        if replay is not None:
            self._plies -= 1 + len(replay.moves)
        return replay
