# Sandtable: everything that a person or a machine runs, by name.
# Needs Python 3.11 or newer, Node 20 or newer and make; the rest is installed into .venv and web/node_modules by the first
# target that needs it, without root.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
FIND_PYTHON = for p in $(PYTHON) python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done || true

JOBS ?= 2
TESTS ?= tests
MINUTES ?= 30
SOAK_GAMES ?= 2000
SEED ?= 1
AGAINST ?=

KERNEL := src/sandtable/mechanics/paths/_swift.c
NODE_STAMP := web/node_modules/.installed
CLIENT := src/sandtable/server/static/index.html
MAPS := src/sandtable/server/maps/.drawn
OFFLINE := dist/offline
PYODIDE := --platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp --abi cp314 --abi none
MAP_SOURCES := $(shell find src/sandtable/engine src/sandtable/mechanics src/sandtable/games src/sandtable/server/library -name '*.py' -o -path '*/data/*' -type f)
API := web/openapi.json
API_STAMP := web/.openapi-made
TYPES := web/src/lib/api/schema.d.ts
API_SOURCES := src/sandtable/engine/scene.py $(shell find src/sandtable/server -name '*.py' -not -path '*/migrations/*')
CLIENT_SOURCES := $(filter-out $(TYPES),$(shell find web/src web/text web/public web/plugins web/index.html web/vite.config.ts -type f 2>/dev/null))

.PHONY: mutants texts help install web wheel offline offlinetest play terminal needs test check check-python check-web pytest webtest format bench soak ledger docs clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): requirements.txt requirements-dev.txt constraints.txt pyproject.toml hatch_build.py $(KERNEL)
	@python="$$($(FIND_PYTHON))"; \
	if [ -z "$$python" ]; then echo "Sandtable needs Python 3.11 or newer: none was found" >&2; exit 1; fi; \
	[ -x $(BIN)/pip ] || "$$python" -m venv $(VENV) || \
		{ [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq python3-venv && "$$python" -m venv $(VENV); } || \
		{ rm -rf $(VENV); echo "Python needs its venv module (Debian and Ubuntu: sudo apt-get install python3-venv)" >&2; exit 1; }
	$(PIP) install -r requirements-dev.txt -c constraints.txt
	$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

install: $(STAMP) ## the environment in .venv, with pinned requirements

$(NODE_STAMP): web/package.json web/package-lock.json
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || \
		{ echo "Sandtable needs Node 20 or newer, with npm, for the browser table" >&2; exit 1; }
	cd web && npm install --no-save --no-audit --no-fund --loglevel=error  # the lock names the versions
	@touch $@

# The description of the HTTP API and the types made of it: new only when they say something new.
$(API_STAMP): $(STAMP) $(API_SOURCES)
	@$(BIN)/python -m sandtable.server.openapi > $(API).new
	@if cmp -s $(API).new $(API); then rm $(API).new; else mv $(API).new $(API); fi
	@touch $@

$(API): $(API_STAMP)
	@[ -f $@ ] || $(BIN)/python -m sandtable.server.openapi > $@

$(TYPES): $(NODE_STAMP) $(API)
	cd web && npm run --silent types

# Types are for whoever reads and checks the client; what is built has none.
$(CLIENT): $(NODE_STAMP) $(CLIENT_SOURCES) | $(TYPES)
	cd web && npm run --silent build
	rm -rf $(dir $(CLIENT)) && cp -r web/dist $(patsubst %/,%,$(dir $(CLIENT)))
	@touch $@

# Maps are drawn now, and the games listed, not while the first visitor waits.
$(MAPS): $(STAMP) $(MAP_SOURCES)
	@mkdir -p $(dir $@)
	$(BIN)/python -m sandtable.server.library.build
	@touch $@

web: $(TYPES) $(CLIENT) $(MAPS) ## the browser client, built and laid where the server finds it

# The compiled kernel is in it where a C compiler was found; without one it is a wheel for every machine.
wheel: $(STAMP) $(CLIENT) $(MAPS) ## a wheel with the built client and the maps inside, into dist/
	rm -f dist/sandtable-*.whl
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist .
	@ls dist/sandtable-*.whl

# Any host of static files serves it. Its Python is Pyodide's, whose wheels PyPI has; the kernel is not compiled for it.
offline: $(STAMP) $(NODE_STAMP) $(MAPS) ## the whole table as a static page that needs no server, into dist/offline
	cd web && npm run --silent build:offline
	rm -rf build/offline $(OFFLINE)
	HATCH_BUILD_NO_HOOKS=true $(PIP) wheel --no-build-isolation --no-deps --wheel-dir build/offline .
	$(PIP) install --target build/offline/site --no-compile --no-deps --only-binary :all: $(PYODIDE) \
		-r web/offline-requirements.txt build/offline/sandtable-*.whl
	rm -rf build/offline/site/bin build/offline/site/sandtable/server/static
	mkdir -p dist && cp -r web/dist-offline $(OFFLINE)
	node web/scripts/offline.mjs build/offline/site $(OFFLINE)

offlinetest: offline needs ## a game played to its end in that page, in a real Chromium without a network
	cd web && npm run --silent e2e:offline

play: $(STAMP) $(CLIENT) $(MAPS) ## the table in the browser, on an embedded database
	@$(BIN)/sandtable serve

terminal: $(STAMP) ## a game at the terminal
	@$(BIN)/sandtable play

check: $(STAMP) $(NODE_STAMP) $(TYPES) ## lint, format and types
	@$(MAKE) --no-print-directory -j $(JOBS) --output-sync=target check-python check-web

check-python: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check-web: $(NODE_STAMP) $(TYPES)
	cd web && npm run --silent lint && npm run --silent check

needs: $(STAMP) $(NODE_STAMP) # a browser, a PostgreSQL and a Redis for the tests, brought where they are missing
	@$(BIN)/python -m tests.needs

test: check $(CLIENT) $(MAPS) needs ## check, and every test but the long ones
	@$(MAKE) --no-print-directory -j 2 pytest webtest  # a browser waits half of its time

pytest: $(STAMP) $(CLIENT) $(MAPS) needs
	$(BIN)/pytest -n $(JOBS) -m "not slow" $(TESTS)

webtest: $(STAMP) $(TYPES) $(CLIENT) $(MAPS) needs ## the tests of the browser client, the last in a real Chromium
	cd web && npm run --silent test && npm run --silent e2e

format: $(STAMP) $(NODE_STAMP) ## put the source in form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd web && npm run --silent format

bench: $(STAMP) $(CLIENT) needs ## the speed of kernels, random play, copies, legal lists and views; server and browser under load; AGAINST=PATH/src measures another tree in turns
	@$(BIN)/sandtable bench
	@$(BIN)/python bench/server_load.py --seconds 10
	@node bench/frames.mjs
	@[ -z "$(AGAINST)" ] || $(BIN)/python bench/against.py $(AGAINST)

soak: $(STAMP) ## long random matches under every invariant (MINUTES=30 SOAK_GAMES=2000 SEED=1)
	$(BIN)/pytest -n $(JOBS) -m slow $(TESTS) || [ $$? -eq 5 ]
	for game in $$($(BIN)/python -c "from sandtable import registry; print(*registry.names())"); do \
		$(BIN)/sandtable simulate $$game --games $(SOAK_GAMES) --seed $(SEED) --jobs $(JOBS); \
		$(BIN)/python -m sandtable.fuzz $$game --games 1000000 --minutes $(MINUTES) --seed $(SEED); \
		$(BIN)/python -m sandtable.fuzz $$game --games 1000000 --minutes $(MINUTES) --seed $(SEED) --player planner; \
	done

mutants: $(STAMP) ## random breakages of a game's rules that no test notices (GAME=caucasus COUNT=300 SEED=1 AGAIN=)
	$(BIN)/python -m tests.mutants $(or $(GAME),caucasus) --count $(or $(COUNT),300) --seed $(SEED) --jobs $(JOBS) \
		$(if $(AGAIN),--again build/mutants-$(or $(GAME),caucasus).json)

texts: $(STAMP) ## bring the catalogues of other languages up to date with the texts in the source
	@$(BIN)/python -m tests.texts

ledger: $(STAMP) ## which rules a test holds, and which are open
	@$(BIN)/sandtable rules --coverage

docs: $(STAMP) ## the documentation, into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean: ## remove the environment and what was built
	rm -rf $(VENV) $(KERNEL:.c=.*.so) site build dist web/dist web/dist-offline web/node_modules $(API) $(API_STAMP) $(TYPES) $(dir $(CLIENT)) $(dir $(MAPS)) .mypy_cache .ruff_cache .pytest_cache .hypothesis
