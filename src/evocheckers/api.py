"""The calls that people guess: ``load``, ``match``, ``tournament``, ``evolve`` and ``analyse``, with sensible defaults.

Wherever a player is meant, these calls take its text (``"champion@8"``, ``"material:noise@50ms"``), a network or run
file, a network, an evaluator, a PyTorch module or another function over arrays of positions, a class with a method
``choose``, or what ``load`` returned. Games are played on all cores unless another executor is given.
"""

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from evocheckers.analysis.analyse import Analysis, PlyAnalysis, analyse_game, analyse_position
from evocheckers.analysis.values import MoveValue
from evocheckers.errors import EvocheckersError, whole_number
from evocheckers.evolution.evolve import MAX_GENERATIONS, Generation, Resumable
from evocheckers.evolution.evolve import evolve as evolve_in_memory
from evocheckers.evolution.registry import find_preset, register
from evocheckers.evolution.scheme import ConfigError, Scheme, Settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.batch import Executor, GameRules
from evocheckers.games.openings import opening_lines
from evocheckers.players.make import PlayerLike, make_contestant
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.fen import Position
from evocheckers.rules.pdn import Game
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.tournaments.match import Match, play_match
from evocheckers.tournaments.round_robin import Tournament, play_round_robin

OPENINGS = "two-move"
"""The 43 two-move ballots of the papers, each played with both colours."""


def load(player: PlayerLike) -> Contestant:
    """A player: by its text, from a network or run file, or made from whatever can play.

    >>> from evocheckers import Board, load
    >>> champion = load("champion")
    >>> champion.values([Board(), "W:W32:B1,2,3"]).shape
    (2,)
    >>> champion.search(Board(), plies=6).depth_plies
    6
    """
    return make_contestant(player)


def match(
    first: PlayerLike,
    second: PlayerLike,
    openings: str | Sequence[str] = OPENINGS,
    *,
    seed: int = 0,
    repetition: bool = False,
    max_plies: int = GameRules().max_plies,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Match:
    """Play each opening with both colours, and return the match from the first player's side.

    ``openings``: ``start``, ``first-moves``, ``two-move``, ``three-move``, a file, or a list of move texts. With
    ``repetition``, the third occurrence of a position is a draw. Printing a match shows its score and Elo.

    >>> from evocheckers import match
    >>> match("material@2", "random", "first-moves").score.games
    14
    """
    pair = make_contestant(first), make_contestant(second)
    lines, where = _lines(openings), executor or ThreadExecutor(threads)
    games = play_match(*pair, lines, where, seed, max_plies, threads, repetition)
    return Match(pair[0].name, pair[1].name, sorted(games, key=lambda game: game.number))


def tournament(
    players: Sequence[PlayerLike],
    openings: str | Sequence[str] = OPENINGS,
    *,
    seed: int = 0,
    repetition: bool = False,
    max_plies: int = GameRules().max_plies,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Tournament:
    """Every pair of players plays a match; the result has the cross table and fitted ratings."""
    if isinstance(players, str) or len(players) < 2:
        raise EvocheckersError('a tournament needs two players or more, such as ["champion@4", "material@4"]')
    contestants = [make_contestant(player) for player in players]
    lines, where = _lines(openings), executor or ThreadExecutor(threads)
    games: dict[tuple[int, int], list[Any]] = {}
    for one, other, game in play_round_robin(contestants, lines, where, seed, max_plies, threads, repetition):
        games.setdefault((one, other), []).append(game)
    names = [contestant.name for contestant in contestants]
    matches = {
        (one, other): Match(names[one], names[other], sorted(played, key=lambda game: game.number))
        for (one, other), played in games.items()
    }
    return Tournament(names, matches)


def _lines(openings: str | Sequence[str]) -> Sequence[str]:
    if isinstance(openings, str):
        return opening_lines(openings)
    if not isinstance(openings, Sequence) or not all(isinstance(line, str) for line in openings):
        wanted = 'write "two-move", a file, or a list such as ["11-15 23-19"]'
        raise EvocheckersError(f"openings = {openings!r:.60}: {wanted}")
    return openings


def evolve(
    scheme: str | Scheme[Any, Any],
    settings: Settings | Mapping[str, Any] | None = None,
    *,
    generations: int | None = None,
    seed: int | None = None,
    run: str | PathLike[str] | None = None,
    measure_every: int | None = None,
    after: Resumable[Any] | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    **changes: Any,
) -> Iterator[Generation[Any]]:
    """Evolve: yield one generation after another.

    ``scheme`` is a preset's name or a scheme of one's own. ``settings`` and keywords replace its defaults. ``run`` is a
    file in which every generation is recorded; if it exists, it is resumed, and ``measure_every`` says how often its
    best network is measured against piece counting. ``after`` continues from a generation in memory instead.
    ``generations`` is the last one, by default the preset's. The seed is 1, or the recorded run's.

    >>> from evocheckers import evolve
    >>> for generation in evolve("anaconda", generations=2, parents=2, opponents=1, plies=1):
    ...     print(generation.number, len(generation.report.games))
    1 4
    2 4
    """
    where = executor or ThreadExecutor(threads)
    if not isinstance(scheme, str | Scheme):
        raise ConfigError(f'{scheme!r:.60} is no scheme; write evolve("anaconda") or give a Scheme', "scheme", scheme)
    if isinstance(settings, Settings):
        if changes:
            raise ConfigError("settings: give an object or single settings, not both", "settings", settings)
    else:
        settings = {**(settings or {}), **changes}
    if generations is not None:
        whole_number("generations", generations, 1, MAX_GENERATIONS, ConfigError)
    if run is None:
        if generations is None:
            if isinstance(scheme, Scheme):
                raise ConfigError("a scheme of one's own needs generations=", "generations", None)
            generations = find_preset(scheme).generations
        first_seed = 1 if seed is None else seed
        return evolve_in_memory(scheme, settings, seed=first_seed, generations=generations, executor=where, after=after)
    if after is not None:
        raise ConfigError("a recorded run goes on by itself: give run or after, not both", "after", after)
    name = scheme if isinstance(scheme, str) else register(scheme)
    values = settings.model_dump(mode="json") if isinstance(settings, Settings) else settings
    return _recorded(name, Path(run), generations, seed, values, measure_every, where)


def _recorded(
    name: str,
    path: Path,
    generations: int | None,
    seed: int | None,
    changes: Mapping[str, Any],
    measure_every: int | None,
    executor: Executor,
) -> Iterator[Generation[Any]]:
    with open_run(name, path, generations, seed, changes, measure_every=measure_every) as run:
        for event in carry_on(run, executor):
            if isinstance(event, Generation):
                yield event


def analyse(
    subject: Board | Position | str | Game, player: PlayerLike = "champion@8", lines: int | None = None
) -> Analysis[MoveValue] | Analysis[PlyAnalysis]:
    """What a player thinks of every move in a position, its own choice first, or of every move of a game.

    ``subject`` is a board, a position, a FEN, or a game as ``read_pdn`` returns it.

    >>> from evocheckers import Board, analyse
    >>> len(analyse(Board(), "material@2"))
    7
    """
    contestant = make_contestant(player)
    if isinstance(subject, Game):
        return Analysis(analyse_game(subject, contestant))
    board = subject if isinstance(subject, Board) else Board(subject)
    return Analysis(analyse_position(board, contestant, lines))
