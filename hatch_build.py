"""Compile the translations when the package is built or installed.

People write `.po`; the program reads `.mo`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogue(path: Path, target: Path) -> None:
    """Compile a `.po`, which lies in a folder named after its language.

    A file that is right already is left alone: a program may be reading it. It has no date, so that
    the same words give the same bytes.

    PoFileError if it is ill-formed.
    """
    with path.open("rb") as source:
        catalogue = read_po(source, locale=path.parent.parent.name, abort_invalid=True)
    catalogue.creation_date = datetime.fromtimestamp(0, UTC)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    if not target.exists() or target.read_bytes() != compiled.getvalue():
        target.write_bytes(compiled.getvalue())


def catalogues(root: Path) -> list[Path]:
    """Return every `.po` of the client."""
    return sorted(root.glob("client/i18n/locale/*/LC_MESSAGES/*.po"))


def compile_all(root: Path) -> None:
    """Write a `.mo` beside every `.po` of the client."""
    for path in catalogues(root):
        compile_catalogue(path, path.with_suffix(".mo"))


class Translations(BuildHookInterface[Any]):
    """The hook that hatchling calls before it packs anything, an editable installation too."""

    _fresh: TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the translations.

        For an editable installation they go beside the sources, else elsewhere, for the wheel
        alone.
        """
        root = Path(self.root)
        if version == "editable":
            compile_all(root)
            return
        if self.target_name != "wheel":
            return
        self._fresh = TemporaryDirectory()
        for number, path in enumerate(catalogues(root)):
            target = Path(self._fresh.name) / f"{number}.mo"
            compile_catalogue(path, target)
            build_data["force_include"][str(target)] = (
                path.relative_to(root).with_suffix(".mo").as_posix()
            )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled for the wheel."""
        del version, build_data, artifact_path
        if self._fresh is not None:
            self._fresh.cleanup()
