"""The lock files: one version of everything, and the hashes of its files; pip takes nothing else."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def locked(name: str) -> list[str]:
    lines = (ROOT / name).read_text().replace("\\\n", " ").splitlines()
    return [line for line in lines if not line.startswith("#")]


LOCKED, RUN = locked("requirements.lock"), locked("requirements-run.lock")


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def test_every_package_has_one_version_and_hashes():
    assert len(LOCKED) > 2 * len(RUN) > 50
    for line in LOCKED:
        requirement, *hashes = re.split(r"\s+--hash=", line)
        assert re.fullmatch(r"[a-z0-9.-]+==[0-9][a-z0-9.]*( ; .+)?", requirement), line
        assert hashes, f"{requirement} has no hash"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", text) for text in hashes), requirement


def test_everything_that_is_installed_and_built_with_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["project"]["dependencies"], *extras["build"], *project["build-system"]["requires"]]
    assert {name_of(text) for text in wanted} <= {name_of(line) for line in RUN}
    developing = [*extras["dev"], *extras["docs"]]
    assert {name_of(text) for text in developing} <= {name_of(line) for line in LOCKED}


def test_both_have_the_same_versions():
    versions = [{line.split()[0] for line in lines} for lines in (RUN, LOCKED)]
    assert versions[0] <= versions[1]


def test_pip_is_told_to_insist_on_hashes():
    installs = [line.strip() for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("\t$(PIP)")]
    assert installs == [
        "$(PIP) --require-hashes -r requirements-run.lock",
        "$(PIP) --no-deps --no-build-isolation --editable .",
        "$(PIP) --require-hashes -r requirements.lock",
    ]
