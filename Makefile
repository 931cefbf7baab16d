# Needs python3 (3.11 or later, with venv) and make. Another Python: make test PYTHON=python3.13
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test soak cluster bench clean
.NOTPARALLEL:

demo: .venv/installed
	@$(BIN)/rulesdsl run ostia --players 4 --seed 192

test: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/mypy --strict
	$(BIN)/python -m pytest -n auto --dist loadgroup

soak: .venv/installed-test
	$(BIN)/python -m pytest -m soak -n auto --hypothesis-profile soak

cluster: .venv/installed-cluster
	$(BIN)/python -m pytest -m cluster

bench: .venv/installed-bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/installed-test: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch .venv/installed $@

.venv/installed-bench: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch .venv/installed $@

.venv/installed-cluster: .venv/installed-test
	$(BIN)/python -m pip install --quiet --editable '.[cluster]'
	@touch $@
