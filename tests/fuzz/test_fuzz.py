"""Bounded, repeatable fuzzing of every reader; ``python -m tools.fuzz.long`` does it at length."""

import importlib.util
import random
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.fuzz.mutations import WORDS, mutate
from tools.fuzz.targets import TARGETS, forget_files, survive

GUIDED_RUNS = {"engine": 1_000, "assignments": 300, "run_file": 500, "database": 500, "config": 1_000}
TEXTS = [name for name in TARGETS if name not in ("network", "run_file", "database")]


@pytest.fixture(scope="module", autouse=True)
def files():
    yield
    forget_files()


@pytest.mark.parametrize("name", TARGETS)
def test_no_mutated_input_breaks_a_reader(name):
    target = TARGETS[name]
    corpus, generator = target.make_corpus(), random.Random(1)
    assert any(survive(target.read, data) for data in corpus)
    read = sum(survive(target.read, mutate(generator.choice(corpus), generator)) for _ in range(target.inputs))
    assert read < target.inputs
    assert read > 0 or name == "database"  # its digest lets nothing pass


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=200)
@given(st.data())
def test_no_text_breaks_a_reader(name, data):
    words = st.sampled_from([*WORDS, *TARGETS[name].make_corpus()])
    parts = data.draw(
        st.lists(words | st.text(max_size=8).map(lambda text: text.encode(errors="replace")), max_size=12)
    )
    survive(TARGETS[name].read, b"".join(parts))


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris has no build for this Python")
@pytest.mark.parametrize("name", TARGETS)
def test_no_guided_input_breaks_a_reader(name, tmp_path):
    runs = GUIDED_RUNS.get(name, 2_000)
    command = [
        sys.executable,
        "-m",
        "tools.fuzz.guided",
        name,
        f"-runs={runs}",
        "-seed=1",
        f"-artifact_prefix={tmp_path}/",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert re.search(rf"Done {runs} runs", done.stderr)
