"""The screens in docs/screens/ are what the program draws: `python -m docs.make_screens` makes them
anew."""

from __future__ import annotations

from docs import make_screens
from engine.games import GAMES

MOST_BYTES = 150_000


def test_the_screens_of_the_documents_are_those_of_the_program():
    for name, text in make_screens.texts():
        assert (make_screens.FOLDER / name).read_text(encoding="utf-8") == text, name


def test_the_documents_have_a_picture_of_every_game():
    """Which pixels a browser makes of a table depends on its version; so they are not compared."""
    readme = (make_screens.FOLDER.parent.parent / "README.md").read_text(encoding="utf-8")
    for game in GAMES:
        path = make_screens.FOLDER / f"{game}.webp"
        assert f"docs/screens/{path.name}" in readme
        assert path.read_bytes()[8:12] == b"WEBP"
        assert path.stat().st_size <= MOST_BYTES


def test_the_picture_of_the_readme_is_drawn_from_a_screen():
    assert (make_screens.FOLDER / "table.svg").read_text(encoding="utf-8") == make_screens.picture()
    assert "docs/screens/table.svg" in (make_screens.FOLDER.parent.parent / "README.md").read_text(
        encoding="utf-8"
    )
