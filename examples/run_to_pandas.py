"""Read a run into pandas: points, and who won, generation by generation. ``python run_to_pandas.py RUN``."""

import sys

from evocheckers import Run


def main(path: str) -> None:
    """Print three views of a run."""
    with Run.open(path) as run:
        generations, individuals, games = (run.to_pandas(table) for table in ("generations", "individuals", "games"))
    print(generations[["generation", "games", "draws", "best_score", "best_king_value"]].to_string(index=False))
    print(individuals.groupby("generation")["score"].describe()[["count", "mean", "std"]].round(2))
    print(games.pivot_table(index="generation", columns="winner", values="number", aggfunc="count", fill_value=0))


if __name__ == "__main__":
    main(sys.argv[1])
