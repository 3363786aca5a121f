"""Golden pictures as text. `SOBREMESA_UPDATE=1` writes them anew instead of comparing them."""

from __future__ import annotations

import os
from pathlib import Path

from client.ui.drawing.picture import Picture
from tests.client.ui.pictures.text import as_text
from tests.screens.stage import UPDATE

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str, picture: Picture) -> None:
    """Compare a picture with `golden/NAME-WIDTHxHEIGHT.txt`."""
    path, text = GOLDEN / f"{name}-{picture.width}x{picture.height}.txt", as_text(picture)
    if os.environ.get(UPDATE):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: run with {UPDATE}=1 and look at it"
    assert text == path.read_text(encoding="utf-8"), (
        f"{path.name} differs: run with {UPDATE}=1, and look at the changes"
    )
