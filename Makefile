# `make run` sets everything up and does the main job; `make test` checks everything. Neither needs preparation.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test lint clean

run: .venv/installed
	$(BIN)/evocheckers perft 9
	$(BIN)/evocheckers bench --rounds 3
	$(BIN)/evocheckers watch --delay 0.05

test: lint
	$(BIN)/pytest -n 2 --dist worksteal -q

lint: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'evocheckers needs Python 3.11 or newer')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
