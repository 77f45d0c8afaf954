"""The README's first picture: the papers' curves come from the page about them, ours from a run."""

from evocheckers import ThreadExecutor
from evocheckers.runs.recorder import carry_on, open_run
from tools.first_picture import TABLES, paper_points, run_points


def test_the_papers_systems_are_read_from_their_page():
    text = TABLES.read_text()
    anaconda, social = paper_points(text, "Anaconda", 150), paper_points(text, "C10-RR", 870)
    assert [point.games for point in anaconda] == [105 * 150 * i for i in range(9)]
    assert anaconda[-1][1:] == (50.4, 48.3, 52.5)
    assert [point.games for point in social] == [29 * 870 * i for i in range(6)]
    assert social[-1][1:] == (55.9, 50.6, 61.2)


def test_a_run_gives_its_measurements(tmp_path):
    settings = {"parents": 2, "plies": 1, "opponents": 1}
    with open_run("anaconda", tmp_path / "small.sqlite", 2, 1, settings, None, 1) as run:
        list(carry_on(run, ThreadExecutor()))
        points = run_points(run)
    assert [point.games for point in points] == [0, 4, 8]
    assert all(point.low <= point.share <= point.high for point in points)
