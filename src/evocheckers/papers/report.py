"""A reproduction's report: text, tables and figures in order, as Markdown."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evocheckers.analysis.plots import plot_into


@dataclass(frozen=True)
class Table:
    """Rows under a title and a header."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def to_markdown(self) -> str:
        lines = [f"**{self.title}**", ""] if self.title else []
        lines.append("| " + " | ".join(self.header) + " |")
        lines.append("|" + "---|" * len(self.header))
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in self.rows]
        return "\n".join(lines)


@dataclass(frozen=True)
class Figure:
    """A plot, saved in a file next to the report."""

    name: str
    caption: str
    draw: Callable[[Any], None]
    """Gets Matplotlib's ``pyplot`` and fills its current figure."""

    def to_markdown(self) -> str:
        return f"![{self.caption}]({self.name}.png)"

    def save(self, folder: Path) -> Path:
        """Write the file."""
        path = folder / f"{self.name}.png"
        plot_into(path, self.draw)
        return path


@dataclass
class Report:
    """Results, next to the paper's."""

    title: str
    command: str
    parts: list[str | Table | Figure] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    """Single findings by name, worded for use in a sentence elsewhere: the page about the papers is made from them."""

    def fact(self, name: str, words: str) -> None:
        """Record a single finding; each name is used once."""
        if name in self.facts:
            raise ValueError(f"the fact {name!r} is already recorded")
        self.facts[name] = words

    def text(self, text: str) -> None:
        """Add a paragraph."""
        self.parts.append(text)

    def table(self, title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add a table."""
        self.parts.append(Table(title, header, rows))

    def figure(self, name: str, caption: str, draw: Callable[[Any], None]) -> None:
        """Add a figure."""
        self.parts.append(Figure(name, caption, draw))

    def to_markdown(self) -> str:
        """The whole report."""
        blocks = [f"# {self.title}", f"Made by `{self.command}`; digest `{self.digest}`."]
        blocks += [part if isinstance(part, str) else part.to_markdown() for part in self.parts]
        return "\n\n".join(blocks) + "\n"

    @property
    def digest(self) -> str:
        """Digest of all text and results: the same when repeated, unless the report measures time."""
        told = json.dumps([self._content(), self.facts], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        """The report as data: paragraphs, tables, figures by name, and single findings."""
        told = {"title": self.title, "command": self.command, "digest": self.digest}
        return {**told, "facts": self.facts, "parts": self._content()}

    def _content(self) -> list[Any]:
        parts: list[Any] = []
        for part in self.parts:
            if isinstance(part, Table):
                parts.append({"table": part.title, "header": list(part.header), "rows": [list(r) for r in part.rows]})
            elif isinstance(part, Figure):
                parts.append({"figure": part.name, "caption": part.caption})
            else:
                parts.append({"text": part})
        return parts

    def write(self, folder: Path) -> Path:
        """Write ``report.md``, ``report.json`` and the figures into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for part in self.parts:
            if isinstance(part, Figure):
                part.save(folder)
        path = folder / "report.md"
        path.write_text(self.to_markdown())
        path.with_suffix(".json").write_text(json.dumps(self.to_json(), indent=1) + "\n")
        return path
