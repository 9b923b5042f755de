# make demo         score a real data set with three models, evaluate them, decide which to use
# make dev          install all that development needs into .venv, which takes minutes
# make test         lint, docs, test-newest and test-oldest, beside each other
# make test-all     the same with every test in a browser, on a cluster and of a simulation
# make lint         Ruff's rules and format, mypy
# make docs         build the docs into build/docs, with the pictures that README and docs keep
# make test-newest  the tests, of those three kinds a few, and the examples of README and docs
# make test-oldest  the part for scikit-learn with the oldest one that it takes
# make browser      install chromium, which the tests of pages drive, unless it is there
# make papers       the papers' figures and stated numbers, computed into build/papers
# make fuzz         an hour of random calls, files, command lines and questions; make fuzz MINUTES=5
# make bench        run times as ratios to a plain sort
# make bench-peers  the same against other packages, which take 6 GB
# make page         translate the page's engine, and bundle it and the page, with node and npm
# make dist         build wheel and sdist into dist, and run the README's commands from the wheel
# make pins         renew constraints.txt
# make clean        remove all that these have made
# Another interpreter: make PYTHON=python3.12 ...

PYTHON ?= python3
BIN := .venv/bin
DEMO := build/demo/breast_cancer.csv
MINUTES ?= 60
KINDS := -m "smoke or not (browser or cluster or simulation)"

# For the package's build environment too, which a -c option does not reach
# (newer releases of pip read the second name there).
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests run side by side: threads of a library's own would only wait for each other.
export OPENBLAS_NUM_THREADS := 1
# They start Python hundreds of times: it is to keep what it has compiled.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(BIN)/python -m pip install --quiet --no-input

.PHONY: help demo dev test test-all lint docs test-newest test-oldest browser papers fuzz bench bench-peers page dist pins clean

help:
	@sed -n 's/^# //p; /^$$/q' Makefile

demo: .venv/.installed-demo
	$(BIN)/python examples/demo.py $(DEMO)
	$(BIN)/costspace evaluate $(DEMO) --label y_true \
		--score logistic --score naive_bayes --score random_forest
	@echo
	$(BIN)/costspace decide $(DEMO) --label y_true \
		--score logistic --score naive_bayes --score random_forest \
		--fp-cost 1 --fn-cost 10:100

dev: .venv/.installed-dev

# All at once, so that no core waits where one of them starts an engine or a browser. The docs come
# early: the tests of their site take what is built.
test: dev browser
	$(MAKE) --jobs=2 test-newest docs lint test-oldest

test-all:
	$(MAKE) test KINDS=

# A document's examples need each other, and so do the tests of a file that share an engine. Files
# come in their order: those with the fewest tests, which would come last, are not the shortest.
test-newest: dev
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile \
		--no-loadscope-reorder $(KINDS)

# The part for scikit-learn follows what that admits: the oldest of it here, the newest above.
test-oldest: .venv-oldest/.installed
	.venv-oldest/bin/python -m pytest --quiet tests/sklearn src/costspace/sklearn

# The tests of the report's page and of the docs drive it.
browser:
	@.ci/need chromium chromium

lint: dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Pictures that are kept are drawn anew beside the site, to look at; a test compares them.
docs: dev browser
	$(BIN)/sphinx-build --fresh-env --fail-on-warning --keep-going --quiet docs build/docs
	$(BIN)/python examples/pictures.py build/docs/pictures

papers: dev
	$(BIN)/python -m papers -o build/papers

fuzz: dev
	$(BIN)/python -m fuzz --minutes $(MINUTES)

bench: dev
	$(BIN)/python -m benchmarks

# Other packages bring versions of their own, which the tests' environment is to know nothing of.
bench-peers: .venv-peers/.installed
	.venv-peers/bin/python -m benchmarks.peers

# The bundles are kept beside the template, so that only those who change src_js, or what the page's
# engine is translated from, need this.
page: dev
	$(BIN)/python -m translate src_js
	npm install --prefix src_js --no-package-lock --no-audit --no-fund --silent
	npm run build --prefix src_js --silent

# The wheel is built from the sdist, and tried where nothing else is installed.
dist: dev
	rm -rf dist build/dist
	$(BIN)/python -m build --quiet
	$(PYTHON) -m venv build/dist
	build/dist/bin/python -m pip install --quiet --no-input "$$(echo dist/*.whl)[cli]"
	$(BIN)/python -m pytest --quiet release

clean:
	rm -rf .venv .venv-oldest .venv-peers build dist src_js/node_modules
	rm -rf docs/guides/gallery docs/reference/objects docs/reference/commands
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# Run it with the oldest Python supported: what that can install, a newer one can too.
pins:
	$(PYTHON) -m venv --clear build/pins
	env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT build/pins/bin/python -m pip install \
		--quiet --no-input hatchling editables '.[all,test,lint,docs,release]'
	{ echo "# Every version that the tests run with; 'make pins' renews them."; \
		build/pins/bin/python -m pip freeze --exclude costspace; } > constraints.txt

# Installed in place, so only changed requirements call for a new installation.
.venv/.installed-demo: .venv/.created pyproject.toml constraints.txt
	@echo "Installing costspace for the demo; the first time this takes a minute."
	$(INSTALL) -e '.[cli,sklearn]'
	@touch $@

.venv/.installed-dev: .venv/.created pyproject.toml constraints.txt
	@echo "Installing costspace for development; the first time this takes a few minutes."
	$(INSTALL) -e '.[all,test,lint,docs,release]'
	@touch $@

.venv-oldest/.installed: pyproject.toml constraints-oldest.txt constraints.txt
	@echo "Installing the oldest scikit-learn that costspace takes."
	$(PYTHON) -m venv --clear .venv-oldest
	env PIP_CONSTRAINT=constraints-oldest.txt .venv-oldest/bin/python -m pip install --quiet \
		--no-input -e '.[sklearn,plots]' pandas pytest pytest-xdist hypothesis sybil
	@touch $@

.venv-peers/.installed: benchmarks/peers/requirements.txt pyproject.toml
	@echo "Installing the packages to compare with: 6 GB, most of it torch's."
	$(PYTHON) -m venv --clear .venv-peers
	env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT .venv-peers/bin/python -m pip install --quiet \
		--no-input -r benchmarks/peers/requirements.txt -e .
	@touch $@

.venv/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "costspace needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make environments: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	@touch $@
