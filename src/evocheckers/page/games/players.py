"""The players on the page: those of the command line, with the same specifications, as far as they are safe there.

A seat's limit is given separately from its player. Files are looked up by name in a listing of two folders and never
joined to a path: ``net:NAME`` is a network file, ``run:NAME#GENERATION`` a run. ``engine:`` starts programs and is
refused. Kinds from other packages are offered without an argument.
"""

import threading
from collections import OrderedDict
from pathlib import Path

from evocheckers.errors import printable
from evocheckers.networks.network import Network
from evocheckers.networks.shipped import SHIPPED
from evocheckers.page.games.models import PlayerModel
from evocheckers.page.responses import NotFoundError
from evocheckers.players.grammar import (
    KINDS,
    PlayerError,
    PlayerSpec,
    format_limit,
    parse_material,
    parse_player,
    parse_run,
)
from evocheckers.players.make import contestant_of, network_of
from evocheckers.players.player import Contestant
from evocheckers.players.plugins import foreign_kinds
from evocheckers.runs.file import Run
from evocheckers.search.limit import Limit

HUMAN, CHAMPION = "human", "champion"
_OWN = (
    PlayerModel(id=CHAMPION, title="Champion", note="learnt from its own games; sees men and kings apart"),
    PlayerModel(
        id="self-play-220",
        title="The papers' network, well taught",
        note="every position learnt from the result",
    ),
    PlayerModel(id="es-190", title="The evolution strategy's best", note="the same network, from pairs of games"),
    PlayerModel(id="anaconda-840", title="Anaconda, generation 840", note="the papers' algorithm, as printed"),
    PlayerModel(id="material", title="Piece counting", note="men and kings, nothing else"),
    PlayerModel(id="material:noise", title="Piece counting with noise", note="clearly stronger: ties are broken"),
    PlayerModel(id="random", title="Random moves", note="for a first game"),
)
_TITLES = {player.id: player.title for player in _OWN}
KEPT_PLAYERS = 64
"""Number of players cached in memory, for as long as their files do not change."""

Identity = tuple[tuple[int, ...], ...]
"""Distinguishes a file from one that replaces it, and from itself after a change."""


def name_of(path: Path) -> str:
    r"""A file's name on the page: without its suffix, and with invalid and control characters escaped.

    >>> name_of(Path("caf\udce9.sqlite"))
    'caf\\udce9'
    """
    return printable(path.stem)


def identity_of(path: Path) -> Identity:
    """The identity of a file; for a run, this includes its journal."""
    found: list[tuple[int, ...]] = []
    for part in (path, Path(f"{path}-wal")):
        try:
            status = part.stat()
        except OSError:
            found.append(())
        else:
            found.append((status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size))
    return tuple(found)


class UnknownPlayerError(NotFoundError):
    """A specification that names no player of the page."""

    def __init__(self, player: str) -> None:
        self.player = player
        super().__init__(f"no player {player[:80]!r}")


class Catalogue:
    """All players of this machine."""

    def __init__(self, networks: Path, runs: Path) -> None:
        self._networks, self._runs = networks, runs
        self._kept: OrderedDict[tuple[str, Limit], tuple[Identity, Contestant]] = OrderedDict()
        self._lock = threading.Lock()

    def entries(self) -> list[PlayerModel]:
        """All players, the champion first."""
        found = list(_OWN)
        for kind, point in sorted(foreign_kinds().items()):
            package = point.dist.name if point.dist is not None else "another package"
            found.append(PlayerModel(id=kind, title=kind, note=f"of {package}"))
        for name in self._files(self._networks, "safetensors"):
            found.append(PlayerModel(id=f"net:{name}", title=name, note="network file"))
        for name in self.runs():
            found.append(PlayerModel(id=f"run:{name}", title=name, note="run, last generation"))
        return found

    def runs(self) -> dict[str, Path]:
        """The run files, by name."""
        return self._files(self._runs, "sqlite")

    def run_path(self, name: str) -> Path:
        """The file of a run."""
        path = self.runs().get(name)
        if path is None:
            raise UnknownPlayerError(f"run:{name}")
        return path

    def is_own(self, player: str) -> bool:
        """Whether a player needs no files but ours, so that getting it takes hardly any time."""
        return player.partition(":")[0] in (CHAMPION, *SHIPPED, "material", "random")

    def needs_file(self, player: str) -> bool:
        """Whether a player's network is in a file of unknown origin."""
        return player.partition(":")[0] in ("net", "run")

    def get(self, player: str, limit: Limit) -> Contestant:
        """A player with its seat's limit; read again if its file has changed."""
        spec = self._read(player, limit)
        if spec.kind not in KINDS:
            return contestant_of(spec, self._find_network)
        path = self._file(spec)
        identity = identity_of(path) if path else ()
        with self._lock:
            kept = self._kept.get((player, limit))
        if kept is not None and kept[0] == identity:
            return kept[1]
        made = contestant_of(spec, self._find_network)
        with self._lock:
            self._kept[player, limit] = identity, made
            while len(self._kept) > KEPT_PLAYERS:
                self._kept.popitem(last=False)
        return made

    def title(self, player: str) -> str:
        """A player's display name, from its specification alone."""
        if player in _TITLES:
            return _TITLES[player]
        kind, _, argument = player.partition(":")
        if kind == "material":
            return f"{_TITLES['material']}, {argument}"
        if kind == "run":
            name, sign, generation = argument.rpartition("#")
            return f"{name}, generation {generation}" if sign else f"{argument}, last generation"
        return argument or kind

    def _read(self, player: str, limit: Limit) -> PlayerSpec:
        """Parse a specification and check that it is allowed here."""
        try:
            spec = parse_player(player if player == "random" else f"{player}@{format_limit(limit)}", foreign_kinds)
            if spec.kind == "run":
                parse_run(spec)
            if spec.kind == "material":
                parse_material(spec)
        except PlayerError:
            raise UnknownPlayerError(player) from None
        if spec.kind == "engine" or (spec.kind not in KINDS and spec.argument):
            raise UnknownPlayerError(player)
        return spec

    def _file(self, spec: PlayerSpec) -> Path | None:
        """A player's file, from the listing; None for players without one."""
        if spec.kind == "net":
            path = self._files(self._networks, "safetensors").get(spec.argument)
            if path is None:
                raise UnknownPlayerError(f"net:{spec.argument}")
            return path
        return self.run_path(parse_run(spec)[0]) if spec.kind == "run" else None

    def _find_network(self, spec: PlayerSpec) -> Network | None:
        """Like ``network_of``, but with files from the listing."""
        path = self._file(spec)
        if path is None:
            return network_of(spec)
        if spec.kind == "net":
            return Network.load(path)
        with Run.open(path) as run:
            return run.network(parse_run(spec)[1])

    @staticmethod
    def _files(folder: Path, ending: str) -> dict[str, Path]:
        try:
            return {name_of(path): path for path in sorted(folder.glob(f"*.{ending}")) if path.is_file()}
        except OSError:
            return {}
