"""Reading a PDN that a user gives to the page."""

import re

from evocheckers.errors import EvocheckersError
from evocheckers.rules.pdn import Game, read_pdn

MAX_PDN_MOVES = 2000
"""Longer texts, counting variations, are not read."""


def only_game(text: str) -> Game:
    """The single game of a PDN."""
    if len(re.findall(r"[0-9]\s?[-xX:]\s?[0-9]", text)) > MAX_PDN_MOVES:
        raise EvocheckersError(f"the PDN holds more than {MAX_PDN_MOVES} moves")
    games = read_pdn(text)
    if len(games) != 1:
        raise EvocheckersError(f"the PDN holds {len(games)} games, not one")
    return games[0]
