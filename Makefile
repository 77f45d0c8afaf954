# `make run` sets everything up and does the main job; `make test` checks everything. Neither needs preparation.

PYTHON ?= python3
BIN := .venv/bin
FIRST := runs/first-network.sqlite

.PHONY: install run test docs lint graph browser lock clean

install: .venv/ready

run: install
	@echo "A network of random numbers plays copies of itself; every position of its games learns from how the game ended."
	@echo "Two minutes. The bars are its share of the points against a player that counts pieces:"
	$(BIN)/evocheckers evolve self-play --run $(FIRST) --measure-every 10
	@echo "What it learnt, over all 43 two-move ballots with both colours, against piece counting and its own beginning:"
	$(BIN)/evocheckers runs compare $(FIRST)
	@echo "Go on:"
	@echo "  $(BIN)/evocheckers play                                          play the champion, or this network, in the browser"
	@echo "  $(BIN)/evocheckers runs plot $(FIRST)              pictures of this run, beside it"
	@echo "  $(BIN)/evocheckers runs export $(FIRST) --out my-network.safetensors"
	@echo "  $(BIN)/evocheckers evolve anaconda                               Chellapilla and Fogel, 840 generations, half an hour"
	@echo "  $(BIN)/evocheckers evolve c10-rr                                 Al-Khateeb and Kendall's social learning"
	@echo "  $(BIN)/evocheckers evolve over-the-hill                          Horgan's hill climbing, a minute"
	@echo "  $(BIN)/evocheckers watch --black run:$(FIRST)@6    your network against piece counting, on the terminal"
	@echo "  $(BIN)/evocheckers match champion@6 run:$(FIRST)@6 --openings first-moves"
	@echo "  $(BIN)/evocheckers reproduce --list                              every table of the papers"

test: lint browser
	$(BIN)/pytest -n 3 --dist worksteal -q  # more than the cores of a small machine: some tests wait

# The documentation site, from docs/ and the code, into site/. It is read without a server: open site/index.html.
docs: .venv/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "open site/index.html"

# The page is tested in Chromium, where there is one; elsewhere those tests are skipped and say so.
browser:
	@if ! (command -v chromium || command -v chromium-browser || command -v google-chrome) > /dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null 2>&1; then \
	    echo "installing Chromium for the browser tests"; \
	    (apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) > /dev/null 2>&1 \
	      || echo "Chromium could not be installed: browser tests are skipped"; \
	  else echo "no Chromium: browser tests are skipped (install the package chromium)"; fi; fi

lint: .venv/installed graph
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v npm > /dev/null 2>&1; then npm ci --silent --no-audit --no-fund && npm run --silent check; \
	  else echo "no Node.js: the page's JavaScript is not checked"; fi

# Which folders import which; no cycles, no module that only forwards.
graph: .venv/installed
	$(BIN)/python tools/import_graph.py

# What the commands need, and for `make test` the tools of development on top.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.venv/ready: requirements-run.lock pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'evocheckers needs Python 3.11 or newer')"
	@echo "installing into .venv, once; a minute or so"
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements-run.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@

.venv/installed: .venv/ready requirements.lock
	@echo "installing the development tools, once; 1.7 GB, some minutes"
	$(PIP) --require-hashes -r requirements.lock
	touch $@

# Lock what pyproject.toml asks for, with the hash of every file; versions change only where they must.
COMPILE := .venv/uv/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-annotate --custom-compile-command "make lock" --quiet --extra build
lock:
	$(PYTHON) -m venv .venv/uv
	.venv/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(COMPILE) --extra dev --extra docs --output-file requirements.lock
	$(COMPILE) --constraints requirements.lock --output-file requirements-run.lock

clean:
	rm -rf .venv site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
