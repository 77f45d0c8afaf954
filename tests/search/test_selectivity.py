"""The tool that measures each number of the selective search's selectivity."""

import pytest

from evocheckers import Limit
from evocheckers.search.selective.selectivity import SELECTIVITY, Selectivity
from tools import selectivity


def test_every_alternative_changes_something():
    for change in selectivity.ALTERNATIVES:
        assert selectivity.changed(change) != SELECTIVITY


def test_a_change_keeps_the_type_of_its_number():
    changed = selectivity.changed("late_moves=8+probcut_margin=0.5+is_exact=1")
    assert changed == SELECTIVITY._replace(late_moves=8, probcut_margin=0.5, is_exact=True)
    assert [type(value) for value in changed] == [type(value) for value in SELECTIVITY]


@pytest.mark.parametrize("change", ["late=3", "late_moves=many", "late_moves"])
def test_what_is_no_change_is_refused(change):
    with pytest.raises(SystemExit, match="late"):
        selectivity.changed(change)


def test_a_match_of_two_games(capsys):
    selectivity.main(["late_moves=0", "--openings", "start", "--nodes", "200", "--player", "material"])
    *_, row = capsys.readouterr().out.splitlines()
    assert row.startswith("| `late_moves=0` | 2 | ")


def test_players_search_with_the_numbers_given(monkeypatch):
    seen: list[Selectivity] = []
    monkeypatch.setattr(selectivity, "Searcher", lambda *_, selectivity: seen.append(selectivity))
    changed = selectivity.changed("reply_plies=0")
    selectivity.contestant("material", Limit(nodes=1), "changed", changed).player()
    assert seen == [changed]
