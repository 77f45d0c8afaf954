"""Runs in a real browser: followed while they grow, their networks played, their games replayed."""

from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.recorder import carry_on, open_run


def test_follow_a_running_evolution_and_play_its_network(page, server):
    path = server.runs / "tiny.sqlite"
    changes = {"plies": 1, "pairs": 2, "moves_per_side": 10}
    with open_run("es", path, 4, 1, changes) as run:
        grow = carry_on(run, ThreadExecutor(1), 2)
        for _ in range(2):
            next(grow)
        page.open("/evolution#tiny")
        page.page.locator("#status", has_text="generation 1 of 4").wait_for()
        assert page.page.locator(".chart").count() >= 4
        for _ in grow:
            pass
        page.page.locator("#status", has_text="generation 4 of 4, finished").wait_for()
    page.page.click("#games-form button")
    page.page.locator("#games button").first.wait_for()
    assert len(page.texts("#games li")) == 4
    page.page.click("#matrix-button")
    page.page.locator("#matrix td").first.wait_for()
    page.page.click("#games button >> nth=0")
    page.page.locator("#moves button").first.wait_for()
    page.open("/evolution#tiny")
    page.page.locator("#status", has_text="finished").wait_for()
    page.page.fill("#generation", "2")
    page.page.click("#play-this")
    page.page.locator("#seat-top", has_text="tiny, generation 2").wait_for()
    page.page.locator(".movable").first.wait_for()


def test_the_family_tree_of_a_population(page, server):
    changes = {"plies": 1, "parents": 3, "opponents": 1, "moves_per_side": 5}
    with open_run("anaconda", server.runs / "family.sqlite", 3, 1, changes) as run:
        for _ in carry_on(run, ThreadExecutor(1), 0):
            pass
    page.open("/evolution#family")
    page.page.locator("#status", has_text="finished").wait_for()
    assert page.page.locator(".tree-line").count() >= 1
