"""The base class of every error that bad input can raise; each layer adds its own subclasses.

ValueError
└── EvocheckersError
    ├── RulesError (rules/errors.py)
    ├── EndgameError (endgames/errors.py)
    ├── NetworkError, EvaluatorError (evaluation/)
    ├── SearchError (search/searcher.py)
    ├── PlayerError, PlayerFailure (players/)
    ├── PairingError (games/batch.py)
    ├── HubError, EngineFailure (hub/)
    ├── LearningError (learning/errors.py)
    ├── ConfigError, SchemeError (evolution/)
    └── RunError, FolderError, ExportError, TensorBoardError (runs/)
"""

import re
from collections.abc import Iterable

_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, characters that change the direction of text, and lone surrogates."""


def printable(text: object) -> str:
    r"""A text made safe to show: on one line, with every character that would control the terminal escaped.

    >>> printable("a\n  b\x1b[2J")
    'a b\\x1b[2J'
    """
    return _UNSHOWN.sub(_spell, re.sub(r"[ \t]*[\r\n]+[ \t]*", " ", str(text)))


def printable_lines(text: str) -> str:
    """The same for a text of several lines; line breaks are kept."""
    return "\n".join(map(printable, text.split("\n")))


def _spell(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A suggestion to append to an error message about an unknown word; empty if no known word is close.

    >>> did_you_mean("champoin", ["champion", "material"])
    ' (did you mean champion?)'
    """
    import difflib

    close = difflib.get_close_matches(word, known, n=1, cutoff=0.7)
    return f" (did you mean {close[0]}?)" if close else ""


class EvocheckersError(ValueError):
    """Bad input; the message is one printable line, whatever characters the input had."""

    def __str__(self) -> str:
        return printable(super().__str__())
