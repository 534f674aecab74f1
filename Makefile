# `make demo` and `make test` set up everything they need by themselves.
PYTHON ?= python3.11
BIN := .venv/bin
STAMP := .venv/.installed
SERVES := .venv/.serves
APT := apt-get install -y -qq
PIP := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check

# Where it is set, each of the hundreds of processes that the tests start would compile all of Hilo again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo chat test deep check plays format lock bench train package clean browser

help:  ## say what can be made
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## / — /; s/^/  make /'

$(STAMP): requirements/dev.txt pyproject.toml
	@echo "Setting up .venv with the tools for tests (a minute, once) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) --require-hashes -r requirements/dev.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(SERVES)

$(SERVES): requirements/demo.txt pyproject.toml
	@echo "Setting up .venv (half a minute, once) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) --require-hashes -r requirements/demo.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(SERVES)  ## serve the agents, each on a chat page of its own, and the panel
	@$(BIN)/hilo demo

chat: $(SERVES)  ## talk to the leads agent in this terminal
	@$(BIN)/hilo chat agents/leads

test: $(STAMP) browser  ## run all checks, tests and conversations
	@$(MAKE) --no-print-directory -j2 plays check  # a core each: types take as long as all conversations
	@$(BIN)/pytest

plays: $(STAMP)  ## run the conversations of all agents
	@$(BIN)/hilo test agents

deep: $(STAMP) browser  ## run the tests with all examples, contacts and conversations (many minutes)
	@HILO_DEEP_TESTS=1 $(BIN)/pytest

browser: .venv/.browser  ## have a browser for the tests of the pages

.venv/.browser: $(STAMP)  # once: where the shell cannot be had, a whole browser does, at three times the work
	@command -v chromium-headless-shell >/dev/null \
	  || { test "$$(id -u)" = 0 && { $(APT) chromium-headless-shell || { apt-get update -qq; $(APT) chromium-headless-shell; }; } >/dev/null 2>&1; } \
	  || command -v chromium >/dev/null || { test "$$(id -u)" = 0 && $(APT) chromium; } \
	  || echo "There is no chromium, and only root can install it: the tests of the pages will fail."
	@touch $@

check: $(STAMP)  ## format, lint, types and layers
	@$(BIN)/ruff format --check --quiet . || { echo "Run 'make format'."; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports

format: $(STAMP)  ## format the code and mend what ruff can mend
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

bench: $(STAMP)  ## measure a turn
	@$(BIN)/python bench/turn.py

train: $(STAMP)  ## train the classifiers on the corpus, and what answers from pages (ten minutes)
	@$(BIN)/python tools/train.py
	@$(BIN)/python tools/train_knowledge.py

lock:  ## pin dependencies with hashes (needs uv)
	uv pip compile -q --python-version 3.11 --generate-hashes --no-header --no-annotate --all-extras pyproject.toml -o requirements/run.txt
	uv pip compile -q --python-version 3.11 --generate-hashes --no-header --no-annotate --all-extras --group dev -c requirements/run.txt pyproject.toml -o requirements/dev.txt
	uv pip compile -q --python-version 3.11 --generate-hashes --no-header --no-annotate --extra encoder --group build -c requirements/dev.txt pyproject.toml -o requirements/demo.txt

package: $(STAMP)  ## build the wheel and the sdist in dist/
	@$(BIN)/python -m hatchling build

clean:  ## remove what the set-up made
	rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
