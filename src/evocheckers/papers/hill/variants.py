"""What Horgan tried besides his tables, and what he asks for in the end.

Three wins of four, longer games, 128 inputs, and more random moves over more iterations: each under the preset's
reading and as his program plays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np

from evocheckers.papers.hill.climbing import Climbed, Reading, climb, of_ten, wins_against, wins_against_random
from evocheckers.papers.hill.readings import PRESET, PROGRAM
from evocheckers.papers.lab import Laboratory
from evocheckers.papers.report import Report

RULES: Mapping[str, Reading] = {"compulsory": PRESET, "free": PROGRAM}
RULE_NAMES = {"compulsory": "jumps compulsory", "free": "as the author's program"}
THREE_OF_FOUR = {"games": 4, "wins_needed": 3}


@dataclass(frozen=True)
class Variant:
    """A climb with different settings."""

    about: str
    iterations: int
    changes: Mapping[str, Any] = field(default_factory=dict)
    paper: str = ""
    """The share of rookies accepted according to the paper."""


ACCEPTANCE = {
    "one": Variant("one win of one, 200 plies", 5000, {}, "about 40%"),
    "three": Variant("three wins of four, 200 plies", 5000, THREE_OF_FOUR, "about 20%"),
    "long": Variant("three wins of four, 2,000 plies", 5000, {**THREE_OF_FOUR, "moves_per_side": 1000}, "31.25%"),
}
"""The paper: 5,000 iterations are roughly 2,000 generations."""
INPUTS = {
    "inputs-512": Variant("512 inputs", 20_000),
    "inputs-128": Variant("128 inputs", 20_000, {"inputs": 128}),
}
NOVELTY = {
    "novelty-more": Variant("one move in five random, one win of one", 100_000, {"random_move_rate": 0.2}),
    "novelty-strict": Variant(
        "one move in five random, three wins of four", 10_000, {"random_move_rate": 0.2, **THREE_OF_FOUR}
    ),
}
MARKS = (1000, 5000, 10_000, 25_000, 50_000, 100_000)
"""Iterations whose champions are examined."""


def variants(lab: Laboratory, command: str) -> Report:
    """A table for each question."""
    report = Report("hill/over-the-hill-variants", command)
    report.fact("seeds", lab.size(2, 1))
    _acceptance(lab, report)
    _inputs(lab, report)
    _novelty(lab, report)
    return report


def _climb(
    lab: Laboratory, name: str, variant: Variant, rules: str, marks: Sequence[int], trials: int, seeds: int
) -> list[list[Any]]:
    """What ``_look`` finds about a variant's champions at the marks, seed by seed; the result is stored."""
    reading = RULES[rules]
    quick = {"moves_per_side": 20} if lab.quick else {}
    reading = replace(reading, changes={**reading.changes, **variant.changes, **quick})
    about = {"changes": dict(reading.changes), "compulsory": reading.compulsory, "marks": marks, "seeds": seeds}
    about["trials"] = trials

    def make() -> list[list[Any]]:
        runs = climb(reading, marks, lab.executor, range(1, seeds + 1))
        return [_look(lab, reading, run, trials) for run in runs]

    return lab.step(f"{name}-{rules}", about, make)


def _look(lab: Laboratory, reading: Reading, run: Sequence[Climbed], trials: int) -> list[Any]:
    """For every champion, the rookies accepted so far; with ``trials``, also its share of wins against random moves,
    its wins and losses against the previous champion, and its similarity to it."""
    executor = reading.executor(lab.executor)
    found: list[Any] = []
    for at, climbed in enumerate(run):
        row: list[Any] = [climbed.updates]
        if trials:
            row.append(wins_against_random(executor, [climbed.network], 1, trials))
            before = run[at - 1].network if at else reading.network(np.zeros_like(climbed.network.weights))
            row += wins_against(executor, climbed.network, before, trials)
            row.append(_likeness(climbed.network.weights, before.weights))
        found.append(row)
    return found


def _likeness(first: np.ndarray, second: np.ndarray) -> float:
    """The correlation of two champions' weights; 0 for a network of zeros."""
    return float(np.corrcoef(first, second)[0, 1]) if first.any() and second.any() else 0.0


def _acceptance(lab: Laboratory, report: Report) -> None:
    rows = []
    for name, variant in ACCEPTANCE.items():
        iterations = lab.size(variant.iterations, 10)
        cells = []
        for rules in RULES:
            found = _climb(lab, name, variant, rules, [iterations], 0, lab.size(2, 1))
            tried = iterations * len(found)
            share = sum(run[-1][0] for run in found) / tried
            margin = 1.96 * sqrt(share * (1 - share) / tried)
            cells.append(f"{100 * share:.1f}% ± {100 * margin:.1f}%")
            report.fact(f"accepted-{name}-{rules}", cells[-1], quoted=True)
        rows.append([f"{variant.about}, {iterations:,} iterations", variant.paper, *cells])
    report.table("acceptance", ("trial", "Horgan", *RULE_NAMES.values()), rows)


def _inputs(lab: Laboratory, report: Report) -> None:
    rows = []
    for name, variant in INPUTS.items():
        marks = [mark for mark in (*MARKS, variant.iterations) if mark <= variant.iterations and mark != 10_000]
        marks = marks if not lab.quick else [5, 10]
        for rules in RULES:
            found = _climb(lab, name, variant, rules, marks, lab.size(400, 10), lab.size(2, 1))
            wins = [sum(run[at][1] for run in found) / len(found) for at in range(len(marks))]
            rows.append([f"{variant.about}, {RULE_NAMES[rules]}", *map(of_ten, wins)])
            report.fact(f"{name}-{rules}", ", ".join(map(of_ten, wins)), quoted=True)
    header = ("inputs", *(f"{mark:,}" for mark in marks))
    report.table("inputs", header, rows)


def _novelty(lab: Laboratory, report: Report) -> None:
    for name, variant in NOVELTY.items():
        marks = [mark for mark in MARKS if mark <= variant.iterations] if not lab.quick else [5, 10]
        for rules in RULES:
            found = _climb(lab, name, variant, rules, marks, lab.size(400, 10), 1)
            rows = []
            for at, mark in enumerate(marks):
                mean = [sum(run[at][column] for run in found) / len(found) for column in range(5)]
                since = marks[at - 1] if at else 0
                before = sum(run[at - 1][0] for run in found) / len(found) if at else 0.0
                against = f"{of_ten(mean[2])} to {of_ten(mean[3])}"
                accepted = f"{100 * (mean[0] - before) / (mark - since):.0f}%"
                rows.append([f"{mark:,}", accepted, of_ten(mean[1]), against, f"{mean[4]:.2f}"])
            report.fact(f"{name}-{rules}", f"{rows[-1][3]} at {rows[-1][0]} iterations", quoted=True)
            report.fact(f"{name}-{rules}-accepted", rows[-1][1], quoted=True)
            report.fact(f"{name}-{rules}-random", rows[-1][2], quoted=True)
            report.table(f"table-{name}-{rules}", _NOVELTY_HEADER, rows)


_NOVELTY_HEADER = (
    "iteration",
    "accepted since",
    "wins of 10, random",
    "wins to losses, the one before",
    "likeness to it",
)
