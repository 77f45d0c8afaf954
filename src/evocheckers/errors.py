"""The base class of every error that bad input can raise, and the check of whole numbers.

``EvocheckersError`` is a ``ValueError``. Each folder adds its own subclasses, beside what raises them.
"""

import operator
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


class NumberError(EvocheckersError):
    """A number that is not whole or out of its range."""


def whole_number(
    name: str, value: object, least: int, most: int, error: type[EvocheckersError] = NumberError, hint: str = ""
) -> int:
    """``value`` as an ``int`` between ``least`` and ``most``; compiled code must get nothing else.

    >>> whole_number("threads", 1.5, 1, 1024)
    Traceback (most recent call last):
    evocheckers.errors.NumberError: threads = 1.5: must be a whole number between 1 and 1024
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        shown = repr(value) if number is None or abs(number) < 1 << 70 else "a very large number"
        raise error(f"{name} = {shown[:60]}: must be a whole number between {least} and {most}{hint}")
    return number
