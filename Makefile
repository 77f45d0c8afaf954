# `make run` sets everything up and does the main job; `make test` checks everything. Neither needs preparation.

PYTHON ?= python3
BIN := .venv/bin
FIRST := runs/first-steps.sqlite

.PHONY: run test lint clean

run: .venv/installed
	@echo "A network of random numbers plays mirrored copies of itself and learns from who wins (about two minutes):"
	$(BIN)/evocheckers evolve es --run $(FIRST) --generations 120 --set plies=3 --set schedule=120
	@echo "What it learnt, over all 43 two-move ballots with both colours:"
	$(BIN)/evocheckers runs compare $(FIRST)
	@echo "Go on:"
	@echo "  $(BIN)/evocheckers runs plot $(FIRST)              pictures of this run, beside it"
	@echo "  $(BIN)/evocheckers runs export $(FIRST) --out my-network.safetensors"
	@echo "  $(BIN)/evocheckers evolve anaconda                               Chellapilla and Fogel, 840 generations, half an hour"
	@echo "  $(BIN)/evocheckers evolve c10-rr                                 Al-Khateeb and Kendall's social learning"
	@echo "  $(BIN)/evocheckers evolve over-the-hill                          Horgan's hill climbing, a minute"
	@echo "  $(BIN)/evocheckers watch --black run:$(FIRST)@6    your network against piece counting, on the terminal"
	@echo "  $(BIN)/evocheckers match champion@6 run:$(FIRST)@6 --openings first-moves"
	@echo "  $(BIN)/evocheckers reproduce --list                              every table of the papers"

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
