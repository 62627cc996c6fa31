# Every target sets itself up in .venv, and is instant to call again until pyproject.toml changes.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# pytest's worker processes; `make test JOBS=0` runs in one process. Many tests wait for other processes, so three keep
# two cores busy.
JOBS ?= 3

# `make test THOROUGH=1` runs the long tests too, and all combinations of the laws (tests/thorough.py).
THOROUGH ?=
export THOROUGH

# `make bench QUICK=1` measures shortly: it shows that all runs.
QUICK ?=

# `make clients DIFF=1` runs the clients thoroughly, and under the reference, too.
DIFF ?=

.PHONY: run test test-api fuzz soak lint clients bench peers docs matrix oldest mutants dist clean

run: .venv/.run
	$(BIN)/python examples/first_episode.py

# Tests start Python hundreds of times, and pytest keeps the asserts that it has rewritten as bytecode.
test: export PYTHONDONTWRITEBYTECODE :=
test: .venv/.test
	@$(BIN)/python -m compileall -q gymnasium palaestra
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# The tests of the API with `palaestra` absent.
test-api: .venv/.test
	PYTHONPATH=tests/api_only $(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/gymnasium

# `make fuzz MINUTES=60 SEED=2` compares random programs in machine code and in Python; PROGRAMS=100 ends after so many.
fuzz: .venv/.test
	$(BIN)/python -m tests.fuzz --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(PROGRAMS),--programs $(PROGRAMS)) \
		$(if $(MINUTES),--minutes $(MINUTES))

# `make soak MINUTES=60`: everything at random for an hour, with workers killed; memory must stay flat.
soak: .venv/.test
	$(BIN)/python -m tests.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

lint: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy examples/*.py
	$(BIN)/vermin --target=3.10- --no-tips --quiet gymnasium palaestra tests examples
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(if $(shell command -v actionlint),actionlint)

# The environments and agents of other packages. The clients of the reference run the same set as ours. Some infos are
# lists made of sets of strings, whose order is that of their hashes.
clients: export PYTHONHASHSEED := 0
CLIENTS := tests/clients/survey.py --jobs $(or $(JOBS:0=),1) $(if $(DIFF),--thorough) --out out/clients
clients: .venv-clients/.installed $(if $(DIFF),.venv-clients-reference/.installed)
	$(if $(DIFF),-).venv-clients/bin/python $(CLIENTS)/ours.json
ifneq ($(DIFF),)
	-.venv-clients-reference/bin/python $(CLIENTS)/reference.json
	.venv-clients/bin/python tests/clients/difference.py out/clients/ours.json out/clients/reference.json
endif

# A peer that cannot be installed is reported by the benchmarks, and does not end them.
bench: .venv/.bench
	-@$(MAKE) --no-print-directory --keep-going peers
	$(BIN)/python -m benchmarks $(if $(QUICK),--quick)

peers: .venv-reference/.installed .venv-envpool/.installed .venv-gymnax/.installed .venv-minari/.installed \
	.venv-rllib/.installed

docs: .venv/.dev
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build
	@echo "The pages are in docs/_build/index.html"

# The tests on every Python that the package claims, each in an environment of its own.
matrix: .venv/.test
	$(BIN)/python -m tests.packaging.matrix

# The oldest version of each dependency that pyproject.toml allows, on the oldest Python.
oldest: .venv/.test
	$(BIN)/python -m tests.packaging.matrix --oldest

# `make mutants COUNT=80 SEED=2`: whether the tests notice faults that are put into a copy of the package.
mutants: .venv/.test
	$(BIN)/python -m tests.mutants $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

# A wheel and an archive of the sources in dist/, tried as a stranger installs them: with each extra, in an empty
# environment.
dist: .venv/.dev
	rm -rf build dist
	$(BIN)/python -m build --outdir dist .
	THOROUGH=1 $(BIN)/python -m pytest tests/packaging

clean:
	rm -rf .venv .venv-* build dist docs/_build docs/_generated docs/gymnasium/environments out *.egg-info \
		.mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp .venv/.NAME says that the package and the extras of NAME are installed.
.venv/.run: EXTRAS := classic-control,toy-text,video,plot,cli
.venv/.test: EXTRAS := test
.venv/.dev: EXTRAS := dev
.venv/.bench: EXTRAS := classic-control,toy-text,box2d,mujoco,atari,jax,ray,video,plot,cli
.venv/.run .venv/.test .venv/.dev .venv/.bench: pyproject.toml | .venv/bin/python
	@echo "Installing gymnasium[$(EXTRAS)] into .venv ..."
	@$(PIP) --editable ".[$(EXTRAS)]"
	@touch $@

# The peers of the benchmarks, each in an environment of its own: the distributions have the same name, or need it.
.venv-%/.installed: benchmarks/requirements/%.txt | .venv-%/bin/python
	@echo "Installing the peer $* into .venv-$* ..."
	@.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# The clients share an environment; so do those of the reference, which is Gymnasium 1.4.0. Of torch little is imported,
# so that compiling all of it would take most of the time.
.venv-clients/.installed: GYMNASIUM := --editable .
.venv-clients-reference/.installed: GYMNASIUM := "gymnasium[mujoco]==1.4.0"
.venv-clients/.installed: pyproject.toml
.venv-clients/.installed .venv-clients-reference/.installed: %/.installed: tests/clients/requirements.txt | %/bin/python
	@echo "Installing the clients into $* ..."
	@$*/bin/python -m pip install --quiet --disable-pip-version-check --no-compile $(GYMNASIUM) --requirement $<
	@touch $@

# Debian's python3 without python3-venv cannot give a new environment its pip; virtualenv brings its own.
PYTHONS := $(addsuffix /bin/python,.venv .venv-reference .venv-envpool .venv-gymnax .venv-minari .venv-rllib \
	.venv-clients .venv-clients-reference)
$(PYTHONS): DIR = $(patsubst %/bin/python,%,$@)
$(PYTHONS):
	@$(PYTHON) -m venv $(DIR) || { \
		echo "No ensurepip here: fetching virtualenv instead."; rm -rf $(DIR); \
		$(PYTHON) -m pip install --quiet --target .venv-bootstrap virtualenv && \
		PYTHONPATH=.venv-bootstrap $(PYTHON) -m virtualenv --quiet $(DIR); }
