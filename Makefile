# Everything a checkout can do. `make` alone lists it. It needs Python 3.11 or newer with venv.
# Another Python: make PYTHON=/path/to/python3. More arguments for pytest: make test ARGS="-k auction".

PYTHON ?=
ARGS   ?=

VENV   := .venv
PY     := $(VENV)/bin/python
READY  := $(VENV)/.ready
ORACLE := $(VENV)/.oracle
BROWSER := $(VENV)/axe/axe.min.js
EXTRAS := $(VENV)/.extras
PYTEST := $(PY) -m pytest -n 2 --dist worksteal
ROOMS  := dsl validator interpreter rulesets lab table

export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE # where that is set, each of some hundred processes would compile all of Ichiba anew

.DEFAULT_GOAL := help
.PHONY: help play test check lint types bench count soak oracle extras browser pictures clean

help: ## list what there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

GAME := tokyo_tsukiji_market --config first_game

play: $(READY) ## sit down to a game against three bots, in the browser
	@echo "At the terminal instead: $(VENV)/bin/ichiba play $(GAME)"
	@$(VENV)/bin/ichiba serve --play $(GAME) --seats 4 $(ARGS)

test: $(READY) ## run the tests
	@$(PYTEST) $(ARGS)

check: lint types test ## all that must hold before a change is in: ruff, mypy, the tests

lint: $(READY) ## ruff
	@$(PY) -m ruff check .

# A link missing from typings/ichiba would leave mypy content with fewer files: so they are counted.
types: $(READY) ## mypy, strict, over every file
	@said=$$($(PY) -m mypy) && rc=0 || rc=$$?; echo "$$said"; [ $$rc -eq 0 ] || exit $$rc; \
	seen=$$(echo "$$said" | sed -n 's/^Success: no issues found in \([0-9]*\) source files*$$/\1/p'); \
	there=$$(find $(ROOMS) tests -name '*.py' -not -path 'tests/_checkout/*' | wc -l); \
	[ "$${seen:-0}" -ge "$$there" ] || { echo "mypy has seen $${seen:-0} files of $$there: is typings/ichiba complete?" >&2; exit 1; }

pictures: $(READY) ## draw anew what README, docs and tests show; look at it before it goes in
	@ICHIBA_RENEW=1 $(PYTEST) tests/pictures/test_shown.py tests/pictures/test_pinned.py tests/table/web/test_browser_picture.py tests/pictures/test_plots_shown.py $(ARGS)

bench: $(ORACLE) ## measure the engine's speed, beside other people's
	@$(PY) -m ichiba.lab.bench $(ARGS)

count: $(READY) ## count the instructions that chosen games need; ARGS=--renew writes them down
	@$(PY) -m tests.house.counts $(ARGS)

soak: $(ORACLE) ## run every test, the long ones too
	@$(PYTEST) -o faulthandler_timeout=0 -m "soak or not soak" $(ARGS)

oracle: $(ORACLE) ## install the other engines that some tests and the bench compare with

extras: $(EXTRAS) ## install what a cluster and Parquet need (Dask, pyarrow); without them their tests skip themselves

browser: $(BROWSER) ## install what the tests in a browser need besides Chromium: Playwright, axe

clean: ## remove what make and the tools have made, the environment included
	@rm -rf $(VENV) $(VENV).lock build dist htmlcov .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis .counts
	@find . -name .git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

# Several makes may start at once: one sets up, the others wait for its lock and find the work done.
LOCKED = until mkdir $(VENV).lock 2>/dev/null; do \
	[ -n "$$waiting" ] || echo "Another make is setting up $(VENV); waiting. (If none is: rmdir $(VENV).lock)"; \
	waiting=yes; sleep 1; done; \
	trap 'rmdir $(VENV).lock' EXIT; trap 'exit 130' INT; trap 'exit 143' TERM

NEW_ENOUGH = 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))'
PYTHON_MISSING = Ichiba needs Python 3.11 or newer with venv (on Debian: python3-venv). Say where: make PYTHON=/path/to/python3

# $(call done,STAMP): is this stamp newer than all that it comes from?
done = [ -e $(1) ] && [ -z "$$(find requirements.lock pyproject.toml -newer $(1))" ]

$(READY): requirements.lock pyproject.toml
	@$(LOCKED); if $(call done,$@); then exit 0; fi; \
	for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11) none; do \
		[ $$python != none ] || { echo "$(PYTHON_MISSING)" >&2; exit 1; }; \
		! $$python -c $(NEW_ENOUGH) 2>/dev/null || break; \
	done; \
	echo "Setting up $(VENV) with $$($$python --version) (once, about half a minute) ..."; \
	log=$$(mktemp); \
	{ $(PY) -c $(NEW_ENOUGH) && $(PY) -m pip --version || $$python -m venv --clear $(VENV); } >"$$log" 2>&1 \
	&& $(PY) -m pip install -r requirements.lock >>"$$log" 2>&1 \
	&& $(PY) -m pip install --no-build-isolation --no-deps -e . >>"$$log" 2>&1 \
	|| { cat "$$log" >&2; rm -f "$$log"; echo "Setting up $(VENV) failed; the reason is above." >&2; exit 1; }; \
	rm -f "$$log"; touch $@

$(EXTRAS): $(READY)
	@$(LOCKED); if $(call done,$@); then exit 0; fi; \
	echo "Installing what a cluster and Parquet need (distributed, pyarrow) ..."; \
	log=$$(mktemp); \
	$(PY) -m pip install -c requirements.lock --no-build-isolation -e '.[cluster,lab]' >"$$log" 2>&1 \
	|| { cat "$$log" >&2; rm -f "$$log"; \
	     echo "Dask or pyarrow cannot be installed here; the reason is above. Without them their tests are skipped." >&2; exit 1; }; \
	rm -f "$$log"; touch $@

AXE := axe-core-4.14.1

$(BROWSER): $(READY)
	@$(LOCKED); if [ -e $@ ]; then exit 0; fi; \
	echo "Installing what the tests in a browser need (playwright, axe-core) ..."; \
	log=$$(mktemp); packed=$$(mktemp -d); \
	{ $(PY) -m pip install playwright==1.65.2 && command -v npm \
	&& npm pack axe-core@$(AXE:axe-core-%=%) --silent --pack-destination "$$packed" \
	&& mkdir -p $(VENV)/axe && tar -xzf "$$packed/$(AXE).tgz" -C $(VENV)/axe --strip-components=1 package/axe.min.js; } >"$$log" 2>&1 \
	|| { cat "$$log" >&2; rm -rf "$$log" "$$packed"; \
	     echo "Playwright or axe cannot be installed here; the reason is above. Without them the tests in a browser are skipped." >&2; exit 1; }; \
	rm -rf "$$log" "$$packed"; touch $@

$(ORACLE): $(READY)
	@$(LOCKED); if $(call done,$@); then exit 0; fi; \
	echo "Installing the other engines to compare with (open_spiel, catanatron) ..."; \
	log=$$(mktemp); \
	$(PY) -m pip install -c requirements.lock --no-build-isolation -e '.[oracle]' >"$$log" 2>&1 \
	|| { cat "$$log" >&2; rm -f "$$log"; \
	     echo "open_spiel and catanatron cannot be installed here; the reason is above. Without them there is no" >&2; \
	     echo "bench and no soak; make test works, and skips the tests that compare with them." >&2; exit 1; }; \
	rm -f "$$log"; touch $@
