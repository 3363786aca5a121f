"""The fuzzer's process: one target under atheris, with the time and memory that each input takes
measured.

`python -m tests.fuzz.inside TARGET FOUND [libFuzzer's options and folders]`; `tests.fuzz` starts
it. Inputs that do harm are written to files whose names begin with FOUND. Lines that begin with
`MEASURED` are for `tests.fuzz` to read.
"""

from __future__ import annotations

import hashlib
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import atheris

from tests.fuzz import targets

PACKAGES = ["p2p", "engine", "crypto", "client", "tomllib", "tests.fuzz"]
WARM = 50
"""Inputs after which what is made once, such as matches to be spoiled, has been made."""


class Measured:
    """Runs inputs, keeps the first of each kind that does harm, and tells of each that takes more
    than all before it."""

    def __init__(self, one_input: targets.OneInput, found: Path) -> None:
        self._one_input, self._found = one_input, found
        self._kinds: set[Any] = set()
        self._slowest = 0.0
        self._count = 0
        self._first = self._most = 0

    def __call__(self, data: bytes) -> None:
        began, harm = time.process_time(), False
        try:
            self._one_input(data)
        except Exception as error:  # noqa: BLE001 - any error is a finding; the search goes on
            harm = True
            last = traceback.extract_tb(error.__traceback__)[-1]
            self._keep(data, (type(error), last.filename, last.lineno), f"{error!r:.200}")
        took = time.process_time() - began
        self._count += 1
        if self._count <= WARM:
            self._first = self._most = peak()
            return
        if took > self._slowest:
            self._slowest = took
            print(f"MEASURED seconds {took:.4f} of {len(data)} bytes", flush=True)
        if (most := peak()) > self._most:
            self._most = most
            print(f"MEASURED mebibytes {most - self._first} above {self._first}", flush=True)
        if took > targets.SECONDS and not harm:
            self._keep(data, "time", f"an input of {len(data)} bytes took {took:.2f} s")
        if most - self._first > targets.MEBIBYTES:
            self._keep(
                data,
                "memory",
                f"memory grew by {most - self._first} MiB, at last with an input of {len(data)} "
                f"bytes",
            )

    def _keep(self, data: bytes, kind: Any, why: str) -> None:
        if kind not in self._kinds:
            self._kinds.add(kind)
            path = Path(f"{self._found}-{hashlib.sha256(data).hexdigest()[:16]}")
            path.write_bytes(data)
            print(f"MEASURED found {path}: {why}".replace("\n", " "), flush=True)


def peak() -> int:
    """The most memory that this process has had at once, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    target, found, *options = sys.argv[1:]
    with atheris.instrument_imports(include=PACKAGES):
        module = targets.load(target)
    atheris.Setup([sys.argv[0], *options], Measured(module.one_input, Path(found)))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
