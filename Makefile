# Every target sets itself up in .venv, and is instant to call again until pyproject.toml changes.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# pytest's worker processes; `make test JOBS=0` runs in one process.
JOBS ?= 2

# `make bench QUICK=1` measures shortly: it shows that all runs.
QUICK ?=

.PHONY: run test fuzz lint bench peers docs clean

run: .venv/.run
	$(BIN)/python examples/first_episode.py

test: .venv/.test
	$(BIN)/python -m pytest -n $(JOBS)

# `make fuzz MINUTES=60 SEED=2` compares random dynamics, compiled and not; PROGRAMS=100 ends after so many.
fuzz: .venv/.test
	$(BIN)/python -m tests.fuzz --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(PROGRAMS),--programs $(PROGRAMS)) \
		$(if $(MINUTES),--minutes $(MINUTES))

lint: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# A peer that cannot be installed is reported by the benchmarks, and does not end them.
bench: .venv/.bench
	-@$(MAKE) --no-print-directory --keep-going peers
	$(BIN)/python -m benchmarks $(if $(QUICK),--quick)

peers: .venv-reference/.installed .venv-envpool/.installed .venv-gymnax/.installed

docs: .venv/.dev
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build
	@echo "The pages are in docs/_build/index.html"

clean:
	rm -rf .venv .venv-bootstrap .venv-reference .venv-envpool .venv-gymnax build docs/_build docs/_generated docs/environments out *.egg-info \
		.mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp .venv/.NAME says that the package and the extras of NAME are installed.
.venv/.run: EXTRAS := classic-control,toy-text,video,plot,cli
.venv/.test: EXTRAS := test
.venv/.dev: EXTRAS := dev
.venv/.bench: EXTRAS := classic-control,toy-text,box2d,mujoco,atari,jax,video,plot,cli
.venv/.run .venv/.test .venv/.dev .venv/.bench: pyproject.toml | .venv/bin/python
	@echo "Installing gymnasium[$(EXTRAS)] into .venv ..."
	@$(PIP) --editable ".[$(EXTRAS)]"
	@touch $@

# The peers of the benchmarks, each in an environment of its own: the distributions have the same name, or need it.
.venv-%/.installed: benchmarks/requirements/%.txt | .venv-%/bin/python
	@echo "Installing the peer $* into .venv-$* ..."
	@.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# Debian's python3 without python3-venv cannot give a new environment its pip; virtualenv brings its own.
PYTHONS := $(addsuffix /bin/python,.venv .venv-reference .venv-envpool .venv-gymnax)
$(PYTHONS): DIR = $(patsubst %/bin/python,%,$@)
$(PYTHONS):
	@$(PYTHON) -m venv $(DIR) || { \
		echo "No ensurepip here: fetching virtualenv instead."; rm -rf $(DIR); \
		$(PYTHON) -m pip install --quiet --target .venv-bootstrap virtualenv && \
		PYTHONPATH=.venv-bootstrap $(PYTHON) -m virtualenv --quiet $(DIR); }
