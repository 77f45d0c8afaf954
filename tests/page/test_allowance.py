from evocheckers.page.middleware import guard as allowance
from evocheckers.page.middleware.guard import AT_ONCE, PER_SECOND, Allowance, is_costly


def test_an_address_has_so_many_at_once_and_more_with_time():
    now = [0.0]
    granted = Allowance(lambda: now[0])
    assert sum(granted.take("a") for _ in range(AT_ONCE + 5)) == AT_ONCE
    assert granted.take("b")
    now[0] = 1.0
    assert sum(granted.take("a") for _ in range(AT_ONCE)) == PER_SECOND
    now[0] = 1000.0
    assert sum(granted.take("a") for _ in range(2 * AT_ONCE)) == AT_ONCE


def test_addresses_are_forgotten(monkeypatch):
    monkeypatch.setattr(allowance, "KEPT_ADDRESSES", 3)
    granted = Allowance(lambda: 0.0)
    for _ in range(AT_ONCE):
        granted.take("a")
    assert not granted.take("a")
    for other in "bcd":
        granted.take(other)
    assert granted.take("a")


def test_moves_cost_nothing():
    assert not is_costly("POST", "/api/games/abcdefgh/moves", 50)
    assert not is_costly("POST", "/api/games", 200)
    assert not is_costly("GET", "/static/play/play.js", 0)
    assert is_costly("GET", "/api/runs", 0)
    assert is_costly("GET", "/api/runs/es-1/matrix", 0)
    assert is_costly("POST", "/api/analysis", 100)
    assert is_costly("POST", "/api/games", 5000)


def test_who_asks_too_often_is_refused_and_can_still_play(client, new_game, monkeypatch):
    monkeypatch.setattr(allowance, "AT_ONCE", 2)
    monkeypatch.setattr(allowance, "PER_SECOND", 0.0)
    answers = [client.get("/api/runs") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 503]
    assert "too many requests" in answers[-1].json()["detail"]
    game = new_game()
    assert client.post(f"/api/games/{game['id']}/moves", json={"move": "11-15", "ply": 0}).status_code == 200
