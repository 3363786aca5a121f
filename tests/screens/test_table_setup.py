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


def test_a_host_waits_for_players_and_shows_the_way():
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": "SBM1-AAAA"}))
    shown = hand.text()
    assert "Waiting for 1 more player." in shown
    assert "SBM1-AAAA" in shown
    assert hand.press("enter").commands == []


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


def test_a_host_that_nobody_can_reach_and_whose_table_is_full_needs_no_invite():
    full = gathered(hosting=True, held=True, seats=(SEATS[0], LobbySeat("Jon", "JJJJ")))
    assert "No other machine" not in full.tell(Notice("no-invite")).text()


def test_a_host_whose_address_has_changed_reads_so_and_sees_the_new_invite():
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": "SBM1-AAAA"}))
    moved = hand.tell(Notice("moved")).tell(Notice("invite", {"invite": "SBM1-BBBB"}))
    shown = " ".join(moved.text().split())
    assert "This machine has another address now" in shown
    assert "SBM1-BBBB" in shown
    assert "SBM1-AAAA" not in shown


def test_a_host_calls_computers_and_sends_them_away():
    assert gathered(hosting=True, held=True).press("+").commands == [Computers(1)]
    full = gathered(
        hosting=True, held=True, seats=(SEATS[0], LobbySeat("Computer 1", "CCCC", bot=True))
    )
    assert full.press("+").commands == []
    assert full.press("-").commands == [Computers(0)]


def test_when_all_seats_are_taken_nobody_is_invited_any_more():
    invited = Notice("invite", {"invite": "SBM1-AAAA"})
    full = gathered(hosting=True, held=True, seats=(SEATS[0], LobbySeat("Jon", "JJJJ"))).tell(
        invited
    )
    assert "SBM1-AAAA" not in full.text()
    assert full.press("i").state.overlay is None


def test_a_full_table_begins_when_its_host_says_so():
    full = gathered(hosting=True, held=True, seats=(SEATS[0], LobbySeat("Jon", "JJJJ")))
    assert "You may begin." in full.text()
    assert full.press("enter").commands == [Ready()]


def test_a_guest_sees_what_is_played_and_sits_down():
    guest = gathered(mine=(), held=True)
    shown = guest.text()
    assert "your side has lost it" in " ".join(shown.split())
    assert "Points to win: 21" in shown
    assert guest.press("enter").commands == [Ready()]
    assert gathered(mine=(0,)).press("enter").commands == []


@pytest.mark.parametrize(
    ("limit", "said"),
    [(45, "has waited 45 s for a player, the others may vote"), (0, "As soon as the table waits")],
)
def test_a_guest_sees_the_time_limit_before_it_signs(limit, said):
    seats = (LobbySeat("Jon", "JJJJ"), SEATS[0], None)
    guest = gathered(mine=(1,), seats=seats, limit=limit)
    assert said in " ".join(guest.text().split())


def test_no_time_limit_where_nobody_can_vote():
    computers = [LobbySeat(f"Computer {number}", "CCCC", bot=True) for number in (1, 2)]
    for seats in ((SEATS[0], None), (SEATS[0], *computers)):
        shown = " ".join(gathered(mine=tuple(range(len(seats))), seats=seats).text().split())
        assert "may vote" not in shown


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


def test_the_computers_of_a_player_are_no_people_for_whom_it_votes():
    computers = [
        LobbySeat(f"C{place}", f"C{place}", computer=True, machine="JJJJ") for place in (1, 2)
    ]
    hand = gathered(seats=(SEATS[0], LobbySeat("Jon", "JJJJ"), *computers))
    assert "which could also vote" not in hand.text()


def test_matches_that_a_player_broke_off_while_behind_are_counted_at_the_table():
    guests = (LobbySeat("Jon", "JJJJ", broken_off=2), LobbySeat("Miren", "MMMM"))
    hand = gathered(seats=(SEATS[0], *guests))
    line = "Jon broke off 2 matches with you while behind, and has not come back to them."
    for text in (hand.text(), check_rows(hand.state, 60, 20)):
        assert line in " ".join(text.split())
        assert "Miren broke off" not in text


def test_words_are_compared_only_with_a_player_that_has_sat_down():
    hand = gathered(mine=(), held=True)
    assert "compare words" not in hand.text()
    assert hand.press("w").commands == []


def test_with_computers_alone_there_are_no_words_to_compare():
    hand = gathered(hosting=True, seats=(SEATS[0], LobbySeat("Computer 1", "CCCC", bot=True)))
    assert "compare words" not in hand.text()
    assert hand.press("w").commands == []


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


def test_getting_up():
    assert gathered().press("escape").commands == [Rise()]


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


@pytest.mark.parametrize("key", ["escape", "c-c"])
def test_the_question_about_a_table_follows_its_guests(key):
    guests = LobbySeat("Jon", "JJJJ"), LobbySeat("Miren", "MMMM")
    hand = gathered(hosting=True, held=True, seats=(SEATS[0], guests[0], None)).press(key)
    for guests_now, said in (
        (guests, "Already at your table: Jon and Miren."),
        ((None, None), "Nobody else is at your table now."),
    ):
        hand = hand.tell(filling(hosting=True, held=True, seats=(SEATS[0], *guests_now)))
        assert said in " ".join(hand.text().split())
    assert hand.commands == []


@pytest.mark.parametrize("size", SIZES)
def test_the_invite_fits_every_screen(size):
    invite = "SBM1-" + "-".join(["7K3M"] * 17)  # as long as one can be
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": invite})).press("i")
    assert invite in joined(pages.draw(hand.state, *size).text())
    assert invite in joined(check_rows(replace(hand.state, ascii=True), *size))
    assert invite in joined(check_rows(replace(hand.state, overlay=None), *size))


def test_the_sheet_of_the_invite_says_why_it_has_no_picture():
    invite = "SBM1-05ZG-0001-QB1P-FGZG-JJQA-82S3-MBMB-WEPD-20RG-EA7G"
    hand = gathered(hosting=True, held=True).tell(Notice("invite", {"invite": invite})).press("i")
    words = "The QR code needs 37 columns and 22 rows."
    assert joined(words) in joined(pages.draw(hand.state, 60, 20).text())
    assert joined(words) in joined(pages.draw(hand.state, 60, 21).text())
    assert "QR" not in pages.draw(hand.state, 60, 22).text()
    hand.state = replace(hand.state, ascii=True)
    assert "No QR code: this terminal shows ASCII only." in pages.draw(hand.state, 80, 24).text()


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


def test_the_code_of_an_invite_can_be_read():
    hand = gathered(hosting=True).tell(Notice("invite", {"invite": "SBM1-AAAA"})).press("i")
    rows = pages.draw(hand.state, 80, 40).text().splitlines()
    assert sum("█" in row for row in rows) > 10
