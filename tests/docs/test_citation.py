"""CITATION.cff names the version that there is."""

import re

from evocheckers import __version__
from tests.docs.pages import ROOT


def test_the_version_is_this_one():
    found = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert found is not None
    assert found[1] == __version__
