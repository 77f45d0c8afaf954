"""Every reproduction in its quick form: it runs, is kept, and shows the paper's numbers beside ours."""

import json
from dataclasses import replace

import numpy as np
import pytest

from evocheckers.endgames.values import Database
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.networks.network import Network
from evocheckers.networks.registry import Kind
from evocheckers.networks.shipped import CHAMPION
from evocheckers.papers.catalogue import REPRODUCTIONS
from evocheckers.papers.lab import Evolution, Laboratory, identity
from evocheckers.papers.ours import strength
from evocheckers.papers.report import Report
from evocheckers.papers.scores import points_without_draws
from evocheckers.players.player import Contestant
from evocheckers.runs.file import Run
from evocheckers.tournaments.score import Score

EXPECTED = {
    "control-equal-depth": "| the paper's |  | equal | 2-0 | 12 | 10-0-2 |",
    "control-equal-time": "| the paper's |  | 8, sometimes 6 | 10, sometimes 14 |",
    "control-handicap": "| the paper's |  | played out | 8-4-2 | 71.4% |",
    "control-handicap-6": "Control 2 as it was: 2 plies against 4",
    "forced-jumps": "| `only-move` | none |",
    "six-games": "| Anaconda, generation 840 | Hoyle's experts | the paper | 6-0-0 |",
    "rating-165": "| Chellapilla and Fogel | 2045.85 | 0.48 |",
    "published-games": "| plies with one legal move | 16, the same | 7, the same |",
    "social-learning": "| 1405.51 ± 27.54 | 1264.71 ± 26.66 | +140.80 | class C, class D |",
    "over-the-hill": "Table 3: average wins of 10",
    "over-the-hill-readings": "| nobody has to jump, inputs by colour |",
    "over-the-hill-variants": "| three wins of four, 200 plies, 10 iterations | about 20% |",
    "strength-by-ply": "| 4 against 2 plies, played out |",
    "mobility": "pieces held fixed",
    "endings": "| `self-play-220` with the database | 4 of 4 |",
    "steadiness": "| `anaconda-840` | `es-190` | ",
    "strength": "| player | at 1 ply, 10 games each | at 2 plies, 10 games each |",
    "worth": "| one learner | ",
    "cycles": "go round in a circle",
    "generations-250-840": "Generation 4 against generation 2 of the same run",
    "without-piece-sum": "| learner | without | ",
}


PLAYERS = ("anaconda-840", "self-play-220")
SHOW_BOTH = ("six-games", "rating-165", "published-games", "strength-by-ply", "mobility", "steadiness")


@pytest.fixture(scope="session")
def database() -> Database:
    return Database.build(3)


def laboratory(folder, database, steps=None) -> Laboratory:
    log = (lambda text: None) if steps is None else steps.append
    return Laboratory(folder, ThreadExecutor(2), PLAYERS, True, 1, 2, log, lambda: database)


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_every_reproduction_runs(name, tmp_path, database):
    report = REPRODUCTIONS[name].run(laboratory(tmp_path, database), f"evocheckers reproduce {name} --quick")
    text = report.write(tmp_path).read_text()
    assert report.unused() == set()
    assert Report.from_json(json.loads((tmp_path / "report.json").read_text())).to_markdown() == text
    assert EXPECTED[name] in text
    assert f"`evocheckers reproduce {name} --quick`" in text
    if name in SHOW_BOTH:
        assert text.index("anaconda-840") < text.index("self-play-220"), "the papers' own network first, ours second"
    for line in text.splitlines():
        if line.startswith("!["):
            assert (tmp_path / line.partition("(")[2].rstrip(")")).stat().st_size > 5000


def test_what_was_done_is_not_done_again(tmp_path, database):
    first: list[str] = []
    again: list[str] = []
    run = REPRODUCTIONS["six-games"].run
    one = run(laboratory(tmp_path, database, first), "x").to_markdown()
    kept = sorted((tmp_path / "steps").glob("*.json"))
    kept[0].unlink()  # as if it had been interrupted there
    assert run(laboratory(tmp_path, database, again), "x").to_markdown() == one
    assert len(first) == len(kept) == 12
    assert len(again) == 1


def test_a_network_without_the_sum_is_another_one():
    network = Network.random(np.random.default_rng(1))
    names = {
        identity(Contestant.from_network("one", replace(network, kind=kind), 2))
        for kind in (Kind.SPATIAL, Kind.SPATIAL_BARE)
    }
    assert len(names) == 2


def test_the_papers_points_are_those_of_decided_games():
    assert points_without_draws(Score(10, 3, 1)) == pytest.approx(400)
    assert points_without_draws(Score(8, 4, 2)) == pytest.approx(240.8, abs=0.1)


def test_a_third_occurrence_is_a_draw_if_asked_for(tmp_path, database):
    lab = laboratory(tmp_path, database)
    for repetition in (False, True):
        lab.match_as_played(f"{repetition}", "material:noise@2", "material:noise@2", ("11-15 22-18",), repetition)
    games = {name: (tmp_path / "games" / f"{name}.pdn").read_text() for name in ("False", "True")}
    assert "repetition" not in games["False"]
    assert "repetition" in games["True"]


def test_systems_that_evolve_together_come_out_as_they_do_alone(tmp_path, database):
    small = {"parents": 2, "plies": 1}
    together = laboratory(tmp_path / "together", database)
    evolutions = [Evolution("anaconda", 3, small, 2), Evolution("c10-rr", 2, small, 1, "round-robin")]
    paths = together.evolved_together(evolutions)
    assert [path.name for path in paths] == ["anaconda-2.sqlite", "round-robin-1.sqlite"]
    for path, evolution in zip(paths, evolutions, strict=True):
        with Run.open(path) as one, Run.open(laboratory(tmp_path / "alone", database).evolved(*evolution)) as other:
            assert one.generation == evolution.generations
            assert one.digest == other.digest


def test_at_a_second_only_the_champion_meets_the_others(tmp_path, database, monkeypatch):
    monkeypatch.setattr(strength, "LIMITS", {"1": ("",), "2": ("",)})
    monkeypatch.setattr(strength, "GAUNTLETS", ("2",))
    report = strength.strength(replace(laboratory(tmp_path, database), quick=False), "x").to_markdown()
    assert f"| player | at 1 ply, 10 games each | at 2 plies, 2 games each, `{CHAMPION}` 10 |" in report
    games = [path.name for path in (tmp_path / "games").iterdir()]
    assert len([name for name in games if name.endswith("-1.pdn")]) == 15
    assert len([name for name in games if name.endswith("-2.pdn") and name.startswith(CHAMPION)]) == 5
    assert len(games) == 20
