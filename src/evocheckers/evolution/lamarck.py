"""Our own: networks that learn during their lifetime, from every position of a game and how that game ended.

A generation: jittered copies of all learners play each other, from two-move ballots and random starts. Every learner
then takes steps of Adam on the quiet positions of its own games and, for a share, of everybody's, so that its value of
a position predicts the result for the side to move. At intervals, the learners with the weakest results are replaced by
mutated copies of the strongest, with mutated learning rates.

What is learnt is inherited (Lamarck). With ``inherit`` off (Baldwin), a child begins with its parent's inborn numbers,
and after each selection all learners begin anew with their own: learning then only decides who survives.

The only inputs are the rules, the networks' own games, who won, and the piece sum at a network's output, as in the
papers. Al-Khateeb and Kendall speak of individual and social learning. The games of the last generations that learning
still needs follow from the run file, and are not stored twice.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evocheckers.evaluation.network import Network
from evocheckers.evolution.layout import IDS, PARENT_OR_NONE, Column, Layout
from evocheckers.evolution.learners import LamarckSettings, Learners, copies, create, rate_now
from evocheckers.evolution.scheme import (
    GAME,
    LEARNING,
    MUTATION,
    OPENING,
    OPPONENT,
    TIE,
    GenerationReport,
    Individuals,
    Memory,
    RecordedGames,
    Scheme,
    Step,
)
from evocheckers.games.batch import GameBatch, Pairing
from evocheckers.games.starts import mixed_starts
from evocheckers.learning.adam import Rates
from evocheckers.learning.experience import Experience, all_positions, experience_of, own_positions
from evocheckers.learning.learner import Lesson, learn_all
from evocheckers.native.randomness import exponentials, hashes, key, normals

_WHO, _COPY = range(2)


def pairings(settings: LamarckSettings, seed: int, generation: int, learners: int) -> list[Pairing]:
    """The pairings of a generation; with several learners, never two copies of the same one."""
    stage = settings.stage(generation)
    count, plies = settings.games[stage], settings.depths[stage]
    black = hashes(key(seed, OPPONENT, generation, _WHO), count) % np.uint64(learners)
    white = black
    if learners > 1:
        others = hashes(key(seed, OPPONENT, generation, _WHO, 1), count) % np.uint64(learners - 1)
        white = others + (others >= black)
    sides = []
    for side, rows in enumerate((black, white)):
        copy = hashes(key(seed, OPPONENT, generation, _COPY, side), count) % np.uint64(settings.copies)
        sides.append((rows * np.uint64(settings.copies) + copy).astype(np.int64).tolist())
    seeds = hashes(key(seed, GAME, generation), count).tolist()
    number = key(seed, OPENING, generation)
    places = mixed_starts(number, count, settings.random_starts, *settings.start_plies)
    games = zip(*sides, seeds, places, strict=True)
    return [Pairing(first, second, number, plies, plies, start) for first, second, number, start in games]


def step(settings: LamarckSettings, seed: int, generation: int, state: Learners) -> Step[Learners]:
    """One generation: play, learn and, when it is due, select."""
    games = pairings(settings, seed, generation, state.size)
    result = yield GameBatch(copies(settings, seed, generation, state), games, settings.rules())
    black = np.array([game.black for game in games]) // settings.copies
    white = np.array([game.white for game in games]) // settings.copies
    points = np.zeros(state.size, np.int64)
    np.add.at(points, black, result.winners.astype(np.int64))
    np.add.at(points, white, -result.winners.astype(np.int64))
    black_ids, white_ids = state.ids[black], state.ids[white]
    experience = (*state.experience, experience_of(result, black_ids, white_ids))[-settings.memory :]
    learnt, losses = learn(settings, seed, generation, state._replace(experience=experience))
    learnt = learnt._replace(points=state.points + points)
    order = sorted(range(state.size), key=lambda row: (-learnt.points[row], key(seed, TIE, generation, row)))
    best = order[0]
    network = learnt.network(best, settings, generation=generation, id=int(state.ids[best]))
    individuals = Individuals(
        state.ids,
        state.parents,
        points,
        learnt.numbers[:, settings.numbers].astype(np.float64),
        rate_now(settings, generation) * state.rates,
        losses,
    )
    report = GenerationReport(individuals, int(state.ids[best]), network, black_ids, white_ids, result)
    if settings.select_every and generation % settings.select_every == 0 and state.size > 1:
        learnt = select(settings, seed, learnt, order)
    return learnt, report


def recall(settings: LamarckSettings, games: Sequence[RecordedGames]) -> tuple[Experience, ...]:  # noqa: ARG001
    """The experience from recorded games."""
    return tuple(experience_of(found.games, found.black_ids, found.white_ids) for found in games)


def learn(settings: LamarckSettings, seed: int, generation: int, state: Learners) -> tuple[Learners, np.ndarray]:
    """Every learner learns from its own games and from everybody's; also returns the mean loss of each."""
    positions = all_positions(state.experience)
    if not len(positions):
        return state, np.full(state.size, np.nan)
    lessons = []
    for row in range(state.size):
        rates = Rates(rate_now(settings, generation) * float(state.rates[row]))
        own = own_positions(state.experience, int(state.ids[row])) if state.size > 1 else np.empty(0, np.uint32)
        social = settings.social if len(own) else 1.0
        number = key(seed, LEARNING, generation, int(state.ids[row]))
        amount = (settings.steps, settings.batch, rates, own, social, settings.trust, settings.ahead)
        lessons.append(Lesson(state.learner(row, settings), positions, number, *amount))
    outcomes = learn_all(lessons)
    learnt = [learner for learner, _ in outcomes]
    state = state._replace(
        numbers=np.array([learner.numbers for learner in learnt]),
        mean=np.array([learner.mean for learner in learnt]),
        square=np.array([learner.square for learner in learnt]),
        steps=np.array([learner.steps for learner in learnt]),
    )
    return state, np.array([loss for _, loss in outcomes])


def select(settings: LamarckSettings, seed: int, state: Learners, order: Sequence[int]) -> Learners:
    """Replace the weakest by children of the strongest; without inheritance, everybody else begins anew, too."""
    count = round(settings.replaced * state.size)
    columns: dict[str, Any] = {name: column.copy() for name, column in state._asdict().items() if name != "experience"}
    genes = state.numbers if settings.inherit else state.inborn
    first_id = int(state.next_id)
    for child, (parent, row) in enumerate(zip(order[:count], reversed(order), strict=False), first_id):
        noise = normals(key(seed, MUTATION, child), settings.numbers)
        numbers = genes[parent].copy()
        numbers[: settings.numbers] += np.float32(settings.mutation) * noise
        rate = float(normals(key(seed, MUTATION, child, 1), 1)[0]) * settings.rate_mutation
        columns["rates"][row] = state.rates[parent] * float(exponentials(np.array([rate]))[0])
        columns["ids"][row], columns["parents"][row] = child, state.ids[parent]
        if settings.inherit:
            columns["numbers"][row] = numbers
            for name in ("mean", "square", "steps"):
                columns[name][row] = getattr(state, name)[parent]
        else:
            columns["inborn"][row] = numbers
    if not settings.inherit:
        columns["numbers"] = columns["inborn"].copy()
        for name in ("mean", "square", "steps"):
            columns[name][:] = 0
    columns["points"][:] = 0
    columns["next_id"] = np.array(first_id + count)
    return Learners(**columns, experience=state.experience)


def first_network(settings: LamarckSettings, state: Learners) -> Network:
    """The first learner, before it has learnt anything."""
    return state.network(0, settings, generation=0, id=0)


def headline(report: GenerationReport) -> str:
    """The loss, K and, with several learners, the best one's points."""
    points = f"best {report.individuals.scores.max():+g}, " if len(report.individuals.ids) > 1 else ""
    return f"{points}loss {np.nanmean(report.individuals.losses):.4f}, K {report.best.king_value:.2f}"


def layout(settings: LamarckSettings) -> Layout:
    """The columns of the learners, except their experience."""
    rows, numbers = settings.learners, settings.numbers + 2
    return {
        "numbers": Column("<f4", (rows, numbers)),
        "mean": Column("<f4", (rows, numbers)),
        "square": Column("<f4", (rows, numbers), 0),
        "steps": Column("<i8", (rows,), 0),
        "rates": Column("<f8", (rows,), 0),
        "inborn": Column("<f4", (0 if settings.inherit else rows, numbers)),
        "ids": Column("<i8", (rows,), IDS),
        "parents": Column("<i8", (rows,), PARENT_OR_NONE),
        "points": Column("<i8", (rows,)),
        "next_id": Column("<i8", (), IDS),
    }


SCHEME = Scheme(
    "lamarck",
    LamarckSettings,
    Learners,
    create,
    step,
    first_network,
    Memory("experience", lambda settings: settings.memory, recall),
    added={"trust": 0.0, "start": None},
    layout=layout,
    headline=headline,
)
