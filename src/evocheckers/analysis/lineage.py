"""Who descends from whom in a run."""

from evocheckers.runs.file import Run
from evocheckers.runs.validation import REPAIR, RunError

WITH_FAMILIES = ("anaconda", "social")
"""Schemes whose networks have parents; the others evolve a single network."""


def ancestry(run: Run) -> dict[int, tuple[int, int]]:
    """For every id: its parent, and the generation in which it first took part."""
    known: dict[int, tuple[int, int]] = {}
    for summary in run.summaries():
        individuals = run.individuals(summary.number)
        for identity, parent in zip(individuals.ids.tolist(), individuals.parents.tolist(), strict=True):
            if parent >= identity:  # ids increase; otherwise an individual could be its own ancestor
                fault = f"damaged (in generation {summary.number}, {identity} is not younger than its parent)"
                raise RunError(run.path, fault, REPAIR)
            known.setdefault(identity, (parent, summary.number))
    return known


def family_tree(run: Run) -> tuple[dict[int, tuple[float, float]], dict[int, int]]:
    """The last generation's ancestors: where to plot each (generation of birth, height), and the parent of each.

    Living individuals get consecutive heights such that no branches cross; an ancestor is placed at the mean height of
    its children.
    """
    known = ancestry(run)
    alive = run.individuals(run.summaries()[-1].number).ids.tolist()
    parents: dict[int, int] = {}
    for identity in alive:
        while known[identity][0] in known and identity not in parents:
            parents[identity] = known[identity][0]
            identity = parents[identity]
    children: dict[int, list[int]] = {}
    for child, parent in sorted(parents.items()):
        children.setdefault(parent, []).append(child)
    places: dict[int, tuple[float, float]] = {}
    height = 0.0
    roots = sorted({identity for identity in {*alive, *parents.values()} if identity not in parents})
    waiting = [(root, False) for root in reversed(roots)]
    while waiting:
        identity, seen = waiting.pop()
        if not seen:
            waiting.append((identity, True))
            waiting += [(child, False) for child in reversed(children.get(identity, []))]
            continue
        below = [places[child][1] for child in children.get(identity, [])]
        if identity in alive:
            below.append(height)
            height += 1
        places[identity] = (known[identity][1], sum(below) / len(below))
    return places, parents


def ancestors(identity: int, parents: dict[int, int]) -> set[int]:
    """An individual and all its ancestors."""
    line = {identity}
    while identity in parents:
        identity = parents[identity]
        line.add(identity)
    return line
