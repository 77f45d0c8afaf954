"""Writes ``docs/papers.md``, "The papers, line by line", from ``docs/papers/*.toml`` and the reports' findings.

Run ``python -m tools.papers_page``. A file is a section: ``title``, ``about``, and ``[[row]]`` tables with

- ``says``: the claim in our words, and ``quote``, the paper's own few words where they matter;
- ``where``: document and place, such as ``Expert, section 3``;
- ``command``: the command that answers it;
- ``found``: the result. ``{over-the-hill.accepted}`` stands for the fact ``accepted`` of that report;
- ``answer``: one of ``ANSWERS``.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from tools.report_pages import DOCS, reports

PAGE = DOCS / "papers.md"
SECTIONS = DOCS / "papers"
ANSWERS = ("yes", "no", "depends on the reading", "choice", "as printed", "open")
"""Whether it is confirmed; ``choice``: the paper is silent; ``as printed``: adopted; ``open``: nobody knows yet."""
FACT = re.compile(r"\{([a-z0-9-]+)\.([a-z0-9-]+)\}")


class UnknownFactError(Exception):
    """A row mentions a finding that no report has."""


def fill_in(words: str, facts: Mapping[str, Mapping[str, str]]) -> str:
    """A text with the reports' findings filled in."""

    def found(match: re.Match[str]) -> str:
        report, name = match.groups()
        try:
            return facts[report][name]
        except KeyError:
            raise UnknownFactError(f"{report} has no fact {name!r}") from None

    return FACT.sub(found, words)


def _row(row: Mapping[str, Any], facts: Mapping[str, Mapping[str, str]]) -> str:
    if row["answer"] not in ANSWERS:
        raise ValueError(f"answer {row['answer']!r}: must be one of {', '.join(ANSWERS)}")
    quote = f" *“{row['quote']}”*" if "quote" in row else ""
    command = f"`{row['command']}`" if row.get("command") else ""
    cells = [f"{row['says']}{quote} ({row['where']})", fill_in(row["found"], facts), command, f"**{row['answer']}**"]
    return "| " + " | ".join(" ".join(cell.split()) for cell in cells) + " |"


def page() -> str:
    """The whole page."""
    facts = {name: report.facts for name, report in reports().items()}
    blocks = [(SECTIONS / "introduction.md").read_text().strip()]
    for path in sorted(SECTIONS.glob("*.toml")):
        section = tomllib.loads(path.read_text())
        rows = [_row(row, facts) for row in section["row"]]
        head = ["| the paper | what came out | command | verdict |", "|---|---|---|---|"]
        blocks += [f"## {section['title']}", section["about"].strip(), "\n".join([*head, *rows])]
    return "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
