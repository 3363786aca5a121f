"""The lobby says why something cannot be, and stays of use while it waits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Command, FoundTable, Message, Tables
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.model import MatchPhase, Model
from client.ui.screen.lobby import chosen, people
from client.ui.screen.messages import (
    Ended,
    Join,
    Key,
    MatchHistory,
    Resume,
    Rise,
    Watch,
)
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from crypto.identity import fingerprint
from p2p.net.invite import Invite
from p2p.wire import PROTOCOL
from tests.ring import identities
from tests.screens.hand import MIREN
from tests.screens.stage import SIZES, check_rows

WAITING = MatchSummary(
    "ab" * 16, "escoba", ("Ane", "Jon"), "2026-11-21", "/x/ab.sobremesa", unfinished=True
)


HOST, US, STRANGER = (one.id for one in identities(3))
PLAYED = FoundTable(
    HOST, "Ane", "escoba", "runway-39", 2, 2, "playing", PROTOCOL, "192.0.2.1:47747", "known"
)


def lobby_with(
    tables: tuple[FoundTable, ...], history: tuple[MatchSummary, ...] = ()
) -> ScreenState:
    """Return a lobby that shows these."""
    state = ScreenState(settings=Settings(nick="Jon"))
    for message in (MatchHistory(history), Tables(tables)):
        state, _commands = react(state, message)
    return state


def test_the_running_table_of_our_own_match_is_only_the_way_back_into_it():
    waiting = replace(WAITING, keys=(HOST, US))
    shown = [item.id for item in people(lobby_with((PLAYED,), (waiting,)))]
    assert shown == [f"back:{waiting.match}"]
    assert "with Ane " in check_rows(
        replace(lobby_with((PLAYED,), (waiting,)), fingerprint=fingerprint(US)), 80, 24
    )
    others = (
        replace(PLAYED, state="open", taken=1),  # the next table of the same host
        replace(PLAYED, state="full"),
        replace(PLAYED, game="domino"),
        replace(PLAYED, seats=3, taken=3),
        replace(PLAYED, id=STRANGER),
    )
    for table in others:
        assert [item.id.split(":")[0] for item in people(lobby_with((table,), (waiting,)))] == [
            "back",
            "table",
        ]
    finished = replace(waiting, unfinished=False)
    assert [item.id.split(":")[0] for item in people(lobby_with((PLAYED,), (finished,)))] == [
        "table"
    ]


def test_a_free_seat_stands_above_all_matches_but_the_newest_that_wait():
    waiting = tuple(replace(WAITING, match=f"{number:032x}") for number in range(3))
    tables = (
        replace(PLAYED, id=STRANGER),
        replace(PLAYED, id=STRANGER, state="open", taken=1, protocol=PROTOCOL + 1),
        replace(PLAYED, state="open", taken=1),
    )
    shown = [item.id for item in people(lobby_with(tables, waiting))]
    assert [name.partition(":")[0] for name in shown] == [
        "back",
        "table",
        "back",
        "back",
        "table",
        "table",
    ]
    assert shown[1].startswith(f"table:{HOST.hex()}")
    assert shown[0] == f"back:{waiting[0].match}"


@pytest.mark.parametrize("page", [Page.LOBBY, Page.HISTORY])
def test_while_something_is_waited_for_only_esc_does_anything_and_stands_there(page):
    state = ScreenState(page=page, busy="Going to the table …", history=(WAITING,))
    assert "Going to the table …" in check_rows(state, 60, 20)
    assert "Esc back" in check_rows(state, 60, 20).splitlines()[-1]
    for key in ("o", "s", "p", "1", "enter", "down", "q"):
        assert react(state, Key(key, key)) == (state, ())
    assert react(state, Key("escape")) == (state, (Rise(),))
    assert react(replace(state, busy=""), Key("escape"))[1] == ()


LEFT = MatchSummary(
    "cd" * 16, "truco", ("Jon", "Ane"), "2026-11-22", "/x/cd.sobremesa", unfinished=True
)
OLDER = (WAITING,)


def seated_at(
    match: str, history: tuple[MatchSummary, ...], *, phase: MatchPhase = MatchPhase.PLAYING
) -> ScreenState:
    """Return a lobby that has been left for a match, in which our player sits now."""
    state = lobby_with((), history)
    model = Model(phase=phase, game="truco", seat=0, match=match + "00" * 16, players=(None, None))
    return replace(state, page=Page.PLAY, match=model, chosen="")


def after_it(state: ScreenState, *messages: Message) -> ScreenState:
    """Return the state once the session has ended, and these have come."""
    for message in (Ended(), *messages):
        state, _commands = react(state, message)
    return state


@pytest.mark.parametrize("history", [(LEFT, WAITING), (WAITING, LEFT)])
@pytest.mark.parametrize("tables_first", [False, True])
def test_the_match_that_was_put_aside_is_chosen_wherever_its_line_stands(history, tables_first):
    news = [MatchHistory(history), Tables((PLAYED,))]
    state = after_it(seated_at(LEFT.match, OLDER), *(reversed(news) if tables_first else news))
    assert chosen(state) == f"back:{LEFT.match}"
    assert (
        next(line for line in check_rows(state, 60, 20).splitlines() if "▶" in line).count("Truco")
        == 1
    )
    _state, commands = react(state, Key("enter"))
    assert commands == (Resume(LEFT.match),)


def test_after_a_match_that_has_ended_enter_leads_into_no_other_match():
    over = seated_at(LEFT.match, OLDER, phase=MatchPhase.OVER)
    state = after_it(over, MatchHistory(OLDER), Tables((PLAYED,)))
    assert chosen(state) == "game:truco"
    state, commands = react(state, Key("enter"))
    assert (state.page, commands) == (Page.OPEN, ())


@pytest.mark.parametrize(
    ("item", "key"), [("history", "p"), ("settings", "s"), ("open", "o"), ("game:truco", "4")]
)
def test_esc_leads_back_to_the_line_from_which_one_came(item, key):
    state = lobby_with((PLAYED,), OLDER)
    for pressed in (key, "down", "escape"):
        state, _commands = react(state, Key(pressed))
    assert (state.page, chosen(state)) == (Page.LOBBY, item)


@pytest.mark.parametrize("size", SIZES)
def test_a_full_table_is_about_to_begin_until_they_play(size):
    full = replace(PLAYED, state="full")
    state = replace(lobby_with((full,)), chosen="")
    shown = " ".join(check_rows(state, *size).replace("│", " ").split())
    assert "about to begin" in shown
    assert "they play" not in shown.casefold()
    if size != SIZES[0]:
        assert "All seats are taken, and the match is about to begin." in shown
    assert react(state, Key("enter"))[1] == (Watch(HOST),)
    state, _commands = react(replace(state, chosen=chosen(state)), Tables((PLAYED,)))
    assert "they play" in check_rows(state, *size)
    assert react(state, Key("enter"))[1] == (Watch(HOST),), "the choice is kept"


@pytest.mark.parametrize("size", SIZES)
def test_matches_that_look_alike_in_the_lobby_are_told_by_their_times(size):
    alike = (
        replace(WAITING, when="2026-11-21 20:15"),
        replace(WAITING, match="ef" * 16, when="2026-11-21 22:40"),
        replace(LEFT, when="2026-11-22 21:00"),
    )
    shown = check_rows(lobby_with((MIREN,), alike), *size)
    assert " 11-21 20:15  with Ane, Jon " in shown
    assert " 11-21 22:40  with Ane, Jon" in shown
    assert "11-22" not in shown, "the only match of Truco"
    assert "11-21" not in check_rows(lobby_with((), alike[1:]), *size)


# A choice that disappears.

TABLES = tuple(
    replace(PLAYED, id=identity.id, nick=nick, state="open", taken=1)
    for identity, nick in zip(identities(3), ("Ane", "Jon", "Mary"), strict=True)
)


def on(place: int) -> ScreenState:
    """Return a lobby with one of these chosen."""
    state = lobby_with(TABLES)
    return replace(state, chosen=people(state)[place].id)


def marked(state: ScreenState) -> str:
    """Return the line with the cursor."""
    (line,) = (line for line in check_rows(state, 80, 24).splitlines() if "▶" in line)
    return line


@pytest.mark.parametrize(
    ("place", "left", "cursor", "above", "below"),
    [
        (1, (0, 2), "Mary", "Ane", "1 Escoba"),
        (2, (0, 1), "1 Escoba", "Jon", "2 Dom"),
        (0, (), "1 Escoba", "Settings", "2 Dom"),
    ],
)
def test_the_cursor_stays_in_the_row_of_a_table_that_disappears(place, left, cursor, above, below):
    state, _commands = react(on(place), Tables(tuple(TABLES[number] for number in left)))
    assert cursor in marked(state)
    assert above in marked(react(state, Key("up"))[0])
    assert below in marked(react(state, Key("down"))[0])
    new = replace(PLAYED, id=STRANGER, nick="Zoe", table="above-it", state="open", taken=1)
    assert cursor in marked(react(state, Tables((new, *state.tables)))[0]), "another may appear"
    assert TABLES[place].nick in marked(react(state, Tables(TABLES))[0]), "it may come back"


def test_enter_on_a_table_that_has_just_disappeared_leads_to_no_other_one():
    state, _commands = react(on(1), Tables(TABLES[::2]))
    state, commands = react(state, Key("enter"))
    assert (state.notice, commands) == ("Your choice is gone. Choose again.", ())
    assert "Mary" in marked(state)
    assert react(state, Key("enter"))[1] == (Join(TABLES[2].id),)


# A mistyped address or invite.

INVITE = str(Invite(("192.0.2.1",), 47747, bytes(10), bytes(5)))


def joins(state: ScreenState, text: str, *pressed: str) -> tuple[ScreenState, tuple[Command, ...]]:
    """Paste a text where to join, press these keys and then Enter."""
    for message in (Key("paste", text), *(Key(one, one[:1]) for one in pressed)):
        state, _commands = react(state, message)
    return react(state, Key("enter"))


def asked() -> ScreenState:
    """Return a lobby that asks where to join."""
    return react(lobby_with(()), Key("j"))[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("typed", "end", "why"),
    [
        (INVITE[:12] + "u" + INVITE[13:], 13, "U in group 2 after SBM1"),
        (f"sobremesa join {INVITE[:12]}u{INVITE[13:]}", 28, "U in group 2 after SBM1"),
        (INVITE[:12] + INVITE[13:], 13, "group 2 after SBM1 has 3 characters"),
        (INVITE[:-4], len(INVITE) - 4, "it has 36 characters after SBM1 instead of 40"),
        ("192.0.2.1:port", 14, "is not an address"),
        ("nowhere", 7, "is neither an address nor an invite"),
    ],
)
def test_a_mistyped_line_stays_to_be_corrected_with_the_cursor_at_the_mistake(
    size, typed, end, why
):
    state, commands = joins(asked(), typed)
    assert (commands, state.busy, state.typed) == ((), "", typed)
    assert len(typed) - state.caret == end
    assert why in " ".join(check_rows(state, *size).split())
    assert why in react(state, Key("left"))[0].notice
    assert react(state, Key("backspace"))[0].notice == ""
