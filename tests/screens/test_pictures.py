"""The screens in docs/screens/ are what the program draws: `python -m docs.make_screens` makes them
anew."""

from __future__ import annotations

from docs import make_screens


def test_the_screens_of_the_documents_are_those_of_the_program():
    for name, text in make_screens.texts():
        assert (make_screens.FOLDER / name).read_text(encoding="utf-8") == text, name


def test_the_pictures_of_the_documents_are_those_of_the_program():
    found = dict(make_screens.pictures())
    for name, text in found.items():
        assert (make_screens.FOLDER / name).read_text(encoding="utf-8") == text, name
    assert {path.name for path in make_screens.FOLDER.glob("*.svg")} == {*found, "table.svg"}


def test_the_picture_of_the_readme_is_drawn_from_a_screen():
    assert (make_screens.FOLDER / "table.svg").read_text(encoding="utf-8") == make_screens.picture()
    assert "docs/screens/table.svg" in (make_screens.FOLDER.parent.parent / "README.md").read_text(
        encoding="utf-8"
    )
