"""The parts of a network file, to put together rightly and wrongly."""

import numpy as np

WEIGHTS = np.zeros(5046, np.float32)


def metadata(**changes: str | None) -> dict[str, str]:
    """The file's own words on a network, some of them changed or left out."""
    plain = {
        "format": "evocheckers-network",
        "version": "1",
        "kind": "spatial",
        "view": "own-side",
        "leaf": "root",
        "king_value": "2.0",
    }
    return {key: value for key, value in (plain | changes).items() if value is not None}
