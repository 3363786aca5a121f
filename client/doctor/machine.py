"""The findings of `doctor` about this machine: home, clock, arithmetic, libraries, processes."""

from __future__ import annotations

import platform
import re
import shutil
import ssl
import tempfile
import time
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from client.doctor.findings import Finding, fine, trouble
from client.doctor.installation import (
    faster_proofs,
    is_one_program,
    libraries_again,
    native_again,
    program_again,
)
from client.doctor.terminals import terminal
from client.i18n.notices import NOTICES
from client.i18n.translation import _, decimal, later, outside
from client.session.answers import LONGEST_MS, SHORTEST_MS
from client.session.signals import run_trio
from client.session.thinking import NoThinkerError, Thinker
from client.storage.hardening import wide
from client.storage.home import Home, StoreError, home_path, open_home
from crypto.backend import best, native
from crypto.dalek import Dalek
from crypto.errors import NoBackend, WrongAnswers
from crypto.identity import fingerprint
from crypto.plain import Plain

THINKS_HERE = NOTICES["thinks-here"]
ARITHMETIC = (
    later("libsodium of rbcl"),
    later("libsodium of the system"),
    later("plain Python"),
)
"""Names of `crypto.backend`, to be translated; that of a crate is the same everywhere."""
PACKAGE = "sobremesa_native"
"""The optional package with faster arithmetic."""
LEAST_FREE_BYTES = 50_000_000
RELEASED_S = 1_793_491_200
"""When this version was made, on 2026-11-01: no clock that is right shows an earlier time."""
FUTURE_S = 24 * 3600
"""A file may be so much newer than now: clocks of two systems on one machine differ by hours."""


def machine() -> Iterator[Finding]:
    """Look at this machine."""
    yield _home()
    yield _clock()
    yield _backend()
    yield _libraries()
    yield terminal()
    yield _thinking()


def _home() -> Finding:
    try:
        home = open_home()
        letters = fingerprint(home.identity.id)
        home.pem()
    except StoreError as error:
        return trouble(
            "home", str(error), _("Free the folder, or name another one in SOBREMESA_HOME.")
        )
    if others := wide(home.secret()):
        names = ", ".join(outside(path.name) for path in others)
        says = _("{path}: other users of this machine can read {names}").format(
            path=outside(home.path), names=names
        )
        return trouble(
            "home",
            says,
            _("Move the folder to a disk with file permissions, and own every file in it."),
        )
    if reason := _unwritable(home):
        says = _("{path} cannot be written: {reason}").format(
            path=outside(home.path), reason=outside(reason)
        )
        return trouble("home", says, _("Free the folder, or name another one in SOBREMESA_HOME."))
    free = shutil.disk_usage(home.path).free
    says = _("{path}; your fingerprint is {letters}").format(
        path=outside(home.path), letters=letters
    )
    if free < LEAST_FREE_BYTES:
        return trouble(
            "home",
            says,
            _(
                "The disk is almost full. Play stops when the program cannot write: free some "
                "space."
            ),
        )
    return fine("home", says)


def _unwritable(home: Home) -> str:
    """Return why no file can be written in our home; nothing if one can. It leaves nothing."""
    for folder in (home.path, home.logs, home.journals, home.cards):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"written")
        except OSError as error:
            return error.strerror or str(error)
    return ""


def _clock() -> Finding:
    """Look at the clock; a wrong one keeps nobody from playing: no message has a time in it."""
    now = time.time()
    says = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    newest = max((path.stat().st_mtime for path in _logs()), default=now)
    if now >= RELEASED_S and newest <= now + FUTURE_S:
        return fine("clock", says)
    return fine(
        "clock",
        _("{time}, which is earlier than this program or your last match").format(time=says),
        _("Set the clock: the history shows its times, and phones are let in by it."),
    )


def _logs() -> list[Path]:
    try:
        return list((home_path() / "logs").iterdir())
    except (OSError, StoreError):  # the finding of the home says so
        return []


def _backend() -> Finding:
    name, shown = best().name, _(best().name)
    if name == Dalek.name:
        return fine("arithmetic", name)
    if find_spec(PACKAGE) is not None:
        says = _("{name}, because the installed {package} {reason}").format(
            name=shown, package=PACKAGE, reason=_unused()
        )
        return trouble("arithmetic", says, native_again())
    if name == Plain.name:
        says = _("no libsodium: shuffles take a hundred times as long")
        if is_one_program():
            return fine("arithmetic", says, program_again())
        do = _("Install rbcl (pip install rbcl) or the system's libsodium. {faster}")
        return fine("arithmetic", says, do.format(faster=faster_proofs()))
    return fine("arithmetic", shown, faster_proofs())


def _unused() -> str:
    """Return why the installed package is not used, as the end of a sentence."""
    try:
        native()
    except WrongAnswers:
        return _("gives wrong results here")
    except NoBackend as error:
        return _("does not load: {error}").format(error=error)
    return _("did not load when this program began")


def _libraries() -> Finding:
    """Look at the versions of the packages that this program needs."""
    known = [f"Python {platform.python_version()}", ssl.OPENSSL_VERSION]
    wrong = []
    try:
        needed = metadata.requires("sobremesa") or []
    except metadata.PackageNotFoundError:
        return fine("libraries", ", ".join(known))
    for name, least in _least(needed):
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            wrong.append(_("{package} is missing").format(package=name))
            continue
        known.append(f"{name} {found}")
        if _numbers(found) < _numbers(least):
            older = _("{package} {found} is older than {least}")
            wrong.append(older.format(package=name, found=found, least=least))
    if wrong:
        return trouble("libraries", "; ".join(wrong), libraries_again())
    return fine("libraries", ", ".join(known))


def _least(needed: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the packages that are needed on every system, with their least versions."""
    for requirement in needed:
        if found := re.fullmatch(r"([\w.-]+) ?>=([\d.]+)", requirement):
            yield found[1], found[2]


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version.partition("+")[0])[:4]]


def _thinking() -> Finding:
    try:
        slowness = run_trio(_slowness)
    except NoThinkerError as error:
        says = _("no process for them can be started: {error}").format(error=outside(str(error)))
        return fine("thinking", says, _(THINKS_HERE))
    least, most = (decimal(slowness * ms / 1000) for ms in (SHORTEST_MS, LONGEST_MS))
    says = _("in a process of their own; they answer after {least} to {most} seconds")
    return fine("thinking", says.format(least=least, most=most))


async def _slowness() -> float:
    thinker = await Thinker.start("")
    await thinker.end()
    return thinker.slowness
