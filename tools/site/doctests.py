"""Doctests in docstrings as code blocks: Markdown would take ``>>>`` for quotations."""

import re
from typing import Any

from griffe import Extension, Object

_DOCTEST = re.compile(r"^>>> .*\n(?:.+\n?)*", re.MULTILINE)


class Doctests(Extension):
    """Puts a fence around every group of lines that begins with a prompt."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change a docstring before it is rendered."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """A docstring with its doctests as code blocks."""
    return _DOCTEST.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)
