# The commands of the project; `make help` lists them. GNU make 3.81 and a plain /bin/sh are enough.
#
#   PYTHON=...    the Python to make the environment with; otherwise the first that serves is taken
#   TESTS=...     what `make test` runs, such as tests/test_perceptron.py; otherwise the whole suite
#   BENCH=...     words from the names of the benchmarks to run, such as perceptron; otherwise all
#   N=, SEED=, PART=...   how many mutants `make mutants` tries, which sample, and of which parts, such as theory
#   RECORD=1      `make mutants` keeps its scores in results/mutants.json
#   UPGRADE=1     `make lock` takes the newest versions instead of changing as few as possible
#   NEWEST=1      an environment of the newest versions that pyproject.toml allows, not of the lock's

.DEFAULT_GOAL := help
.PHONY: help env book student instructor test notebooks lock bench mutants lint lint-explorers test-pythons test-rounding clean
unexport PYTHONHOME PYTHONPATH

newest := $(if $(NEWEST),--newest)
python := .venv/bin/python

help: ## list the commands
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):[a-z ]*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r target text; do \
		printf '  %-15s %s\n' "$$target" "$$text"; \
	done

env: ## make .venv from requirements.lock, or bring it up to date
	@if [ -n "$$PYTHON" ] || ! $(python) tools/bootstrap.py --current $(newest) 2>/dev/null; then \
		sh tools/python.sh tools/bootstrap.py $(newest); \
	fi

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

lock: ## make requirements.lock from pyproject.toml (UPGRADE=1: newest versions)
	@sh tools/python.sh tools/lock.py $(if $(UPGRADE),--upgrade)

bench: env ## run the benchmarks against other libraries
	@$(python) -m pip install --quiet --disable-pip-version-check --no-build-isolation -e '.[bench]'
	@$(python) -m benchmarks $(BENCH)

mutants: env ## put small errors into the package, and see which of them no test notices
	@$(python) tools/mutants.py $(if $(N),--n $(N)) $(if $(SEED),--seed $(SEED)) $(if $(PART),--part $(PART)) $(if $(TESTS),--tests $(TESTS)) $(if $(RECORD),--record results/mutants.json)

lint: env ## run the static checks: ruff, mypy, import-linter, schemas
	@$(python) tools/lint.py

lint-explorers: ## check and format the explorers' scripts; needs npm and the network
	@npx --yes @biomejs/biome@2.6.7 check --write book/explorers

test-pythons: ## run the whole suite on every supported Python of this machine
	@sh tools/python.sh tools/test_pythons.py

# No FMA and no wide vectors: sums come out otherwise in their last digits, and what a page shows must not.
test-rounding: env ## run notebooks and records as an older x86 processor would, which rounds otherwise
	@OPENBLAS_CORETYPE=Nehalem NUMBA_CPU_NAME=generic $(python) -m pytest book tests/claims

clean: ## remove the built book and the caches; .venv stays
	rm -rf _build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
