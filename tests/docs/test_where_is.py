"""Every answer of *Where is …?* exists, and holds what it is said to hold."""

import re
from pathlib import Path

import pytest

import evocheckers
from tests.docs.pages import DOCS

ROW = re.compile(r"^\| (\d+) \| (.+?) \| `(\S+)` \| `(.+?)` \|$", re.MULTILINE)
ANSWERS = ROW.findall((DOCS / "where-is.md").read_text(encoding="utf-8"))


def test_there_are_thirty_questions():
    assert [int(number) for number, *_ in ANSWERS] == list(range(1, 31))


@pytest.mark.parametrize(("question", "file", "found"), [answer[1:] for answer in ANSWERS])
def test_every_answer_exists(question, file, found):
    text = (Path(evocheckers.__path__[0]) / file).read_text(encoding="utf-8")
    assert found in text, question
