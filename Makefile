# `make` lists the targets. Everything lives in .venv, set up once and again when the pins change.

PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
LIVE := $(PYTHON) scripts/live
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_DOCS := $(VENV)/.ready-docs
READY_TRAIN := $(VENV)/.ready-train

.DEFAULT_GOAL := help
.PHONY: help run test check lint types imports pytest reproduce bench docs clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "ARGS=… is handed to the command: make run ARGS='my.toml --seed 7'"

run: $(READY) ## set up, then run the default scenario (or ARGS)
	@$(BIN)/annelid run $(ARGS)

test: lint types imports pytest ## set up, then every check and test

check: test $(READY_TRAIN) ## everything but soaks: the tests, then the slow ones (under an hour)
	$(BIN)/pytest -n 2 -m slow $(ARGS) || [ $$? -eq 5 ]  # 5: there are none

reproduce: $(READY_DEV) $(READY_TRAIN) ## the papers' claims as experiments (renews results/), then the slow tests
	@$(BIN)/annelid reproduce --keep $(ARGS)
	@$(BIN)/pytest -q -n 2 -m slow || [ $$? -eq 5 ]  # 5: there are none

bench: $(READY) ## measure the speed ratios
	@$(BIN)/annelid bench $(ARGS)

docs: $(READY_DOCS) ## build the handbook into build/handbook; warnings are errors
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet $(ARGS)
	@echo "Open build/handbook/index.html; to search in it: python3 -m http.server -d build/handbook"

clean: ## remove the environment and the caches; your runs stay
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

lint: $(READY_DEV) ## style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY_DEV) ## mypy, strict
	$(BIN)/mypy

imports: $(READY_DEV) ## the order of the house
	$(BIN)/lint-imports

pytest: $(READY_DEV) ## the tests alone
	$(BIN)/pytest -n 2 --dist loadgroup --durations=10 -m 'not slow and not realtime' $(ARGS)
	$(BIN)/pytest -m 'realtime and not slow' $(ARGS) || [ $$? -eq 5 ]  # 5: ARGS leave none

$(READY): pyproject.toml constraints.txt scripts/system-packages
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Annelid needs Python 3.11 or newer; $(PYTHON) is not. Try: make PYTHON=python3.12 …" >&2; \
		exit 1; }
	@echo "Setting up $(VENV) (a minute or two, once) …"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(LIVE) "Installing packages" $(PIP) install --progress-bar off -c constraints.txt -e '.[console]'
	@$(BIN)/python -m annelid.physics.warm
	@bash scripts/system-packages $(BIN)/python
	@touch $@

$(READY_DEV): $(READY)
	@$(LIVE) "Adding the development tools" $(PIP) install --progress-bar off -c constraints.txt -e '.[dev]'
	@bash scripts/system-packages --browser
	@touch $@

$(READY_TRAIN): $(READY_DEV)
	@$(LIVE) "Adding what training needs" $(PIP) install --progress-bar off -c constraints.txt -e '.[train]'
	@touch $@

$(READY_DOCS): $(READY)
	@$(LIVE) "Adding what the handbook needs" $(PIP) install --progress-bar off -c constraints.txt -e '.[docs]'
	@touch $@
