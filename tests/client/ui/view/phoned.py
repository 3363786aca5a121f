"""The page of phones as it looks at one moment or another, for golden views and screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from client.ui.screen.kept import CodeShown, PhonesShown, VisitorShown
from client.ui.screen.messages import PhonesChanged
from client.ui.screen.state import ScreenState
from tests.client.ui.view.acts import State, bare, pressed, told

KEY = "h: play on a phone"
LETTERS = "7K3MQ2XD000G40R4"
AWAY = VisitorShown("001-a", "Miren", bound=True)
NEW = VisitorShown("002-b", "", "lobby", here=True)
JON = VisitorShown("003-c", "Jon", "play", "truco", bound=True, here=True)
ASLEEP = VisitorShown("004-d", "Mary", "table-setup", "escoba")
HOST = "192.168.100.123:47757"
CODE = CodeShown(NEW.id, LETTERS)
PHONED = PhonesShown(HOST, (), (AWAY, NEW, JON, ASLEEP))


def phones(*keys: str, now: PhonesShown = PHONED) -> State:
    """Return the page of phones after these keys."""

    def make() -> ScreenState:
        state = told(bare(), PhonesChanged(PHONED))
        return pressed(told(pressed(state, [KEY])[0], PhonesChanged(now)), keys)[0]

    return make


PHONES: Mapping[str, State] = {
    "phones": phones(),
    "phones-none": lambda: pressed(bare(), [KEY])[0],
    "phone-menu": phones("down", "down", "down", "enter"),
    "phone-name": phones("down", "down", "down", "enter", "2"),
    "end-visitor": phones("down", "down", "down", "enter", "3"),
    "delete-visitor": phones("down", "down", "down", "enter", "4"),
    "phone-code": phones(now=replace(PHONED, code=CODE, others=("10.8.0.2",))),
    "phone-silent": phones(now=replace(PHONED, code=replace(CODE, silent=True))),
    "phone-late": phones(now=replace(PHONED, code=replace(CODE, late=True))),
    "phone-asks": phones(
        now=replace(PHONED, code=CodeShown(JON.id, LETTERS, again=True), digits="0417")
    ),
}
