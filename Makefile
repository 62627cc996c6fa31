# Every target sets itself up in .venv, and is instant to call again until pyproject.toml changes.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# pytest's worker processes; `make test JOBS=0` runs in one process.
JOBS ?= 2

.PHONY: run test lint bench docs clean

run: .venv/.run
	$(BIN)/python examples/first_episode.py

test: .venv/.test
	$(BIN)/python -m pytest -n $(JOBS)

lint: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/.run .venv-reference/.installed .venv-envpool/.installed
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.vector_sync
	$(BIN)/python -m benchmarks.vector_async
	$(BIN)/python -m benchmarks.wrappers
	$(BIN)/python -m benchmarks.compiled

docs: .venv/.dev
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build
	@echo "The pages are in docs/_build/index.html"

clean:
	rm -rf .venv .venv-bootstrap .venv-reference .venv-envpool build docs/_build docs/_generated docs/environments out *.egg-info \
		.mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp .venv/.NAME says that the package and the extras of NAME are installed.
.venv/.run: EXTRAS := classic-control,toy-text,video,plot,cli
.venv/.test: EXTRAS := test
.venv/.dev: EXTRAS := dev
.venv/.run .venv/.test .venv/.dev: pyproject.toml | .venv/bin/python
	@echo "Installing gymnasium[$(EXTRAS)] into .venv ..."
	@$(PIP) --editable ".[$(EXTRAS)]"
	@touch $@

# The peer of the benchmarks, in an environment of its own: it has the same distribution name.
.venv-reference/.installed: | .venv-reference/bin/python
	@echo "Installing the reference, gymnasium 1.4.0, into .venv-reference ..."
	@.venv-reference/bin/python -m pip install --quiet --disable-pip-version-check gymnasium==1.4.0
	@touch $@

# Another peer, which brings a gymnasium of its own.
.venv-envpool/.installed: | .venv-envpool/bin/python
	@echo "Installing EnvPool into .venv-envpool ..."
	@.venv-envpool/bin/python -m pip install --quiet --disable-pip-version-check envpool
	@touch $@

# Debian's python3 without python3-venv cannot give a new environment its pip; virtualenv brings its own.
.venv/bin/python .venv-reference/bin/python .venv-envpool/bin/python: DIR = $(patsubst %/bin/python,%,$@)
.venv/bin/python .venv-reference/bin/python .venv-envpool/bin/python:
	@$(PYTHON) -m venv $(DIR) || { \
		echo "No ensurepip here: fetching virtualenv instead."; rm -rf $(DIR); \
		$(PYTHON) -m pip install --quiet --target .venv-bootstrap virtualenv && \
		PYTHONPATH=.venv-bootstrap $(PYTHON) -m virtualenv --quiet $(DIR); }
