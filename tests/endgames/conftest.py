"""Databases for these tests, each built once; four pieces take a few seconds on one core."""

import pytest

from evocheckers.endgames.values import Database


@pytest.fixture(scope="session")
def three() -> Database:
    return Database.build(3, threads=2)


@pytest.fixture(scope="session")
def four(three) -> Database:
    return Database.build(4, threads=2, start=three)
