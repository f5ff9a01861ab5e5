# flexframe: everything from a fresh clone with Python 3.11 or newer and make.
#
#   make demo     run the rotating disc and say where its report is
#   make test     every check: format, lint, types, layers, front end, documentation, tests but the slow ones
#   make test-all     every check with all tests, slow ones too, and the coverage of the sources
#   make test-lowest  the tests with the lowest versions that pyproject.toml allows (requirements/lowest.lock)
#   make test-plain   the tests without the optional solver PARDISO
#   make docs     build the documentation site
#   make bench    run the benchmarks, write docs/benchmarks.md (make bench BENCH=plane_assembly: one of them)
#   make format   format and fix the sources
#   make clean    remove what was built (make distclean: the environment as well)

PYTHON ?= python3
PYTEST_ARGS ?=
BENCH ?= $(filter-out harness bounds targets __init__,$(sort $(basename $(notdir $(wildcard benchmarks/*.py)))))

BIN := .venv/bin
BUILD := build
DEMO := $(BUILD)/demo/rotating_disc
ASSETS := src/flexframe/reports/assets
SOURCES := src tests docs benchmarks tools conftest.py
PRESENT := $(wildcard $(SOURCES))
PIP := $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check

# A shell that stops at the first error, also inside a recipe line of several commands.
SHELL := /bin/sh
.SHELLFLAGS := -ec
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-all test-lowest test-plain docs bench format frontend clean distclean programs \
	check-format check-lint check-types check-layers check-frontend check-docs check-tests check-all-tests

help:
	@sed -n 's/^#   //p' Makefile

# --- the environment -------------------------------------------------------------------------------------------

$(BIN)/python:
	@echo "==> Creating the environment .venv with $(PYTHON)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "flexframe needs Python 3.11 or newer; name one with: make PYTHON=python3.11 …" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ echo "no environment could be made; on Debian: apt-get install python3-venv" >&2; rm -rf .venv; exit 1; }

# One stamp for each set of packages; a changed pyproject.toml makes all of them old.
.venv/.stamp-run: pyproject.toml | $(BIN)/python
	@echo "==> Installing flexframe into .venv"
	@$(PIP) --editable .
	@touch $@

.venv/.stamp-test: pyproject.toml | $(BIN)/python
	@echo "==> Installing flexframe with everything the checks need into .venv"
	@$(PIP) --editable '.[fast,cluster,test,docs]'
	@touch $@ .venv/.stamp-run .venv/.stamp-docs

.venv/.stamp-docs: pyproject.toml | $(BIN)/python
	@echo "==> Installing flexframe with the documentation tools into .venv"
	@$(PIP) --editable '.[docs]'
	@touch $@ .venv/.stamp-run

.venv/.stamp-bench: pyproject.toml | $(BIN)/python
	@echo "==> Installing flexframe with the benchmarked peers into .venv"
	@$(PIP) --editable '.[fast,bench]'
	@touch $@ .venv/.stamp-run

# --- commands --------------------------------------------------------------------------------------------------

demo: .venv/.stamp-run
	@echo "==> Running examples/rotating_disc.yaml"
	@$(BIN)/flexframe run examples/rotating_disc.yaml --out $(DEMO)
	@echo "==> The report is $(CURDIR)/$(DEMO)/report.html (open it in a browser), the numbers are beside it"

# All checks run even if one fails, so that one round shows everything; pytest comes last.
CHECKS := check-format check-lint check-types check-layers check-frontend check-docs

test: .venv/.stamp-test programs
	@$(MAKE) --no-print-directory --keep-going $(CHECKS) check-tests

test-all: .venv/.stamp-test programs
	@$(MAKE) --no-print-directory --keep-going $(CHECKS) check-all-tests

# Environments of their own; old versions warn of what is new, so warnings are no errors with them.
test-lowest:
	@echo "==> Tests with the lowest versions"
	@$(PYTHON) -m venv --clear $(BUILD)/lowest
	@$(BUILD)/lowest/bin/python -m pip install -qq --disable-pip-version-check \
		-c requirements/lowest.lock --editable '.[fast,cluster,test]'
	@OMP_NUM_THREADS=1 NUMBA_CACHE_DIR=$(CURDIR)/$(BUILD)/lowest/compiled \
		$(BUILD)/lowest/bin/python -m pytest -o filterwarnings=default $(PYTEST_ARGS)

test-plain:
	@echo "==> Tests without PARDISO"
	@$(PYTHON) -m venv --clear $(BUILD)/plain
	@$(BUILD)/plain/bin/python -m pip install -qq --disable-pip-version-check \
		-c requirements/test.lock -c requirements/cluster.lock --editable '.[cluster,test]'
	@OMP_NUM_THREADS=1 NUMBA_CACHE_DIR=$(CURDIR)/$(BUILD)/plain/compiled \
		$(BUILD)/plain/bin/python -m pytest $(PYTEST_ARGS)

docs: .venv/.stamp-docs
	@$(MAKE) --no-print-directory check-docs
	@echo "==> The site is $(CURDIR)/$(BUILD)/docs/index.html"

# One after another, so that none disturbs the next; one that fails does not keep the others from running.
bench: .venv/.stamp-bench
	@failed=""; \
	for name in $(BENCH); do \
		echo "==> Running the benchmark $$name"; \
		$(BIN)/python -m benchmarks.$$name || failed="$$failed $$name"; \
	done; \
	$(BIN)/python tools/benchmark_page.py; \
	if [ -n "$$failed" ]; then echo "these benchmarks failed:$$failed" >&2; exit 1; fi

format: .venv/.stamp-test
	@echo "==> Formatting"
	@$(BIN)/ruff check --fix-only --quiet $(PRESENT)
	@$(BIN)/ruff format $(PRESENT)

frontend: frontend/node_modules/.stamp
	@echo "==> Building the report page into $(ASSETS)"
	@cd frontend && npm run --silent build

clean:
	rm -rf $(BUILD) dist docs/reference/api .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv frontend/node_modules

# --- the checks, one by one (make test installs what they need) ------------------------------------------------

check-format:
	@echo "==> Format (ruff format)"
	@$(BIN)/ruff format --check --quiet $(PRESENT)

check-lint:
	@echo "==> Lint (ruff check)"
	@$(BIN)/ruff check --quiet $(PRESENT)

check-types:
	@echo "==> Types (mypy)"
	@$(BIN)/mypy

check-layers:
	@echo "==> Layers (import-linter)"
	@$(BIN)/lint-imports --no-logo

# The page that ships inside the package must be what its sources give.
check-frontend:
	@echo "==> Front end"
	@if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then \
		echo "    front end not rebuilt: node is not installed"; exit 0; \
	fi; \
	$(MAKE) --no-print-directory frontend/node_modules/.stamp; \
	rm -rf $(BUILD)/shipped && mkdir -p $(BUILD) && cp -R $(ASSETS) $(BUILD)/shipped; \
	(cd frontend && npm run --silent build); \
	if diff -rq $(BUILD)/shipped $(ASSETS); then \
		echo "    the shipped page is the one that its sources give"; \
	else \
		rm -rf $(ASSETS) && cp -R $(BUILD)/shipped $(ASSETS); \
		echo "the page in $(ASSETS) is not the one that frontend/ gives; run 'make frontend' and commit it" >&2; \
		exit 1; \
	fi

frontend/node_modules/.stamp: frontend/package-lock.json
	@echo "==> Installing the front end's packages"
	@cd frontend && npm ci --silent --no-audit --no-fund
	@touch $@

check-docs:
	@echo "==> Documentation (sphinx, warnings are errors)"
	@rm -rf docs/reference/api
	@$(BIN)/python -m sphinx -W --keep-going --quiet --builder html --doctree-dir $(BUILD)/doctrees docs $(BUILD)/docs

# Browser, CalculiX, compiler and node, as far as they can be installed without asking anybody.
programs:
	@echo "==> Programs that tests drive"
	@sh tools/install_programs.sh || true

# Two workers share two cores: one thread of linear algebra each. Where everything is there, nothing may be skipped.
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 $$(sh tools/install_programs.sh --complete && echo --no-skips)

check-tests:
	@echo "==> Tests (pytest)"
	@$(PYTEST) $(PYTEST_ARGS)

# Coverage costs a tracer in every line before Python 3.12, so that only the long run measures it.
check-all-tests:
	@echo "==> All tests (pytest) with coverage"
	@rm -f $(BUILD)/coverage/.coverage*
	@mkdir -p $(BUILD)/coverage
	@export COVERAGE_FILE=$(CURDIR)/$(BUILD)/coverage/.coverage; \
	if $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then export COVERAGE_CORE=sysmon; fi; \
	$(PYTEST) -m '' --cov --cov-report=html:$(BUILD)/coverage/html --cov-report=term $(PYTEST_ARGS)
	@echo "    the lines that no test reaches: $(CURDIR)/$(BUILD)/coverage/html/index.html"
