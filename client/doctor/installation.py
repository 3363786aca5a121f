"""How this program was installed, and so how its parts are installed again."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import crypto
from client.i18n.translation import _

WHEEL = "sobremesa_native-*.whl"
"""The wheel of the native arithmetic, among the files of a release."""
ROOT = Path(crypto.__file__).parent.parent
"""The folder with the packages of this program."""
_SOURCES = "crypto/native"
"""The native arithmetic, in the sources."""


def is_one_program() -> bool:
    """Whether the program has its Python inside: the one file, or the Debian package."""
    return bool(getattr(sys, "frozen", False))


def faster_proofs() -> str:
    """Return the sentence that says how to get the native arithmetic where it is missing."""
    if is_one_program():
        return _(
            "This program was built without Rust, so without faster arithmetic for proofs. "
            "Everything works without it."
        )
    if is_sources():
        return _("For faster proofs (needs Rust): {command}").format(command=native_command())
    return _("For faster proofs, with the file of the same release: {command}").format(
        command=native_command()
    )


def native_again() -> str:
    """Return the sentence that says how to install the native arithmetic again."""
    if is_one_program():
        return program_again()
    command = native_command(again=True)
    return _("Install it again: {command}").format(command=command)


def native_command(*, again: bool = False) -> str:
    """Return the command that installs the native arithmetic beside this program."""
    prefix = Path(sys.prefix)
    if is_sources():
        return _pip(_SOURCES, again=again)
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx inject {'--force ' * again}sobremesa {WHEEL}"
    if (prefix / "uv-receipt.toml").exists():
        return f"uv pip install {'--reinstall ' * again}--python {_python()} {WHEEL}"
    return _pip(WHEEL, again=again)


def libraries_again() -> str:
    """Return the sentence that says how to install the libraries again."""
    if is_one_program():
        return program_again()
    prefix = Path(sys.prefix)
    command = f"{_python()} -m pip install --upgrade sobremesa-*.whl"
    if is_sources():
        command = f"{_python()} -m pip install --upgrade ."
    elif (prefix / "pipx_metadata.json").exists():
        command = "pipx install --force sobremesa-*.whl"
    elif (prefix / "uv-receipt.toml").exists():
        command = "uv tool install --force sobremesa-*.whl"
    return _("Install it again: {command}").format(command=command)


def program_again() -> str:
    """Return the sentence for a program with its libraries inside, of which a part is broken."""
    return _("The part is inside this program: put a fresh copy of the program in its place.")


def is_sources() -> bool:
    """Whether the program runs from its sources, which have the native arithmetic with them."""
    return (ROOT / _SOURCES / "Cargo.toml").exists()


def _pip(what: str, *, again: bool) -> str:
    return f"{_python()} -m pip install {'--force-reinstall ' * again}{what}"


def _python() -> str:
    return shlex.quote(sys.executable)
