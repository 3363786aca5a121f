"""Guests that take seats and do not sign the terms: a table starts all the same, as soon as enough
honest players are there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import msgpack
import pytest

from crypto.identity import Identity
from p2p.table.admission import (
    FIRST_WAIT_MS,
    LONGEST_ORIGIN_WAIT_MS,
    LONGEST_WAIT_MS,
    MOST_REMEMBERED,
    Failures,
    Newcomer,
    Visit,
)
from p2p.table.host import MOST_SITS, Host
from p2p.table.lobby import Agreement, SeatRequest, TableRefused, sit_message
from p2p.table.terms import Participant
from tests.table.lobbies import draft, seat_request, wired

ANSWER_MS = 5_000
"""After so long a host frees the seat of a guest that has not signed."""
STEP_MS = 250


class Player:
    """A peer that wants a seat. An honest one signs what is proposed, and sits down anew when it
    has to."""

    def __init__(self, number: int, *, honest: bool = False, origin: str = "192.0.2.9") -> None:
        self.seat_request = SeatRequest(
            Identity.from_seed(number.to_bytes(32, "big")),
            f"nick{number}",
            Random(number).randbytes,
        )
        self.further: list[SeatRequest] = []
        self.id = self.seat_request.identity.id
        self.honest, self.origin = honest, origin

    @property
    def seat_requests(self) -> list[SeatRequest]:
        return [self.seat_request, *self.further]


class Table:
    """A host, the guests that it has heard of, and a clock that a test sets."""

    def __init__(self, seats: int) -> None:
        self.host = Host(draft(seats), [seat_request(0)])
        self.now = 1_000_000
        self.agreement: Agreement | None = None
        self.players: dict[bytes, Player] = {}

    @property
    def started(self) -> bool:
        return self.agreement is not None and self.agreement.complete

    def sits(self, player: Player) -> bool:
        return player.id in self.host.guests

    def asks(self, player: Player) -> str:
        """Let a peer ask for a seat; return why it gets none."""
        if self.started:
            return "playing"
        self.players[player.id] = player
        newcomer = Newcomer(player.id, player.origin, 4000, player.origin, (b"o" * 16, b"t" * 16))
        visit = Visit("mine", self.host.seat_requests[0].identity.id, player.id, *newcomer.nonces)
        try:
            if (
                self.host.sit(
                    newcomer, wired(sit_message(player.seat_requests, b"", visit)), self.now
                )
                is not None
            ):
                self.agreement = None
        except TableRefused as refused:
            return refused.id
        return ""

    def stands(self, player: Player) -> None:
        if self.host.stand_up(player.id, self.now):
            self.agreement = None

    def passes(self, time: int = STEP_MS) -> None:
        """Let time pass: a full table is proposed, and honest guests sign it; a guest that keeps
        the table waiting loses its seat."""
        for _ in range(time // STEP_MS):
            self.now += STEP_MS
            if not self.started and self.host.free_late(self.now, ANSWER_MS):
                self.agreement = None
            for player in [self.players[peer] for peer in self.host.guests]:
                if player.honest and not self.agreement:
                    self.asks(player)
            if self.host.full and not self.agreement:
                self.propose()

    def propose(self) -> None:
        self.agreement = Agreement(self.host.propose(self.now), self.host.seat_requests)
        places = self.agreement.terms.participants
        for seat, place in enumerate(places):
            player = next(
                (
                    self.players[peer]
                    for peer in self.host.guests
                    if self.players[peer].seat_request.identity.public == place.public
                ),
                None,
            )
            if player is not None and player.honest:
                signature = self.agreement.terms.sign(player.seat_request.identity)
                self.agreement.receive(
                    {
                        "t": "sign",
                        "match": self.agreement.match,
                        "seat": seat,
                        "signature": signature,
                    }
                )
                self.host.note_signed(place.public)
                player.seat_request.nonce = b""


def renewed(player: Player) -> Player:
    """Return the same liar with a new key."""
    return Player(int(player.seat_request.nick[4:]) + 100, origin=player.origin)


def never_signs(table: Table, liar: Player) -> None:
    """Sit, and do nothing."""


def goes_again(table: Table, liar: Player) -> None:
    """Go as soon as terms are proposed."""
    if table.agreement is not None:
        table.stands(liar)


def sits_otherwise(table: Table, liar: Player) -> None:
    """Ask for a seat with another nonce as soon as terms are proposed."""
    if table.agreement is not None and table.sits(liar):
        liar.seat_request.nonce = b""
        table.asks(liar)


WAYS = pytest.mark.parametrize("attack", [never_signs, goes_again, sits_otherwise])


@WAYS
@pytest.mark.parametrize("new_keys", [False, True], ids=["two keys", "new keys"])
@pytest.mark.parametrize("comes", [250, 3_000, 7_500, 30_000, 99_750])
def test_two_that_sit_in_turn_and_never_sign_keep_no_table_from_starting(
    attack: Callable, comes: int, new_keys: bool
):
    """They ask four times a second, before everybody else; an honest player comes once a second,
    from somewhere else."""
    table = Table(3)
    first, last = (
        Player(1, honest=True, origin="192.0.2.1"),
        Player(2, honest=True, origin="192.0.2.2"),
    )
    liars = [Player(10, origin="192.0.2.8"), Player(11, origin="192.0.2.9")]
    begun = table.now
    assert table.asks(first) == ""
    while not table.started and table.now - begun < comes + 60_000:
        for at in range(2):
            attack(table, liars[at])
            if not table.sits(liars[at]):
                liars[at] = renewed(liars[at]) if new_keys else liars[at]
                table.asks(liars[at])
        waited = table.now - begun - comes
        if waited >= 0 and waited % 1_000 == 0 and not table.sits(last):
            table.asks(last)
        table.passes()
        assert table.sits(first), "it has signed whatever was proposed"
    assert table.started
    turns = 4 if new_keys else 2  # of each place one failure does not count against its new keys
    assert table.now - begun - comes <= turns * ANSWER_MS + 2_000
    assert {place.nick for place in table.agreement.terms.participants} == {
        "nick0",
        "nick1",
        "nick2",
    }


def test_a_guest_that_does_not_sign_waits_longer_each_time():
    table, liar, seated = Table(2), Player(10), []
    while table.now < 5_000_000:
        if not table.sits(liar) and table.asks(liar) == "":
            seated.append(table.now)
        table.passes(1_000)
    waits = [later - sooner - ANSWER_MS for sooner, later in pairwise(seated)]
    assert [wait // 10_000 for wait in waits][:9] == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert (FIRST_WAIT_MS, LONGEST_WAIT_MS) == (10_000, 600_000)


def test_a_new_key_waits_for_failures_of_others_at_its_address_and_nobody_elsewhere_does():
    table, liar, seated = Table(2), Player(10, origin="192.0.2.9"), []
    while table.now < 1_400_000:
        if not table.sits(liar):
            liar = renewed(liar)
            if table.asks(liar) == "":
                seated.append(table.now)
        table.passes()
    waits = [later - sooner - ANSWER_MS for sooner, later in pairwise(seated)]
    assert [wait // 10_000 for wait in waits][:7] == [0, 1, 2, 4, 6, 6, 6]
    assert table.asks(Player(1, honest=True, origin="192.0.2.1")) == ""
    assert LONGEST_ORIGIN_WAIT_MS == 60_000


def test_one_that_fails_costs_its_neighbours_nothing():
    table, liar, neighbour = Table(2), Player(10), Player(1, honest=True)
    table.asks(liar)
    table.passes(ANSWER_MS + 1_000)
    assert not table.sits(liar)
    assert table.asks(liar) == "too-soon"
    assert table.asks(neighbour) == ""
    table.passes()
    assert table.started


def failed_before(table: Table, number: int = 10, times: int = 1) -> Player:
    """Return a liar that sits again after its wait, at a table that it fills."""
    liar = Player(number, origin=f"192.0.2.{number}")
    for _ in range(times):
        assert table.asks(liar) == ""
        table.passes(ANSWER_MS + 2 * STEP_MS)
        assert table.asks(liar) == "too-soon"
        table.now += LONGEST_WAIT_MS
    assert table.asks(liar) == ""
    return liar


def test_a_guest_that_has_failed_gives_way_to_one_that_has_not():
    table = Table(3)
    table.asks(Player(2, honest=True, origin="192.0.2.2"))
    liar, honest = failed_before(table), Player(1, honest=True, origin="192.0.2.1")
    assert table.asks(honest) == ""
    assert not table.sits(liar)
    table.passes()
    assert table.started


def test_a_guest_that_has_signed_the_last_proposal_gives_way_to_nobody():
    table, first = Table(3), Player(2, honest=True, origin="192.0.2.2")
    table.asks(first)
    liar, late = failed_before(table), Player(11, origin="192.0.2.3")
    table.host.unseat(first.id, table.now)
    liar.honest = True
    table.asks(late)
    table.passes()
    assert table.agreement is not None, "it waits for the other guest alone"
    honest = Player(1, honest=True, origin="192.0.2.1")
    assert table.asks(honest) == "full"
    table.host.unseat(late.id, table.now)
    table.agreement, liar.honest = None, False
    table.passes()
    assert table.asks(late) == table.asks(liar) == ""
    table.propose()
    assert table.asks(honest) == "", "an earlier signature does not count"
    assert not table.sits(liar)


def test_a_guest_that_does_not_sit_down_anew_loses_its_seat():
    """Until it has, no terms can be proposed."""
    table = Table(4)
    honest, lazy, goes = (
        Player(1, honest=True, origin="192.0.2.1"),
        Player(10, origin="192.0.2.8"),
        Player(11, origin="192.0.2.9"),
    )
    for player in (honest, lazy, goes):
        table.asks(player)
    table.passes()
    table.passes(ANSWER_MS - 2_000)
    assert table.agreement is not None
    table.stands(goes)
    table.passes(ANSWER_MS - STEP_MS)
    assert table.sits(lazy)
    assert not table.host.full
    table.passes(2 * STEP_MS)
    assert table.host.guests.keys() == {honest.id}
    assert table.asks(lazy) == "too-soon"


def test_a_proposal_stands_while_a_guest_says_the_same_again():
    table, guest = Table(2), Player(10)
    table.asks(guest)
    table.passes()
    proposed = table.agreement
    assert table.asks(guest) == ""
    assert table.agreement is proposed is not None
    guest.seat_request.nonce = b""
    assert table.asks(guest) == "already-seated"
    assert table.agreement is proposed


# The bytes of a proof, as the document has them.


def test_a_proof_is_what_the_document_says():
    identity = Identity.from_seed(b"1" * 32)
    place = Participant(identity.public, "Ane", b"n" * 16)
    proof = Visit("goiz", b"h" * 32, b"g" * 32, b"H" * 16, b"G" * 16).sign(identity, place)
    claim = [
        "goiz",
        b"h" * 32,
        b"g" * 32,
        b"H" * 16,
        b"G" * 16,
        [identity.public, "Ane", b"n" * 16, "person", b"", b""],
    ]
    assert proof == identity.sign("sobremesa/3 sit", msgpack.packb(claim, use_bin_type=True))


def test_strangers_that_come_and_go_do_not_use_up_the_turns_of_a_guest() -> None:
    """Each of them comes from another address and under another key, fills the table, and goes
    before it has signed: then the guest has to sit down anew, as often as they like."""
    table = Table(3)
    ane = Player(1, honest=True)
    assert table.asks(ane) == ""
    for number in range(MOST_SITS + 5):
        stranger = Player(1000 + number, origin=f"192.0.{number}.7")
        assert table.asks(stranger) == ""
        table.passes(STEP_MS)
        assert not table.started
        table.stands(stranger)
        assert table.asks(ane) == "", number
    assert table.asks(Player(2, honest=True)) == ""
    table.passes()
    assert table.started


def test_only_so_many_failures_are_remembered_and_the_oldest_is_forgotten():
    failures = Failures()
    for number in range(MOST_REMEMBERED + 1):
        failures.note([number.to_bytes(32, "big")], str(number), 0)
    assert [
        failures.count([number.to_bytes(32, "big")], "x") for number in (0, 1, MOST_REMEMBERED)
    ] == [0, 1, 1]
    for _ in range(2):
        failures.note([b"k"], "0", 0)
    assert failures.count([b"other"], "0") == 1, "the first failure there is forgotten"
