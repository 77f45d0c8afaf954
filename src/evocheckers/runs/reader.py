"""What a run file says: its settings, and everything that was recorded."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from evocheckers.evaluation.network import Network
from evocheckers.evolution.evolve import Resumable
from evocheckers.evolution.presets import make_settings
from evocheckers.evolution.registry import SchemeError, find_scheme
from evocheckers.evolution.scheme import ConfigError, Individuals, RecordedGames, Scheme, Settings
from evocheckers.rules.pdn import Game
from evocheckers.runs.columns import unpack
from evocheckers.runs.files import RunError, faults
from evocheckers.runs.records import Games, games_of, pdn_games
from evocheckers.runs.schema import FORMAT, MEASURE_EVERY, SUMMARIES, VERSION, Keep, Summary
from evocheckers.tournaments.score import Score


class RunReader:
    """A run file through an open connection."""

    def __init__(self, path: Path | str, connection: sqlite3.Connection) -> None:
        self.path = Path(path)
        self._connection = connection
        meta = self._read_meta()
        self.program = meta["program"]
        self.preset = meta["preset"]
        self.seed = int(meta["seed"])
        self.generations = int(meta["generations"])
        self.keep = Keep(meta["keep"] if "keep" in meta else {"kept": "moves", "dropped": "results"}[meta["moves"]])
        self.measure_every = int(meta.get("measure_every", MEASURE_EVERY))
        """Generations between two measurements; 0 for none."""
        self.package = meta.get("package", "")
        """The package that its scheme comes from; empty for ours."""
        self.scheme_name = meta["scheme"]
        self.config: dict[str, Any] = dict(json.loads(meta["settings"]))
        """The settings as they were written: there even if the scheme is not, or does not take them."""
        self.notices: list[str] = []
        """What whoever opened it to go on should know."""

    def _read_meta(self) -> dict[str, str]:
        tables = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master")}
        meta = dict(self._connection.execute("SELECT key, value FROM meta")) if "meta" in tables else {}
        if meta.get("format") != FORMAT:
            raise RunError(self.path, "not a run of evocheckers")
        if meta.get("version") != VERSION:
            raise RunError(self.path, f"version {meta.get('version')}; this program reads version {VERSION}")
        return meta

    @cached_property
    def scheme(self) -> Scheme[Any, Any]:
        """The scheme that it is a run of; where its package is missing, what was recorded can still be read."""
        try:
            return find_scheme(self.scheme_name)
        except SchemeError as error:
            needed = f"; it needs the package {self.package}" if self.package else ""
            raise RunError(self.path, f"{error}{needed}") from None

    @cached_property
    def settings(self) -> Settings:
        """Its settings, checked."""
        try:
            return make_settings(self.scheme, self.scheme.current(self.config))
        except ConfigError as error:
            fault = f"made by version {self.program} with settings that this one does not take: {error}"
            raise RunError(self.path, fault) from None

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple]:
        with faults(self.path):
            return self._connection.execute(query, values).fetchall()

    def last(self) -> Resumable[Any] | None:
        """The last recorded generation, to go on from."""
        rows = self._rows(
            "SELECT s.generation, s.columns, g.digest FROM state s JOIN generations g ON number = generation"
        )
        if not rows:
            return None
        with faults(self.path):
            kind, parts = self.scheme.state, unpack(rows[0][1])
            parts |= self._recalled(rows[0][0])
            if set(parts) != set(kind._fields):
                made_by = self.program
                raise RunError(self.path, f"was made by another program ({made_by}); it can be read but not resumed")
            return Resumable(rows[0][0], kind(**parts), rows[0][2])

    def _recalled(self, last: int) -> dict[str, Any]:
        """The column of a state that follows from the last generations' games."""
        memory = self.scheme.memory
        if memory is None:
            return {}
        first = max(1, last + 1 - memory.generations(self.settings))
        games = [RecordedGames(*self.games(number)) for number in range(first, last + 1)]
        return {memory.column: memory.recall(self.settings, games)}

    @property
    def generation(self) -> int:
        """The last recorded generation; 0 before the first."""
        return int(self._rows("SELECT COALESCE(MAX(number), 0) FROM generations")[0][0])

    @property
    def digest(self) -> str:
        """The digest after the last recorded generation; empty before the first."""
        rows = self._rows("SELECT digest FROM generations ORDER BY number DESC LIMIT 1")
        return str(rows[0][0]) if rows else ""

    def summaries(self) -> list[Summary]:
        """All recorded generations, in order."""
        rows = self._rows(f"{SUMMARIES} ORDER BY number")
        with faults(self.path):
            return [Summary.from_row(row) for row in rows]

    def summary(self, generation: int) -> Summary | None:
        """One recorded generation, if there is one."""
        rows = self._rows(f"{SUMMARIES} WHERE number = ?", [generation])
        with faults(self.path):
            return Summary.from_row(rows[0]) if rows else None

    def existing_summary(self, generation: int) -> Summary:
        """One recorded generation; refused if there is none."""
        found = self.summary(generation)
        if found is None:
            raise RunError(self.path, f"has no generation {generation}; it has {self._span()}")
        return found

    def strengths(self) -> dict[int, Score]:
        """Measurements by generation."""
        rows = self._rows("SELECT * FROM strength ORDER BY generation")
        with faults(self.path):
            if not all(isinstance(value, int) for row in rows for value in row):
                raise ValueError("strength")
        return {number: Score(*counts) for number, *counts in rows}

    def individuals(self, generation: int) -> Individuals:
        """Who took part in a generation."""
        columns = self._columns("individuals", generation)
        with faults(self.path):
            return Individuals(**{"losses": np.full(len(columns["ids"]), np.nan), **columns})

    def games(self, generation: int) -> Games:
        """Who played Black and White, and the games; without moves if they were not kept."""
        if self.keep is Keep.POINTS:
            raise RunError(self.path, "kept no games; evolve with --keep results or --keep moves")
        columns = self._columns("games", generation)
        with faults(self.path):
            return games_of(columns)

    def played_games(self, generation: int) -> list[Game]:
        """The games of a generation for PDN files."""
        if self.keep is Keep.RESULTS:
            raise RunError(self.path, "kept no moves; evolve with --keep moves")
        event = f"{self.preset}, seed {self.seed}, generation {generation}"
        return pdn_games(self.games(generation), f"{self.preset}-{self.seed}", event)

    def _columns(self, table: str, generation: int) -> dict[str, np.ndarray]:
        rows = self._rows(f"SELECT columns FROM {table} WHERE generation = ?", [generation])  # noqa: S608
        if not rows:
            raise RunError(self.path, f"has no generation {generation}; it has {self._span()}")
        with faults(self.path):
            return unpack(rows[0][0])

    def network(self, generation: int | None = None) -> Network:
        """A generation's best network; 0 is what the run began with, None the last one."""
        if generation == 0:
            return self.scheme.first_network(self.settings, self.scheme.begin(self.settings, self.seed))
        which = "(SELECT MAX(number) FROM generations)" if generation is None else "?"
        values = [] if generation is None else [generation]
        rows = self._rows(f"SELECT best FROM generations WHERE number = {which}", values)  # noqa: S608
        if not rows:
            wanted = "generation yet" if generation is None else f"generation {generation}"
            raise RunError(self.path, f"has no {wanted}; it has {self._span()}")
        with faults(self.path):
            return Network.from_bytes(rows[0][0], self.path)

    def signed_network(self, generation: int | None = None) -> Network:
        """The same network, with what it takes to make it again in its ``source``."""
        network = self.network(generation)
        digests = {summary.number: summary.digest for summary in self.summaries()}
        number = generation if generation is not None else max(digests)
        source = {
            "program": self.program,
            "preset": self.preset,
            "settings": self.settings.model_dump(),
            "seed": self.seed,
            "generation": number,
            "digest": digests.get(number, ""),
        }
        return replace(network, source={**network.source, **source})

    def _span(self) -> str:
        numbers = [summary.number for summary in self.summaries()]
        return f"0 to {numbers[-1]}" if numbers else "none yet but 0"
