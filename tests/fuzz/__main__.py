"""`python -m tests.fuzz TARGET --minutes 10`: coverage-guided fuzzing by atheris, and its findings
in a few lines."""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.targets import CORPUS, LONGEST, MEBIBYTES, SECONDS, SEEDS, load

HANGS = 30
"""Seconds by the clock after which an input is given up; slow inputs are measured in processor
time."""
MEMORY = 2048
"""MiB of the whole process at most, its counters included; the memory of inputs is measured
apart."""
ROOT = Path(__file__).parent.parent.parent


def main(words: Sequence[str] | None = None) -> int:
    """Status 0 if nothing was found, 1 if something was, 2 if there is no fuzzer."""
    args = arguments(words)
    if importlib.util.find_spec("atheris") is None:
        print(
            "There is no atheris here: `python -m pip install atheris` (for Linux and macOS). The "
            "tests need none.",
            file=sys.stderr,
        )
        return 2
    folder = args.keep / args.target
    folder.mkdir(parents=True, exist_ok=True)
    return fuzz(args.target, args.minutes, folder)


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=LONGEST)
    parser.add_argument("--minutes", type=float, default=10, help="how long; 10 if nothing is said")
    parser.add_argument(
        "--keep",
        type=Path,
        default=ROOT / "build" / "fuzz",
        help="folder for findings; build/fuzz",
    )
    return parser.parse_args(words)


def fuzz(target: str, minutes: float, folder: Path) -> int:
    """Fuzz, show what the fuzzer says, and sum it up."""
    options = [
        f"-max_total_time={int(minutes * 60)}",
        "-print_final_stats=1",
        f"-artifact_prefix={folder}/found-",
    ]
    options += [
        f"-max_len={LONGEST[target]}",
        f"-timeout={HANGS}",
        f"-rss_limit_mb={MEMORY}",
        "-verbosity=1",
    ]
    if words := getattr(load(target), "DICTIONARY", ()):
        (folder / "words").write_text("".join(spelled(word) for word in words if word))
        options.append(f"-dict={folder / 'words'}")
    grown = folder / "corpus"
    grown.mkdir(exist_ok=True)
    folders = [
        str(grown),
        str(CORPUS / target),
        *(str(SEEDS[name]) for name in SEEDS if name == target),
    ]
    began = time.monotonic()
    said: list[str] = []
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.fuzz.inside",
            target,
            str(folder / "found"),
            *options,
            *folders,
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            said.append(line)
            print(line, end="", flush=True)
    found = [
        line.removeprefix("MEASURED found ") for line in said if line.startswith("MEASURED found ")
    ]
    print(
        "".join(found)
        + summary(
            target, time.monotonic() - began, len(found) + bool(child.returncode), "".join(said)
        )
    )
    return 1 if found or child.returncode else 0


def spelled(word: str) -> str:
    """A line of libFuzzer's dictionaries."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"\n'


def summary(target: str, seconds: float, findings: int, said: str) -> str:
    """One line: how much was run, its coverage, the slowest input and the memory."""

    def last(pattern: str) -> str:
        return (re.findall(pattern, said) or ["?"])[-1]

    runs = last(r"stat::number_of_executed_units:\s*(\d+)")
    if runs == "?":  # it stopped before its statistics
        runs = last(r"#(\d+)\s")
    edges, features, kept = last(r"cov: (\d+)"), last(r"ft: (\d+)"), last(r"corp: ([^ ]+)")
    slowest, grew, most = (
        last(r"MEASURED seconds ([0-9.]+)"),
        last(r"MEASURED mebibytes (\d+)"),
        last(r"peak_rss_mb:\s*(\d+)"),
    )
    found = f"{findings} FOUND" if findings else "NOTHING FOUND"
    return (
        f"{target}: {found}; {runs} executions in {seconds / 60:.1f} minutes; covered {edges} "
        f"edges, {features} features, corpus {kept}; slowest input {slowest} s of processor time "
        f"(limit {SECONDS:g} s); memory grew by {grew.replace('?', '0')} MiB (limit {MEBIBYTES}), "
        f"peak of the whole process {most} MiB"
    )


if __name__ == "__main__":
    sys.exit(main())
