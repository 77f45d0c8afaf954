"""``evocheckers match`` and ``evocheckers tournament``."""

from typing import TYPE_CHECKING, Annotated

import typer

from evocheckers.cli.completion import complete_player
from evocheckers.cli.options import (
    AddressOption,
    AdjudicateOption,
    ExecutorOption,
    ExtensionsOption,
    ForcedOption,
    MovesOption,
    OpeningsOption,
    PdnOption,
    RepetitionOption,
    RoundsOption,
    SeedOption,
    ThreadsOption,
    WinsOption,
    WorkersOption,
    check_writable,
    make_contestants,
    make_executor,
    opening_choice,
    with_searches,
)
from evocheckers.cli.output import (
    JsonOption,
    announce_compilation,
    bar,
    collect,
    console,
    endgame_database,
    endings,
    write_games,
    write_json,
)
from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from rich.console import Console
    from rich.table import Table

    from evocheckers.games.game import PlayedGame
    from evocheckers.tournaments.match import Match
    from evocheckers.tournaments.round_robin import Tournament
    from evocheckers.tournaments.sprt import Sprt
    from evocheckers.tournaments.timekeeping import Timekeeping


SPRT_ROUNDS = 100

PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", autocompletion=complete_player, help="champion@8, net:FILE@6, material@8, random ..."
    ),
]


def match(
    first: PlayerArgument,
    second: PlayerArgument,
    openings: OpeningsOption = "two-move",
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000,
            help=f"Times that every opening is played: once, or with --sprt at most {SPRT_ROUNDS} times.",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Stop when it is decided whether the first player is better by LOW or by HIGH points: a sequential "
            "test on the pairs of games, 5% errors either way; LOW,HIGH,ALPHA,BETA sets other rates.",
        ),
    ] = None,
    adjudicated: AdjudicateOption = False,
    seed: SeedOption = 0,
    moves: MovesOption = 100,
    repetition: RepetitionOption = True,
    extensions: ExtensionsOption = None,
    forced: ForcedOption = None,
    wins: WinsOption = None,
    executor_name: ExecutorOption = "threads",
    address: AddressOption = None,
    workers: WorkersOption = None,
    threads: ThreadsOption = 1,
    pdn: PdnOption = None,
    json_file: JsonOption = None,
) -> None:
    """Play a match over a set of openings, with both colours of each, and show the result with its interval."""
    from evocheckers.native.threads import thread_count
    from evocheckers.tournaments.match import Match, play_match
    from evocheckers.tournaments.score import load_statistics
    from evocheckers.tournaments.timekeeping import keep_time

    load_statistics()
    announce_compilation()
    check_writable(pdn, json_file)
    out = console(json_file)
    test = None if sprt is None else _sequential_test(sprt)
    lines = opening_choice(openings, rounds or (1 if test is None else SPRT_ROUNDS))
    one, two = with_searches(make_contestants((first, second), extensions, forced, wins), repetition, threads)
    pair = one, two
    executor = make_executor(executor_name, workers, address)
    if workers is None and threads > 1:
        workers = max(1, thread_count(None) // threads)
    database = endgame_database(out) if adjudicated else None
    for contestant in pair:
        contestant.check()
    games: list[PlayedGame] = []
    with bar(out, 2 * len(lines), f"{pair[0].name} against {pair[1].name}") as advance:
        playing = play_match(*pair, lines, executor, seed, 2 * moves, workers, repetition)
        if test is None:
            finished = collect(playing, games, advance)
        else:
            finished, test = _collect_pairs(playing, test, games, advance)
    games.sort(key=lambda game: game.number)
    event = f"{pair[0].name} against {pair[1].name}, seed {seed}"
    write_games(games, event, pdn)
    results = {"as played": Match(pair[0].name, pair[1].name, games)}
    if database is not None and finished:
        from evocheckers.games.adjudication import adjudicate

        played_out: list[PlayedGame] = []
        with bar(out, len(games), f"played out with a database of {database.pieces} pieces") as advance:
            finished = collect(adjudicate(games, database, executor), played_out, advance)
        if finished:
            results["played out"] = Match(pair[0].name, pair[1].name, played_out)
            write_games(played_out, event, pdn)
    last = list(results.values())[-1]
    as_played = {} if len(results) == 1 else {"as_played": results["as played"].to_json()}
    times = keep_time(*pair, games)
    facts = {"times": [side.to_json() for side in times]} | ({} if test is None else {"sprt": test.to_json()})
    write_json(last.to_json() | as_played | facts, json_file)
    _show_match(results, out)
    if times:
        out.print(_time_table(times))
    if test is not None:
        out.print(str(test), soft_wrap=True)
    if not finished:
        out.print(f"interrupted: {len(games)} of {2 * len(lines)} games were played")
        raise KeyboardInterrupt


def _sequential_test(text: str) -> "Sprt":
    from evocheckers.tournaments.sprt import Sprt

    return Sprt.parse(text)


def _collect_pairs(
    playing: "Generator[PlayedGame, None, None]",
    test: "Sprt",
    games: "list[PlayedGame]",
    advance: "Callable[..., None]",
) -> "tuple[bool, Sprt]":
    """Collect pairs of games until the test is decided, all are played, or an interrupt; False if interrupted."""
    from evocheckers.tournaments.sprt import play_until_decided

    try:
        for first, second, now in play_until_decided(playing, test):
            games += [first, second]
            test = now
            advance()
            advance(test.ratio_text)
    except KeyboardInterrupt:
        return False, test
    return True, test


def _time_table(times: "list[Timekeeping]") -> "Table":
    """How the players used their time, over the moves at which they had a choice."""
    from rich.table import Table

    table = Table(title="Time and depth of a move")
    limited = any(side.limit_seconds is not None for side in times)
    late_columns = ("overran", "late, 99th percentile", "latest") if limited else ()
    for name in ("player", "moves", "mean", "plies", *late_columns):
        table.add_column(name, justify="left" if name == "player" else "right")
    for side in times:
        late = [side.late_99_seconds, side.latest_seconds]
        cells = ["" if seconds is None else f"{1000 * seconds:+.1f} ms" for seconds in late]
        overran = "" if side.limit_seconds is None else str(side.overruns)
        plies = "" if side.mean_plies is None else f"{side.mean_plies:.1f}"
        lateness = [overran, *cells] if limited else []
        table.add_row(side.player, str(side.moves), f"{1000 * side.mean_seconds:.1f} ms", plies, *lateness)
    return table


def _show_match(results: "dict[str, Match]", out: "Console") -> None:
    from rich.table import Table

    from evocheckers.tournaments.score import elo_text

    played = results["as played"]
    table = Table(title=f"{played.first} against {played.second}: {len(played.games)} games")
    for name in ("", "won-drawn-lost", "score, 95%", "points, 95%", "sign test p"):
        table.add_column(name)
    for name, result in results.items():
        score = result.score
        table.add_row(name, score.wdl_text, score.share_text, score.elo_text, f"{score.sign_test:.2g}")
    out.print(table)
    openings = len(played.shares_by_opening)
    if openings > 1:
        text = elo_text(played.score.share, played.interval_by_opening)
        out.print(f"interval over the {openings} openings, as played: {text} points", soft_wrap=True)
    if played.different_games < len(played.games):
        effect = "the interval is too narrow, and a sequential test overconfident"
        out.print(f"only {played.different_games} of the games are different; {effect}", soft_wrap=True)
    for name, result in results.items():
        out.print(f"ended {name}: {endings(result.games)}", soft_wrap=True)
    for game in played.games:
        if game.note:
            out.print(f"game {game.number}: {game.outcome}: {game.note}", soft_wrap=True)


def tournament(
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", autocompletion=complete_player, help="At least two players.")
    ],
    openings: OpeningsOption = "first-moves",
    rounds: RoundsOption = 1,
    seed: SeedOption = 0,
    moves: MovesOption = 100,
    repetition: RepetitionOption = True,
    extensions: ExtensionsOption = None,
    forced: ForcedOption = None,
    wins: WinsOption = None,
    executor_name: ExecutorOption = "threads",
    address: AddressOption = None,
    workers: WorkersOption = None,
    pdn: PdnOption = None,
    json_file: JsonOption = None,
) -> None:
    """Play a round robin, and show a cross table and ratings with their intervals."""
    from evocheckers.tournaments.match import Match
    from evocheckers.tournaments.round_robin import Tournament, play_round_robin
    from evocheckers.tournaments.score import load_statistics

    load_statistics()
    announce_compilation()
    check_writable(pdn, json_file)
    out = console(json_file)
    if len(players) < 2:
        raise EvocheckersError("a tournament needs at least two players")
    contestants = with_searches(make_contestants(players, extensions, forced, wins), repetition)
    for contestant in contestants:
        contestant.check()
    executor = make_executor(executor_name, workers, address)
    lines = opening_choice(openings, rounds)
    played: list[tuple[int, int, PlayedGame]] = []
    total = len(lines) * len(players) * (len(players) - 1)
    with bar(out, total, "playing") as advance:
        games = play_round_robin(contestants, lines, executor, seed, 2 * moves, workers, repetition)
        finished = collect(games, played, advance)
    names = [contestant.name for contestant in contestants]
    matches = {}
    for a, b in sorted({(a, b) for a, b, _ in played}):
        own = sorted((game for x, y, game in played if (x, y) == (a, b)), key=lambda game: game.number)
        matches[a, b] = Match(names[a], names[b], own)
    result = Tournament(names, matches)
    everything = [game for match in matches.values() for game in match.games]
    write_games(everything, f"Tournament, seed {seed}", pdn)
    write_json(result.to_json(), json_file)
    out.print(_cross_table(result))
    if not finished:
        out.print(f"interrupted: {len(played)} of {total} games were played")
        raise KeyboardInterrupt


def _cross_table(tournament: "Tournament") -> "Table":
    """Best first: rating with its interval, then points against each other player."""
    from rich.table import Table

    ratings = tournament.ratings()
    order = sorted(range(len(ratings)), key=lambda player: -ratings[player].rating)
    table = Table(title="Points, and ratings whose mean is 1600")
    table.add_column("")
    table.add_column("player")
    table.add_column("rating", justify="right")
    table.add_column("95%", justify="right")
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right")
    for place, player in enumerate(order, 1):
        fitted = ratings[player]
        cells = []
        for opponent in order:
            points = tournament.points(player, opponent) if opponent != player else None
            cells.append(f"{points[0]:g}/{points[1]}" if points else "")
        interval = f"{fitted.low:.0f} to {fitted.high:.0f}"
        table.add_row(str(place), tournament.names[player], f"{fitted.rating:.0f}", interval, *cells)
    return table
