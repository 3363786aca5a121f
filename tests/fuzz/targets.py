"""The fuzzed functions: for each target a module with `one_input(data)`, which raises only if
something is wrong. One whose inputs may be text has a `DICTIONARY` of words worth trying.

The same function serves the coverage-guided fuzzer (`python -m tests.fuzz`) and the tests, which
run every file of the corpus and a short while of Hypothesis.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

LONGEST = {
    "frames": 16 * 1024,
    "entries": 1024,
    "logs": 4096,
    "scenarios": 8192,
    "invites": 1024,
}
"""Bytes of an input at most, by target."""

SECONDS = 1.0
"""Of processor time that an input may take, measured with the fuzzer's counters in the code."""

MEBIBYTES = 64
"""Of memory that an input may take."""

CORPUS = Path(__file__).parent / "corpus"

SEEDS = {"scenarios": Path(__file__).parent.parent / "scenarios"}
"""Folders of files that were not made for fuzzing, and are good to begin with."""

OneInput = Callable[[bytes], None]


def load(target: str) -> ModuleType:
    """Import the module of a target. A caller instruments code round this call."""
    return importlib.import_module(f"tests.fuzz.{target}")


def corpus(target: str) -> list[Path]:
    """The files that are kept for a target: found inputs by their findings, others by their
    hash."""
    return sorted(path for path in (CORPUS / target).iterdir() if path.is_file())
