"""Where data for tests lies."""

from pathlib import Path

import evocheckers

DATA = Path(__file__).parent.parent / "data"
PUBLISHED = Path(evocheckers.__file__).parent / "papers" / "anaconda"
