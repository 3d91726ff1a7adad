# `make app` starts the dashboard, `make test` checks everything; each sets up what it needs the first time.
# `make` alone lists the rest.

PYTHON ?= python3
PORT ?= 8501
WORKERS ?= 4

BIN := .venv/bin
MAKEFLAGS += --no-print-directory
LONG := conversations oracle properties kills browser stress coverage mutation
# A test that hangs ends after 240 s, and what each thread was at is shown.
NO_HANGING := -o faulthandler_timeout=240 -o faulthandler_exit_on_timeout=true
TESTS = $(BIN)/python -m pytest --processes $(WORKERS)
export PYTHONUNBUFFERED := 1
unexport PYTHONDONTWRITEBYTECODE  # each of the processes that are started would compile all modules anew

.DEFAULT_GOAL := help
.PHONY: help app test tested test-long check style format tables golden pins clean python environment tools browser $(LONG:%=long-%)

help:  ## List what make can do here
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

app: environment  ## Start the dashboard; PORT= and PLANGLASS_HOME= set its port and data directory
	@exec $(BIN)/planglass app --port "$(PORT)"

test: python  ## Check everything and run the tests
	@$(PYTHON) scripts/timed.py $(MAKE) tested

tested: tools browser  # types and style are checked beside the tests: last the walks, when most is learned that they need
	@mkdir -p build; { $(BIN)/mypy --no-error-summary .; types=$$?; $(MAKE) style && exit $$types; } \
		> build/checked.txt 2>&1 & checked=$$!; \
	$(TESTS) -m "not long" --cov --cov-report= $(NO_HANGING); tests=$$?; \
	wait $$checked || tests=1; cat build/checked.txt; exit $$tests

test-long: tools browser  ## Run what takes longer, part by part; PART= runs one of them
	@for part in $(or $(PART),$(LONG)); do $(MAKE) long-$$part || exit 1; done

long-conversations: tools  # many conversations at random, judged by a replay of their logs
	@$(TESTS) -m long tests/conversations

long-oracle: tools  # 10,000 histories, explained as the log says
	@$(TESTS) -m long tests/explain/test_oracle.py

long-properties: tools  # properties on many more examples
	@HYPOTHESIS_PROFILE=long $(TESTS) -m "hypothesis and not long and not browser"

long-kills: tools  # the program killed 500 times on each store, the database 50 times, two processes for 1,000 rounds
	@$(TESTS) -m long tests/dialogue/test_kills.py tests/dialogue/test_several_processes.py

long-browser: tools browser  # what takes long in a browser: scenes to their ends, servers that die, every button
	@$(TESTS) -m "long and browser"

long-stress: tools  # everything else that is marked long
	@$(TESTS) -m "long and not browser" --ignore=tests/conversations --ignore=tests/explain/test_oracle.py \
		--ignore=tests/dialogue/test_kills.py --ignore=tests/dialogue/test_several_processes.py

long-coverage: tools  # lines and branches of dialogue/ and language/, without a browser
	@$(TESTS) -m "not long and not browser" --cov=dialogue --cov=language --cov-branch --cov-report=term-missing

long-mutation: tools  # faults put into dialogue/ on purpose, which the tests have to find
	@$(BIN)/python scripts/mutation.py --workers $(WORKERS)

check: style  ## Check format, style, types, import directions, pins, tables, and that the layout does not grow
	@$(BIN)/mypy --no-error-summary .
	@echo "Checked: types."

style: tools
	@$(BIN)/ruff format --check --quiet --output-format=concise . || { echo "Not formatted: run 'make format'."; exit 1; }
	@$(BIN)/ruff check --quiet --output-format=concise .
	@report=$$($(BIN)/lint-imports --no-logo) || { echo "$$report"; exit 1; }
	@$(BIN)/python scripts/pins.py --check
	@$(BIN)/python scripts/conformance.py --check
	@$(BIN)/python -m scripts.catalog_reference --check
	@$(BIN)/python -m benchmarks.structure --ceilings
	@echo "Checked: format, style, imports, pins, tables, ceilings."

format: tools  ## Format the code and mend what can be mended
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix .

tables: tools  ## Write the generated parts of the documents
	@$(BIN)/python scripts/conformance.py
	@$(BIN)/python -m scripts.schemas
	@$(BIN)/python -m scripts.catalog_reference
	@$(BIN)/python scripts/walkthrough.py
	@$(BIN)/python -m benchmarks.structure --write

golden: tools  ## Record anew what stories, explanations and commands say; the tests compare it
	@$(BIN)/python -m tests.golden

pins:  ## Renew the pinned lists, from the newest packages that pyproject.toml allows
	@$(PYTHON) -m venv --clear build/pins
	@build/pins/bin/python -m pip install --quiet --upgrade pip setuptools
	@build/pins/bin/python -m pip install --quiet --editable ".[dev,engines,llm,postgresql]"
	@build/pins/bin/python scripts/pins.py

clean:  ## Remove the environment and everything that can be made again
	@rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage*

environment: python
	@$(PYTHON) scripts/environment.py app

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Planglass needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1 || true)."; \
		echo "If there is a newer one, name it: make $(or $(MAKECMDGOALS),app) PYTHON=python3.12"; exit 1; }

tools: python
	@$(PYTHON) scripts/environment.py test

browser: tools
	@$(BIN)/python tests/pages/browser.py
