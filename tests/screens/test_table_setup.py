"""A table that is filling: its guests, computers, words to compare, its invite, and its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Compare, LobbySeat, Notice, Quit, Renew
from client.session.status import Status
from client.ui.screen import pages
from client.ui.screen.messages import Computers, Ready, Rise
from tests.screens.hand import SEATS, filling, gathered
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


@pytest.mark.parametrize("size", SIZES)
def test_a_host_that_only_its_own_machine_reaches_reads_so_beside_the_invite(size):
    said = "No other machine can reach this table, because it is open at 127.0.0.1 alone"
    hand = gathered(hosting=True, held=True).tell(
        Notice("only-here", {"address": "127.0.0.1"}), Notice("invite", {"invite": "SBM1-AAAA"})
    )
    shown = " ".join(pages.draw(hand.state, *size).text().split())
    assert shown.count(said) == 1
    assert "SBM1-AAAA" in shown
    full = hand.tell(filling(hosting=True, held=True, seats=(SEATS[0], LobbySeat("Jon", "JJJJ"))))
    assert said not in full.text()


def test_a_host_calls_computers_and_sends_them_away():
    assert gathered(hosting=True, held=True).press("+").commands == [Computers(1)]
    full = gathered(
        hosting=True, held=True, seats=(SEATS[0], LobbySeat("Computer 1", "CCCC", bot=True))
    )
    assert full.press("+").commands == []
    assert full.press("-").commands == [Computers(0)]


def test_a_full_table_begins_when_its_host_says_so():
    full = gathered(hosting=True, held=True, seats=(SEATS[0], LobbySeat("Jon", "JJJJ")))
    assert "You may begin." in full.text()
    assert full.press("enter").commands == [Ready()]


@pytest.mark.parametrize(
    ("limit", "said"),
    [(45, "has waited 45 s for a player, the others may vote"), (0, "As soon as the table waits")],
)
def test_a_guest_sees_the_time_limit_before_it_signs(limit, said):
    seats = (LobbySeat("Jon", "JJJJ"), SEATS[0], None)
    guest = gathered(mine=(1,), seats=seats, limit=limit)
    assert said in " ".join(guest.text().split())


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


def test_a_seat_shows_its_kind_and_the_owner_of_its_machine():
    guests = (
        LobbySeat("Jon", "JJJJ"),
        LobbySeat("Pilar", "PPPP", computer=True, machine="JJJJ"),
        LobbySeat("Iker", "IIII", machine="JJJJ"),
        LobbySeat("Robot", "RRRR", computer=True),
        LobbySeat("Lur", "LLLL", machine="XXXX"),
    )
    hand = gathered(seats=(SEATS[0], *guests), several=True)
    for text in (hand.text(), check_rows(hand.state, 60, 20)):
        lines = {
            guest.nick: line
            for guest in guests
            for line in text.splitlines()
            if guest.nick in line and "│" in line
        }
        assert "computer of Jon" in lines["Pilar"]
        assert "on the machine of Jon" in lines["Iker"]
        assert "on the machine of XXXX" in lines["Lur"]
        assert "computer" in lines["Robot"]
        assert "Guests may bring computer players." in text


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


def test_a_resume_before_all_have_signed_shows_the_missing():
    seats = (SEATS[0], LobbySeat("Jon", "JJJJ", trust="known"), LobbySeat("Miren", "MMMM"))
    hand = gathered(table="", seats=seats, away=frozenset({1}))
    lines = {
        nick: line
        for line in hand.text().splitlines()
        for nick in ("Jon", "Miren")
        if nick in line and "│" in line
    }
    assert "away    you have met" in lines["Jon"]
    assert "away" not in lines["Miren"]
    for size in SIZES:
        assert "Still missing: Jon." in " ".join(check_rows(hand.state, *size[:2]).split())
    assert hand.press("w").commands == [Compare()]
    alone = gathered(table="", seats=seats, away=frozenset({1, 2}))
    assert "compare words" not in alone.text()
    assert "missing" not in gathered(table="", seats=seats).text()


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


def test_a_host_with_guests_is_asked_before_ctrl_c_ends_the_program():
    guest = LobbySeat("Jon", "JJJJ")
    hand = gathered(hosting=True, held=True, seats=(SEATS[0], guest, None)).press("c-c")
    assert "Already at your table: Jon." in " ".join(hand.text().split())
    assert hand.commands == []
    assert hand.press("enter").commands == [Quit(Status.OK)]
    again = gathered(hosting=True, held=True, seats=(SEATS[0], guest, None)).press("c-c", "c-c")
    assert again.commands == [Quit(Status.INTERRUPTED)]
    for alone in (gathered(hosting=True, seats=(SEATS[0], None)), gathered()):
        assert alone.press("c-c").commands == [Quit(Status.INTERRUPTED)]


@pytest.mark.parametrize("size", SIZES)
def test_the_invite_fits_every_screen(size):
    invite = "SBM1-" + "-".join(["7K3M"] * 17)  # as long as one can be
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": invite})).press("i")
    assert invite in joined(pages.draw(hand.state, *size).text())
    assert invite in joined(check_rows(replace(hand.state, ascii=True), *size))
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
