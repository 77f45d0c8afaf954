"""Whom one can play on the page: the players of the command line, by the same words, as far as they are safe there.

A seat's limit is given apart from its player. Files are looked up by name in a listing of two folders and never joined
to a path: ``net:NAME`` is a network file, ``run:NAME#GENERATION`` a run. ``engine:`` starts programs and is refused.
Kinds of other packages are offered without an argument.
"""

from pathlib import Path

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.network import Network
from evocheckers.experiments.contestants import contestant_of, network_of
from evocheckers.players.foreign import foreign_kinds
from evocheckers.players.player import Contestant
from evocheckers.players.words import (
    KINDS,
    PlayerError,
    PlayerSpec,
    format_limit,
    parse_material,
    parse_player,
    parse_run,
)
from evocheckers.runs.run import Run
from evocheckers.search.searcher import Limit
from evocheckers.web.models import PlayerModel

HUMAN, CHAMPION = "human", "champion"
_OWN = (
    PlayerModel(id=CHAMPION, title="Champion", note="learnt from the results of its own games"),
    PlayerModel(id="es-190", title="The champion before", note="an evolution strategy, from results alone"),
    PlayerModel(id="anaconda-840", title="Anaconda, generation 840", note="the papers' algorithm, as printed"),
    PlayerModel(id="material", title="Piece counting", note="men and kings, nothing else"),
    PlayerModel(id="material:noise", title="Piece counting with noise", note="a little stronger: ties are broken"),
    PlayerModel(id="random", title="Random moves", note="for a first game"),
)
_TITLES = {player.id: player.title for player in _OWN}


class UnknownPlayerError(EvocheckersError):
    """Words that name no player of the page."""

    def __init__(self, player: str) -> None:
        self.player = player
        super().__init__(f"no player {player[:80]!r}")


class Catalogue:
    """All players of this machine."""

    def __init__(self, networks: Path, runs: Path) -> None:
        self._networks, self._runs = networks, runs

    def entries(self) -> list[PlayerModel]:
        """Everyone, the champion first."""
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

    def get(self, player: str, limit: Limit) -> Contestant:
        """A player by its words, with the limit that the seat has."""
        return contestant_of(self._read(player, limit), self._find_network)

    def title(self, player: str) -> str:
        """A player's name for people; its words where it is no longer there."""
        if player in _TITLES:
            return _TITLES[player]
        try:
            spec = self._read(player, Limit(plies=1))
            if spec.kind == "material":
                return f"{_TITLES['material']}, {spec.argument}"
            if spec.kind != "run":
                return spec.argument or spec.kind
            name, generation = parse_run(spec)
            if generation is None:
                with Run.open(self.run_path(name)) as run:
                    generation = run.generation
        except EvocheckersError:
            return player
        return f"{name}, generation {generation}"

    def _read(self, player: str, limit: Limit) -> PlayerSpec:
        """What the words mean, if they are allowed here."""
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

    def _find_network(self, spec: PlayerSpec) -> Network | None:
        """As ``network_of``, but files come out of the listing."""
        if spec.kind == "net":
            path = self._files(self._networks, "safetensors").get(spec.argument)
            if path is None:
                raise UnknownPlayerError(f"net:{spec.argument}")
            return Network.load(path)
        if spec.kind == "run":
            name, generation = parse_run(spec)
            with Run.open(self.run_path(name)) as run:
                return run.network(generation)
        return network_of(spec)

    @staticmethod
    def _files(folder: Path, ending: str) -> dict[str, Path]:
        try:
            return {path.stem: path for path in sorted(folder.glob(f"*.{ending}")) if path.is_file()}
        except OSError:
            return {}
