"""The tables of a run file, as they are made."""

from evocheckers.runs.schema import TABLES


def text() -> str:
    """The SQL that makes them."""
    return f"```sql\n{TABLES.strip()}\n```"
