"""Hill climbers outside of run files, and the readings of the paper that they are compared under."""

import numpy as np

from evocheckers.evolution.evolve import evolve
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.papers.hill.climbing import Reading, climb, wins_against, wins_against_random
from evocheckers.papers.hill.over_the_hill import PAPER_AVERAGE, PAPER_MATRIX
from evocheckers.papers.hill.readings import PRESET, READINGS, exchanges, random_networks

EXECUTOR = ThreadExecutor(2)


def test_climbing_is_what_a_run_does():
    *_, last = evolve("over-the-hill", {"iterations": 10}, seed=2, generations=2, executor=EXECUTOR)
    alone, other = climb(PRESET, [10, 20], EXECUTOR, (2, 3))
    assert np.array_equal(alone[-1].network.weights, last.state.weights)
    assert alone[-1].updates == int(last.state.updates)
    assert not np.array_equal(alone[-1].network.weights, other[-1].network.weights)


def test_optional_jumps_lead_to_other_networks():
    free = Reading("free", {}, compulsory=False)
    forced, freed = (climb(reading, [20], EXECUTOR)[0][0] for reading in (PRESET, free))
    assert not np.array_equal(forced.network.weights, freed.network.weights)


def test_look_ahead_harms_where_jumps_are_compulsory():
    """The finding of the report, as small as it is still significant."""
    networks = random_networks(PRESET, 10)
    forced, free = (
        wins_against_random(READINGS[name].executor(EXECUTOR), networks, 3, 20) for name in ("preset", "free")
    )
    assert forced < 0.3
    assert free > 0.7
    taken, lost = exchanges(EXECUTOR, networks)[3]
    assert taken < lost


def test_a_network_of_zeros_plays_at_random():
    zero = PRESET.network(np.zeros(5251, np.float32))
    won, lost = wins_against(EXECUTOR, zero, zero, 60)
    assert abs(won - lost) < 0.4
    assert 0.25 < wins_against_random(EXECUTOR, [zero], 2, 60) < 0.75


def test_the_papers_tables_agree_with_each_other():
    assert [sum(row) / 8 for row in PAPER_MATRIX] == list(PAPER_AVERAGE)
