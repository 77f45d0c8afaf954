"""Tournaments: every pair of contestants plays a match; a cross table, and ratings with intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evocheckers.data_frames import data_frame
from evocheckers.games.batch import Executor, GameRules
from evocheckers.games.game import PlayedGame
from evocheckers.native.randomness import key
from evocheckers.players.player import Contestant
from evocheckers.tournaments.match import Match, first_color, play_match
from evocheckers.tournaments.ratings import FittedRating, fit_ratings

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Tournament:
    """Matches between every pair of players, or as many as were played."""

    names: Sequence[str]
    matches: dict[tuple[int, int], Match]
    """Keyed by the contestants' numbers, the smaller one first."""

    def __str__(self) -> str:
        ratings = self.ratings()
        order = sorted(range(len(self.names)), key=lambda player: -ratings[player].rating)
        width = max(map(len, self.names))
        lines = [f"{'':>3} {'player':<{width}}  {'Elo':>5}  {'95%':<14}  score"]
        for place, player in enumerate(order, 1):
            found = [self.points(player, opponent) for opponent in order if opponent != player]
            points, games = (sum(part[i] for part in found if part) for i in (0, 1))
            fitted = ratings[player]
            interval = f"[{fitted.low:.0f}, {fitted.high:.0f}]"
            share = f"{points:g} of {games}"
            lines.append(f"{place:>2}. {self.names[player]:<{width}}  {fitted.rating:>5.0f}  {interval:<14}  {share}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Tournament of {', '.join(self.names)}>"

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each pair of players."""
        return data_frame(match.to_json() for match in self.matches.values())

    def points(self, player: int, opponent: int) -> tuple[float, int] | None:
        """A player's points against an opponent, and the number of games; None if there are none."""
        match = self.matches.get((min(player, opponent), max(player, opponent)))
        if match is None or not match.games:
            return None
        score = match.score
        points = score.wins + score.draws / 2
        return (points if player < opponent else score.games - points), score.games

    def ratings(self) -> list[FittedRating]:
        """Every player's rating, fitted to all games."""
        games = []
        for (first, second), match in self.matches.items():
            for game in match.games:
                games.append((first, second, (1 + game.value_to(first_color(game))) / 2))
        return fit_ratings(len(self.names), games)

    def to_json(self) -> dict[str, Any]:
        """Matches and ratings."""
        ratings = [
            {"player": name, "rating": fitted.rating, "low": fitted.low, "high": fitted.high}
            for name, fitted in zip(self.names, self.ratings(), strict=True)
        ]
        return {"matches": [match.to_json() for match in self.matches.values()], "ratings": ratings}


def play_round_robin(
    contestants: Sequence[Contestant],
    lines: Sequence[str],
    executor: Executor,
    seed: int = 0,
    max_plies: int = GameRules().max_plies,
    workers: int | None = None,
    repetition: bool = False,
) -> Iterator[tuple[int, int, PlayedGame]]:
    """Play every pair of contestants over all opening lines; yield games with their players' numbers."""
    for first in range(len(contestants)):
        for second in range(first + 1, len(contestants)):
            pair = contestants[first], contestants[second]
            seed_of_match = key(seed, first, second)
            for game in play_match(*pair, lines, executor, seed_of_match, max_plies, workers, repetition):
                yield first, second, game
