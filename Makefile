# `make eval` and `make test` set up what they need in .venv and run; nothing else has to be done first.
PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# make eval: against the scripted demo endpoint, or a real one with MODEL and BASE_URL.
N ?= 5
R ?= 3
MODEL ?=
BASE_URL ?=
API_KEY_VAR ?=

.PHONY: eval test check clean

quoted = '$(subst ','\'',$(1))'
ENDPOINT := $(strip $(if $(MODEL),--model $(call quoted,$(MODEL))) \
	$(if $(BASE_URL),--base-url $(call quoted,$(BASE_URL))) \
	$(if $(API_KEY_VAR),--api-key-var $(call quoted,$(API_KEY_VAR))))

eval: .venv/ready
	$(BIN)/scientific-math evaluate -n $(N) -r $(R) $(ENDPOINT)

test: check
	$(BIN)/python -m pytest -n 2 --dist loadgroup

check: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
		{ echo "Python 3.11, 3.12 or 3.13 is needed; name one with: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/ready: pyproject.toml constraints.txt | .venv/bin/python
	@echo "installing into .venv (about a minute)"
	$(PIP_INSTALL) --editable .
	@touch $@

.venv/ready-test: pyproject.toml constraints.txt | .venv/bin/python
	@echo "installing into .venv with the test tools (about a minute)"
	$(PIP_INSTALL) --editable '.[test]'
	@touch $@ .venv/ready

clean:
	rm -rf .venv dist build outputs .pytest_cache .mypy_cache .ruff_cache .hypothesis
