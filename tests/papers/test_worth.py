"""What is a result worth: equal beginnings, counted games, work that is kept, and tables that say what was measured."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evocheckers.analysis.ensemble import Ensemble
from evocheckers.evolution.registry import find_preset, make_settings
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.games.driving import Task
from evocheckers.networks.evaluator import common_extensions
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.ours import worth
from evocheckers.papers.ours.worth import (
    COMPARED,
    LIFE,
    NAMES,
    NOISE,
    SYSTEMS,
    Curves,
    Point,
    System,
    quick,
    verdict,
)
from evocheckers.runs.file import Run
from evocheckers.tournaments.score import Score
from tools.worth_page import DATA, PAGE, read, refreshed


def begun(system: System, seed: int = 1):
    """A system's settings, scheme and first state."""
    preset = find_preset(system.preset)
    settings = make_settings(preset.scheme, {**preset.settings, **system.settings})
    return settings, preset.scheme, preset.scheme.begin(settings, seed)


@pytest.mark.parametrize("system", [*SYSTEMS, *map(quick, SYSTEMS)], ids=lambda system: f"{system.key}-{system.games}")
def test_a_generation_has_as_many_games_as_it_says(system):
    settings, scheme, state = begun(system)
    batch = Task(scheme.step(settings, 1, 1, state)).batch
    assert batch is not None
    assert len(batch.pairings) == system.games
    assert {pairing.black_plies for pairing in batch.pairings} == {2 if system.games < 100 else 4}
    assert common_extensions(batch.evaluators) == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_all_begin_with_the_same_network(seed):
    firsts = [scheme.first_network(settings, state) for settings, scheme, state in (begun(s, seed) for s in SYSTEMS)]
    assert len({first.weights.tobytes() for first in firsts}) == 1
    assert {first.king_value for first in firsts} == {2.0}


def test_learners_are_measured_at_the_end_of_a_life():
    """After a selection, those who inherit nothing begin anew."""
    lives = [checkpoint / 500 for checkpoint in worth.CHECKPOINTS]
    assert all(life % LIFE == 0 or life < LIFE for life in lives)


def test_systems_differ_by_what_is_compared():
    settings = {system.key: begun(system)[0].model_dump() for system in SYSTEMS}
    for what, more, less in COMPARED:
        if more != "one":
            differ = {name for name, value in settings[more].items() if value != settings[less][name]}
            assert len(differ) == 1, what


def laboratory(folder: Path, steps: list[str]) -> Laboratory:
    return Laboratory(folder, ThreadExecutor(2), ("self-play-220",), True, 1, 2, steps.append)


def test_what_was_evolved_and_measured_is_not_done_again(tmp_path, monkeypatch):
    monkeypatch.setattr(worth, "SYSTEMS", tuple(system for system in SYSTEMS if system.key in ("es", "one")))
    monkeypatch.setattr(worth, "played_out", lambda matches, *_: Ensemble([match.score for match in matches]))
    first: list[str] = []
    again: list[str] = []
    one = worth.worth(laboratory(tmp_path, first), "x").to_markdown()
    data = (tmp_path / worth.DATA).read_text()
    sorted((tmp_path / "steps").glob("*.json"))[-1].unlink()  # as if it had been interrupted there
    with Run.open(tmp_path / "runs" / "one-1.sqlite") as run:
        digest = run.digest
    assert worth.worth(laboratory(tmp_path, again), "x").to_markdown() == one
    assert (tmp_path / worth.DATA).read_text() == data
    assert len(again) == 1
    assert sum(text.startswith("evolving one-1") for text in first) == 2  # from one checkpoint to the next
    with Run.open(tmp_path / "runs" / "one-1.sqlite") as run:
        assert run.digest == digest
        assert run.generation == quick(SYSTEMS[3]).generation(worth.QUICK_CHECKPOINTS[-1])


def point(system: str, seed: int, score: Score, checkpoint: int = 1000, plies: int = 4) -> Point:
    return Point(system, seed, checkpoint, checkpoint, NOISE, plies, score)


def test_tables_are_over_runs_and_differences_seed_by_seed():
    found = [point("es", seed, Score(40 + seed, 0, 46 - seed)) for seed in (1, 2, 3)]
    found += [point("one", seed, Score(50 + 2 * seed, 0, 36 - 2 * seed)) for seed in (3, 2, 1)]
    curves = Curves(found)
    ensemble = curves.at("one", 1000, 4)
    assert ensemble is not None
    assert [score.wins for score in ensemble.scores] == [52, 54, 56]
    rows = {row[0]: row[1:] for row in curves.by_games(4).rows}
    assert rows == {NAMES[key]: [curves.at(key, 1000, 4).elo_text] for key in ("es", "one")}  # type: ignore[union-attr]
    gaps = 100 * np.array([11, 12, 13]) / 86
    half = 4.302653 * gaps.std(ddof=1) / np.sqrt(3)
    without, measured, *others = curves.differences(1000).rows
    assert measured[-1] == f"{gaps.mean():+.1f} [{gaps.mean() - half:+.1f}, {gaps.mean() + half:+.1f}]: more"
    assert all(row[-1] == "" for row in (without, *others))
    ranked = f"one learner {rows['one learner'][0]}, evolution strategy {rows['evolution strategy'][0]}"
    assert curves.ranking(1000) == ranked


@pytest.mark.parametrize(
    ("interval", "said"), [((1.0, 3.0), "more"), ((-3.0, -1.0), "less"), ((-1.0, 5.0), "not significant")]
)
def test_an_interval_around_nothing_is_no_difference(interval, said):
    assert verdict(*interval) == said


def test_points_come_back_from_their_data():
    one = replace(point("es", 1, Score(1, 2, 3, 1, 0)), played_out=Score(3, 2, 1))
    for found in (one, replace(one, played_out=None)):
        assert Point.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_the_page_shows_what_was_measured():
    page = PAGE.read_text()
    assert page.count("<!-- end of ") >= 3
    assert refreshed(page, read(DATA)) == page
    assert max(map(len, (line for line in page.splitlines() if not line.startswith("|")))) <= 120
