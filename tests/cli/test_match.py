"""The commands that measure, as people call them."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from evocheckers import read_pdn
from evocheckers.analysis.mistakes import MARKED_FROM, Mark
from tests.helpers.commands import Terminal, run
from tests.helpers.places import PUBLISHED


def test_a_match_with_its_files(tmp_path):
    pdn, facts = tmp_path / "games.pdn", tmp_path / "match.json"
    arguments = ("match", "random", "material@4", "--openings", "first-moves", "--pdn", str(pdn), "--json", str(facts))
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert "random against material@4: 14 games" in done.stdout
    assert "0-0-14" in done.stdout
    result = json.loads(facts.read_text())
    assert (result["first"], result["second"], result["games"], result["losses"]) == ("random", "material@4", 14, 14)
    games = read_pdn(pdn.read_text())
    assert len(games) == 14
    assert all(game.tags["Termination"] in ("no pieces", "no moves") for game in games)
    again = run("match", "random", "material@4", "--openings", "first-moves", "--workers", "1", "--json", "-")
    assert json.loads(again.stdout)["digest"] == result["digest"]


def test_openings_from_a_file(tmp_path):
    mine, pdn = tmp_path / "mine.txt", tmp_path / "games.pdn"
    mine.write_text("# mine\n9-14 22-18\nW:W18,22,30,31,32:B1,2,3,10,11\n")
    done = run("match", "random", "material@1", "--openings", str(mine), "--pdn", str(pdn))
    assert done.returncode == 0, done.stderr
    games = read_pdn(pdn.read_text())
    assert [" ".join(map(str, game.opening)) for game in games] == ["9-14 22-18"] * 2 + [""] * 2
    assert {(game.tags["Black"], game.tags["White"]) for game in games} == {
        ("random", "material@1"),
        ("material@1", "random"),
    }
    mine.write_text("9-14 22-18\n9-14 9-13\n")
    done = run("tournament", "random", "material@1", "--openings", str(mine))
    assert done.returncode == 2
    assert done.stderr.startswith(f"evocheckers: openings '{mine}', line 2: move '9-13': not legal")
    assert done.stderr.count("\n") == 1


def test_equals_are_equal_and_unfinished_games_are_played_out(tmp_path, monkeypatch):
    monkeypatch.setenv("EVOCHECKERS_DATA", str(tmp_path))
    done = run(
        "match",
        "material@2",
        "material@2",
        "--openings",
        "start",
        "--rounds",
        "4",
        "--adjudicate",
        "--moves",
        "40",
        "--json",
        "-",
    )
    assert done.returncode == 0, done.stderr
    assert "building the endgame database of 4 pieces" in done.stderr
    result = json.loads(done.stdout)
    assert result["elo_low"] < 0 < result["elo_high"]
    assert result["as_played"]["draws"] > result["draws"]
    probe = run("endgames", "probe", "W:WK1,K23,K28:B25")
    assert "win for White" in probe.stdout
    built = run("endgames", "build", "--pieces", "3", "--check", "--json", "-")
    facts = json.loads(built.stdout)
    assert facts["inconsistent"] == 0
    assert facts["counts"]["3"]["positions"] == 261_224


def test_a_tournament(tmp_path):
    facts = tmp_path / "t.json"
    done = run("tournament", "random", "material@1", "material@3", "--openings", "start", "--json", str(facts))
    assert done.returncode == 0, done.stderr
    assert "material@3" in done.stdout
    ratings = {row["player"]: row["rating"] for row in json.loads(facts.read_text())["ratings"]}
    assert ratings["random"] < ratings["material@3"]


def test_analysis(tmp_path):
    figure = tmp_path / "game.png"
    file = str(PUBLISHED / "published-games.pdn")
    done = run("analyse", file, "--game", "2", "--player", "champion@4", "--figure", str(figure), "--json", "-")
    assert done.returncode == 0, done.stderr
    plies = json.loads(done.stdout)["plies"]
    assert len(plies) == 40
    assert all((ply["mark"] is None) == (ply["cost_chance"] < MARKED_FROM[Mark.INACCURACY]) for ply in plies)
    assert figure.stat().st_size > 5000
    position = run("analyse", "W:WK1,K23,K28:B25", "--player", "champion@6")
    assert "White to move" in position.stdout
    assert "win in" in position.stdout


def test_analysis_shows_as_many_lines_as_asked_for():
    start = "B:W21-32:B1-12"
    for player in ("material@4", "material@2kn"):
        done = run("analyse", start, "--player", player, "--lines", "3", "--json", "-")
        found = json.loads(done.stdout)["moves"]
        assert len(found) == 3, done.stderr
        assert [move["men"] for move in found] == sorted((move["men"] for move in found), reverse=True)
        assert all(0 < move["chance"] < 1 for move in found)
        assert all(move["line"][0] == move["move"] for move in found)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("analyse", "B:W21-32:B1-12", "--lines", "0"), "--lines"),
        (("analyse", "B:W21-32:B1-12", "--threads", "2"), "--threads is for players that search by time or nodes"),
        (("analyse", str(PUBLISHED / "published-games.pdn"), "--lines", "2"), "--lines is for a position"),
        (("match", "random", "material@1", "--wins", "soon"), "--wins soon: write sooner or equal"),
        (("reproduce", "six-games", "--generations", "3"), "--generations is for forced-jumps"),
        (("bench", "--gpu", "--search", "champion"), "one at a time"),
    ],
)
def test_options_for_something_else_are_refused(arguments, part):
    done = run(*arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert part in done.stderr


def test_a_match_on_several_threads():
    done = run("match", "material@10ms", "random", "--openings", "start", "--moves", "20", "--threads", "2")
    assert done.returncode == 0, done.stderr
    assert "2-0-0" in done.stdout or "0-2-0" in done.stdout or "1-1-0" in done.stdout


def test_the_engine_speaks_hub():
    talk = "hub\ninit\npos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\nlevel depth=2\ngo think\nquit\n"
    command = [sys.executable, "-m", "evocheckers", "engine", "--player", "champion"]
    done = subprocess.run(command, input=talk, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id name=")
    assert "ready" in lines
    assert lines[-1].startswith("done move=")


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(("options", "total"), [((), 86), (("--sprt", "-5,5"), 8600)])
def test_an_interrupted_match_keeps_what_was_played(tmp_path, options, total):
    pdn = tmp_path / "games.pdn"
    with Terminal(80, "match", "material@1", "material@20ms", *options, "--pdn", str(pdn)) as terminal:
        terminal.read_until(rf" [1-9]\d*/{total}")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.finish() == 130, terminal.text
    assert "interrupted: " in terminal.text
    assert f" of {total} games were played" in terminal.text
    assert len(read_pdn(pdn.read_text())) % 2 == 0 or not options


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupted_analysis_shows_the_best_so_far():
    fen = "W:W18,22,30:B3,10,K32"
    assert run("analyse", fen, "--player", "material@10ms").returncode == 0  # everything is compiled
    with Terminal(80, "analyse", fen, "--player", "material@60s", "--lines", "2") as terminal:
        terminal.read_until("analysing by material@60s")
        time.sleep(0.5)
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.finish() == 130, terminal.text
    assert "interrupted: the best so far" in terminal.text
    assert "30-26" in terminal.text


def test_reproductions_are_listed_and_run(tmp_path):
    listed = run("reproduce", "--list")
    assert re.search(r"Anaconda.*\n  control-equal-depth .*Horgan.*\n  over-the-hill ", listed.stdout, re.DOTALL)
    assert re.search(r"social-learning .*about an hour and a half", listed.stdout)
    done = run("reproduce", "published-games", "--quick", "--out", str(tmp_path / "r"))
    assert done.returncode == 0, done.stderr
    assert "16, the same" in done.stdout
    assert (tmp_path / "r" / "report.md").exists()


def test_a_sequential_test_ends_a_match(tmp_path):
    facts = tmp_path / "match.json"
    done = run("match", "material@2", "random", "--sprt", "0,200", "--json", str(facts))
    assert done.returncode == 0, done.stderr
    assert "sequential test of +0 against +200 points: +200 points accepted after " in done.stdout
    result = json.loads(facts.read_text())
    assert result["sprt"]["accepted"] == "high"
    assert result["sprt"]["log_likelihood_ratio"] >= result["sprt"]["upper_bound"]
    assert result["games"] == 2 * sum(result["sprt"]["pairs"]) < 86
    few = run("match", "material@2", "material@2", "--sprt", "-5,5", "--rounds", "1", "--openings", "first-moves")
    assert few.returncode == 0, few.stderr
    assert "undecided after 7 pairs" in few.stdout


@pytest.mark.parametrize(
    ("text", "part"), [("10", "write LOW,HIGH"), ("10,0", "LOW must be below HIGH"), ("0,9,2,2", "rates")]
)
def test_a_bad_test_is_refused(text, part):
    done = run("match", "material@2", "random", "--sprt", text)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert part in done.stderr


def test_a_match_by_time_tells_what_moves_took(tmp_path):
    facts = tmp_path / "match.json"
    arguments = ("--openings", "start", "--moves", "8", "--workers", "1", "--json", str(facts))
    done = run("match", "material@5ms", "material@100n", *arguments)
    assert done.returncode == 0, done.stderr
    assert "Time and depth of a move" in done.stdout
    first, second = json.loads(facts.read_text())["times"]
    assert (first["player"], first["limit_seconds"]) == ("material@5ms", 0.005)
    assert first["latest_seconds"] >= first["late_99_seconds"] > -0.005
    assert first["mean_plies"] >= 2
    assert second["limit_seconds"] is None


def test_games_end_by_repetition_unless_told_not_to(tmp_path):
    start = tmp_path / "start.txt"
    start.write_text("B:WK32:BK5\n")
    for rule in ("--repetition", "--no-repetition"):
        done = run("match", "material@2", "material@2", "--openings", str(start), "--rounds", "4", rule)
        assert ("repetition" in done.stdout) == (rule == "--repetition"), done.stdout
    players = ("--black", "material@2", "--white", "material@2")
    assert "draw by repetition after" in run("watch", "--fen", "B:WK32:BK5", *players).stdout
    assert "White wins" in run("watch", "--fen", "B:WK32:BK5", *players, "--no-repetition").stdout
