"""Recorded games of a run or a PDN file, one by one, in an order that depends only on the file."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from evocheckers.analysis.puzzles import Record
from evocheckers.errors import EvocheckersError
from evocheckers.evolution.registry import command_of
from evocheckers.files import read_regular
from evocheckers.games.batch import BatchResult
from evocheckers.rules.pdn import read_pdn
from evocheckers.runs.file import Run
from evocheckers.runs.schema import KeptGames

KEPT_GENERATIONS = 128
"""Number of generations whose games are cached in memory."""


class SourceError(EvocheckersError):
    """A file without usable games."""

    def __init__(self, path: Path, fault: str) -> None:
        self.path, self.fault = path, fault
        super().__init__(f"games of {path}: {fault}")


class Recorded:
    """The games of a file."""

    def __init__(self, name: str, digest: str, command: str, records: Iterator[Record]) -> None:
        self.name = name
        self.digest = digest
        """Digest of the games; different games have different digests."""
        self.command = command
        """The command that recreates the file; empty if unknown."""
        self.records = records


@contextmanager
def recorded_games(path: Path) -> Iterator[Recorded]:
    """The games of a run file that kept its moves, or of a file whose name ends in ``.pdn``."""
    if path.suffix.lower() == ".pdn":
        data = read_regular(path)
        yield Recorded(path.name, hashlib.sha256(data).hexdigest(), "", _pdn_records(data.decode("utf-8", "replace")))
        return
    with Run.open(path) as run:
        if run.keep is not KeptGames.MOVES:
            raise SourceError(path, "the run kept no moves; evolve with --keep moves")
        if run.generation == 0:
            raise SourceError(path, "the run has no generation yet")
        yield Recorded(path.name, run.digest, command_of(run.exported_network()), _run_records(run))


def _pdn_records(text: str) -> Iterator[Record]:
    for number, game in enumerate(read_pdn(text), 1):
        yield Record(f"game {number}", game.start, tuple(game.moves))


def _run_records(run: Run) -> Iterator[Record]:
    """From a run's second half: the first game of each generation, last generation first, then the second games, ..."""

    @lru_cache(KEPT_GENERATIONS)
    def results(generation: int) -> BatchResult:
        return run.legal_games(generation).results

    last = run.generation
    counts = {summary.number: summary.games for summary in run.summaries() if summary.number > last // 2}
    for game in range(max(counts.values())):
        for generation in sorted(counts, reverse=True):
            if game < counts[generation]:
                games = results(generation)
                yield Record(f"generation {generation}, game {game + 1}", games.starts[game], games[game].moves)
