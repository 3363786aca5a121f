"""Every key that the last line offers does something; and no single key but Enter makes a move, which cannot be taken back."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from client.session.messages import Act
from client.ui.model import Pending
from client.ui.screen import pages
from client.ui.screen.messages import Key
from client.ui.screen.play import keys
from client.ui.screen.react import react
from client.ui.screen.state import ScreenState
from engine.games import GAMES
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
}
"""Keys as the last line names them, and as the terminal does."""


def meant(name: str) -> list[str]:
    """Return the keys that a name in the last line stands for."""
    if name in NAMED:
        return list(NAMED[name])
    if span := re.fullmatch(r"(\d)-(\d)", name):
        return [str(digit) for digit in range(int(span[1]), int(span[2]) + 1)]
    return name.split()


def idle(state: ScreenState) -> list[str]:
    """Return the offered keys that do nothing, or are refused. Of keys that are named together one may stand where it is."""
    state = replace(state, moment=None, notice="")
    found = []
    for name, about in keys(state):
        effects = []
        for key in meant(name):
            after, commands = react(state, Key(key, key if len(key) == 1 else ""))
            refused = bool(after.notice) and not commands and name != "?" and after.match.pending is not Pending.PRICE
            effects.append((after != state or bool(commands)) and not refused)
        if not any(effects) or (len(effects) > 1 and name not in ("+ -", "0-9", "←→", "↑↓") and not all(effects)):
            found.append(f"{name} {about}")
    return found


def play_text(state: ScreenState) -> str:
    """Return what is to be seen."""
    return pages.draw(state, 80, 24).text()


@pytest.mark.parametrize("game", GAMES)
def test_no_key_is_offered_that_does_nothing(game):
    chance = random.Random(4)
    stage = Stage(game, 3 if game == "kinaskak" else 2, seed=4)
    asked = 0
    while not stage.over and asked < 60:
        stage.state = replace(stage.state, held=(), count=(), moment=None)
        if stage.state.match.asked:
            asked += 1
            state = stage.state
            for _step in range(4):
                assert idle(state) == [], play_text(state)
                offered = [key for name, _about in keys(state) for key in meant(name)]
                assert len(set(offered)) == len(offered), "a key is offered twice"
                known = [key for name, _about in keys(state) for key in meant(name) if key not in ("f1", "f2", "?", "escape")]
                after, commands = react(state, Key(key := chance.choice(known), key if len(key) == 1 else ""))
                if commands or after.overlay is not None or after.typed is not None:
                    break
                state = after
        stage.step(by_chance=asked % 3 == 0)
    assert asked > 5


LETTERS = [*"abcdefghijklmnopqrstuvwxyzN123456789+- ", "left", "right", "up", "down", "tab", "escape"]


@pytest.mark.parametrize("game", GAMES)
def test_no_first_key_makes_a_move_and_the_second_does(game):
    stage = Stage(game, 3 if game == "kinaskak" else 2, seed=7)
    asked = twice = 0
    while not stage.over and asked < 40:
        stage.state = replace(stage.state, held=(), count=(), moment=None)
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
                    assert "Enter does it, Esc does not" in shown
                    assert shown.splitlines()[-1].startswith(" Enter ")
        stage.step(by_chance=asked % 3 == 0)
    assert asked > 5
    assert twice > 0 or game == "escoba"


def test_a_proposal_is_gone_with_the_turn():
    stage = Stage("truco", 2, seed=7).until(lambda stage: stage.state.match.asked)
    stage.state = replace(stage.state, moment=None)
    stage.press("1")
    assert stage.state.proposed[0] == "1"
    stage.step()
    assert stage.state.proposed == ("", "")
