"""The lobby and the pages round it: why something cannot be, the choice, the first name, small
windows."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

import pytest

from client.session.context import Context
from client.session.messages import Command, FoundTable, Message, Tables
from client.storage.history import MatchSummary
from client.storage.home import open_home
from client.storage.settings import Settings
from client.ui.drawing.canvas import Canvas, as_ascii
from client.ui.model import MatchPhase, Model
from client.ui.phone.limits import VisitorLimits
from client.ui.screen import pages
from client.ui.screen.application import make_application
from client.ui.screen.kept import Form, KeptState
from client.ui.screen.lobby import chosen, people
from client.ui.screen.messages import (
    Ended,
    Join,
    Key,
    MatchHistory,
    Open,
    Resume,
    Rise,
    Save,
    Steps,
    Watch,
)
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from client.ui.view.views import view_of
from p2p.net.invite import Invite
from p2p.wire import PROTOCOL
from tests.ring import identities
from tests.screens.hand import MIREN, Hand, gathered
from tests.screens.stage import SIZES, Stage, check_rows

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
    state = ScreenState(kept=KeptState(settings=Settings(nick="Jon")))
    for message in (MatchHistory(history), Tables(tables)):
        state, _commands = react(state, message)
    return state


def test_the_running_table_of_our_own_match_is_only_the_way_back_into_it():
    waiting = replace(WAITING, keys=(HOST, US), seat=1)
    shown = [item.id for item in people(lobby_with((PLAYED,), (waiting,)))]
    assert shown == [f"back:{waiting.match}"]
    state = lobby_with((PLAYED,), (waiting,))
    assert "with Ane " in check_rows(state, 80, 24)
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
    state = ScreenState(page=page, busy="Going to the table …", kept=KeptState(history=(WAITING,)))
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
    assert (commands, state.busy, state.typed.text) == ((), "", typed)
    assert len(typed) - state.typed.caret == end
    assert why in " ".join(check_rows(state, *size).split())
    assert why in react(state, Key("left"))[0].notice
    assert react(state, Key("backspace"))[0].notice == ""


def nameless(**how) -> Hand:
    """Return the lobby of a player who has never said a name; `ane` is the login name."""
    return Hand(ScreenState(kept=KeptState(called="ane", unnamed=True), **how))


@pytest.mark.parametrize("size", SIZES)
def test_the_name_is_asked_before_the_first_table_is_opened(size):
    hand = nameless().press("1", "enter")
    assert not hand.commands
    assert "Your name: ane" in hand.text(*size)
    assert "or keep it (Enter)." in " ".join(hand.text(*size).split())
    hand.press("enter")
    saved, opened = hand.commands
    assert (saved, opened) == (
        Save(replace(hand.state.kept.settings, nick="ane")),
        Open(hand.state.kept.form),
    )
    hand.tell(Ended()).press("1", "enter")
    assert isinstance(hand.commands[-1], Open)
    assert hand.state.typed is None


def test_the_name_is_asked_before_a_table_is_joined_and_the_first_letter_replaces_it():
    hand = nameless().tell(Tables((MIREN,))).press("up", "enter")
    assert "Your name: ane" in hand.text()
    assert not hand.state.busy
    hand.press(*"Jone", "enter")
    assert hand.commands == [Save(replace(hand.state.kept.settings, nick="Jone")), Join(MIREN.id)]
    assert hand.state.busy
    hand = nameless().press("j", *"10.0.0.7", "enter", "c-u", "enter")
    assert hand.commands == [Save(replace(hand.state.kept.settings, nick="ane")), Join("10.0.0.7")]


def test_nobody_is_asked_who_has_a_name_or_sets_it_first():
    assert isinstance(Hand().press("1", "enter").commands[0], Open)
    hand = nameless().press("s", "enter", *"Jone", "enter", "escape", "1", "enter")
    assert isinstance(hand.commands[-1], Open)


JON = FoundTable(
    b"\2" * 32, "Jon", "truco", "lemon-40", 4, 4, "playing", PROTOCOL, "192.168.1.31:47747"
)
OLD = replace(MIREN, id=b"\3" * 32, nick="Peru", protocol=PROTOCOL - 1)
NEW = replace(MIREN, id=b"\4" * 32, nick="Ane", protocol=PROTOCOL + 1)
OVER = MatchSummary("cd" * 16, "truco", ("Ane", "Miren"), "2026-11-20", "/x/cd.sobremesa")


# The lobby.


@pytest.mark.parametrize("size", SIZES)
def test_the_lobby_shows_tables_games_and_actions(size):
    shown = Hand().tell(Tables((MIREN, JON, OLD, NEW)), MatchHistory((WAITING, OVER))).text(*size)
    for words in (
        "Back to Escoba",
        "Miren",
        "Truco  4/4",
        "5 Kínaskák",
        "o Open a table",
        "l Learn a game",
        "q quit",
        "Ane",
    ):
        assert words in shown
    assert "cd" * 4 not in shown


@pytest.mark.parametrize(
    "change",
    [
        {"state": "playing", "taken": 2},
        {"game": "truco", "table": "lemon-41"},
        {"table": "lemon-42"},
    ],
    ids=["it has begun", "another game", "another table"],
)
def test_where_the_chosen_table_of_a_host_is_another_one_by_now_enter_goes_nowhere(change):
    hand = (
        Hand()
        .tell(Tables((MIREN, JON)))
        .press("up", "up")
        .tell(Tables((replace(MIREN, **change), JON)))
    )
    assert hand.press("enter").commands == []
    assert "is gone. Choose again." in hand.foot()
    filling = replace(MIREN, seats=3, taken=2)
    assert Hand().tell(Tables((MIREN,))).press("up").tell(Tables((filling,))).press(
        "enter"
    ).commands == [Join(MIREN.id)]


def test_a_newcomer_plays_against_the_computer_with_two_keys():
    hand = Hand().press("enter", "enter")
    assert hand.commands == [Open(Form("escoba", 2))]


LONG = (
    "Somebody comes as Jon with the key K7QD-AAAA, but the Jon whom you trust has the key "
    "M2XD-BBBB. If it is not their new key, it is not them: ask them, not this table. If it is: "
    "sobremesa peers forget M2XD-BBBB"
)


@pytest.mark.parametrize(
    "page", [Page.LOBBY, Page.OPEN, Page.TABLE_SETUP, Page.HISTORY, Page.SETTINGS]
)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("notice", ["The table is full.", LONG])
def test_a_message_stands_above_the_keys_and_leaves_them_in_sight(page, size, notice):
    state = replace(gathered().state, page=page)
    keys = check_rows(state, *size).splitlines()[-1]
    *_above, message, below = check_rows(replace(state, notice=notice), *size).splitlines()
    assert below == keys
    assert message.split()[-1] == notice.split()[-1]


# Past matches.


def test_a_match_is_stepped_through():
    stage = Stage("escoba", 2)
    models = []
    for _step in range(15):
        stage.step()
        models.append((stage.state.match, ("a step",)))
    hand = Hand().tell(MatchHistory((OVER,))).press("p").tell(Steps(tuple(models)))
    assert "1 of 15" in hand.foot()
    assert "2 of 15" in hand.press("right").foot()
    assert "12 of 15" in hand.press("pagedown").foot()
    assert "15 of 15" in hand.press("end", "right").foot()
    assert "1 of 15" in hand.press("home", "left").foot()
    assert hand.press("escape").state.page is Page.HISTORY


# Settings.


@pytest.mark.parametrize("size", SIZES)
def test_settings_are_kept_as_they_are_changed(size):
    hand = Hand().press("s")
    hand.text(*size)
    hand.press("down", "down", "right")
    assert isinstance(hand.commands[-1], Save)
    assert hand.commands[-1].settings == hand.state.kept.settings != Settings(nick="Ane")


# Any page.


@pytest.mark.parametrize(
    "page", [Page.LOBBY, Page.OPEN, Page.TABLE_SETUP, Page.HISTORY, Page.SETTINGS]
)
@pytest.mark.parametrize("size", [(59, 20), (60, 19), (10, 3), (1, 1)])
def test_a_window_too_small_says_so(page, size):
    shown = pages.draw(replace(gathered().state, page=page), *size).text()
    assert "60×20" in shown or size[0] < 5
    if size[0] > 20:
        said = " ".join(shown.split())
        assert f"it has {size[0]}×{size[1]} characters, and the program needs 60×20" in said
        assert "Enlarge it, or press Ctrl-C to end" in said


def test_right_to_left_names_move_no_other_cell_of_their_row():
    canvas = Canvas(24, 1)
    canvas.write(0, 0, "│ 12 ")
    canvas.write(5, 0, [("bold", "אבג דה"), ("", " 3 ו│")])
    (row,) = canvas.rows()
    assert (
        "".join(part for _style, part in row)
        == "│ 12 \u2068אבג דה\u2069 3 \u2068ו\u2069│" + " " * 8
    )
    assert as_ascii(row[1][1]) == "??? ??"
    assert canvas.text() == "│ 12 אבג דה 3 ו│\n"


def test_wide_characters_are_cut_where_their_columns_end():
    canvas = Canvas(6, 2)
    canvas.write(0, 0, "漢漢漢漢")
    canvas.write(0, 1, "漢漢漢")
    assert canvas.text() == "漢漢…\n漢漢漢\n"


@pytest.mark.parametrize("size", SIZES)
def test_a_full_table_is_about_to_begin_until_they_play(size):
    full = replace(PLAYED, state="full")
    state = replace(lobby_with((full,)), chosen="")
    shown = " ".join(check_rows(state, *size).replace("│", " ").split())
    assert "about to begin" in shown
    assert "now playing" not in shown.casefold()
    if size != SIZES[0]:
        assert "All seats are taken, and the match is about to begin." in shown
    assert react(state, Key("enter"))[1] == (Watch(HOST),)
    state, _commands = react(replace(state, chosen=chosen(state)), Tables((PLAYED,)))
    assert "now playing" in check_rows(state, *size)
    assert react(state, Key("enter"))[1] == (Watch(HOST),), "the choice is kept"


@pytest.mark.parametrize(
    ("item", "key"), [("learn", "l"), ("join", "j"), ("phones", "h"), ("game:truco", "4")]
)
def test_esc_leads_back_to_the_line_that_a_key_opened(item, key):
    state = lobby_with((PLAYED,), OLDER)
    for pressed in (key, "down", "escape"):
        state, _commands = react(state, Key(pressed))
    assert (state.page, chosen(state)) == (Page.LOBBY, item)


def test_a_refusal_is_a_sentence_of_its_own():
    hand = Hand().tell(Ended("that match allows no spectators: its players have agreed on that"))
    assert "That match allows no spectators: its players have agreed on that." in hand.text()


def test_a_phone_is_asked_for_its_name_with_nothing_filled_in(tmp_path):
    context = Context(open_home(tmp_path), "127.0.0.1", limits=VisitorLimits(tmp_path, lambda: 0.0))
    made = make_application(Namespace(color="auto", nick=None), context, Settings(), None)
    hand = Hand(made.state)
    entry = view_of(hand.state).sheet.entry
    assert (entry.text, entry.placeholder, entry.hint) == (
        "",
        "somebody",
        "The others see this name.",
    )
    hand.press("escape", "1", "enter")
    assert hand.state.typed.text == ""
    assert "Type a name first." in hand.press("enter").text()
    assert hand.commands == []
    saved, opened = hand.press(*"Jon", "enter").commands
    assert (saved.settings.nick, type(opened)) == ("Jon", Open)
    assert view_of(Hand(made.state).press(*"Mary", "enter").state).sheet is None


@pytest.mark.parametrize(
    ("kept", "greeting"),
    [
        (KeptState(on_phone=True, unnamed=True), "Take a seat."),
        (KeptState(settings=Settings(nick="Ane")), "Take a seat, Ane."),
    ],
)
def test_a_lobby_greets_nobody_by_a_name_that_is_none(kept, greeting):
    assert view_of(ScreenState(kept=kept)).heading == greeting
