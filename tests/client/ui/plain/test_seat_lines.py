"""Lines about seats: their own words, and the count of matches broken off while behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Lobby, LobbySeat, Seated
from client.ui.model import Model
from client.ui.plain.lines import lines
from client.ui.update import update
from p2p.table.terms import vouch
from tests.ring import identities
from tests.screens.stage import terms_of

ANE = LobbySeat("Ane", "AAAA")


@pytest.mark.parametrize(
    ("player", "line"),
    [
        (LobbySeat("Jon", "JJJJ", computer=True), "p2: Jon, fingerprint JJJJ; computer"),
        (
            LobbySeat("Eva", "EEEE", machine="MMMM"),
            "p2: Eva, fingerprint EEEE; on the machine of MMMM",
        ),
        (LobbySeat("Eva", "EEEE", machine="AAAA"), "p2: Eva, fingerprint EEEE; on this machine"),
        (LobbySeat("Bo", "BBBB", computer=True, machine="MMMM"), "p2: Bo, computer of MMMM"),
        (
            LobbySeat("Jon", "JJJJ", broken_off=1),
            "Jon broke off 1 match with you while behind, and has not come back to it.",
        ),
    ],
)
def test_a_line_says_what_a_seat_is(player, line):
    lobby = Lobby("escoba", {}, (ANE, player), (0,), 120)
    assert line in lines(Model(), lobby, update(Model(), lobby)[0])


def test_a_machine_with_most_of_the_seats_is_told_once():
    visitors = (LobbySeat("Eva", "EEEE", machine="AAAA"), LobbySeat("Bo", "BBBB", machine="AAAA"))
    warning = "through the machine of Ane"
    some = Lobby("escoba", {}, (ANE, visitors[0], LobbySeat("Jon", "JJJJ"), None), (0,), 120)
    most = Lobby("escoba", {}, (ANE, visitors[0], LobbySeat("Jon", "JJJJ"), visitors[1]), (0,), 120)
    model = update(Model(), some)[0]
    assert warning not in " ".join(lines(Model(), some, model))
    after = update(model, most)[0]
    assert warning in " ".join(lines(model, most, after))
    assert warning not in " ".join(lines(after, most, update(after, most)[0]))


def test_a_seat_on_another_machine_is_told_once_more_when_the_match_begins():
    jon, ane = identities(2)
    terms = terms_of("escoba", 2, ("Jon", "Ane"), {})
    visitor = replace(terms.participants[1], machine=jon.public, voucher=vouch(jon, ane.public))
    seats = (terms.participants[0], visitor)
    lobby = Lobby("escoba", terms.options, tuple(map(LobbySeat.of, seats)), (0,), 120)
    filled = update(Model(), lobby)[0]
    begins = Seated(replace(terms, participants=seats), 0, "abc")
    told = lines(filled, begins, update(filled, begins)[0])
    assert "Ane plays on this machine, which could read these cards." in told
    assert sum("Ane" in line for line in told) == 1
    # a player that comes back has seen nobody sit down, and reads it with the seat
    anew = lines(Model(), begins, update(Model(), begins)[0])
    assert any(line.startswith("p2: Ane") and "on this machine" in line for line in anew)
