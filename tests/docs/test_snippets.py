"""Blocks of Python in the documents run as they are; README is a doctest."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES
from tests.docs.pages import DOCS, PAGES, snippets

WITH = [(page, number, code) for page in PAGES if DOCS in page.parents for number, code in enumerate(snippets(page), 1)]


def test_there_are_some():
    assert len(WITH) >= 5


@pytest.mark.parametrize(("page", "number", "code"), WITH, ids=[f"{page.stem}-{number}" for page, number, _ in WITH])
def test_a_block_runs(monkeypatch, tmp_path: Path, page: Path, number: int, code: str):
    if "import torch" in code and find_spec("torch") is None:
        pytest.skip("needs PyTorch")
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, f"{page.name}, block {number}", "exec"), {"__name__": "__main__"})  # noqa: S102
