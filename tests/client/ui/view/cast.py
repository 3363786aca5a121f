"""The states of which views are made: every page that has one, and the sheets above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from client.i18n.translation import _
from client.session.messages import Tables, Words
from client.ui.screen.lobby import JOIN_KEY
from client.ui.screen.messages import Ended, FieldSet, MatchHistory
from client.ui.screen.react import react
from client.ui.screen.state import ScreenState
from client.ui.screen.table_setup import INVITE as INVITE_KEY
from client.ui.screen.table_setup import SEATS as SEATS_KEY
from tests.client.storage.pasts import of_each_kind
from tests.client.ui.screen.boxes import HISTORY
from tests.client.ui.screen.boxes import TABLES as FOUND
from tests.client.ui.view.acts import (
    ANE,
    BLIND,
    BOT,
    INVITE,
    JON,
    SHEETS,
    State,
    bare,
    keyed,
    met,
    once_a_language,
    pressed,
    setup,
    told,
)
from tests.client.ui.view.phoned import PHONES
from tests.client.ui.view.tables import TABLES

CROWD = tuple(replace(one, unfinished=True) for one in HISTORY[:8])
BOTS = [replace(BOT, nick=f"Computer {number}") for number in range(1, 5)]
LONG = replace(FOUND[0], nick="Wolfgang-Maximilian von H", table="eplatorta-eta-sagardoa-99")
LONG_NAMES = [
    replace(JON, nick=nick, fingerprint=f"{number:04}")
    for number, nick in enumerate(
        (
            "Bartholomew Featherstone",
            "Wolfgang-Maximilian von H",
            "Guðmundur Þorsteinsson",
            "Aingeru Etxeberria Goñi",
            "Sigurbjörg Hallgrímsdótt",
            "Wolfgang-Maximilian von B",
            "Guðmundur Þorgrímsson",
            "Aingeru Etxeberria Garai",
        )
    )
]


def form(game: str, **values: str | bool) -> State:
    """Return the form for a table of a game, its fields set as by a page."""

    def make() -> ScreenState:
        state = keyed("1")()
        for name, value in {"game": game, **values}.items():
            state = react(state, FieldSet(name, value))[0]
        return state

    return make


def started() -> ScreenState:
    """Return the lobby of somebody who has no name yet."""
    state = bare()
    return replace(state, kept=replace(state.kept, unnamed=True, called="ane"))


def gone() -> ScreenState:
    """Return the lobby after a table has filled while our player was on the way to it."""
    going = keyed("down", "enter")()
    taken = replace(going.tables[0], taken=going.tables[0].seats, state="full")
    return told(going, Ended(_("the table is full")), Tables((taken, *going.tables[1:])))


MADE: Mapping[str, State] = {
    "lobby": keyed(),
    "lobby-alone": keyed(messages=()),
    "lobby-blind": keyed(messages=(Tables((), BLIND),)),
    "lobby-busy": keyed("down", "enter"),
    "lobby-crowded": keyed(messages=(MatchHistory(CROWD), Tables((*FOUND, LONG)))),
    "lobby-gone": gone,
    "history": keyed("p: past matches", messages=(MatchHistory(HISTORY),)),
    "history-results": keyed(
        "p: past matches", "down", messages=(MatchHistory(of_each_kind(), unread=3),)
    ),
    "history-none": keyed("p: past matches", messages=()),
    "totals": keyed("p: past matches", "t: totals", messages=(MatchHistory(of_each_kind()),)),
    "delete": keyed(
        "p: past matches", "down", "d: delete", messages=(MatchHistory(of_each_kind()),)
    ),
    "setup-host": setup(ANE, BOT, None, invite=INVITE),
    "setup-full": setup(ANE, replace(JON, trust="trusted")),
    "setup-guest": setup(JON, None, hosting=False, mine=()),
    "setup-teams": setup(ANE, JON, BOT, None, game="truco", options={}, invite=INVITE),
    "setup-six": setup(
        ANE, JON, BOTS[0], None, JON, BOTS[1], game="truco", options={}, invite=INVITE
    ),
    "setup-eight": setup(
        ANE, JON, *BOTS[:3], None, JON, BOTS[3], game="siete-y-media", options={}, invite=INVITE
    ),
    "setup-long": setup(*LONG_NAMES, game="siete-y-media", options={}),
    "seats": setup(ANE, JON, BOT, None, game="truco", options={}, keys=[SEATS_KEY]),
    "seats-swap": setup(ANE, JON, None, keys=[SEATS_KEY, "2"]),
    "setup-away": setup(ANE, replace(JON, trust="known"), away=frozenset({1}), hosting=False),
    "words": met,
    "no-words": lambda: told(setup(ANE, JON)(), Words()),
    "invite": setup(ANE, None, invite=INVITE, keys=[INVITE_KEY]),
    "close": setup(ANE, JON, None, keys=["escape"]),
    "settings": keyed("s: settings"),
    "form": keyed("1"),
    "form-others": form("truco", seats="4", company="network", bots="1"),
    "form-invite": form("escoba", company="invite", seats="6", **{"option:capture": "free"}),
    "form-eight": form("siete-y-media", seats="8", computers="strong"),
    "form-kinaskak": form("kinaskak", seats="5"),
    "form-partners": form("domino", seats="4", **{"option:partners": True}),
    "form-wrong": lambda: pressed(replace(keyed("1")(), chosen="option:teams"), ["right", "enter"])[
        0
    ],
    "first-name": lambda: pressed(started(), ["1", "enter"])[0],
    "about": keyed("f1"),
    "learn": keyed("l: learn a game"),
    "join": keyed(JOIN_KEY, *"192.168.1.23"),
    "join-wrong": lambda: pressed(keyed(JOIN_KEY, *"SBM1-070A-G08U")(), ["enter"])[0],
    "abandon": keyed("x: leave for good"),
    **PHONES,
    **SHEETS,
    **TABLES,
}
STATES: Mapping[str, State] = {name: once_a_language(make) for name, make in MADE.items()}
"""They have the names of their golden views."""
