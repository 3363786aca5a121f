"""Every key that the last line offers does something; and no single key but Enter makes a move,
which cannot be taken back."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from client.i18n.translation import _, languages, letter, set_language
from client.session.messages import Act
from client.ui.model import Pending
from client.ui.screen import (
    lobby,
    pages,
)
from client.ui.screen.messages import Key
from client.ui.screen.play import keys
from client.ui.screen.react import react
from client.ui.screen.state import DealCount, ScreenState
from engine.games import GAMES
from tests.sample import pairs, sample
from tests.screens.stage import Stage

NAMED = {
    "Tab": ("tab",),
    "Enter": ("enter",),
    "Esc": ("escape",),
    "Space": (" ",),
    "F1": ("f1",),
    "F2": ("f2",),
    "F3": ("f3",),
    "←": ("left",),
    "→": ("right",),
    "←→": ("left", "right"),
    "↑↓": ("up", "down"),
    "0-9": tuple("0123456789"),
    "1-0": tuple("1234567890"),
}
"""Keys as the last line names them, and as the terminal does."""


def meant(name: str) -> list[str]:
    """Return the keys that a name in the last line stands for."""
    if "/" in name:
        return [key for part in name.split("/") for key in meant(part)]
    if name in NAMED:
        return list(NAMED[name])
    if span := re.fullmatch(r"(\w)-(\w)", name):
        return [chr(code) for code in range(ord(span[1]), ord(span[2]) + 1)]
    return name.split()


def idle(state: ScreenState) -> list[str]:
    """Return the offered keys that do nothing, or are refused. Of keys that are named together one
    may stand where it is."""
    state = replace(state, moment=None, notice="")
    found = []
    for name, about in keys(state):
        effects = []
        for key in meant(name):
            after, commands = react(state, Key(key, key if len(key) == 1 else ""))
            refused = (
                bool(after.notice)
                and not commands
                and name != "?"
                and after.match.pending is not Pending.PRICE
            )
            effects.append((after != state or bool(commands)) and not refused)
        if not any(effects) or (
            len(effects) > 1 and name not in ("+ -", "0-9", "←→", "↑↓") and not all(effects)
        ):
            found.append(f"{name} {about}")
    return found


def play_text(state: ScreenState) -> str:
    """Return what is to be seen."""
    return pages.draw(state, 80, 24).text()


@pytest.mark.parametrize("turns", sample([20, 60], 1))
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_no_key_is_offered_that_does_nothing(game, turns):
    chance = random.Random(4)
    stage = Stage(game, 3 if game == "kinaskak" else 2, seed=4)
    asked = 0
    while not stage.over and asked < turns:
        stage.state = replace(stage.state, held=(), count=DealCount(), moment=None)
        if stage.state.match.asked:
            asked += 1
            state = stage.state
            for _step in range(4):
                assert idle(state) == [], play_text(state)
                offered = [key for name, _about in keys(state) for key in meant(name)]
                assert len(set(offered)) == len(offered), "a key is offered twice"
                known = [
                    key
                    for name, _about in keys(state)
                    for key in meant(name)
                    if key not in ("f1", "f2", "?", "escape")
                ]
                if not known:  # a card that must not be laid now can only be put back
                    break
                after, commands = react(
                    state, Key(key := chance.choice(known), key if len(key) == 1 else "")
                )
                if commands or after.overlay is not None or after.typed is not None:
                    break
                state = after
        stage.step(by_chance=asked % 3 == 0)
    assert asked > 5


def words_of_keys(state: ScreenState, columns: int, rows: int) -> list[tuple[str, str]]:
    """Return the keys of the drawn last lines, each with the words behind it."""
    found: list[tuple[str, str]] = []
    last = pages.draw(state, columns, rows).rows()[-3:]
    for style, text in (piece for row in last for piece in row if "foot" in piece[0]):
        if "key" in style:
            found.append((text, ""))
        elif found and "warn" not in style:
            found[-1] = (found[-1][0], found[-1][1] + text.strip())
    return found


@pytest.mark.parametrize(("game", "language"), sample(pairs(GAMES, languages()), 5, rows=True))
@pytest.mark.slow
def test_every_key_of_a_table_stands_in_the_last_lines_with_its_words(game, language):
    set_language(language)
    try:
        stage = Stage(game, 3 if game == "kinaskak" else 2, seed=4)
        asked = 0
        while not stage.over and asked < 25:
            stage.state = replace(
                stage.state,
                held=(),
                count=DealCount(),
                moment=None,
                notice="",
            )
            if stage.state.match.asked:
                asked += 1
                for pressed in (
                    "",
                    *(key for name, _about in keys(stage.state)[:2] for key in meant(name)[:2]),
                ):
                    state = react(stage.state, Key(pressed, pressed))[0] if pressed else stage.state
                    for size in ((60, 20), (80, 24)):
                        assert words_of_keys(state, *size) == keys(state), size
            stage.step(by_chance=asked % 3 == 0)
    finally:
        set_language("en")


LETTERS = [
    *"abcdefghijklmnopqrstuvwxyzN123456789+- ",
    "left",
    "right",
    "up",
    "down",
    "tab",
    "escape",
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_no_first_key_makes_a_move_and_the_second_does(game):
    stage = Stage(game, 3 if game == "kinaskak" else 2, seed=4)
    asked = twice = 0
    while not stage.over and asked < 40:
        stage.state = replace(stage.state, held=(), count=DealCount(), moment=None)
        if stage.state.match.asked:
            asked += 1
            for key in LETTERS:
                after, commands = react(stage.state, Key(key, key if len(key) == 1 else ""))
                assert not commands, key
                if after.proposed[0]:
                    twice += 1
                    for second in (key, "enter"):
                        made, (act,) = react(after, Key(second, second if len(second) == 1 else ""))
                        assert isinstance(act, Act)
                        assert made.proposed == ("", "")
                    assert react(after, Key("escape", ""))[0] == stage.state
                    shown = play_text(after)
                    assert "once more does it" in shown
                    assert shown.splitlines()[-1].startswith(
                        f" {'Space' if key == ' ' else key}/Enter "
                    )
        stage.step(by_chance=asked % 3 == 0)
    assert asked > 5
    assert twice > 0 or game == "escoba"


UNLIKE = {"m lay down", "x throw away"}
"""English keys whose letters stand for other words: meld, and a cross through the card."""


def letters(offered: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the offered keys that are one letter."""
    return [(name, about) for name, about in offered if len(name) == 1 and name.isalpha()]


@pytest.mark.parametrize(
    ("game", "language"), sample(pairs(GAMES, languages()), 5, rows=True), indirect=["language"]
)
@pytest.mark.slow
def test_in_every_language_a_letter_is_of_its_words_and_of_one_action(game, language):
    stage = Stage(game, 3 if game == "kinaskak" else 2, seed=4)
    asked, seen = 0, set()
    while not stage.over and asked < 30:
        stage.state = replace(stage.state, held=(), count=DealCount(), moment=None)
        if stage.state.match.asked:
            asked += 1
            assert idle(stage.state) == [], play_text(stage.state)
            offered = [key for name, _about in keys(stage.state) for key in meant(name)]
            assert len(set(offered)) == len(offered), keys(stage.state)
            seen |= {
                (name, about)
                for name, about in letters(keys(stage.state))
                if f"{name} {about}" not in UNLIKE
            }
        stage.step(by_chance=asked % 3 == 0)
    assert [pair for pair in seen if pair[0].casefold() not in pair[1].casefold()] == []
    assert seen or game == "escoba"


def test_the_letters_of_the_lobby_are_of_their_words_and_differ(language):
    state = ScreenState()
    items = [
        item.text.split(maxsplit=1) for item in lobby.here(ScreenState()) if ":" not in item.id
    ]
    found = [*((str(key), str(text)) for key, text in items), (letter(lobby.QUIT), _("quit"))]
    assert len({key for key, _text in found}) == len(found) == 7
    assert [(key, text) for key, text in found if key not in text.casefold()] == []
    for key, _text in found:
        after, commands = react(state, Key(key, key))
        assert after != state or commands
