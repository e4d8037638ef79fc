# The two commands are `make lab` and `make test`; both start from nothing.
# Written for the oldest make still shipped (GNU make 3.81, macOS) and plain sh.

# Passed on: make lab ARGS="--no-browser --port 8899"   make test ARGS="-k tree"
ARGS =
# Which interpreter makes .venv; without it, the first that is new enough of python3, python3.14 … 3.11.
PYTHON ?=
# VERSIONS=newest: the newest versions that pyproject.toml allows, not those in constraints.txt.
VERSIONS ?=
# INSTALLER=pip: without uv.
INSTALLER ?=
export PYTHON VERSIONS INSTALLER

# `python -m tool` and not the tool's own script: a script's first line cannot hold a path with a space.
PY = .venv/bin/python
WORDS = README.md CHANGELOG.md CONTRIBUTING.md docs notebooks/.source dtree_lab tools
LINT = $(PY) -m ruff check . && $(PY) -m ruff format --check . && $(PY) -m mypy --strict dtree_lab \
  && $(PY) -m codespell_lib $(WORDS)

.PHONY: help lab test thorough claims mutants lint format lock bench peers bench-ui bench-scan bench-grading site site-test pictures clean

help:
	@echo 'make lab     open a working copy of the course in JupyterLab (ARGS="--no-browser --port 8899")'
	@echo 'make lab ARGS="--here notebooks"  the lessons of this checkout themselves, for authors'
	@echo 'make test    linters and the test suite          (ARGS="-k tree": passed to pytest)'
	@echo 'make thorough  the suite with ten times as many examples, its long tests, and make claims'
	@echo 'make claims  what the lessons claim, over seeds (ARGS=forests: only such; ARGS="--measure 200": to write from)'
	@echo 'make mutants what is changed in the library, the tests notice (ARGS="hints plain": only such)'
	@echo 'make lint    ruff, mypy and codespell only'
	@echo 'make site    the course as a static site, with JupyterLite (ARGS="--no-lite --still")'
	@echo 'make site-test  its JupyterLite in a real browser'
	@echo 'make pictures  the pictures of the README, of the labs as they are (ARGS=forest: only such)'
	@echo 'make bench   how fast we are beside scikit-learn'
	@echo 'make peers   rpart and Weka beside ours, and the tests of scikit-learn with our estimators'
	@echo 'make bench-ui how fast the labs answer in JupyterLab (ARGS=drag: only such rows)'
	@echo 'make bench-scan trees from 100 million rows in Parquet (ARGS=4000000: from so many)'
	@echo 'make bench-grading a class of 300 graded, a tenth of it trouble, beside nbgrader (ARGS="60 12")'
	@echo 'make format  let ruff format and repair what it can'
	@echo 'make lock    the newest versions of all that is installed, into constraints.txt'
	@echo 'make clean   remove .venv and everything that is generated'

lab:
	@sh tools/venv.sh course
	@$(PY) -m dtree_lab.cli $(ARGS)

# A module's tests, and a notebook's cells, stay together on one worker. The order is that of
# collection, which puts the slowest first.
PYTEST = $(PY) -m pytest -n auto --maxprocesses 8 --dist loadscope --no-loadscope-reorder

# What Debian has comes while .venv is made, where it can. The linters work while the tests begin;
# what they say stands at the end. Their verdict does not keep the tests from running, and either
# fails the target.
test:
	@python3 tests/browser/chromium.py --early </dev/null >/dev/null 2>&1 & early=$$!; \
	sh tools/venv.sh test || exit 1; wait $$early; \
	words=$$(mktemp); lint=0; suite=0; \
	{ $(LINT); } >"$$words" 2>&1 & linters=$$!; \
	{ $(PY) tests/browser/chromium.py && $(PY) tests/bubblewrap.py && $(PYTEST) $(ARGS); } || suite=$$?; \
	wait $$linters || lint=$$?; \
	cat "$$words"; rm -f "$$words"; \
	if [ $$lint -ne 0 ]; then echo 'The linters failed: see above (or run make lint).'; fi; \
	[ $$lint -eq 0 ] && [ $$suite -eq 0 ]

# Everything: what make test leaves out, ten times its random examples, and all seeds of the claims.
thorough:
	@$(MAKE) test ARGS='--hypothesis-profile=thorough $(ARGS)'
	@$(MAKE) claims ARGS=

# One change at a time in a copy of the checkout: tests that do not notice one have lost their power.
mutants:
	@sh tools/venv.sh test
	@$(PY) tools/mutants.py $(ARGS)

claims:
	@sh tools/venv.sh test
	@PYTHONPATH=tests $(PY) -W error -m claims $(ARGS)

lint:
	@sh tools/venv.sh test
	@$(LINT)

format:
	@sh tools/venv.sh test
	@$(PY) -m ruff check --fix-only . && $(PY) -m ruff format .

# For all extras and systems at once; --upgrade, or nothing would ever change. The old versions do not
# bind what it is made with: they may no longer suit pyproject.toml.
lock:
	@VERSIONS=newest sh tools/venv.sh dev
	@$(PY) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --all-extras \
	  --no-annotate --custom-compile-command 'make lock' pyproject.toml -o constraints.txt

bench:
	@sh tools/venv.sh test
	@$(PY) benchmarks/bench.py

bench-ui:
	@sh tools/venv.sh test
	@$(PY) tests/browser/chromium.py
	@$(PY) benchmarks/bench_ui.py $(ARGS)

bench-scan:
	@sh tools/venv.sh test
	@$(PY) benchmarks/bench_scan.py $(ARGS)

bench-grading:
	@sh tools/venv.sh test
	@$(PY) benchmarks/bench_grading.py $(ARGS)

# By apt where that may be done; without the programs, beside what they said when it was recorded.
peers:
	@sh tools/venv.sh test
	@$(PY) tools/peers/beside.py $(ARGS)
	@$(PY) tools/peers/shipped.py
	@$(PY) tools/peers/sklearn_tests.py
	@$(PY) tools/peers/takers.py
	@$(PY) tools/peers/engines.py

# Pyodide comes by npm; without it the site is made all the same, and says what it lacks.
site:
	@sh tools/venv.sh site
	@.venv-site/bin/python tools/site/build.py $(ARGS)

site-test:
	@sh tools/venv.sh test
	@$(PY) tests/browser/chromium.py
	@$(MAKE) site
	@$(PY) -m pytest $(ARGS) tests/site/lite.py

pictures:
	@sh tools/venv.sh test
	@$(PY) tests/browser/chromium.py
	@$(PY) tools/pictures.py $(ARGS)

clean:
	rm -rf .venv .venv-site build dist site test-artefacts .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -prune -exec rm -rf {} +
