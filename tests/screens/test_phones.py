"""The page of phones with the sheet of a code."""

from __future__ import annotations

import re
from argparse import Namespace
from dataclasses import replace

import pytest

from client.session.context import Context
from client.session.messages import News, Quit, Seated
from client.storage.home import Home
from client.storage.settings import Settings
from client.ui.drawing.canvas import columns_of
from client.ui.screen.application import OF_PHONES, TuiApplication
from client.ui.screen.kept import KeptState, PhonesShown
from client.ui.screen.messages import (
    DeleteVisitor,
    Ended,
    EndVisitor,
    HideCode,
    Key,
    LetIn,
    PhonesChanged,
    RenameVisitor,
    ShowCode,
    UseAddress,
)
from client.ui.screen.pages import draw
from client.ui.screen.phones import address, address_of
from client.ui.screen.qr import modules
from client.ui.screen.state import Page, ScreenState
from p2p.table.events import Differs
from tests.client.ui.screen.menus import chosen, on_menu
from tests.client.ui.view.phoned import CODE, HOST, JON, LETTERS, NEW, PHONED, PHONES, phones
from tests.client.ui.view.tables import asked
from tests.screens.hand import SEATS, Hand, filling, gathered
from tests.screens.stage import NICKS, Stage, check_rows, terms_of, view_of

SIZES = [(60, 20), (80, 24), (120, 40)]


def drawn(state: ScreenState, columns: int, rows: int) -> str:
    """Return a screen with a picture, which has no ASCII."""
    found = ["".join(text for _style, text in row) for row in draw(state, columns, rows).rows()]
    assert {columns_of(row) for row in found} == {columns}
    return "\n".join(found)


def beside(shown: str) -> str:
    """Return the words beside a picture."""
    return " ".join(" ".join(line[35:] for line in shown.splitlines()).split())


def hand(name: str) -> Hand:
    return Hand(PHONES[name]())


@pytest.mark.parametrize("size", SIZES)
def test_a_code_stands_as_a_picture_beside_its_letters(size):
    state = phones(now=replace(PHONED, code=CODE))()
    shown = drawn(state, *size)
    assert "7K3M-Q2XD-000G-40R4" in shown
    assert HOST in beside(shown).replace(" ", "")
    assert "within five minutes" in beside(shown)
    assert re.fullmatch(rf"http://{HOST}/\?[a-z2-7]{{5}}#{LETTERS}", address(state))
    light = modules(address(state))
    assert len(light) == 33
    assert sum(row.count("█") + row.count("▀") + row.count("▄") for row in shown.splitlines()) > 200


def test_no_two_codes_have_one_address():
    """A page of somebody else may have been left in a browser under an earlier address."""
    others = [f"7K3M-Q2XD-000G-4{letter}R4".replace("-", "") for letter in "0123"]
    assert len({address_of(HOST, letters).partition("#")[0] for letters in others}) == 4
    assert address_of(HOST, "") == f"http://{HOST}/"


def test_a_phone_that_waits_shows_its_digits_and_nothing_else_before_it_is_let_in():
    asks = hand("phone-asks")
    assert "0417" in asks.text()
    assert "Jon" in asks.text()
    assert LETTERS[:4] not in asks.text()
    assert asks.press("enter").commands == []
    assert asks.press("l").commands == [LetIn("0417")]


def test_a_visitor_that_plays_is_ended_after_a_question():
    asks = hand("phone-menu").press("3")
    assert asks.commands == []
    assert asks.press("escape").commands == []
    assert hand("end-visitor").press("enter").commands == [EndVisitor(JON.id)]
    idle = Hand(phones("down", "down", "enter", "3")())
    assert idle.state.overlay is None
    at_once = Hand(phones("down", "down", "enter")()).press("3")
    assert at_once.commands == [EndVisitor(NEW.id)]


def test_a_visitor_is_deleted_after_a_question_and_its_sheets_go_with_it():
    asks = hand("delete-visitor")
    assert "key" in asks.text()
    assert asks.press("enter").commands == [DeleteVisitor(JON.id)]
    gone = hand("delete-visitor").tell(PhonesChanged(PhonesShown(HOST, (), (NEW,))))
    assert gone.state.overlay is None
    assert gone.press("enter").commands == [ShowCode()]


@pytest.mark.parametrize("key", ["q", "c-c"])
def test_the_program_asks_before_it_ends_while_a_phone_plays(key):
    asks = Hand().tell(PhonesChanged(PHONED)).press(key)
    assert asks.commands == []
    assert "Jon" in asks.text()
    assert isinstance(asks.press("enter").commands[0], Quit)
    idle = Hand().tell(PhonesChanged(PhonesShown(HOST, (), (NEW,)))).press(key)
    assert isinstance(idle.commands[0], Quit)


def test_each_key_of_the_page_and_its_sheets_does_what_it_says():
    first = Hand().press("h")
    assert (first.state.page, first.commands) == (Page.PHONES, [ShowCode()])
    later = Hand().tell(PhonesChanged(PHONED)).press("h")
    assert later.commands == []
    assert later.press("enter").commands == [ShowCode()]
    assert hand("phone-late").press("n").commands == [ShowCode(NEW.id)]
    assert hand("phone-menu").press("1").commands == [ShowCode(JON.id)]
    assert hand("phone-code").press("escape").commands == [HideCode()]
    assert hand("phone-name").press(*"Ion", "enter").commands == [RenameVisitor(JON.id, "Ion")]
    used = hand("phone-code").tell(PhonesChanged(PHONED, "A phone has come in."))
    assert used.state.overlay is None
    assert "A phone has come in." in used.text()


def test_a_phone_offers_no_phones_and_no_address():
    phone = Hand(ScreenState(kept=KeptState(on_phone=True)))
    assert "Play on a phone" not in phone.text()
    assert "address" not in phone.text()
    assert "Join with an invite" in phone.text()
    assert phone.press("h").state.page is Page.LOBBY
    assert "Invite:" in phone.press("j").text()
    typed = phone.press(*"192.168.1.7", "enter")
    assert typed.commands == []
    assert "'192.168.1.7' is no invite" in typed.text()
    assert "address" not in typed.text()


@pytest.mark.parametrize("size", SIZES)
def test_the_owner_goes_on_to_another_address(size):
    found = hand("phone-code")
    assert found.state.kept.phones.others == ("10.8.0.2",)
    assert "other network" in drawn(found.state, *size)
    assert found.press("w").commands[-1] == UseAddress("10.8.0.2")
    alone = Hand(
        replace(found.state, kept=replace(found.state.kept, phones=replace(PHONED, code=CODE)))
    )
    assert "other network" not in drawn(alone.state, *size)
    assert not alone.press("w").commands


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["escoba", "kinaskak", "siete-y-media", "truco", "domino"])
def test_a_seat_on_another_machine_is_marked_while_all_play(game, size):
    """The whole words stand there where there is room for them."""
    stage = Stage(game, 4, 0).until(lambda stage: stage.state.match.asked)
    players = list(stage.state.match.players)
    players[2] = replace(players[2], machine=players[1].fingerprint)
    match = replace(stage.state.match, players=tuple(players))
    text = check_rows(replace(stage.state, match=match), *size)
    named = [line for line in text.splitlines() if "Miren" in line]
    signs = [line for line in named if re.search("Miren (on the machine of Jon|@|@Jon) ", line)]
    assert signs, text
    assert not any(f"{nick} {sign}" in text for nick in ("Jon", "Peru") for sign in ("@", "on "))
    assert size[0] < 120 or "@ " not in text


async def test_a_command_about_phones_for_which_there_is_no_room_is_refused_aloud(tmp_path):
    """They are carried out one after the other, and one of them may wait for a process."""
    state = replace(PHONES["phone-code"](), notice="")
    application = TuiApplication(Context(Home(tmp_path / "home")), state, Namespace(), None)
    for _ in range(OF_PHONES):
        application.tell(Key("n", "n"))
        assert application.state.notice == ""
    application.tell(Key("n", "n"))
    assert "not carried out" in application.state.notice


def at_phones(stage: Stage, *messages) -> Stage:
    """Go to the page of phones from a table."""
    for message in messages:
        stage.tell(message)
    return chosen(stage, "phones")


def test_the_owner_makes_a_code_during_a_match_and_comes_back_to_the_table():
    stage = Stage("truco", 2, settings=Settings(sound=False)).until(asked)
    at_phones(stage, PhonesChanged(PHONED))
    assert stage.state.page is Page.PHONES
    assert stage.commands == [], "nobody is told that we go"
    assert "The table waits for you." in stage.text()
    stage.press("down", "down", "down", "enter", "enter")
    assert stage.commands == [ShowCode(JON.id)]
    stage.tell(PhonesChanged(replace(PHONED, code=CODE)))
    assert HOST in beside(drawn(stage.state, 80, 24)).replace(" ", "")
    stage.press("escape", "escape")
    assert stage.commands == [ShowCode(JON.id), HideCode()]
    assert (stage.state.page, stage.state.match.asked) == (Page.PLAY, True)


def test_a_code_stays_on_the_screen_while_the_match_goes_on_behind_it():
    stage = at_phones(Stage("escoba", 2).until(asked), PhonesChanged(PHONED))
    stage.press("enter").tell(PhonesChanged(replace(PHONED, code=CODE)))
    stage.until(lambda now: now.game.round > 1)
    assert (stage.state.page, stage.state.overlay.NAME) == (Page.PHONES, "phone")
    stage.press("escape", "escape")
    assert stage.state.page is Page.PLAY
    assert stage.state.count.lines, "the count of the deal is still to be read"


def test_an_alarm_about_the_match_ends_the_code_that_it_covers():
    stage = at_phones(Stage("escoba", 2).until(asked), PhonesChanged(PHONED))
    stage.press("enter").tell(PhonesChanged(replace(PHONED, code=CODE)))
    stage.tell(News(Differs(1, 7, b"a" * 32, b"b" * 32), view_of(stage.state), (), last=True))
    assert stage.state.overlay.NAME == "alarm"
    assert HideCode() in stage.commands


def test_the_page_of_phones_at_a_table_asks_before_the_program_ends():
    stage = at_phones(Stage("truco", 4).until(asked)).press("escape", "c-c")
    assert [command for command in stage.commands if isinstance(command, Quit)] == []
    assert "Close Sobremesa?" in stage.text()


def test_a_line_that_is_given_up_by_ctrl_c_leaves_nothing_to_the_next_one():
    stage = at_phones(Stage("escoba", 2).until(asked), PhonesChanged(PHONED))
    stage.press("down", "down", "down", "enter", "2")
    assert stage.state.typed.text == JON.nick
    stage.press("c-c", "escape", "escape", "f2", "h", "i")
    assert stage.state.typed.text == "hi"


def test_a_question_about_a_phone_stays_when_the_match_ends_behind_it():
    stage = at_phones(Stage("escoba", 2), PhonesChanged(PHONED))
    stage.press("down", "down", "down", "enter", "3")
    stage.until(lambda now: now.over)
    assert stage.state.overlay.NAME == "end-visitor"
    assert stage.press("enter").commands[-1] == EndVisitor(JON.id)


def test_another_match_of_the_same_table_begins_behind_a_code():
    stage = at_phones(Stage("escoba", 2), PhonesChanged(PHONED))
    stage.press("enter").tell(PhonesChanged(replace(PHONED, code=CODE)))
    terms = terms_of("escoba", 2, NICKS, {})
    stage.tell(Seated(terms, 0, terms.match.hex()))
    assert (stage.state.page, stage.state.overlay.NAME) == (Page.PHONES, "phone")
    stage.tell(Ended())
    assert (stage.state.page, stage.state.overlay.NAME) == (Page.PHONES, "phone")
    assert stage.press("escape", "escape").state.page is Page.LOBBY


def test_a_phone_can_be_let_in_while_a_table_fills():
    hand = gathered().tell(PhonesChanged(PHONED)).press("h")
    assert hand.state.page is Page.PHONES
    assert hand.commands == []
    assert hand.tell(filling(seats=(*SEATS, None))).state.page is Page.PHONES
    assert hand.press("escape").state.page is Page.TABLE_SETUP
    assert hand.commands == []


def test_a_phone_has_no_phones_at_a_table_either():
    stage = Stage("truco", 2)
    stage.state = replace(stage.state, kept=replace(stage.state.kept, on_phone=True))
    assert "phones" not in on_menu(stage)
    hand = gathered()
    hand.state = replace(hand.state, kept=replace(hand.state.kept, on_phone=True))
    assert hand.press("h").state.page is Page.TABLE_SETUP


@pytest.mark.parametrize(
    ("seats", "way"),
    [(2, "put the match aside, it waits"), (3, "go to the lobby, the match waits")],
)
def test_the_question_before_leaving_names_the_way_that_costs_nothing(seats, way):
    stage = Stage("siete-y-media", seats).until(asked)
    chosen(stage, "leave")
    assert f"If you only {way}" in " ".join(stage.text().split())
