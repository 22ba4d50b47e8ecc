# make run sets up and opens the app; make test sets up and passes. Each is enough on a fresh machine with Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test bench lint figures clean

run: $(VENV)/run
	$(BIN)/streamlit run app.py

test: $(VENV)/test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -n 2 --dist worksteal

bench: $(VENV)/test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.benchmarks

# Every figure at its defaults as files, with an index. BASE says where the app is, for links back: make figures BASE=https://example.org/
BASE ?= http://localhost:8501/
figures: $(VENV)/run
	PYTHONPATH=.:encodings $(BIN)/python -m explain.export.folder figures --base $(BASE)

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV)

# Debian ships venv apart from Python; as root we fetch it, otherwise we say what is missing.
$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); [ "$$(id -u)" = 0 ] && apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv $(VENV); } \
		|| { rm -rf $(VENV); echo "Python's venv module is missing. On Debian: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/run: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/test: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $(VENV)/run $@
