"""A page on a phone does nothing of the owner's by any tap or text: it reaches no phones, no other
browser, and no log but those of its own home."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from client.session.messages import Command
from client.ui.screen.messages import (
    Analyse,
    FieldSet,
    InBrowser,
    Key,
    LineWritten,
    MatchHistory,
    OfPhones,
    OpenLog,
)
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from client.ui.view.views import view_of
from tests.client.ui.screen.boxes import HISTORY
from tests.client.ui.view.acts import bare, told
from tests.client.ui.view.cast import STATES
from tests.client.ui.view.phoned import PHONES

LINES = ["quit", "browser", "phone", "h", "B", "127.0.0.1:22", "file:///etc/passwd", "../../x", ""]
WALKS, STEPS = 60, 40


def on_a_phone(state: ScreenState) -> ScreenState:
    return replace(state, kept=replace(state.kept, on_phone=True, movable=False))


class Walker:
    """A page that may do whatever a page can do."""

    def __init__(self, state: ScreenState, random: Random) -> None:
        self.state, self.random = on_a_phone(state), random
        self.commands: list[Command] = []
        self.seen: set[Page] = set()

    def does(self, message: Key | LineWritten | FieldSet) -> None:
        own = {one.path for one in self.state.kept.history} | {self.state.match.log}
        own |= {self.state.replay.opened.path} if self.state.replay.opened else set()
        self.state, commands = react(self.state, message)
        self.commands += commands
        self.seen.add(self.state.page)
        for one in commands:
            assert not isinstance(one, OfPhones | InBrowser), one
            if isinstance(one, OpenLog | Analyse):
                assert one.path in own
        assert self.state.page is not Page.PHONES

    def step(self) -> None:
        clicks = view_of(self.state).clicks()
        named = [name.removeprefix("field:") for name in clicks if name.startswith("field:")]
        choice = self.random.random()
        if clicks and choice < 0.8:
            for key in clicks[self.random.choice(list(clicks))][0]:
                self.does(Key(key, key if len(key) == 1 else ""))
        elif named and choice < 0.9:
            value = self.random.choice([True, False, 3, "domino", "invite", "../x"])
            self.does(FieldSet(self.random.choice(named), value))
        else:
            self.does(LineWritten(self.random.choice(LINES)))


@pytest.mark.parametrize("name", [name for name in STATES if name not in PHONES])
def test_no_click_on_any_page_leads_to_anything_of_the_owner(name):
    state = on_a_phone(STATES[name]())
    for keys, _said in view_of(state).clicks().values():
        page = Walker(state, Random(1))
        for key in keys:
            page.does(Key(key, key if len(key) == 1 else ""))


def test_no_walk_leads_to_anything_of_the_owner():
    seen: set[Page] = set()
    for seed in range(WALKS):
        page = Walker(told(bare(), MatchHistory(HISTORY)), Random(seed))
        for _step in range(STEPS):
            page.step()
        seen |= page.seen
    assert seen == {Page.LOBBY, Page.OPEN, Page.HISTORY, Page.SETTINGS}
