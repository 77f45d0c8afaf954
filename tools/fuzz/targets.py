"""One function per reader: any input is either read, and then survives a round trip, or raises our own error."""

import functools
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from safetensors.numpy import save

from evocheckers import Board, EvocheckersError, Network, read_pdn, write_pdn
from evocheckers.cli.evolve import parse_assignments, parse_grid, read_config
from evocheckers.cli.runs import facts_of
from evocheckers.endgames.values import Database
from evocheckers.evolution.registry import PRESETS, command_of, make_settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.networks.evaluator import piece_differential
from evocheckers.players.grammar import format_limit, parse_limit, parse_material, parse_player, parse_run
from evocheckers.players.hub.engine import EngineServer
from evocheckers.players.hub.protocol import format_line, parse_line
from evocheckers.rules.fen import format_fen, parse_fen
from evocheckers.runs.file import Run
from evocheckers.runs.recorder import carry_on, open_run
from evocheckers.search.limit import Limit
from evocheckers.search.result import SearchResult
from evocheckers.search.searcher import Searcher
from tests.helpers.network_files import WEIGHTS, metadata
from tests.helpers.places import PUBLISHED


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def fen(data: bytes) -> None:
    position = parse_fen(text_of(data))
    assert parse_fen(format_fen(position)) == position


def move_text(data: bytes) -> None:
    board = Board("B:W6,7,14,15,16:BK11")
    move = board.parse(text_of(data))
    assert board.parse(str(move)) == move


def pdn(data: bytes) -> None:
    text = write_pdn(read_pdn(text_of(data)))
    assert write_pdn(read_pdn(text)) == text


def hub_line(data: bytes) -> None:
    line = parse_line(text_of(data))
    assert parse_line(format_line(line.command, dict(line.arguments))) == line


class _Hasty:
    """Searches a hundred positions whatever it is asked for, so that inputs take little time."""

    def __init__(self) -> None:
        self._searcher = Searcher(piece_differential(1.5))
        self.stop, self.forget = self._searcher.stop, self._searcher.forget

    def search(self, board: Board, limit: Limit, number: int = 0, *, lines: int = 1) -> SearchResult:
        return self._searcher.search(board, Limit(nodes=100), number, lines=lines)


@functools.cache
def _hasty() -> _Hasty:
    return _Hasty()


def engine(data: bytes) -> None:
    """A whole session: answers are lines of the protocol, and a good command is understood whatever came before."""
    answers: list[str] = []
    EngineServer("fuzzed", "1", _hasty(), answers.append).run([*text_of(data).split("\n"), "stop", "ping"])
    for answer in answers:
        parse_line(answer)
    if answers and answers[-1] != "pong":
        assert "quit" in text_of(data)
    if any(answer.startswith("error ") for answer in answers):
        raise EvocheckersError("an error line")


def player(data: bytes) -> None:
    spec = parse_player(text_of(data))
    assert parse_player(spec.text) == spec
    if spec.kind == "material":
        parse_material(spec)
    if spec.kind == "run":
        parse_run(spec)


def limit(data: bytes) -> None:
    assert parse_limit(format_limit(parse_limit(text_of(data))))


def assignments(data: bytes) -> None:
    """``--set`` and ``--grid``, one per line."""
    lines = text_of(data).split("\n")
    for preset in PRESETS.values():
        for values in (parse_assignments(lines), *parse_grid(lines[:2])[:3]):
            make_settings(preset.scheme, {**preset.settings, **values})


@functools.cache
def _folder() -> Path:
    """A folder for the lifetime of the process; in memory if possible."""
    shm = Path("/dev/shm")  # noqa: S108
    return Path(tempfile.mkdtemp(dir=shm if os.access(shm, os.W_OK) else None))


def forget_files() -> None:
    """Remove the targets' files."""
    if _folder.cache_info().currsize:
        shutil.rmtree(_folder())
        _folder.cache_clear()


def _file(data: bytes) -> Path:
    path = _folder() / f"input-{os.getpid()}"
    path.write_bytes(data)
    return path


def config(data: bytes) -> None:
    make_settings(PRESETS["anaconda"].scheme, read_config(_file(data)))


def network(data: bytes) -> None:
    read = Network.from_bytes(data)
    command_of(read)
    assert Network.from_bytes(read.to_bytes()).to_bytes() == read.to_bytes()


def run_file(data: bytes) -> None:
    """Read everything in a run, including one of its networks."""
    with Run.open(_file(data)) as run:
        facts_of(run)
        for summary in run.summaries():
            run.individuals(summary.number)
            run.games(summary.number)
            run.network(summary.number)
        run.last()


def database(data: bytes) -> None:
    assert Database.load(_file(data)).pieces == 2


def _run_bytes() -> bytes:
    path = _folder() / "run"
    changes = {"plies": 1, "parents": 2, "opponents": 1, "moves_per_side": 5}
    with open_run("anaconda", path, 2, 1, changes) as run:
        list(carry_on(run, ThreadExecutor(1), 0))
    return path.read_bytes()


def _database_bytes() -> bytes:
    path = _folder() / "database"
    Database.build(2, threads=1).save(path)
    return path.read_bytes()


class Target(NamedTuple):
    """A reader, good inputs for it, and how many mutations the suite tries; the long mode tries many more."""

    read: Callable[[bytes], None]
    make_corpus: Callable[[], list[bytes]]
    inputs: int


_POSITION = b"W" + b"b" * 12 + b"e" * 8 + b"w" * 12
_SESSION = (
    b'hub\nset-param name=variant value=english\ninit\nnew-game\npos pos=%s moves="22-18"\nlevel depth=3\ngo think'
)

TARGETS: dict[str, Target] = {
    "fen": Target(fen, lambda: [b"B:W21-32:B1-12.", b"W:WK1,K23,K28:B25", b" b : Bk1-4 : w21 , 22-32 "], 15_000),
    "move_text": Target(
        move_text, lambda: [b"11x2x9x18x11x20", b"11x18x9x2x11x20", b"11x20", b"11 - 20", b"11x20x7"], 15_000
    ),
    "pdn": Target(
        pdn,
        lambda: [
            (PUBLISHED / "published-games.pdn").read_bytes(),
            b'[FEN "W:W25,K1:B3"]\n1. ... 25-21 $3 (1. 1-5) {x} *',
            b"1. 11-15 23-19 ; a note\n2. 8-11 1/2-1/2",
        ],
        1_500,
    ),
    "hub_line": Target(
        hub_line,
        lambda: [
            b'pos pos=%s moves="11-15 22-18"' % _POSITION,
            b"level depth=9 move-time=0.5",
            b"go think",
            b'error message=""',
        ],
        15_000,
    ),
    "engine": Target(engine, lambda: [_SESSION % _POSITION, b"level nodes=1e3\ngo analyze\nstop\nquit"], 1_000),
    "player": Target(
        player,
        lambda: [
            b"champion@8",
            b"material:noise,K=1.3@2s",
            b"run:a b.sqlite#12@100kn",
            b"engine:scan hub@50ms",
            b"random",
        ],
        15_000,
    ),
    "limit": Target(limit, lambda: [b"8", b"2s", b"50ms", b"1.5m", b"100kn", b"3Mn"], 15_000),
    "assignments": Target(
        assignments,
        lambda: [b"plies=2", b"plies=2\nmoves_per_side=40", b"precision='fp16'\nextensions=0", b"layers=[1.0,0.5]"],
        1_000,
    ),
    "config": Target(
        config,
        lambda: [b"plies = 2\nparents = 4 # few\n", b"tournament = 'round-robin'\n[x]\ny = 1979-05-27T07:32:00Z"],
        3_000,
    ),
    "network": Target(
        network, lambda: [save({"weights": WEIGHTS}, metadata()), save({"weights": WEIGHTS[:100]}, metadata())], 2_000
    ),
    "run_file": Target(run_file, lambda: [_run_bytes()], 300),
    "database": Target(database, lambda: [_database_bytes()], 500),
}


def survive(read: Callable[[bytes], None], data: bytes) -> bool:
    """Whether the input was read. Errors other than ours propagate; ours must have one line."""
    message = ""
    try:
        read(data)
    except EvocheckersError as error:
        message = str(error)
    assert "\n" not in message
    return not message
