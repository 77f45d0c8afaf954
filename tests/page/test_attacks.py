"""The attacks of ``tools/attack`` on the page, bounded; by hand they go on for longer."""

import asyncio
from pathlib import Path

import pytest

from tests.page.serving import Server
from tools.attack.page import serving
from tools.attack.page_kills import run_kills
from tools.attack.page_load import begin_hostile, load, warm_up


def test_games_go_on_beside_a_hostile_client(tmp_path):
    with serving(tmp_path, "--runs", str(tmp_path)) as (process, url):
        asyncio.run(warm_up(url))
        hostile = begin_hostile(url, tmp_path, 5)
        try:
            found = asyncio.run(load(url, 20, 7.0, pause=0.5))
            _, results = hostile.communicate(timeout=60)
        finally:
            hostile.kill()
        assert found.errors == []
        assert found.times
        assert found.slowest(0.01) < 5000
        assert "stream: ended" in results, results
        assert process.poll() is None


def test_kills_lose_no_acknowledged_move(tmp_path):
    found = run_kills(tmp_path, kills=2, games=5, seed=1)
    assert found.lost == []
    assert found.moves > 10


ATTACK = """async (url) => {
    const results = [];
    const game = {method: "POST", body: "{}", mode: "no-cors"};
    const tries = [
        [url + "/api/games", {...game, headers: {"Content-Type": "text/plain"}}],
        [url + "/api/games", {...game, mode: "cors", headers: {"Content-Type": "application/json"}}],
        [url + "/api/options", {mode: "cors"}],
        [url + "/api/options", {mode: "no-cors"}],
    ];
    for (const [where, how] of tries) {
        try { const answer = await fetch(where, how); results.push(answer.type + " " + (await answer.text()).length); }
        catch (error) { results.push("refused"); }
    }
    const frame = document.createElement("iframe");
    frame.src = url + "/";
    document.body.append(frame);
    await new Promise((done) => { frame.onload = done; frame.onerror = done; setTimeout(done, 3000); });
    try { results.push("framed " + frame.contentDocument.title); } catch (error) { results.push("refused"); }
    const form = document.createElement("form");
    form.method = "POST"; form.action = url + "/api/games"; form.enctype = "text/plain"; form.target = "elsewhere";
    document.body.append(form);
    form.submit();
    return results;
}"""


@pytest.fixture
def other_site(tmp_path_factory, serve) -> Server:
    """Another server: to a browser, another site's page."""
    folder: Path = tmp_path_factory.mktemp("other")
    return serve(folder, folder)


def test_another_sites_page_learns_and_changes_nothing(browser, server, other_site, client):
    """In a real browser: no game is begun by another origin's script or form, and nothing is read or framed."""
    count = "SELECT COUNT(*) FROM games"
    with server.games() as games:
        before = games.execute(count).fetchone()
    context = browser.new_context(bypass_csp=True)  # the other site allows its script everything
    page = context.new_page()
    page.goto(other_site.url)
    results = page.evaluate(ATTACK, server.url)
    page.wait_for_timeout(300)
    context.close()
    assert [one for one in results if not one.startswith("refused") and one != "opaque 0"] == []
    assert client.get("/api/options").status_code == 200
    with server.games() as games:
        assert games.execute(count).fetchone() == before
