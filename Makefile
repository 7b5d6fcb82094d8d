# `make eval` and `make test` set up what they need in .venv and run; nothing else has to be done first.
PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
OTHER_INSTALL = .venv-$(1)/bin/python -m pip install --quiet --no-compile --disable-pip-version-check \
	--constraint constraints-$(1).txt

# make eval: against the scripted demo endpoint, or a real one with MODEL and BASE_URL.
N ?= 5
R ?= 3
MODEL ?=
BASE_URL ?=
API_KEY_VAR ?=

.PHONY: eval test check integrations integrations-train integrations-pool clean

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

# Prime's clients, each in a venv of its own, because neither goes with verifiers 0.4; tests that need them skip
# without. 0.18 publishes; 0.7.7 (with verifiers 0.2.0) is the last that evaluates on this machine.
integrations: .venv-prime/ready .venv-v0/ready

.venv-prime/ready: constraints-prime.txt | .venv/bin/python
	@echo "installing prime 0.18 into .venv-prime (half a minute)"
	$(PYTHON) -m venv .venv-prime
	$(call OTHER_INSTALL,prime) prime==0.18.0
	@touch $@

.venv-v0/ready: pyproject.toml constraints-v0.txt | .venv/bin/python
	@echo "installing prime 0.7.7 and verifiers 0.2.0 into .venv-v0 (about a minute)"
	$(PYTHON) -m venv .venv-v0
	$(call OTHER_INSTALL,v0) prime==0.7.7 --editable .
	@touch $@

# Trainers, in a venv of their own, and the tests that they load and call our rewards. Of verl and OpenRLHF only
# what their reward loaders import: their training loops need CUDA. torch first, so that its CPU build is kept.
TRAIN_INSTALL := .venv-train/bin/python -m pip install --quiet --disable-pip-version-check \
	--constraint constraints-train.txt

integrations-train: .venv-train/ready
	INTEGRATIONS=1 .venv-train/bin/python -m pytest -p no:cacheprovider \
		tests/training/test_trainers.py tests/training/test_processes.py
	.venv-train/bin/python examples/trl_grpo.py --steps 3

.venv-train/ready: pyproject.toml constraints-train.txt | .venv/bin/python
	@echo "installing torch, TRL and the reward loaders of other trainers into .venv-train (two minutes)"
	$(PYTHON) -m venv .venv-train
	$(TRAIN_INSTALL) torch
	$(TRAIN_INSTALL) --editable '.[train]' pytest pytest-asyncio pytest-timeout pytest-xdist \
		ray tensordict omegaconf hydra-core codetiming func_timeout pylatexenc
	$(TRAIN_INSTALL) --no-deps verl==0.9.1 openrlhf==0.11.2 skyrl-gym==0.4.0
	@touch $@

# Environment servers under load while their processes are killed, and tool servers: too long for `make test`.
integrations-pool: .venv/ready-test
	INTEGRATIONS=1 $(BIN)/python -m pytest tests/environment/test_pool.py tests/environment/test_tools.py

clean:
	rm -rf .venv .venv-prime .venv-v0 .venv-train dist build outputs .pytest_cache .mypy_cache .ruff_cache .hypothesis
