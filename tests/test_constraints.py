"""`constraints.txt` names a version of everything that gets installed, on every system and with
every Python that we support."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from itertools import product
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.test_packaging import run

ROOT = Path(__file__).parent.parent
BUILDERS = ("Cython", "poetry-core", "setuptools")
"""They build packages that have no wheel, among them zeroconf for macOS on Intel."""
SYSTEMS = [
    {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"},
    {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"},
    {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"},
]
MACHINES = ("x86_64", "ARM64")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
ENVIRONMENTS = [
    {
        **system,
        "platform_machine": machine,
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for system, machine, python in product(SYSTEMS, MACHINES, PYTHONS)
]


def constraints() -> list[Requirement]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#")]


def asked_for() -> list[Requirement]:
    """The requirements in pyproject.toml: to run, to test, to build."""
    here, native = (
        tomllib.loads((ROOT / path / "pyproject.toml").read_text(encoding="utf-8"))
        for path in (".", "crypto/native")
    )
    lists = [
        here["project"]["dependencies"],
        here["project"]["optional-dependencies"]["test"],
        here["build-system"]["requires"],
        native["build-system"]["requires"],
        BUILDERS,
    ]
    return [Requirement(text) for texts in lists for text in texts]


@cache
def needs(name: str) -> list[Requirement]:
    """The requirements of a package, if it is installed here."""
    try:
        return [Requirement(text) for text in requires(name) or ()]
    except PackageNotFoundError:
        return []


def reached(wanted: Iterable[Requirement], environment: dict[str, str]) -> Iterator[Requirement]:
    """All that is installed in an environment if these are wanted."""
    waiting, seen = list(wanted), set()
    while waiting:
        one = waiting.pop()
        key = (canonicalize_name(one.name), frozenset(one.extras))
        if key in seen:
            continue
        seen.add(key)
        yield one
        waiting += [
            needed
            for needed in needs(one.name)
            if needed.marker is None
            or any(
                needed.marker.evaluate({**environment, "extra": extra})
                for extra in ("", *one.extras)
            )
        ]


def unlocked(locked: list[Requirement], environment: dict[str, str]) -> list[str]:
    """Every package that is installed in an environment, and has no version, or the wrong one."""
    pins = {
        canonicalize_name(one.name): one
        for one in locked
        if one.marker is None or one.marker.evaluate(environment)
    }
    first = [one for one in asked_for() if one.marker is None or one.marker.evaluate(environment)]
    return [
        str(one)
        for one in reached(first, environment)
        if (pin := pins.get(canonicalize_name(one.name))) is None
        or not re.fullmatch(r"==[^*]+", str(pin.specifier))
        or not one.specifier.contains(str(pin.specifier).removeprefix("=="), prereleases=True)
    ]


def test_everything_that_gets_installed_has_a_version_everywhere():
    found = {str(environment): unlocked(constraints(), environment) for environment in ENVIRONMENTS}
    assert {where: lacking for where, lacking in found.items() if lacking} == {}


def test_the_readme_names_what_pip_builds_from_its_sources():
    """`scripts/lock` notes for which systems a package of the program has no wheel."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    noted = [line.partition(": ") for line in lines if line.startswith("# without a wheel for ")]
    assert len(noted) == 8
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for start, _colon, packages in noted:
        system = start.removeprefix("# without a wheel for ")
        on = {"macOS on Intel": "a Mac with an Intel processor"}.get(system, system)
        built = re.search(rf"On {on} pip builds (.*?) from its sources", readme)
        assert packages == (built[1] if built else "none"), system


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("pip", ["of this Python", "the newest"])
def test_pip_installs_and_builds_with_these_versions_alone(tmp_path, pip):
    """Both pips: the newer ones know two kinds of constraints."""
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    if pip == "the newest":
        run(python, "-m", "pip", "install", "--quiet", "--upgrade", "pip", cwd=tmp_path)
    plan = tmp_path / "plan.json"
    words = ["--verbose", "--no-cache-dir", "--dry-run", "--ignore-installed", "--report", plan]
    said = run(
        *("bash", "-c", 'exec "$@" 2>&1', "-", ROOT / "scripts" / "install"),
        *(*words, ".[test]", "./crypto/native"),
        cwd=ROOT,
        PYTHON=str(python),
    )
    built = re.findall(r"Successfully installed (.*)", said)
    assert len(built) >= 2, said
    found = {
        (canonicalize_name(name), version)
        for name, version in (one.rsplit("-", 1) for line in built for one in line.split())
    } | {
        (canonicalize_name(one["metadata"]["name"]), one["metadata"]["version"])
        for one in json.loads(plan.read_text(encoding="utf-8"))["install"]
    }
    own = {"sobremesa", "sobremesa-native"}
    locked = {(one.name, str(one.specifier).removeprefix("==")) for one in constraints()}
    assert {"hatchling", "maturin", "trio", "pytest"} <= {name for name, _version in found}
    assert {one for one in found if one[0] not in own} <= locked
