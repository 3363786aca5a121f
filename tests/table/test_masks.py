from dataclasses import replace

import pytest

from crypto.errors import InvalidProof
from p2p.table.faults import Desync
from p2p.wire import Malformed
from tests.ring import Ring
from tests.standin import seeded, standin_group

GROUP = standin_group()
HEAD = b"h" * 32


@pytest.fixture
def ring():
    """Three seats of Escoba, dealt to and four cards turned up."""
    ring = Ring("escoba", 3, group=GROUP, target=1)
    ring.settle()
    return ring


def own_slots(ring, seat):
    return [
        slot
        for slot in ring.tables[0].run.game.hands[seat]
        if slot not in ring.tables[0].run.game.faces
    ]


def test_shares_are_taken_whole_or_not_at_all(ring):
    giver, taker = (
        ring.tables[1].progress.here.masks,
        ring.tables[0].progress.here.masks,
    )
    slots = own_slots(ring, 1)
    body = giver.give(slots, HEAD, seeded("x"))
    for bad in (
        [],
        [*body, *body],
        [body[0][0]],
        [[body[0][0]]],
        [[*body[0], b""]],
        [[1, b""]],
        [{}],
        [7],
        [None],
    ):
        with pytest.raises(Malformed):
            taker.take(1, slots, HEAD, bad)
    for other_head, seat, these in (
        (b"i" * 32, 1, slots),
        (HEAD, 2, slots),
        (HEAD, 1, own_slots(ring, 2)),
    ):
        with pytest.raises(InvalidProof):
            taker.take(seat, these, other_head, body)
    assert all(1 not in taker.shares[slot] for slot in slots)
    taker.take(1, slots, HEAD, body)
    assert [taker.face(slot) for slot in slots] == [giver.own_face(slot) for slot in slots]


def test_a_claim_is_checked_against_our_own_board(ring):
    claimer, checker = (
        ring.tables[1].progress.here.masks,
        ring.tables[0].progress.here.masks,
    )
    slot, *_ = own_slots(ring, 1)
    face = claimer.own_face(slot)
    among = [face, *(card for card in ring.tables[0].run.game.pack if card != face)][:7]
    proof = claimer.claim(slot, face, among, HEAD, seeded("x"))
    checker.check_claim(1, slot, among, HEAD, proof)
    others = own_slots(ring, 1)[1]
    for seat, at, faces, head in (
        (1, slot, [*among[:-1], "12b"], HEAD),
        (1, others, among, HEAD),
        (1, slot, among, b"i" * 32),
        (2, own_slots(ring, 2)[0], among, HEAD),
    ):
        with pytest.raises(InvalidProof):
            checker.check_claim(seat, at, faces, head, proof)
    with pytest.raises(InvalidProof):
        checker.check_claim(1, slot, [], HEAD, proof)


def test_a_context_is_of_one_match_deck_and_head(ring):
    masks = ring.tables[0].progress.here.masks
    deck = masks.decks[1].deck
    other = Ring("escoba", 3, group=GROUP, target=2).tables[0].progress.here.masks
    contexts = {
        masks.context(deck, HEAD),
        masks.context(deck, b"i" * 32),
        other.context(deck, HEAD),
    }
    fewer = type(deck)(deck.number, deck.first, deck.cards, deck.seats[:2])
    next_one = type(deck)(deck.number + 1, deck.first, deck.cards, deck.seats)
    assert len({*contexts, masks.context(fewer, HEAD), masks.context(next_one, HEAD)}) == 5


def test_a_slot_without_a_card_of_the_pack_is_nobodys_fault(ring):
    masks = ring.tables[0].progress.here.masks
    (number, deck), *_ = masks.decks.items()
    masks.decks[number] = replace(deck, points={})
    with pytest.raises(Desync):
        masks.own_face(own_slots(ring, 0)[0])
