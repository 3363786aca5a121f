"""Settings for good: kept, and never a reason not to play."""

from __future__ import annotations

import pytest

from client.storage.settings import NAME, CardSize, Settings, read_settings, write_settings

MINE = Settings(
    'Jón "Jói" \\ Ólafs',
    "is",
    "never",
    "colour-blind",
    presses="pause",
    sound=False,
    motion="brisk",
    cards=CardSize.SMALL,
    theme="dark",
    large_letters=True,
    large_cards=True,
    four_colours=True,
)


def test_settings_come_back_as_they_were(tmp_path):
    write_settings(tmp_path, MINE)
    assert read_settings(tmp_path) == MINE


def test_without_a_file_they_are_as_at_first(tmp_path):
    assert read_settings(tmp_path) == Settings()


@pytest.mark.parametrize(
    "text",
    [
        "no toml at all",
        'nick = "half',
        "\xff\xfe",
        'cards = "huge"\ncolours = "pink"\nscheme = "pink"\nsound = "loud"\nmotion = 3\nlanguage = '
        "5\nnick = []\npresses = 3",
        'large_cards = 1\ntheme = "pink"\nfour_colours = "yes"\nmotion = true',
        'language = "xx"',
        "[nick]\nx = 1",
    ],
)
def test_invalid_settings_are_ignored(tmp_path, text):
    (tmp_path / NAME).write_text(text, encoding="latin-1")
    assert read_settings(tmp_path) == Settings()


def test_a_nick_from_the_file_cannot_touch_the_terminal(tmp_path):
    (tmp_path / NAME).write_text('nick = "\\u001b[2JAne"', encoding="utf-8")
    assert "\x1b" not in read_settings(tmp_path).nick
