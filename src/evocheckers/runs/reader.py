"""Reading a run file: what it says about itself, and everything that was recorded.

A file is read only if it has the tables of ``runs.schema`` and nothing else. Everything taken from it is checked first.
"""

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.errors import printable
from evocheckers.evolution.evolve import Resumable, digest_of
from evocheckers.evolution.registry import SCHEMES, SchemeError, find_scheme, make_settings
from evocheckers.evolution.scheme import (
    ConfigError,
    Individuals,
    RecordedGames,
    Scheme,
    Settings,
    StateError,
    bytes_of,
    check_seed,
)
from evocheckers.learning.dataset import ReplayError, positions_of
from evocheckers.networks.network import Network
from evocheckers.runs.schema import (
    FORMAT,
    MAX_COUNT,
    SUMMARIES,
    TABLES,
    VERSION,
    KeptGames,
    Summary,
    games_from_columns,
    unpack,
)
from evocheckers.runs.validation import (
    RunError,
    check_games,
    check_individuals,
    check_memory,
    limited_steps,
    run_errors,
)
from evocheckers.tournaments.score import Score

MAX_TEXT = 1 << 16
"""Most characters in one text."""
MAX_NAME = 200
MAX_NESTING = 8
_MAX_ROWS = 64


@dataclass(frozen=True)
class Meta:
    """How a run was started, checked."""

    program: str
    preset: str
    scheme: str
    package: str
    seed: int
    generations: int
    keep: KeptGames
    measure_every: int
    config: dict[str, Any]


def read_meta(connection: sqlite3.Connection, path: Path) -> Meta:
    """What a file says about itself; anything but a run of ours is refused."""
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_TEXT)  # longer texts are not even read
    try:
        texts = _read_texts(connection, path)
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)
    config = json.loads(texts["settings"])
    if not isinstance(config, dict) or not _is_shallow(config, MAX_NESTING):
        raise ValueError("settings are not values by name")
    for name in ("program", "preset", "scheme", "package"):
        if len(texts[name]) > MAX_NAME or printable(texts[name]) != texts[name]:
            raise ValueError(f"{name} {texts[name][:60]}")
    return Meta(
        texts["program"],
        texts["preset"],
        texts["scheme"],
        texts["package"],
        check_seed(_number(texts, "seed")),
        _number(texts, "generations"),
        KeptGames(texts["keep"]),
        _number(texts, "measure_every"),
        config,
    )


def _read_texts(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    wanted = {_normalised(statement) for statement in TABLES.split(";") if statement.strip()}
    found = connection.execute("SELECT type, sql FROM sqlite_master LIMIT ?", [_MAX_ROWS]).fetchall()
    named = {_normalised(text) for kind, text in found if kind == "table" and isinstance(text, str)}
    if not any(text.startswith("create table meta ") for text in named):
        raise RunError(path, "not a run of evocheckers")
    if named == wanted and len(found) == len(wanted):  # until then it is not queried: a view can be anything
        rows = connection.execute("SELECT key, value FROM meta LIMIT ?", [_MAX_ROWS]).fetchall()
        texts = {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}
        if texts.get("format") != FORMAT:
            raise RunError(path, "not a run of evocheckers")
        if texts.get("version") != VERSION:
            shown = texts.get("version", "none")[:20]
            raise RunError(path, f"version {shown}; this program reads version {VERSION}")
        return texts
    raise RunError(path, "not a run of evocheckers: it has other tables, views or triggers")


def _normalised(statement: str) -> str:
    return " ".join(statement.split()).lower()


def _number(texts: dict[str, str], name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,20}", texts[name]):
        raise ValueError(f"{name} {texts[name][:40]!r}")
    return int(texts[name])


def _is_shallow(value: Any, levels: int) -> bool:
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_is_shallow(one, levels - 1) for one in inside)
    return True


MAX_MEASURED = 1_000_000
"""Most games in a measurement."""


class RunReader:
    """A run file through an open connection."""

    def __init__(self, path: Path | str, connection: sqlite3.Connection) -> None:
        self.path = Path(path)
        self._connection = connection
        with limited_steps(connection):
            meta = read_meta(connection, self.path)
        self.program = meta.program
        self.preset = meta.preset
        self.seed = meta.seed
        self.generations = meta.generations
        self.keep = meta.keep
        self.measure_every = meta.measure_every
        """Generations between two measurements; 0 for none."""
        self.package = meta.package
        """The package that its scheme comes from; empty for ours."""
        self.scheme_name = meta.scheme
        self.config = meta.config
        """The settings as written: available even if the scheme is missing, or does not accept them."""
        self.notices: list[str] = []
        """Messages for the caller that opened the run to resume it."""

    @cached_property
    def scheme(self) -> Scheme[Any, Any]:
        """The run's scheme; if its package is missing, what was recorded can still be read."""
        try:
            return find_scheme(self.scheme_name)
        except SchemeError as error:
            needed = f"; it needs the package {self.package}" if self.package else ""
            raise RunError(self.path, f"{error}{needed}") from None

    @cached_property
    def settings(self) -> Settings:
        """The run's settings, checked."""
        try:
            return make_settings(self.scheme, self.config)
        except ConfigError as error:
            fault = f"made by version {self.program} with settings that this one does not take: {error}"
            raise RunError(self.path, fault) from None

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple]:
        with run_errors(self.path), limited_steps(self._connection):
            return self._connection.execute(query, values).fetchall()

    def last(self) -> Resumable[Any] | None:
        """The last recorded generation, to resume from; None before the first."""
        rows = self._rows(
            "SELECT s.generation, s.columns, g.digest FROM state s JOIN generations g ON number = generation"
        )
        if not rows:
            return None
        with run_errors(self.path):
            number, packed, digest = rows[0]
            state, columns, buffer = self.scheme.state, unpack(packed), self.scheme.replay_buffer
            replayed = {buffer.column} if buffer else set()
            if set(columns) | replayed != set(state._fields):
                made_by = self.program
                raise RunError(self.path, f"was made by another program ({made_by}); it can be read but not resumed")
            try:
                self.scheme.check_state(self.settings, self.seed, columns)
            except StateError as error:
                raise ValueError(str(error)) from None
            self._check_digest(number, columns, digest)
            return Resumable(number, state(**columns, **self._replayed(number)), digest)

    def _check_digest(self, number: int, columns: dict[str, np.ndarray], digest: str) -> None:
        """Check a state against its recorded digest, if all moves are kept and the scheme is ours."""
        if self.keep is not KeptGames.MOVES or self.scheme_name not in SCHEMES:
            return
        games, before = self.games(number), self.summary(number - 1)
        recorded, width = games.results.codes, self.settings.rules().max_plies
        if recorded.shape[1] > width:
            raise ValueError(f"games of more than {width} plies")
        codes = np.zeros((len(recorded), width), np.uint32)
        codes[:, : recorded.shape[1]] = recorded
        played = games._replace(results=replace(games.results, codes=codes))
        known = before.digest if before else ""
        found = digest_of(self.scheme, known, columns, self.individuals(number), played)
        if found != digest:
            raise ValueError(f"state or games of generation {number} do not give its digest")

    def _replayed(self, last: int) -> dict[str, Any]:
        """The column of a state that follows from the last generations' games."""
        buffer = self.scheme.replay_buffer
        if buffer is None:
            return {}
        first = max(1, last + 1 - buffer.generations(self.settings))
        return {buffer.column: buffer.rebuild(self.settings, [self.legal_games(n) for n in range(first, last + 1)])}

    @property
    def generation(self) -> int:
        """The last recorded generation; 0 before the first."""
        return int(self._rows("SELECT COALESCE(MAX(number), 0) FROM generations")[0][0])  # a rowid is an integer

    @property
    def digest(self) -> str:
        """The digest after the last recorded generation; empty before the first."""
        rows = self._rows("SELECT digest FROM generations ORDER BY number DESC LIMIT 1")
        return str(rows[0][0]) if rows else ""

    def summaries(self) -> list[Summary]:
        """All recorded generations, in order."""
        rows = self._rows(f"{SUMMARIES} ORDER BY number")
        with run_errors(self.path):
            return [Summary.from_row(row) for row in rows]

    def summary(self, generation: int) -> Summary | None:
        """One recorded generation, if there is one."""
        rows = self._rows(f"{SUMMARIES} WHERE number = ?", [min(generation, MAX_COUNT)])
        with run_errors(self.path):
            return Summary.from_row(rows[0]) if rows else None

    def existing_summary(self, generation: int) -> Summary:
        """One recorded generation; an error if there is none."""
        found = self.summary(generation)
        if found is None:
            raise RunError(self.path, f"has no generation {generation}; it has {self._span()}")
        return found

    def strengths(self) -> dict[int, Score]:
        """Measurements by generation."""
        rows = self._rows("SELECT generation, wins, draws, losses, ahead, behind FROM strength ORDER BY generation")
        with run_errors(self.path):
            for number, *counts in rows:
                if not all(isinstance(value, int) and 0 <= value <= MAX_MEASURED for value in (number, *counts)):
                    raise ValueError("strength")
                if not sum(counts[:3]) or sum(counts[3:]) > counts[1]:
                    raise ValueError(f"strength of generation {number}")
        return {number: Score(*counts) for number, *counts in rows}

    def individuals(self, generation: int) -> Individuals:
        """The individuals of a generation."""
        columns = self._columns("individuals", generation)
        with run_errors(self.path):
            return check_individuals(columns)

    def games(self, generation: int) -> RecordedGames:
        """The games of a generation: who played Black and White, and the results; moves only if they were kept."""
        if self.keep is KeptGames.POINTS:
            raise RunError(self.path, "kept no games; evolve with --keep results or --keep moves")
        columns = self._columns("games", generation)
        with run_errors(self.path):
            check_games(columns, self.keep)
            return games_from_columns(columns)

    def legal_games(self, generation: int) -> RecordedGames:
        """The same, after checking that every move is legal; whatever is made from moves is made from these."""
        games = self.games(generation)
        if games.results.codes.shape[1]:
            with run_errors(self.path):
                try:
                    positions_of(games.results)
                except ReplayError as error:
                    fault = f"generation {generation}: game {error.game + 1} holds an illegal move"
                    raise ValueError(fault) from None
        return games

    def _columns(self, table: str, generation: int) -> dict[str, np.ndarray]:
        rows = self._rows(f"SELECT columns FROM {table} WHERE generation = ?", [min(generation, MAX_COUNT)])  # noqa: S608
        if not rows:
            raise RunError(self.path, f"has no generation {generation}; it has {self._span()}")
        with run_errors(self.path):
            return unpack(rows[0][0])

    def network(self, generation: int | None = None) -> Network:
        """A generation's best network; 0 is what the run started with, None the last generation."""
        if generation == 0:
            if self.scheme.layout is not None:
                check_memory(self.path, bytes_of(self.scheme.layout(self.settings)))
            return self.scheme.first_network(self.settings, self.scheme.begin(self.settings, self.seed))
        which = "(SELECT MAX(number) FROM generations)" if generation is None else "?"
        values = [] if generation is None else [min(generation, MAX_COUNT)]
        rows = self._rows(f"SELECT best FROM generations WHERE number = {which}", values)  # noqa: S608
        if not rows:
            wanted = "generation yet" if generation is None else f"generation {generation}"
            raise RunError(self.path, f"has no {wanted}; it has {self._span()}")
        with run_errors(self.path):
            return Network.from_bytes(rows[0][0], self.path)

    def averaged_network(self, generation: int | None, count: int) -> Network:
        """The mean of the best networks of ``count`` generations, up to this one.

        It makes sense if each of them continues the one before, as with a single learner.
        """
        number = self.generation if generation is None else generation
        if not 1 <= count <= number:
            raise RunError(self.path, f"cannot average {count} generations up to generation {number}")
        networks = [self.network(one) for one in range(number - count + 1, number + 1)]
        weights = sum(network.weights.astype(np.float64) for network in networks) / count
        known = [network.king_value for network in networks if network.king_value is not None]
        king_value = sum(known) / count if known else None
        return replace(networks[-1], weights=np.asarray(weights, np.float32), king_value=king_value)

    def exported_network(self, generation: int | None = None, average: int = 1) -> Network:
        """A network, or the mean of several, with everything needed to make it again in its ``source``."""
        network = self.averaged_network(generation, average) if average > 1 else self.network(generation)
        digests = {summary.number: summary.digest for summary in self.summaries()}
        number = generation if generation is not None else max(digests)
        source = {
            "program": self.program,
            "preset": self.preset,
            "settings": self.settings.model_dump(),
            "seed": self.seed,
            "generation": number,
            "digest": digests.get(number, ""),
            **({"average": average} if average > 1 else {}),
        }
        return replace(network, source={**network.source, **source})

    def _span(self) -> str:
        numbers = [summary.number for summary in self.summaries()]
        return f"0 to {numbers[-1]}" if numbers else "none yet but 0"
