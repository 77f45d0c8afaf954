"""Moves, thoughts and games as the page shows them: the state of a game, how it ended, and people's ratings."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from evocheckers.games.openings import opening_name
from evocheckers.page.analysis.values import is_current
from evocheckers.page.games.levels import level_of
from evocheckers.page.games.models import (
    ClockModel,
    Ending,
    GameModel,
    MoveModel,
    PlayedMove,
    PositionModel,
    RatingModel,
    SeatModel,
    Side,
    Thought,
)
from evocheckers.page.games.players import HUMAN, Catalogue
from evocheckers.page.store import Store, StoredGame, view_of
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color, Move
from evocheckers.rules.outcome import REPETITIONS, Outcome, Reason
from evocheckers.rules.pdn import Game, write_pdn
from evocheckers.tournaments.ratings import class_of, rate_in_order

KEPT_PLIES = 60_000
"""Total plies of replayed games cached in memory."""
MAX_GAME_PLIES = 400
"""A game is drawn after 200 moves by each side, or when a position occurs for the third time."""
OVERTIME = "time"
"""The reason for a loss on time."""
_WHY = {
    str(Reason.NO_PIECES): "LOSER has no pieces left",
    str(Reason.NO_MOVES): "LOSER cannot move",
    str(Reason.MOVE_LIMIT): f"{MAX_GAME_PLIES // 2} moves by each side",
    str(Reason.REPETITION): "the same position for the third time",
    str(Reason.RESIGNATION): "LOSER resigned",
    OVERTIME: "LOSER ran out of time",
}
"""Why games end, in words; a missing reason stands for itself."""
_PDN_RESULTS = {"black": "1-0", "white": "0-1", "draw": "1/2-1/2"}


def side_of(color: Color) -> Literal["black", "white"]:
    """A side's name."""
    return "black" if color is Color.BLACK else "white"


def describe_move(move: Move) -> MoveModel:
    """A move for the page."""
    return MoveModel(text=str(move), path=list(move.path), captured=list(move.captured))


def describe_position(board: Board) -> PositionModel:
    """A position for the page."""
    legal = [describe_move(move) for move in board.legal_moves()]
    return PositionModel(
        fen=board.fen(),
        turn=side_of(board.turn),
        legal=legal,
        must_capture=any(move.captured for move in legal),
        ending=None if legal else _ending(side_of(board.turn.opponent), str(Reason.NO_MOVES)),
    )


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


class Showing:
    """Stored games as the page shows them."""

    def __init__(self, store: Store, catalogue: Catalogue, compiling: Callable[[], bool]) -> None:
        self._store, self._catalogue, self._compiling = store, catalogue, compiling
        self.replays = Replays()

    def show(self, game: StoredGame, note: str = "", searched: int | None = None, for_others: bool = False) -> str:
        """The current state of a game as ``GameModel`` JSON; ``for_others`` omits the right to play it."""
        replay = self.replays.of(game)
        board = replay.board
        ended = ending(game, board)
        turn = side_of(board.turn)
        legal = [] if ended else [describe_move(move) for move in board.legal_moves()]
        waiting: Literal["human", "engine", "nobody"] = "human" if game.seat(turn).player == HUMAN else "engine"
        shown = GameModel(
            id="" if for_others else game.id,
            view=view_of(game.id),
            start=game.start,
            fen=board.fen(),
            turn=turn,
            ply=len(game.moves),
            opening=replay.opening,
            black=self._seat(game, "black"),
            white=self._seat(game, "white"),
            person=game.person,
            moves=[],
            legal=legal,
            must_capture=any(move.captured for move in legal),
            waiting_for="nobody" if ended else waiting,
            ending=ended,
            scores={ply: Thought(**one) for ply, one in game.scores.items() if is_current(one)},
            rated=game.rated,
            clock=_clock(game, turn, ended is None),
            rating=self.rating(game.person) if game.person and not for_others else None,
            compiling=self._compiling(),
            searched=searched,
            note=note,
        )
        text = shown.model_dump_json(exclude={"moves"})
        return f'{text[:-1]},"moves":[{",".join(replay.shown)}]}}'

    def ending(self, game: StoredGame) -> Ending | None:
        """How a game ended, if it did."""
        return ending(game, self.replays.of(game).board)

    def open_board(self, game: StoredGame) -> Board | None:
        """A copy of a game's board, for the caller to change; None if the game is over."""
        board = self.replays.of(game).board
        return None if ending(game, board) else board.copy()

    def rating(self, person: str) -> RatingModel | None:
        """A person's rating by the papers' formula, if any games are finished."""
        results = self._store.results(person)
        if not results:
            return None
        outcomes, opponents = zip(*results, strict=True)
        rating = rate_in_order(opponents, outcomes)
        return RatingModel(person=person, games=len(results), rating=round(rating), class_name=class_of(rating))

    def pdn(self, game: StoredGame) -> str:
        """A game as PDN."""
        replay = self.replays.of(game)
        board, ended = replay.board, ending(game, replay.board)
        tags = {"Event": "evocheckers", "Black": self._title(game, "black"), "White": self._title(game, "white")}
        if game.date:
            tags["Date"] = game.date
        if replay.opening:
            tags["Opening"] = replay.opening
        if ended:
            tags["Termination"] = ended.reason
        result = _PDN_RESULTS[ended.winner] if ended else "*"
        return write_pdn([Game(list(board.moves), tags, result, board.start, game.opening_plies)])

    def _seat(self, game: StoredGame, side: str) -> SeatModel:
        seat = game.seat(side)
        level = level_of(seat.player, seat.limit)
        return SeatModel(
            player=seat.player,
            title=self._title(game, side),
            limit=seat.limit,
            level=level.name if level else None,
            rating=level.rating if level else None,
        )

    def _title(self, game: StoredGame, side: str) -> str:
        player = game.seat(side).player
        if player != HUMAN:
            return self._catalogue.title(player)
        if game.black.player != game.white.player:
            return game.person or "You"
        return game.names[side == "white"] or side.capitalize()


def _clock(game: StoredGame, turn: Side, is_open: bool) -> ClockModel | None:
    """The current state of the clock."""
    if game.clock is None:
        return None
    runs = is_open and game.clock.since is not None
    left = {"black": game.clock.black, "white": game.clock.white}
    if runs:
        left[turn] = game.clock.left(turn)
    return ClockModel(initial=game.clock.initial, increment=game.clock.increment, **left, running=runs)


def outcome_of(game: StoredGame, board: Board) -> Outcome | None:
    """How a game ended by its own rules."""
    return board.outcome(MAX_GAME_PLIES, REPETITIONS if game.repetition else None)


def ending(game: StoredGame, board: Board) -> Ending | None:
    """How a game ended, from what was stored or from the board after its last move."""
    if game.ended:
        winner, reason = game.ended
    elif outcome := outcome_of(game, board):
        winner = "draw" if outcome.winner is None else side_of(outcome.winner)
        reason = str(outcome.reason)
    else:
        return None
    return _ending(winner, reason)


def _ending(winner: str, reason: str) -> Ending:
    """An ending with its text."""
    who = "Draw" if winner == "draw" else f"{winner.capitalize()} wins"
    why = _WHY.get(reason, reason).replace("LOSER", "White" if winner == "black" else "Black")
    return Ending(winner=winner, reason=reason, text=f"{who}: {why}")  # type: ignore[arg-type]
