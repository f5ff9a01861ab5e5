# flexframe: everything from a fresh clone with Python 3.11 or newer, make and a C++ compiler.
#
#   make demo     run the rotating disc and say where its report is
#   make test     every check: format, lint, types, layers, front end, documentation, tests but the slow ones
#   make test-all     every check with all tests, slow ones too, and the coverage of the sources
#   make test-lowest  the tests with the lowest versions that pyproject.toml allows (requirements/lowest.lock)
#   make test-plain   the tests without the optional solver PARDISO
#   make test-petsc   the tests of PETSc and MPI, with Debian's packages in an environment of their own
#   make test-core    the tests of the compiled core, with sanitizers and with valgrind
#   make core     build the compiled core anew, as far as its sources changed
#   make wheel    build a wheel into dist/ that needs no compiler where it is installed
#   make docs     build the documentation site
#   make bench    run the benchmarks, write docs/benchmarks.md (make bench BENCH=plane_assembly: one of them)
#   make format   format and fix the sources
#   make clean    remove what was built (make distclean: the environment as well)

PYTHON ?= python3
PYTEST_ARGS ?=
BENCH ?= $(filter-out harness bounds targets exudyn_peer __init__,$(sort $(basename $(notdir $(wildcard benchmarks/*.py)))))

BIN := .venv/bin
BUILD := build
DEMO := $(BUILD)/demo/rotating_disc
ASSETS := src/flexframe/reports/assets
comma := ,
SOURCES := src tests docs benchmarks tools conftest.py
PRESENT := $(wildcard $(SOURCES))
PIP := $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check
# Built with the tools of .venv, so that build/core stays valid from one time to the next. The finder that Python loads at
# every start is compiled, also where Python may not write what it compiled.
INSTALL = $(PIP) --no-build-isolation --editable $(1); \
	$(BIN)/python -m compileall -q .venv/lib/python*/site-packages/_editable_skbc_flexframe.py
CORE := $(shell find core -path core/tests -prune -o -type f -print)
COMPILER := sh tools/install_programs.sh --compiler $(BIN)/python

# A shell that stops at the first error, also inside a recipe line of several commands.
SHELL := /bin/sh
.SHELLFLAGS := -ec
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-all test-lowest test-plain test-petsc test-core core wheel docs bench format frontend clean \
	distclean programs check-format check-lint check-types check-layers check-core check-core-memory \
	check-frontend check-docs check-tests check-all-tests FORCE

help:
	@sed -n 's/^#   //p' Makefile

# --- the environment -------------------------------------------------------------------------------------------

$(BIN)/python:
	@echo "==> Creating the environment .venv with $(PYTHON)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "flexframe needs Python 3.11 or newer; name one with: make PYTHON=python3.11 …" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ echo "no environment could be made; on Debian: apt-get install python3-venv" >&2; rm -rf .venv; exit 1; }

# One stamp for each set of packages; a changed pyproject.toml makes all of them old. Installing flexframe with any of
# them builds the core as well.
.venv/.stamp-build: pyproject.toml | $(BIN)/python
	@$(COMPILER)
	@echo "==> Installing what builds the core into .venv"
	@$(call requirements-of,build,$(BIN)/python) | $(PIP) --requirement /dev/stdin
	@touch $@

.venv/.stamp-run: pyproject.toml | .venv/.stamp-build .venv/.modules
	@echo "==> Building flexframe and installing it into .venv"
	@$(call INSTALL,.)
	@touch $@ .venv/.stamp-core

.venv/.stamp-test: pyproject.toml | .venv/.stamp-build .venv/.modules
	@echo "==> Building flexframe and installing it with everything the checks need into .venv"
	@$(call INSTALL,'.[fast$(comma)cluster$(comma)test$(comma)docs]')
	@touch $@ .venv/.stamp-run .venv/.stamp-docs .venv/.stamp-core

.venv/.stamp-docs: pyproject.toml | .venv/.stamp-build .venv/.modules
	@echo "==> Building flexframe and installing it with the documentation tools into .venv"
	@$(call INSTALL,'.[docs]')
	@touch $@ .venv/.stamp-run .venv/.stamp-core

.venv/.stamp-bench: pyproject.toml | .venv/.stamp-build .venv/.modules
	@echo "==> Building flexframe and installing it with the benchmarked peers into .venv"
	@$(call INSTALL,'.[fast$(comma)bench]')
	@touch $@ .venv/.stamp-run .venv/.stamp-core

# Only what changed is compiled again. The finder of an editable install has a list of all modules, which is old as soon
# as one of them comes, goes or moves.
.venv/.stamp-core: pyproject.toml .venv/.modules $(CORE) | .venv/.stamp-build
	@$(build-core)
	@touch $@

.venv/.modules: FORCE | $(BIN)/python
	@find src -name '*.py' | sort >$@.new; if cmp -s $@ $@.new; then rm $@.new; else mv $@.new $@; fi

define build-core
$(COMPILER); \
echo "==> Building the core into .venv"; \
$(call INSTALL,. --no-deps)
endef

# The packages of an extra, one a line, without flexframe itself: $(call requirements-of,EXTRA,PYTHON)
requirements-of = $(2) -c 'import tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$(1)"], sep="\n")'

# --- commands --------------------------------------------------------------------------------------------------

demo: .venv/.stamp-run .venv/.stamp-core
	@echo "==> Running examples/rotating_disc.yaml"
	@$(BIN)/flexframe run examples/rotating_disc.yaml --out $(DEMO)
	@echo "==> The report is $(CURDIR)/$(DEMO)/report.html (open it in a browser), the numbers are beside it"

# All checks run even if one fails, so that one round shows everything; pytest comes last.
CHECKS := check-format check-lint check-types check-layers check-core check-frontend check-docs

test: .venv/.stamp-test .venv/.stamp-core programs
	@$(MAKE) --no-print-directory --keep-going $(CHECKS) check-tests

test-all: .venv/.stamp-test .venv/.stamp-core programs
	@$(MAKE) --no-print-directory --keep-going $(CHECKS) check-all-tests

# Environments of their own, with a core of their own; old versions warn of what is new, so warnings are no errors with
# them.
test-lowest: $(BIN)/python
	@echo "==> Tests with the lowest versions"
	@$(call make-environment,lowest,-c requirements/lowest.lock,fast$(comma)cluster$(comma)test)
	@OMP_NUM_THREADS=1 $(BUILD)/lowest/bin/python -m pytest -o filterwarnings=default $(PYTEST_ARGS)

test-plain: $(BIN)/python
	@echo "==> Tests without PARDISO"
	@$(call make-environment,plain,-c requirements/test.lock -c requirements/cluster.lock,cluster$(comma)test)
	@OMP_NUM_THREADS=1 $(BUILD)/plain/bin/python -m pytest $(PYTEST_ARGS)

# $(call make-environment,FOLDER,CONSTRAINTS,EXTRAS)
define make-environment
$(COMPILER); \
$(or $(4),$(PYTHON)) -m venv --clear $(5) $(BUILD)/$(1); \
pip="$(BUILD)/$(1)/bin/python -m pip install -qq --disable-pip-version-check $(2)"; \
$(call requirements-of,build,$(BUILD)/$(1)/bin/python) | $$pip --requirement /dev/stdin; \
$$pip --no-build-isolation --config-settings=build-dir=$(BUILD)/$(1)/core --editable '.[$(3)]'
endef

# Debian's petsc4py is for Debian's Python and for numpy before 2; it lies beside PETSc, not among Python's packages.
PETSC := /usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real
SLEPC := /usr/lib/slepcdir/slepc3.18/x86_64-linux-gnu-real
test-petsc:
	@echo "==> Tests with PETSc and MPI"
	@sh tools/install_programs.sh --petsc
	@$(call make-environment,petsc,numpy==1.26.*,test,/usr/bin/python3,--system-site-packages)
	@PETSC_DIR=$(PETSC) SLEPC_DIR=$(SLEPC) PYTHONPATH=$(PETSC)/lib/python3/dist-packages:$(SLEPC)/lib/python3/dist-packages \
		OMP_NUM_THREADS=1 $(BUILD)/petsc/bin/python -m pytest -o filterwarnings=default -m petsc $(PYTEST_ARGS)

core: .venv/.modules | .venv/.stamp-build
	@$(build-core)
	@touch .venv/.stamp-core

wheel: | .venv/.stamp-build
	@$(COMPILER)
	@echo "==> Building a wheel"
	@$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .
	@echo "==> The wheel is in $(CURDIR)/dist"

# Memory errors twice: found by the compiler's sanitizers, and by valgrind in the code that users run.
test-core: check-core check-core-memory

docs: .venv/.stamp-docs .venv/.stamp-core
	@$(MAKE) --no-print-directory check-docs
	@echo "==> The site is $(CURDIR)/$(BUILD)/docs/index.html"

# One after another, so that none disturbs the next; one that fails does not keep the others from running.
bench: .venv/.stamp-bench .venv/.stamp-core
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
	@$(BIN)/mypy --config-file tests/mypy.ini --cache-dir .mypy_cache/tests

check-layers:
	@echo "==> Layers (import-linter)"
	@$(BIN)/lint-imports --no-logo

# $(call test-core-in,FOLDER,OPTIONS): build the tests of core/tests in a folder and run them
define test-core-in
export PATH="$(CURDIR)/$(BIN):$$PATH"; \
cmake -S core -B $(1) -G Ninja -DCMAKE_PREFIX_PATH="$(abspath $(wildcard .venv/lib/python*/site-packages))" \
	$(2) >$(BUILD)/core-tests.log || { cat $(BUILD)/core-tests.log; exit 1; }; \
cmake --build $(1) >$(BUILD)/core-tests.log || { cat $(BUILD)/core-tests.log; exit 1; }; \
ctest --test-dir $(1) --output-on-failure
endef

check-core: | .venv/.stamp-build
	@echo "==> Core with sanitizers (ctest)"
	@$(COMPILER)
	@mkdir -p $(BUILD)
	@$(call test-core-in,$(BUILD)/core/sanitizers,-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-O1 -DFLEXFRAME_SANITIZE=ON)

# The widest instructions that this processor has.
LEVEL = $(shell grep -qw avx2 /proc/cpuinfo 2>/dev/null && grep -qw fma /proc/cpuinfo && echo avx2 || echo baseline)
VALGRIND := valgrind;--quiet;--error-exitcode=1;--leak-check=full

check-core-memory: | .venv/.stamp-build
	@echo "==> Core with valgrind (ctest)"
	@$(COMPILER)
	@sh tools/install_programs.sh --only valgrind || true
	@if ! command -v valgrind >/dev/null 2>&1; then \
		echo "    not run: valgrind is not installed"; exit 0; \
	fi; \
	mkdir -p $(BUILD); \
	$(call test-core-in,$(BUILD)/core/valgrind,-DCMAKE_BUILD_TYPE=RelWithDebInfo -DFLEXFRAME_LEVEL=$(LEVEL) \
		'-DFLEXFRAME_TEST_RUNNER=$(VALGRIND)')

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

# Browser, CalculiX, compilers, valgrind and node, as far as they can be installed without asking anybody.
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
