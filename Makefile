# Every command makes its own virtual environment; Python >= 3.11 and make are all it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BASE := $(VENV)/.base
STAMP := $(VENV)/.installed

.PHONY: help demo test check bench fmt docs clean
help:  ## say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(BASE): pyproject.toml
	@echo "setting up $(VENV) (once; needs the package registry)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Lastro needs Python 3.11 or newer")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $@

$(STAMP): $(BASE)
	@echo "installing what the tests and benches need"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[test,bench]'
	@touch $@

demo: $(BASE)  ## build the bundled knowledge base, ask, measure, report
	@$(BIN)/lastro demo

test: $(STAMP) check  ## lint, types, contracts and every test
	@echo "running the tests"
	@$(BIN)/python -m pytest -q

check: $(STAMP)  ## lint, format, types and import contracts
	@echo "checking style, types and contracts"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo || $(BIN)/lint-imports

fmt: $(STAMP)  ## format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(STAMP)  ## measure: every command under bench/, figures into bench/results
	@for each in $(filter-out bench/distil.py,$(wildcard bench/*.py)); do echo "$$each"; $(BIN)/python $$each || exit 1; done

docs: $(STAMP)  ## write the generated pages again
	@$(BIN)/python docs/generate.py

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
