"""The version of this program."""

from __future__ import annotations


def version() -> str:
    """Return the program's version, as installed."""
    from importlib import metadata  # noqa: PLC0415 - 30 ms that only those pay who ask

    try:
        return metadata.version("sobremesa")
    except metadata.PackageNotFoundError:
        return "0 (not installed)"
