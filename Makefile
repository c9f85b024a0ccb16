# The commands of the project; `make help` lists them. GNU make 3.81 and a plain /bin/sh are enough.
#
#   PYTHON=...    the Python to make the environment with; otherwise the first that serves is taken
#   TESTS=...     what `make test` runs, such as tests/perceptron; otherwise the whole suite
#   BENCH=...     words from the names of the benchmarks to run, such as perceptron; otherwise all
#   UPGRADE=1     `make lock` takes the newest versions instead of changing as few as possible
#   NEWEST=1      an environment of the newest versions that pyproject.toml allows, not of the lock's

.DEFAULT_GOAL := help
.PHONY: help env book student instructor test notebooks lock bench lint lint-explorers test-rounding clean
unexport PYTHONHOME PYTHONPATH PIP_USER PIP_TARGET PIP_PREFIX PIP_CONSTRAINT

python := .venv/bin/python
pip := $(python) -m pip --disable-pip-version-check --no-input install --quiet

# The environment is made anew when the lock or the ranges are newer, and when PYTHON names another Python than its own.
version = $(shell $(1) -c "import sys; print('%d.%d' % sys.version_info[:2])" 2>/dev/null)
ifneq ($(if $(PYTHON),$(call version,$(PYTHON)),),$(if $(PYTHON),$(call version,$(python)),))
.PHONY: .venv/made
endif

help: ## list the commands
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):[a-z ]*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r target text; do \
		printf '  %-15s %s\n' "$$target" "$$text"; \
	done

env: .venv/made ## make .venv from requirements.lock, or bring it up to date

.venv/made: requirements.lock pyproject.toml
	@echo "Making .venv; this takes a minute or two ..."
	@[ ! -e .venv ] || [ -e .venv/begun ] || { echo "Expected no .venv, or one that make made: move yours away." >&2; exit 1; }
	@sh tools/python.sh -c "" && rm -rf .venv && sh tools/python.sh -m venv .venv && touch .venv/begun
ifdef NEWEST
	@$(pip) --upgrade --upgrade-strategy eager --prefer-binary -e '.[book,test]'
else
	@$(pip) --require-hashes --only-binary :all: -r requirements.lock
	@$(pip) --no-deps --no-build-isolation -e .
endif
	@touch $@ && echo ".venv is ready."

book: env ## build the book in _build/html and print where to open it
	@.venv/bin/jupyter-book build . -W -n --keep-going
	@echo "The book is built. Open _build/html/index.html in a browser: file://$(CURDIR)/_build/html/index.html"

student: env ## write the notebooks and pages without solutions into _build/student
	@$(python) -m tools.editions student

instructor: env ## write the same with solutions into _build/instructor
	@$(python) -m tools.editions instructor

test: env ## run the whole suite, or what TESTS names
	@$(python) -m pytest $(TESTS)

notebooks: env ## execute all notebooks, save those whose text or figures changed
	@$(python) tools/notebooks.py

lock: env ## make requirements.lock from pyproject.toml (UPGRADE=1: newest versions)
	@$(pip) uv
	@.venv/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --only-binary :all: \
		--no-emit-build-options --generate-hashes --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make lock" --extra book --extra test $(if $(UPGRADE),--upgrade) \
		pyproject.toml --output-file requirements.lock

bench: env ## run the benchmarks against other libraries
	@$(pip) --no-build-isolation -e '.[bench]'
	@$(python) -m benchmarks $(BENCH)

lint: env ## run the static checks: ruff, mypy, import-linter, schemas
	@$(python) tools/lint.py

lint-explorers: ## check and format the explorers' scripts; needs npm and the network
	@npx --yes @biomejs/biome@2.6.7 check --write book/explorers

# No FMA and no wide vectors: sums come out otherwise in their last digits, and what a page shows must not.
test-rounding: env ## run notebooks and records as an older x86 processor would, which rounds otherwise
	@OPENBLAS_CORETYPE=Nehalem NUMBA_CPU_NAME=generic $(python) -m pytest book tests/claims

clean: ## remove the built book and the caches; .venv stays
	rm -rf _build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
