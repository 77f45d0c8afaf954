"""A run in the formats of other programs: tables, PDN games, and curves for TensorBoard.

Tables of generations, individuals and games are CSV or, if pyarrow is installed, Parquet. ``TABLES`` is the schema of
both; docs/formats.md says what each column means. A value that a scheme does not have, or a run did not record, is an
empty field in CSV and a null in Parquet. Rows are read and written generation by generation, so that a long run needs
no more memory than a short one.

``ScalarLog`` writes the scalars of every event while a run is going on. It needs tensorboardX, an extra: ``pip install
'evocheckers[tensorboard]'``; ``tensorboard --logdir FOLDER`` shows the curves.
"""

import csv
import functools
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from evocheckers.errors import EvocheckersError
from evocheckers.evolution.evolve import Generation
from evocheckers.files import Unfinished
from evocheckers.games.openings import NAMES, opening_board, opening_lines
from evocheckers.rules.fen import START, Position, format_fen
from evocheckers.rules.move import Move
from evocheckers.rules.pdn import Game
from evocheckers.runs.reader import RunReader
from evocheckers.runs.schema import KeptGames, Summary
from evocheckers.runs.validation import REPAIR, RunError
from evocheckers.tournaments.score import Score

if TYPE_CHECKING:
    from evocheckers.runs.recorder import Event

Table = Literal["generations", "individuals", "games"]
Row = Sequence[int | float | str | None]

TABLES: Mapping[Table, Mapping[str, type]] = MappingProxyType(
    {
        "generations": {
            "generation": int,
            "digest": str,
            "best_id": int,
            "best_score": float,
            "mean_score": float,
            "best_king_value": float,
            "best_step_size": float,
            "games": int,
            "draws": int,
            "plies": int,
            "evaluations": int,
            "seconds": float,
            "measured_wins": int,
            "measured_draws": int,
            "measured_losses": int,
            "measured_share": float,
        },
        "individuals": {
            "generation": int,
            "id": int,
            "parent": int,
            "score": float,
            "king_value": float,
            "step_size": float,
            "loss": float,
        },
        "games": {
            "generation": int,
            "number": int,
            "black": int,
            "white": int,
            "winner": str,
            "reason": str,
            "plies": int,
            "evaluations": int,
            "start": str,
            "moves": str,
        },
    }
)
"""The columns of each table, with their types."""

ROWS_PER_GROUP = 65_536
"""Rows of a Parquet file that are compressed together."""


class ExportError(EvocheckersError):
    """A table that cannot be written; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str) -> None:
        self.path, self.fault = Path(path), fault
        super().__init__(f"{path}: {fault}")


def export_table(run: RunReader, table: Table, path: Path, generation: int | None = None) -> None:
    """Write a table of all generations, or of one; the file's name ends in ``.csv`` or ``.parquet``.

    The file appears only once it is complete.
    """
    writers = {".csv": _write_csv, ".parquet": _write_parquet}
    if table not in TABLES:
        raise ExportError(path, f"no table {table!r}; there are {', '.join(get_args(Table))}")
    if path.suffix not in writers:
        raise ExportError(path, f"its name ends neither in {' nor in '.join(writers)}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise ExportError(path, "Parquet needs pyarrow: pip install 'evocheckers[parquet]'")
    with Unfinished(path.resolve()) as part:
        writers[path.suffix](part.path, TABLES[table], table_rows(run, table, generation))
        part.finish()


def table_rows(run: RunReader, table: Table, generation: int | None = None) -> Iterator[Row]:
    """The rows of a table, in the order of ``TABLES``."""
    summaries = run.summaries() if generation is None else [run.existing_summary(generation)]
    if table == "generations":
        strengths = run.strengths()
        for summary in summaries:
            yield _generation_row(run, summary, strengths.get(summary.number))
        return
    for summary in summaries:
        yield from _individual_rows(run, summary.number) if table == "individuals" else _game_rows(run, summary.number)


def _generation_row(run: RunReader, summary: Summary, measured: Score | None) -> Row:
    individuals = run.individuals(summary.number)
    found = np.flatnonzero(individuals.ids == summary.best_id)
    if not found.size:
        raise RunError(run.path, f"damaged (generation {summary.number} does not have its best individual)", REPAIR)
    best = int(found[0])
    scores = (
        individuals.scores[best],
        individuals.scores.mean(),
        individuals.king_values[best],
        individuals.step_sizes[best],
    )
    strength = (
        (None, None, None, None)
        if measured is None
        else (measured.wins, measured.draws, measured.losses, measured.share)
    )
    counts = (summary.games, summary.draws, summary.plies, summary.evaluations, summary.seconds)
    return (summary.number, summary.digest, summary.best_id, *map(_known, scores), *counts, *strength)


def _individual_rows(run: RunReader, generation: int) -> Iterator[Row]:
    for identity, parent, *numbers in zip(*run.individuals(generation), strict=True):
        yield generation, int(identity), int(parent) if parent >= 0 else None, *map(_known, numbers)


def _game_rows(run: RunReader, generation: int) -> Iterator[Row]:
    black_ids, white_ids, games = run.legal_games(generation)
    for game in range(len(games)):
        outcome = games.outcome(game)
        yield (
            generation,
            game + 1,
            int(black_ids[game]),
            int(white_ids[game]),
            "draw" if outcome.winner is None else outcome.winner.name.lower(),
            str(outcome.reason),
            int(games.plies[game]),
            int(games.evaluations[game]),
            format_fen(games.starts[game]),
            " ".join(map(str, games[game].moves)) if run.keep is KeptGames.MOVES else None,
        )


def _known(number: Any) -> float | None:
    return float(number) if np.isfinite(number) else None


def _write_csv(path: Path, columns: Mapping[str, type], rows: Iterator[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def _write_parquet(path: Path, columns: Mapping[str, type], rows: Iterator[Row]) -> None:
    import pyarrow
    import pyarrow.parquet

    kinds = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])

    def group(part: list[Row]) -> Any:
        by_column = zip(*part, strict=True) if part else [()] * len(columns)
        return pyarrow.table(dict(zip(columns, map(list, by_column), strict=True)), schema)

    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        part: list[Row] = []
        for row in rows:
            part.append(row)
            if len(part) == ROWS_PER_GROUP:
                writer.write_table(group(part))
                part = []
        writer.write_table(group(part))


def pdn_games(run: RunReader, generation: int) -> list[Game]:
    """The games of a generation for PDN files. Players are named by the run's preset and seed, and by their number.

    A game from a known opening begins at the initial position with the opening's moves, marked as such.
    """
    if run.keep is KeptGames.RESULTS:
        raise RunError(run.path, "kept no moves; evolve with --keep moves")
    black_ids, white_ids, results = run.legal_games(generation)
    family = f"{run.preset}-{run.seed}"
    written = []
    for number in range(len(results)):
        record, start = results[number], results.starts[number]
        opening = _openings().get(start, ())
        tags = {
            "Event": f"{run.preset}, seed {run.seed}, generation {generation}",
            "Round": str(number + 1),
            "Black": f"{family} #{black_ids[number]}",
            "White": f"{family} #{white_ids[number]}",
            "Termination": str(record.outcome.reason),
        }
        moves = [*opening, *record.moves]
        written.append(Game(moves, tags, record.outcome.result, START if opening else start, len(opening)))
    return written


@functools.cache
def _openings() -> dict[Position, tuple[Move, ...]]:
    """The moves of every opening, by the position that they lead to."""
    known: dict[Position, tuple[Move, ...]] = {}
    for name in NAMES:
        for line in opening_lines(name):
            board = opening_board(line)
            known.setdefault(board.position, tuple(board.moves))
    return known


class TensorBoardError(EvocheckersError):
    """The package that writes curves is missing."""


class ScalarLog:
    """Writes scalars into a folder, generation by generation; a run resumed into the same folder continues there."""

    def __init__(self, folder: Path) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ImportError:
            raise TensorBoardError("--tensorboard needs tensorboardX: pip install 'evocheckers[tensorboard]'") from None
        folder.mkdir(parents=True, exist_ok=True)
        self._writer = SummaryWriter(str(folder))

    def write(self, event: "Event") -> None:
        """Write the scalars of an event, at its generation."""
        number = event.number if isinstance(event, Generation) else event.generation
        for name, value in scalars_of(event):
            self._writer.add_scalar(name, value, number)
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()

    def __enter__(self) -> "ScalarLog":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def scalars_of(event: "Event") -> Iterator[tuple[str, float]]:
    """The scalars of an event by name; what a scheme does not have is left out."""
    if not isinstance(event, Generation):
        low, high = event.score.interval
        yield from (("strength/share", event.score.share), ("strength/low", low), ("strength/high", high))
        return
    yield from ((name, value) for name, value in _of_generation(event) if np.isfinite(value))


def _of_generation(generation: Generation[Any]) -> Iterator[tuple[str, float]]:
    individuals, games = generation.report.individuals, generation.report.games
    best = int(np.flatnonzero(individuals.ids == generation.report.best_id)[0])
    yield "games/drawn", float((games.winners == 0).mean())
    yield "games/plies", float(games.plies.mean())
    yield "best/score", float(individuals.scores[best])
    yield "best/king_value", float(individuals.king_values[best])
    yield "best/step_size", float(individuals.step_sizes[best])
    yield "time/seconds", generation.seconds
    yield "time/evaluations_per_second", float(games.evaluations.sum()) / max(generation.playing_seconds, 1e-9)
