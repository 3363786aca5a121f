"""Compile the translations when the package is built or installed: `.po` is what people write, `.mo` what the program reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogue(path: Path, target: Path) -> None:
    """Compile a `.po`, which lies in a folder named after its language. PoFileError if it is ill-formed."""
    with path.open("rb") as source:
        catalogue = read_po(source, locale=path.parent.parent.name, abort_invalid=True)
    with target.open("wb") as compiled:
        write_mo(compiled, catalogue)


def compile_all(root: Path) -> None:
    """Write a `.mo` beside every `.po` of the client."""
    for path in sorted(root.glob("client/i18n/locale/*/LC_MESSAGES/*.po")):
        compile_catalogue(path, path.with_suffix(".mo"))


class Translations(BuildHookInterface[Any]):
    """The hook that hatchling calls before it packs anything, an editable installation too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the translations."""
        del version, build_data
        compile_all(Path(self.root))
