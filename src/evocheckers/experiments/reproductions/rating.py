"""The rating over 165 games: graded opponents, the papers' formula over 5000 orders, trajectory and histogram."""

from typing import Any

import numpy as np

from evocheckers.experiments.reproductions.laboratory import Laboratory
from evocheckers.experiments.reproductions.report import Report
from evocheckers.games.openings import ballots
from evocheckers.tournaments.ratings import class_of, fit_ratings, rate_against
from evocheckers.tournaments.score import Score

GAMES = 165
PAPER_RATING = 2045.85
POOL = ("random", "material@1", "material@2", "material:noise@2", "material@4", "material:noise@4", "material:noise@6")


def rating_165(lab: Laboratory, command: str) -> Report:
    """Rate the network against a pool of graded opponents."""
    plies = lab.size(6, 4)
    games = lab.size(GAMES, 33)
    pool = POOL if not lab.quick else POOL[:5]
    report = Report(f"A rating over {games} games", command)
    report.text(
        "The paper's network played 165 games against people on an Internet site whose ratings were known, and earned "
        f"{PAPER_RATING}: expert. Here the opponents are players of different strength, rated by a round robin among "
        "themselves (mean 1600). Their scale is not the site's: only the method is reproduced, not the level."
    )
    lines = ballots()[:: lab.size(6, 22)]
    results: list[tuple[int, int, float]] = []
    for first in range(len(pool)):
        for second in range(first + 1, len(pool)):
            raw = lab.match(f"pool-{first}-{second}", pool[first], pool[second], lines).raw
            for points, count in ((1.0, raw.wins), (0.5, raw.draws), (0.0, raw.losses)):
                results += [(first, second, points)] * count
    ratings = fit_ratings(len(pool), results)
    share = -(-games // len(pool))
    opponents: list[float] = []
    outcomes: list[float] = []
    rows = []
    for number, opponent in enumerate(pool):
        count = min(share, games - len(outcomes))
        wanted = (ballots() * 3)[: -(-count // 2)]
        values = lab.match(f"rated-{number}", f"{lab.player}@{plies}", opponent, wanted).values[:count]
        score = Score(*(values.count(value) for value in (1, 0, -1)))
        opponents += [ratings[number].rating] * count
        outcomes += [(1 + value) / 2 for value in values]
        fitted = ratings[number]
        rows.append(
            [opponent, f"{fitted.rating:.0f} [{fitted.low:.0f}, {fitted.high:.0f}]", score.games, score.wdl_text]
        )
    report.table(
        "Opponents, their ratings, and the network's games",
        ("opponent", "rating, 95%", "games", "won-drawn-lost"),
        rows,
    )
    trajectories = rate_against(opponents, outcomes)
    final = trajectories[:, -1]
    report.table(
        "Mean over 5000 orders",
        ("", "rating", "deviation", "class"),
        [
            ["Chellapilla and Fogel", f"{PAPER_RATING}", "", class_of(PAPER_RATING)],
            [f"{lab.player}@{plies}", f"{final.mean():.2f}", f"{final.std(ddof=1):.2f}", class_of(float(final.mean()))],
        ],
    )
    gap = float(final.mean()) - PAPER_RATING
    report.text(f"Ours is {gap:+.0f} from the paper's, on the scale of this pool.")
    report.figure("trajectory", "Mean rating by game", lambda plt: _trajectory(plt, trajectories))
    report.figure("histogram", "Opponents by rating and result", lambda plt: _histogram(plt, opponents, outcomes))
    return report


def _trajectory(plt: Any, trajectories: np.ndarray) -> None:
    mean, deviation = trajectories.mean(axis=0), trajectories.std(axis=0)
    numbers = range(trajectories.shape[1])
    plt.fill_between(numbers, mean - deviation, mean + deviation, alpha=0.2, linewidth=0, label="one deviation")
    plt.plot(numbers, mean, label="mean over 5000 orders")
    plt.xlabel("game")
    plt.ylabel("rating")
    plt.title("The network's rating, game by game")
    plt.legend(frameon=False, loc="lower right")


def _histogram(plt: Any, opponents: list[float], outcomes: list[float]) -> None:
    ratings, points = np.array(opponents), np.array(outcomes)
    low, high = np.floor(ratings.min() / 100) * 100, np.ceil(ratings.max() / 100) * 100 + 100
    groups = [ratings[points == value] for value in (1.0, 0.5, 0.0)]
    colours = ["#2b7a3d", "#cccccc", "#b3402a"]
    plt.hist(groups, bins=np.arange(low, high + 1, 100), stacked=True, color=colours, label=["won", "drawn", "lost"])
    plt.xlabel("opponent's rating")
    plt.ylabel("games")
    plt.title("Games by the opponent's rating")
    plt.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.15))
