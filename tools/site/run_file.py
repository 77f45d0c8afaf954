"""The tables of a run file, as they are created."""

from evocheckers.runs.schema import TABLES


def text() -> str:
    """The SQL that creates them."""
    return f"```sql\n{TABLES.strip()}\n```"
