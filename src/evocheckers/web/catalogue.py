"""Whom one can play: the shipped champion, networks and runs of two folders, piece differential, random moves.

A player is named by an id. File names in ids are looked up in a listing of the folder, never joined to a path.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evocheckers.errors import EvocheckersError
from evocheckers.evaluation.evaluator import Evaluator, piece_differential
from evocheckers.evaluation.network import EXTENSIONS, Network
from evocheckers.experiments.shipped import SHIPPED, shipped_network
from evocheckers.players.words import MATERIAL_NOISE
from evocheckers.runs.run import Run
from evocheckers.web.models import PlayerModel

HUMAN, CHAMPION, ANACONDA, RANDOM = "human", "champion", "anaconda-840", "random"
_TITLES = {CHAMPION: "Champion", ANACONDA: "Anaconda, generation 840"}
_RUN = re.compile(r"run:(?P<name>[^#]+)(?:#(?P<generation>\d{1,9}))?")
_KEPT = 64


class UnknownPlayerError(EvocheckersError):
    """An id that names no player."""

    def __init__(self, player: str) -> None:
        super().__init__(f"no player {player[:80]!r}")


@dataclass(frozen=True, eq=False)
class Opponent:
    """Who plays: an evaluator with its rule of extension, or none for random moves."""

    title: str
    evaluator: Evaluator | None
    extensions: int = EXTENSIONS
    network: Network | None = None


class Catalogue:
    """All players of this machine."""

    def __init__(self, networks: Path, runs: Path) -> None:
        self._networks, self._runs = networks, runs
        self._kept: OrderedDict[tuple[str, float], Opponent] = OrderedDict()

    def entries(self) -> list[PlayerModel]:
        """Everyone, the champion first."""
        found = [
            PlayerModel(id=CHAMPION, title=_TITLES[CHAMPION], note="the network that evolution bred"),
            PlayerModel(id=ANACONDA, title=_TITLES[ANACONDA], note="the papers' algorithm, as printed"),
            PlayerModel(id="material", title="Piece counting", note="men and kings, nothing else"),
            PlayerModel(id=RANDOM, title="Random moves", note="for a first game"),
        ]
        found += [
            PlayerModel(id=f"net:{name}", title=name, note="network file")
            for name in self._files(self._networks, "safetensors")
        ]
        return found + [PlayerModel(id=f"run:{name}", title=name, note="run, last generation") for name in self.runs()]

    def runs(self) -> dict[str, Path]:
        """The run files, by name."""
        return self._files(self._runs, "sqlite")

    def run_path(self, name: str) -> Path:
        """The file of a run."""
        path = self.runs().get(name)
        if path is None:
            raise UnknownPlayerError(f"run:{name}")
        return path

    def get(self, player: str) -> Opponent:
        """A player by id."""
        if player == RANDOM:
            return Opponent("Random moves", None)
        if player == "material":
            return Opponent("Piece counting", piece_differential(noise=MATERIAL_NOISE), 0)
        if player in SHIPPED:
            return self._remembered((player, 0.0), lambda: shipped_network(player), _TITLES[player])
        if player.startswith("net:"):
            file = self._files(self._networks, "safetensors").get(player[4:])
            if file is None:
                raise UnknownPlayerError(player)
            return self._remembered((player, file.stat().st_mtime), lambda: Network.load(file), file.stem)
        if match := _RUN.fullmatch(player):
            path = self.run_path(match["name"])
            generation = int(match["generation"]) if match["generation"] else None
            with Run.open(path) as run:
                number = generation if generation is not None else run.generation
                title = f"{path.stem}, generation {number}"
                return self._remembered((f"{player}#{number}", 0.0), lambda: run.network(generation), title)
        raise UnknownPlayerError(player)

    def _remembered(self, key: tuple[str, float], load: Callable[[], Network], title: str) -> Opponent:
        if key not in self._kept:
            network = load()
            self._kept[key] = Opponent(title, network.evaluator(), network.extensions, network)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    @staticmethod
    def _files(folder: Path, ending: str) -> dict[str, Path]:
        try:
            return {path.stem: path for path in sorted(folder.glob(f"*.{ending}")) if path.is_file()}
        except OSError:
            return {}
