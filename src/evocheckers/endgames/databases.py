"""The databases that a search probes: distances for the fewest pieces, and values for more if the user has them.

The distances are built at first use, in about a second, and kept in the data folder. Databases of won, drawn and lost
positions are used if they cover more pieces; ``evocheckers endgames build`` makes them.
"""

import functools
import logging
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evocheckers.endgames import files
from evocheckers.endgames.distances import MOST_PIECES, build_distances
from evocheckers.endgames.index import VALUES_PER_WORD, EndgameError, EndgameFileError, header, value_words
from evocheckers.endgames.values import Database

_logger = logging.getLogger(__name__)

_preparing = threading.Lock()
"""Makes players on several threads build the distances only once."""


@dataclass(frozen=True, eq=False)
class Databases:
    """A search's knowledge of positions with few pieces."""

    distances: np.ndarray
    """Entries of ``distances``, for up to ``distances_pieces`` pieces."""
    distances_pieces: int = MOST_PIECES
    values: Database | None = None
    """Wins, draws and losses for more pieces."""

    def __post_init__(self) -> None:
        entries = value_words(self.distances_pieces) * VALUES_PER_WORD
        if self.distances.dtype != np.uint8 or self.distances.shape != (entries,):
            raise EndgameError(f"distances of {self.distances_pieces} pieces are one array of {entries} bytes")

    @functools.cached_property
    def header(self) -> np.ndarray:
        """The tables from which the index of a distance is computed."""
        return header(self.distances_pieces)

    @classmethod
    def prepare(cls, folder: Path | str | None = None) -> "Databases":
        """The databases of a folder, by default the data folder; distances are built and saved first if missing."""
        with _preparing:
            return _prepare(files.ready_folder(folder))


@functools.lru_cache(maxsize=2)
def _prepare(folder: Path) -> Databases:
    """Read the databases once, shared by all searches."""
    path = folder / files.file_name(MOST_PIECES, files.DISTANCES)
    try:
        pieces, _, words = files.read(path, files.DISTANCES)
        if pieces != MOST_PIECES:
            raise EndgameFileError(path, f"{pieces} pieces, not {MOST_PIECES}")
        distances = words.view(np.uint8)
    except EndgameFileError:  # missing or damaged: rebuild
        _logger.info("building the endgame database of %s pieces in %s, once", MOST_PIECES, folder)
        distances = build_distances()
        files.write(path, MOST_PIECES, [], distances.view("<u4"), files.DISTANCES)
    values = Database.find(folder=folder)
    return Databases(distances, values=values if values and values.pieces > MOST_PIECES else None)
