"""Games as the page shows them: their state, their values, how they ended, and people's ratings."""

from collections.abc import Callable
from typing import Literal

from evocheckers.page.analysis.models import PositionModel
from evocheckers.page.analysis.positions import is_current
from evocheckers.page.games.levels import level_of
from evocheckers.page.games.models import ClockModel, Ending, GameModel, RatingModel, SeatModel
from evocheckers.page.games.players import HUMAN, Catalogue
from evocheckers.page.games.replays import Replays
from evocheckers.page.models import Side, ValueModel, describe_move, side_of
from evocheckers.page.store import Store, StoredGame, view_of
from evocheckers.rules.board import Board
from evocheckers.rules.outcome import REPETITIONS, Outcome, Reason
from evocheckers.rules.pdn import Game, write_pdn
from evocheckers.tournaments.ratings import class_of, rate_in_order

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


class GameViews:
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
            scores={ply: ValueModel(**one) for ply, one in game.scores.items() if is_current(one)},
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
