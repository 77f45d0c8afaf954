"""A reproduction's report: facts, tables and figures, which Python computes, in the text of a Markdown template.

The template stands beside the module that computes the report. In it, ``${name}`` is a fact, a table or the file of a
figure. ``<!-- each player -->`` to ``<!-- end player -->`` is repeated for every item of the list ``player``, with the
item in place of ``{player}``; ``<!-- if name -->`` to ``<!-- end name -->`` stands only if there is such a fact;
``<!-- include file.md -->`` inserts a text that several templates share. A name that the report does not have is an
error. The digest is over facts and the rows of tables: correcting a comma changes no digest.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from textwrap import fill
from typing import Any

from evocheckers.analysis.plots import plot_into
from evocheckers.errors import EvocheckersError

WIDTH = 118
"""Characters in a line of a report's paragraphs."""
_INCLUDE = re.compile(r"<!-- include (\S+) -->\n")
_SECTION = re.compile(r"<!-- (each|if) (\S+) -->\n?(.*?)<!-- end \2 -->\n?", re.DOTALL)
_NAME = re.compile(r"\$\{([^{}]+)\}")


class TemplateError(EvocheckersError):
    """A template and its report do not fit together."""


@dataclass(frozen=True)
class Table:
    """Rows under a header."""

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def to_markdown(self) -> str:
        lines = ["| " + " | ".join(self.header) + " |", "|" + "---|" * len(self.header)]
        return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in self.rows)])


@dataclass
class Report:
    """Results, next to the paper's."""

    template: str
    """The template's place in this folder, without ``.md``: ``anaconda/cycles``."""
    command: str
    facts: dict[str, str] = field(default_factory=dict)
    """Single findings by name, worded for use in a sentence: the template states them, other pages quote them."""
    tables: dict[str, Table] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    """What sections of the template are repeated for, such as the networks under test."""
    figures: list[str] = field(default_factory=list)
    quoted: set[str] = field(default_factory=set)
    """Names of the facts that the template need not state: other pages quote them."""
    _drawings: dict[str, Callable[[Any], None]] = field(default_factory=dict)

    def fact(self, name: str, words: object, quoted: bool = False) -> None:
        """Record a finding; each name is used once. If ``quoted``, the template need not state it."""
        name = self._new(name)
        self.facts[name] = str(words)
        if quoted:
            self.quoted.add(name)

    def state(self, **facts: object) -> None:
        """Record facts for the template."""
        for name, words in facts.items():
            self.fact(name, words)

    def table(self, name: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add a table."""
        self.tables[self._new(name)] = Table(header, rows)

    def figure(self, name: str, draw: Callable[[Any], None]) -> None:
        """Add a figure; ``draw`` gets Matplotlib's ``pyplot`` and fills its current figure."""
        name = self._new(name)
        self.figures.append(name)
        self._drawings[name] = draw

    @property
    def digest(self) -> str:
        """Digest of all results: the same when repeated, unless the report measures time."""
        results = [self.facts, {name: [list(row) for row in table.rows] for name, table in self.tables.items()}]
        return hashlib.sha256(json.dumps(results, sort_keys=True).encode()).hexdigest()[:16]

    def to_markdown(self, figures: str = "") -> str:
        """The whole report; ``figures`` is the beginning of the figures' addresses."""
        return "\n\n".join(self.blocks(figures)) + "\n"

    def blocks(self, figures: str = "") -> list[str]:
        """Title, origin, paragraphs, tables and figures in order."""
        title, *blocks = [self._block(block, figures) for block in self._source().split("\n\n")]
        return [title, f"Made by `{self.command}`; digest `{self.digest}`.", *blocks]

    def unused(self) -> set[str]:
        """Names of the facts, tables and figures that the template does not show."""
        shown = {fact_name(name) for name in _NAME.findall(self._source())}
        conditions = set(re.findall(r"<!-- if (\S+) -->", _template(self.template)))
        return {*self.facts, *self.tables, *self.figures} - shown - self.quoted - conditions

    def to_json(self) -> dict[str, Any]:
        """The report as data, from which ``from_json`` makes it again."""
        data: dict[str, Any] = {"template": self.template, "command": self.command, "digest": self.digest}
        data |= {"facts": self.facts, "lists": self.lists, "figures": self.figures}
        tables = {
            name: {"header": list(t.header), "rows": [list(r) for r in t.rows]} for name, t in self.tables.items()
        }
        return {**data, "tables": tables}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Report":
        """A stored report; its figures cannot be drawn again."""
        tables = {name: Table(table["header"], table["rows"]) for name, table in data["tables"].items()}
        return cls(data["template"], data["command"], data["facts"], tables, data["lists"], data["figures"])

    def write(self, folder: Path) -> Path:
        """Write ``report.md``, ``report.json`` and the figures into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, draw in self._drawings.items():
            plot_into(folder / f"{name}.png", draw)
        path = folder / "report.md"
        path.write_text(self.to_markdown())
        path.with_suffix(".json").write_text(json.dumps(self.to_json(), indent=1) + "\n")
        return path

    def _new(self, name: str) -> str:
        """A name that no fact, table or figure has yet."""
        name = fact_name(name)
        if name in (*self.facts, *self.tables, *self.figures):
            raise ValueError(f"the report has a {name!r} already")
        return name

    def _source(self) -> str:
        """The template with its sections written out."""
        return re.sub(r"\n{3,}", "\n\n", self._expanded(_template(self.template))).strip()

    def _expanded(self, text: str) -> str:
        def section(match: re.Match[str]) -> str:
            kind, name, body = match.groups()
            if kind == "if":
                return self._expanded(body) if name in self.facts else ""
            if name not in self.lists:
                raise TemplateError(f"{self.template}.md: the report has no list {name!r}")
            return "".join(self._expanded(body.replace(f"{{{name}}}", item)) for item in self.lists[name])

        return _SECTION.sub(section, text)

    def _block(self, text: str, figures: str) -> str:
        """A block of the template filled in: a table, or text."""
        alone = _NAME.fullmatch(text)
        if alone and (table := self.tables.get(fact_name(alone[1]))):
            return table.to_markdown()

        def value(match: re.Match[str]) -> str:
            name = fact_name(match[1])
            if name in self.facts:
                return self.facts[name]
            if name in self.figures:
                return f"{figures}{name}.png"
            raise TemplateError(f"{self.template}.md: the report has no {name!r}")

        filled = _NAME.sub(value, text)
        if "${" in filled:
            raise TemplateError(f"{self.template}.md: a name with a list's item stands outside its section: {filled}")
        if filled.startswith(("#", "!", "**")):
            return " ".join(filled.split())
        return fill(filled, WIDTH, break_long_words=False, break_on_hyphens=False)


def fact_name(text: str) -> str:
    """A name in lower case with hyphens, for texts that may name players."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def _template(name: str) -> str:
    """A template's text, with what it includes."""
    folder = resources.files("evocheckers") / "papers"
    text = (folder / f"{name}.md").read_text(encoding="utf-8")
    place = folder / name.rpartition("/")[0]
    return _INCLUDE.sub(lambda match: (place / match[1]).read_text(encoding="utf-8"), text)
