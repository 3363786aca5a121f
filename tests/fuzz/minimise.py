"""Choosing what is kept of all that the fuzzer found: few files that together reach all but
everything.

Measured by Python itself, in steps from line to line of our own packages; the fuzzer's counters are
finer, and keep hundreds.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from tests.fuzz.matches import list_tiny
from tests.fuzz.targets import CORPUS, OneInput, load

MOST_FILES = 64
"""Of a target, those with names of their own included."""

ROOT = str(CORPUS.parent.parent.parent)
PACKAGES = tuple(f"{ROOT}/{package}/" for package in ("p2p", "engine", "crypto", "client"))
HASHED = re.compile("[0-9a-f]{40}")

Reached = frozenset[tuple[Any, int, int]]


def minimise(target: str, found: Path) -> str:
    """Make the corpus of a target anew from itself and a folder of inputs; files with names of
    their own stay in any case."""
    list_tiny()
    one_input, folder = load(target).one_input, CORPUS / target
    one_input(b"\1\0\1")  # things that are made once are made
    named = {
        path.name: path.read_bytes() for path in folder.iterdir() if not HASHED.fullmatch(path.name)
    }
    others = {path.read_bytes() for at in (folder, found) for path in at.iterdir()} - set(
        named.values()
    )
    covered: set[Any] = set().union(*(reached(one_input, data) for data in named.values()))
    reach = {
        data: reached(one_input, data)
        for data in sorted(others, key=lambda data: (len(data), data))
    }
    kept: list[bytes] = []
    while reach and len(kept) < MOST_FILES - len(named):
        best = max(reach, key=lambda data: len(reach[data] - covered))
        if not reach[best] - covered:
            break
        covered |= reach.pop(best)
        kept.append(best)
    for path in folder.iterdir():
        if path.name not in named:
            path.unlink()
    for data in kept:
        (folder / hashlib.sha256(data).hexdigest()[:40]).write_bytes(data)
    size = sum(map(len, [*kept, *named.values()]))
    beside = f"of {len(others)} inputs {len(kept)} are kept beside {len(named)} with names"
    return f"{target}: {beside}; {size} bytes, {len(covered)} steps"


def reached(one_input: OneInput, data: bytes) -> Reached:
    """Every step from line to line of our packages that an input takes; none if it does harm: that
    is told, and not kept so."""
    steps: set[tuple[Any, int, int]] = set()

    def enter(frame: FrameType, event: str, arg: object) -> Any:
        del event, arg
        if not frame.f_code.co_filename.startswith(PACKAGES):
            return None
        before = 0

        def step(frame: FrameType, event: str, arg: object) -> Any:
            nonlocal before
            del arg
            if event == "line":
                steps.add((frame.f_code, before, frame.f_lineno))
                before = frame.f_lineno
            return step

        return step

    sys.settrace(enter)
    try:
        one_input(data)
    except Exception as error:  # noqa: BLE001 - a finding; it is kept by hand, under a name
        print(f"{data[:40]!r}: {error!r:.200}")
        return frozenset()
    finally:
        sys.settrace(None)
    return frozenset(steps)
