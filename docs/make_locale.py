"""Bring the catalogues of translations up to date with the program: `python -m docs.make_locale`.

New sentences come in untranslated, unused ones go; nothing is guessed. `.mo` files are compiled
along.
"""

from __future__ import annotations

import sys
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from client.i18n.translation import KEY_CONTEXT, TYPED_CONTEXT
from client.ui.games import words_of
from engine.games import GAMES
from hatch_build import compile_all
from p2p.table.log import NO_LOG

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "crypto", "p2p", "client")
KEYWORDS = {
    "_": None,
    "later": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "Option": (3,),
}
"""The functions whose arguments are to be translated, as Babel has it."""
LANGUAGES = ("eu", "es", "is")


@cache
def template() -> Catalog:
    """Return everything that the program says, in English, with the files in which it stands."""
    catalogue = Catalog(project="Sobremesa", charset="utf-8", fuzzy=False)
    for package in PACKAGES:
        folder = ROOT / package
        for name, _line, message, comments, context in extract_from_dir(folder, keywords=KEYWORDS):
            catalogue.add(
                message, None, [(f"{package}/{name}", 0)], auto_comments=comments, context=context
            )
        for name, _line, message, comments, _context in extract_from_dir(
            folder, keywords={"keyed": None}
        ):
            catalogue.add(
                message,
                None,
                [(f"{package}/{name}", 0)],
                auto_comments=comments,
                context=KEY_CONTEXT,
            )
    catalogue.add(NO_LOG, None, [("p2p/table", 0)])
    for word in sorted({word for game in GAMES for word in words_of(game).notation}):
        catalogue.add(word, None, [("client/ui/games", 0)], context=TYPED_CONTEXT)
    return catalogue


def path_of(language: str) -> Path:
    """Return the catalogue of a language."""
    return ROOT / "client" / "i18n" / "locale" / language / "LC_MESSAGES" / "sobremesa.po"


def catalogue_of(language: str) -> Catalog:
    """Read the catalogue of a language."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def updated(language: str) -> bytes:
    """Return the catalogue of a language as it should be now.

    Its head is ours, and stays: Babel would name itself there, and fill in its placeholders.
    """
    head = path_of(language).read_bytes().partition(b"\n\n")[0]
    catalogue = catalogue_of(language)
    catalogue.update(template(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    text = BytesIO()
    write_po(
        text,
        catalogue,
        width=0,
        omit_header=True,
        include_lineno=False,
        sort_by_file=True,
        ignore_obsolete=True,
    )
    return head + b"\n\n" + text.getvalue()


def main() -> None:
    """Write all catalogues."""
    for language in LANGUAGES:
        path_of(language).write_bytes(updated(language))
        left = sum(1 for message in catalogue_of(language) if message.id and not message.string)
        sys.stdout.write(f"{language}: {left} left to translate\n")
    compile_all(ROOT)


if __name__ == "__main__":
    main()
