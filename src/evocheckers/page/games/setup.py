"""Setting up a game: from the start, an opening, a position, or the moves of a PDN."""

from dataclasses import replace
from datetime import UTC, datetime

from evocheckers.errors import EvocheckersError
from evocheckers.games.openings import FIRST_MOVES, ballots
from evocheckers.page.games.clock import Clock
from evocheckers.page.games.levels import level_of
from evocheckers.page.games.models import NewGame
from evocheckers.page.games.players import HUMAN
from evocheckers.page.games.replays import play_through
from evocheckers.page.games.searches import grant_limit
from evocheckers.page.games.service import GameService
from evocheckers.page.games.views import MAX_GAME_PLIES, outcome_of
from evocheckers.page.store import Seat, StoredGame
from evocheckers.page.worker.queues import Queue
from evocheckers.page.worker.server import Tasks
from evocheckers.rules.board import Board

_RESULTS = {
    "1-0": ("black", "as recorded"),
    "0-1": ("white", "as recorded"),
    "1/2-1/2": ("draw", "as recorded"),
}


def opening_choices() -> dict[str, list[str]]:
    """The openings by kind."""
    return {"first move": list(FIRST_MOVES), "two-move ballot": list(ballots())}


def _names(tags: dict[str, str]) -> tuple[str, str]:
    """The players of a PDN, if given."""
    black, white = (tags.get(side, "").strip("? ")[:60] for side in ("Black", "White"))
    return black, white


def _check_rated(wanted: NewGame) -> None:
    """Raise an error if the game cannot be rated."""
    openings = [line for lines in opening_choices().values() for line in lines]
    if wanted.pdn is not None or wanted.fen is not None or wanted.opening not in ("", *openings):
        raise EvocheckersError("a rated game begins at the start or with one of the openings")
    if not wanted.person.strip():
        raise EvocheckersError("a rated game needs your name")
    engines = [seat for seat in (wanted.black, wanted.white) if seat.player != HUMAN]
    if len(engines) != 1 or level_of(engines[0].player, engines[0].limit) is None:
        raise EvocheckersError("a rated game must be a person against one of the levels")


async def begin_game(service: GameService, wanted: NewGame) -> str:
    """Begin a game and store it."""
    notes = []
    for seat in (wanted.black, wanted.white):
        allowed = grant_limit(seat.limit)
        notes.append(allowed.note)
        if seat.player != HUMAN:
            await service.engines.player(seat.player, allowed.limit)
    if wanted.rated:
        _check_rated(wanted)
    start, moves = Board(wanted.fen) if wanted.fen else Board(), tuple(wanted.opening.split())
    names, ended = ("", ""), None
    date, opening_plies = datetime.now(UTC).strftime("%Y.%m.%d"), len(moves)
    if wanted.pdn is not None:
        given = await service.worker.call(Queue.GAMES, Tasks.read_pdn, wanted.pdn)
        start, moves = Board(given.start), tuple(map(str, given.moves))
        names = _names(given.tags)
        date, opening_plies = given.tags.get("Date", "")[:10], given.opening_plies
        ended = _RESULTS.get(given.result)
    if len(moves) > MAX_GAME_PLIES:
        raise EvocheckersError(f"a game of {len(moves)} plies; at most {MAX_GAME_PLIES} are played here")
    game = StoredGame(
        start.fen(),
        Seat(wanted.black.player, wanted.black.limit),
        Seat(wanted.white.player, wanted.white.limit),
        wanted.person.strip(),
        moves,
        names=names,
        counts=wanted.rated,
        repetition=service.repetition,
        date=date,
        opening_plies=opening_plies,
        clock=Clock.of(wanted.clock.initial, wanted.clock.increment) if wanted.clock else None,
    )
    if service.views.replays.lacks(game):
        replay = await service.worker.call(Queue.GAMES, Tasks.play_through, game)
    else:
        replay = play_through(game)
    if outcome_of(game, replay.board) is not None:
        ended = None
    game = replace(game, moves=replay.moves, ended=ended)
    service.views.replays.keep(game, replay)
    service.store.insert(game)
    return service.views.show(game, next(filter(None, notes), ""))
