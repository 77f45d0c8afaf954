"""Results as pandas data frames, for those who have pandas; nothing else here needs it."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from evocheckers.errors import EvocheckersError

if TYPE_CHECKING:
    import pandas as pd


class FrameError(EvocheckersError):
    """Data frames were asked for where pandas is not installed."""


def data_frame(rows: Iterable[Mapping[str, Any]]) -> "pd.DataFrame":
    """A data frame with a row for each mapping."""
    try:
        import pandas as pd
    except ImportError:
        raise FrameError("to_pandas needs pandas; install it with: pip install pandas") from None
    return pd.DataFrame(list(rows))
