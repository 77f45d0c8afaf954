"""Every command that writes for long, killed a few times; ``python -m tools.attack.kills`` does it at length."""

import os
import sys

import pytest

from tools.attack import kills
from tools.attack.victims import RUN, Victim, check_files, evolve, file_result, nothing, victims

if os.name == "nt":
    pytest.skip("signals", allow_module_level=True)

GENERATIONS = 6
NAMES = (
    *("self-play", "lamarck", "baldwin", "es", "anaconda", "blondie24-rr", "c10", "c10-rr"),
    *("over-the-hill", "over-the-hill-128", "over-the-hill-3of4"),
    *("runs repair", "runs export games.csv", "runs export games.parquet", "runs export network", "runs copy"),
    "endgames build",
)


@pytest.fixture(scope="module")
def every_victim(tmp_path_factory) -> dict[str, Victim]:
    return {victim.name: victim for victim in victims(tmp_path_factory.mktemp("source"), GENERATIONS, measure_every=0)}


def test_all_of_them_are_named(every_victim):
    assert tuple(every_victim) == NAMES


SAMPLE = ("lamarck", "anaconda", "c10-rr", "over-the-hill", *NAMES[11:])
"""One preset of every scheme, and whatever else writes files."""


@pytest.mark.parametrize("name", SAMPLE)
def test_killed_and_started_again(name, every_victim, tmp_path):
    outcome = kills.attack(every_victim[name], tmp_path, kills=2, seed=NAMES.index(name))
    assert outcome.faults == ()
    assert outcome.kills == 2
    assert outcome.ends >= 1


def test_killed_again_and_again(tmp_path):
    outcome = kills.attack(evolve("es", 20, measure_every=10), tmp_path, kills=6, seed=4)
    assert outcome.faults == ()
    assert outcome.at_work >= 2


BREAKS = {
    "another digest": f"import random; open('{RUN}', 'w').write(str(random.random()))",
    "left rubbish": f"import os; open('rubbish-' + str(os.getpid()), 'w').close(); open('{RUN}', 'w').close()",
    "not whole": f"import time; f = open('{RUN}', 'w'); f.write('a'); f.flush(); time.sleep(1); f.write('b')",
    "does not start again": f"import os, sys, time; os.path.exists('{RUN}') and sys.exit('does not start again'); "
    f"open('{RUN}', 'w').close(); time.sleep(1)",
}


@pytest.mark.parametrize("fault", BREAKS)
def test_what_does_not_come_through_is_found(fault, tmp_path, monkeypatch):
    monkeypatch.setattr(kills, "COMMAND", [sys.executable, "-I", "-S"])
    check = check_files if fault == "not whole" else lambda *_: None
    victim = Victim("careless", ["-c", BREAKS[fault]], nothing, file_result(RUN), check)
    outcome = kills.attack(victim, tmp_path, kills=8, seed=1)
    assert any(fault in text for text in outcome.faults), outcome
