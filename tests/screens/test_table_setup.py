"""The form of a new table; a table that fills: its guests, seats, invite and end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.i18n.translation import letter
from client.session.messages import Arrange, Compare, LobbySeat, Notice, Renew
from client.ui.screen import opening, pages, table_setup
from client.ui.screen.kept import Form
from client.ui.screen.messages import Key, Open, Rise, SeatComputers
from engine.games import GAMES
from tests.screens.hand import SEATS, Hand, filling, gathered
from tests.screens.stage import SIZES, check_rows


@pytest.mark.parametrize("size", SIZES)
def test_a_host_that_nobody_can_reach_reads_so_instead_of_an_invite(size):
    """An open sheet with the invite closes, and the invite is back as soon as there is one."""
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": "SBM1-AAAA"}))
    cut_off = hand.press("i").tell(Notice("no-invite"))
    assert cut_off.state.overlay is None
    shown = " ".join(pages.draw(cut_off.state, *size).text().split())
    assert shown.count("No other machine can reach this table now") == 1
    assert "SBM1" not in shown
    assert cut_off.press("i").state.overlay is None
    back = cut_off.tell(Notice("invite", {"invite": "SBM1-BBBB"}))
    assert "SBM1-BBBB" in back.text()
    assert "No other machine" not in back.text()


def test_a_host_calls_computers_and_sends_them_away():
    bot = LobbySeat("Computer 1", "CCCC", bot=True)
    for seats, held, made in (
        ((SEATS[0], None), True, [SeatComputers(1)]),
        ((SEATS[0], bot), True, [SeatComputers(0)]),
        ((SEATS[0], bot, None), True, [SeatComputers(2), SeatComputers(0)]),
        ((SEATS[0], bot, None), False, []),  # the match begins
    ):
        hand = gathered(hosting=True, held=held, seats=seats)
        assert hand.press("+", "-").commands == made
    assert gathered(hosting=False, held=True, mine=()).press("+", "-").commands == []


def test_players_at_a_table_can_be_known_and_compared():
    known = (
        SEATS[0],
        LobbySeat("Jon", "JJJJ", trust="known"),
        LobbySeat("Miren", "MMMM", trust="trusted"),
    )
    hand = gathered(hosting=True, seats=known)
    lines = {
        nick: line
        for line in hand.text().splitlines()
        for nick in ("Jon", "Miren")
        if nick in line and "│" in line
    }
    assert "JJJJ    you have met" in lines["Jon"]
    assert "MMMM  ✓ trusted" in lines["Miren"]
    assert hand.press("w").commands == [Compare()]
    narrow = check_rows(hand.state, 60, 20)
    assert "MMMM  ✓" in narrow
    assert "w compare words" in hand.text()


@pytest.mark.parametrize(
    ("machines", "warned"), [("JJ", True), ("J", False), ("", False), ("JJJ", True), ("ZZZ", True)]
)
def test_a_machine_that_could_vote_for_most_seats_is_named(machines, warned):
    """Ane, Jon, and visitors on a machine."""
    visitors = [
        LobbySeat(f"V{place}", f"V{place}", machine=4 * letter_)
        for place, letter_ in enumerate(machines)
    ]
    free = [None] * (3 - len(visitors))
    hand = gathered(seats=(SEATS[0], LobbySeat("Jon", "JJJJ"), *visitors, *free))
    who = "Jon" if "J" in machines else "ZZZZ"
    for text in (hand.text(), check_rows(hand.state, 60, 20)):
        assert (f"through the machine of {who}" in " ".join(text.split())) is warned


def test_a_host_is_asked_before_its_table_closes_if_another_person_sits_there():
    guest, bot = LobbySeat("Jon", "JJJJ"), LobbySeat("Computer 1", "CCCC", bot=True)
    hand = gathered(hosting=True, held=True, seats=(SEATS[0], guest, None)).press("escape")
    assert "Already at your table: Jon." in " ".join(hand.text().split())
    assert hand.commands == []
    assert hand.press("escape").commands == []
    assert hand.state.overlay is None
    assert hand.press("escape", "x", "enter").commands == [Rise()]
    for alone in ((SEATS[0], None), (SEATS[0], bot, None)):
        hand = gathered(hosting=True, held=True, seats=alone).press("escape")
        assert hand.commands == [Rise()]
        private = gathered(hosting=True, held=True, seats=alone, private=True).press("escape")
        said = " ".join(private.text().replace("│", " ").split())
        assert "Nobody else is at your table now. Its invite lets nobody in any more" in said
        assert private.press("enter").commands == [Rise()]
    guest_of = gathered(seats=(guest, SEATS[0]), mine=(1,), held=True).press("escape")
    assert guest_of.commands == [Rise()], "a guest gets up at once"


@pytest.mark.parametrize("size", SIZES)
def test_the_invite_fits_every_screen(size):
    invite = "SBM1-" + "-".join(["7K3M"] * 17)  # as long as one can be
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": invite})).press("i")
    assert invite in joined(pages.draw(hand.state, *size).text())
    assert invite in joined(
        check_rows(replace(hand.state, kept=replace(hand.state.kept, ascii=True)), *size)
    )
    assert invite in joined(check_rows(replace(hand.state, overlay=None), *size))


def joined(shown: str) -> str:
    """Return what stands in lines as one word, without the frames round it."""
    return "".join(shown.replace("│", " ").split())


def test_the_invite_is_renewed_from_its_sheet():
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": "SBM1-AAAA"}))
    hand = hand.press("i")
    assert "another invite" in pages.draw(hand.state, 80, 40).text()
    assert hand.press("n").commands == [Renew()]
    hand = hand.tell(Notice("renewed")).tell(Notice("invite", {"invite": "SBM1-BBBB"}))
    assert "SBM1-BBBB" in pages.draw(hand.state, 80, 40).text()


KEY = letter(table_setup.SEATS)
JON, MIREN = LobbySeat("Jon", "JJJJ"), LobbySeat("Miren", "MMMM")
THREE = (SEATS[0], JON, MIREN, None)
TRUCO = {"game": "truco", "options": {}}


def test_the_sheet_of_the_invite_closes_once_all_seats_are_taken():
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": "SBM1-AAAA"}))
    hand = hand.press("i").tell(filling(hosting=True, held=True))
    assert isinstance(hand.state.overlay, table_setup.InviteSheet)
    full = filling(hosting=True, held=True, seats=(SEATS[0], LobbySeat("Jon", "CCCC-DDDD")))
    assert hand.tell(full).state.overlay is None


def host(**facts) -> Hand:
    return gathered(**{"hosting": True, "held": True, "seats": THREE, **TRUCO, **facts})


def words(hand: Hand) -> str:
    return " ".join(hand.text().replace("│", " ").split())


def test_two_seats_change_places():
    hand = host().press(KEY)
    assert "The seats at this table" in hand.text()
    hand.press("2")
    assert "Swap with which seat?" in words(hand)
    hand.press("3")
    assert hand.commands == [Arrange((0, 2, 1, 3))]
    assert hand.state.overlay.NAME == "seats", "the host sees what comes of it"
    assert hand.press("1", "4").commands[1:] == [Arrange((3, 1, 2, 0))], "with the free seat"
    assert hand.press("5").commands[2:] == [Arrange()], "the lot"
    assert hand.press("escape").state.overlay is None


def test_a_chosen_seat_that_gets_another_player_is_chosen_no_more():
    hand = host().press(KEY, "2")
    hand.tell(filling(hosting=True, held=True, seats=(SEATS[0], MIREN, JON, None), **TRUCO))
    assert hand.state.overlay.NAME == "seats"
    same = host().press(KEY, "2")
    same.tell(filling(hosting=True, held=True, seats=THREE, **TRUCO))
    assert same.state.overlay.NAME == "swap"


@pytest.mark.parametrize(
    "facts", [{"hosting": False}, {"held": False}, {"seats": (SEATS[0], None)}]
)
def test_others_arrange_nothing_and_two_seats_need_no_order(facts):
    hand = host(**facts)
    assert "seats" not in dict(table_setup.keys(hand.state)).values()
    assert hand.press(KEY).state.overlay is None


def form(game: str = "escoba") -> Hand:
    return Hand().press(str(list(GAMES).index(game) + 1))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.slow
def test_every_choice_of_a_form_is_explained_and_can_be_changed(game, size):
    hand = form(game)
    for _field in range(20):
        before = hand.state.kept.form
        check_rows(hand.state, *size)
        hand.press("right")
        assert hand.state.kept.form != before
        hand.press("left", "down")


def test_rules_that_contradict_one_another_are_not_opened_and_say_why():
    hand = form()
    while hand.state.chosen != "option:teams":
        hand.press("down")
    hand.press("right", "enter")
    assert hand.commands == []
    assert "partners are for 4 or 6 players" in hand.foot()


def on_field(field: str, company: str = "network") -> Hand:
    """Return somebody at the form of a table for others, with this field chosen."""
    hand = Hand().press("o", "down", *(["right"] if company == "invite" else []))
    assert hand.state.kept.form.company == company
    fields = [item.id for item in opening.items(hand.state.kept.form)]
    return hand.press(*["down"] * (fields.index(field) - 1))


@pytest.mark.parametrize("name", ["the patio", "ñ", "a" * 33, "a.b", "--"])
def test_a_name_that_cannot_be_is_refused_and_says_why(name):
    hand = on_field("table").press("right").tell(Key("paste", name)).press("enter")
    assert "at most 32 letters, digits and dashes" in " ".join(hand.text().split())
    assert hand.state.kept.form.name == ""


def test_a_number_is_typed():
    hand = form().press("down", "down", "down", "down", "4", "1")
    assert hand.state.kept.form.options == {"target": 41}
    assert hand.press("9").state.kept.form.options == {"target": 9}


def test_the_name_of_a_table_is_typed():
    hand = on_field("table").press(*"patio-7", "enter")
    assert "◀ patio-7 ▶" in hand.text()
    assert hand.press("enter").commands == [Open(Form("escoba", 2, "network", name="patio-7"))]
    assert hand.press("left", "backspace", "8", "enter").state.kept.form.name == "patio-8"
    assert hand.press("right", "c-u", "enter").state.kept.form.name == "", (
        "the program makes one up"
    )
    assert hand.press("right", "escape").state.kept.form.name == ""
