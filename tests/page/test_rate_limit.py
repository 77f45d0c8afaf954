from evocheckers.page.middleware import limits
from evocheckers.page.middleware.limits import BURST, REQUESTS_PER_SECOND, RateLimit, is_rate_limited


def test_an_address_has_so_many_at_once_and_more_with_time():
    now = [0.0]
    limit = RateLimit(lambda: now[0])
    assert sum(limit.take("a") for _ in range(BURST + 5)) == BURST
    assert limit.take("b")
    now[0] = 1.0
    assert sum(limit.take("a") for _ in range(BURST)) == REQUESTS_PER_SECOND
    now[0] = 1000.0
    assert sum(limit.take("a") for _ in range(2 * BURST)) == BURST


def test_addresses_are_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "KEPT_ADDRESSES", 3)
    limit = RateLimit(lambda: 0.0)
    for _ in range(BURST):
        limit.take("a")
    assert not limit.take("a")
    for other in "bcd":
        limit.take(other)
    assert limit.take("a")


def test_moves_are_not_rate_limited():
    assert not is_rate_limited("POST", "/api/games/abcdefgh/moves", 50)
    assert not is_rate_limited("POST", "/api/games", 200)
    assert not is_rate_limited("GET", "/static/play/play.js", 0)
    assert is_rate_limited("GET", "/api/runs", 0)
    assert is_rate_limited("GET", "/api/runs/es-1/matrix", 0)
    assert is_rate_limited("POST", "/api/analysis", 100)
    assert is_rate_limited("POST", "/api/games", 5000)


def test_who_asks_too_often_is_refused_and_can_still_play(client, new_game, monkeypatch):
    monkeypatch.setattr(limits, "BURST", 2)
    monkeypatch.setattr(limits, "REQUESTS_PER_SECOND", 0.0)
    answers = [client.get("/api/runs") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 503]
    assert "too many requests" in answers[-1].json()["detail"]
    game = new_game()
    assert client.post(f"/api/games/{game['id']}/moves", json={"move": "11-15", "ply": 0}).status_code == 200
