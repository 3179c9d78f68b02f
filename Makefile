# What Referee is built and checked with. It takes Python 3.11 or newer, make, and a package index; all else is set up here.

PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	"$$name" -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11); print(sys.executable)' 2>/dev/null && break; \
	done)
BIN := .venv/bin
PY := $(BIN)/python
STAMP := .venv/installed

# With it set, every start of `referee` in the tests would compile the whole program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help test lint demo soak bench lock clean
.DEFAULT_GOAL := help

help:
	@echo "make test    lint, types, all tests, and a match played from the wheel in a new environment"
	@echo "make demo    a whole match by random play under demo/, its last report, and its verification"
	@echo "make soak    the laws of the game on random matches, for long"
	@echo "make bench   the measurements that bench/README.md reports"
	@echo "make lock    choose the versions in requirements-dev.lock anew"
	@echo "make clean   remove all that was made"

$(STAMP): pyproject.toml requirements-dev.lock hatch_build.py
	@$(PY) -m pip --version >/dev/null 2>&1 || { \
		python="$(PYTHON)"; \
		test -n "$$python" || { echo "No Python 3.11 or newer with venv was found: name one by make PYTHON=..." >&2; exit 1; }; \
		"$$python" -m venv --clear .venv; }
	$(PY) -m pip install --quiet --require-hashes -r requirements-dev.lock
	$(PY) -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy

test: lint
	$(PY) -m referee.templating
	$(PY) -m pytest -n auto --maxprocesses 8
	bash tests/wheel_check.sh $(PY)

demo: export REFEREE_KEY := $(CURDIR)/demo/referee.key
demo: $(STAMP)
	$(PY) -m referee.templating
	rm -rf demo
	mkdir demo
	$(BIN)/referee keys new
	$(BIN)/referee selfplay cosmic-league demo/match --bots random --seed 1
	$(BIN)/referee report demo/match --for observer
	$(BIN)/referee verify demo/match --public-key demo/referee.key.pub

soak: $(STAMP)
	$(PY) -m tests.soak

bench: $(STAMP)
	$(PY) -m referee.templating
	$(PY) -m compileall -q referee games
	$(PY) -m bench

lock: $(STAMP)
	$(PY) -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet uv
	build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --generate-hashes \
		--no-emit-index-url --no-header pyproject.toml --output-file requirements-dev.lock

clean:
	rm -rf .venv build dist demo referee/_compiled .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find referee games tests bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
