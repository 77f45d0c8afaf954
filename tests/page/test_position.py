"""Positions and their moves, for lessons and for other programs; nothing is kept."""


def test_a_position_and_a_move_in_it(client):
    found = client.post("/api/position", json={"fen": "B:W29:BK21,22"}).json()
    assert (found["turn"], found["must_capture"], found["ending"]) == ("black", False, None)
    after = client.post("/api/position", json={"fen": found["fen"], "move": "21-25"}).json()
    assert (after["turn"], after["legal"], after["ending"]["winner"]) == ("white", [], "black")
    refused = client.post("/api/position", json={"fen": found["fen"], "move": "21-30"})
    assert (refused.status_code, "21-30" in refused.json()["detail"]) == (422, True)
