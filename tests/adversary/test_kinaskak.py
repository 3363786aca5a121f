"""A table that lies in each claim of Kínaskák: the others name it at the moment the rules say, and
only it."""

from random import Random

import pytest

from crypto.masking import key_from_secret, make_shares
from engine.bots import kinaskak
from p2p.table.faults import BadForm, BadProof
from tests.adversary.liar import Lie, must_name, ring_with
from tests.adversary.plays import false_share, hidden

ASK, SEALED, OPEN = ("ask", 0), ("sealed", 1), ("open", 0)


def game(liar):
    return liar.run.game


def another_answer(liar, stage_key, head, body):
    """R12. The other word than was committed to."""
    other = {"buy": "no", "no": "buy"}[body["value"][1]]
    return {**body, "value": ["Say", other]}


def false_opening(liar, stage_key, head, body):
    """R23. Shares of our last cards made with a key that is not ours, so that they would be other
    cards."""
    here, slots = liar.progress.here, sorted(hidden(liar))
    if game(liar).phase != "count":
        return None
    deck, key = here.masks.masked(slots[0]), key_from_secret(here.group, 5)
    context, ciphers = here.masks.context(deck.deck, head), [deck.cipher(slot) for slot in slots]
    made = make_shares(here.group, context, key, slots, ciphers, here.entropy)
    return {"shares": [list(made)]}


def opens_less(liar, stage_key, head, body):
    """R23. One card of our last is kept back: it would have cost points."""
    slots = sorted(hidden(liar))
    if game(liar).phase != "count" or len(slots) < 2:
        return None
    return {"shares": liar.progress.here.masks.give(slots[1:], head, liar.progress.here.entropy)}


def opens_nothing(liar, stage_key, head, body):
    return {"shares": []} if game(liar).phase == "count" else None


def shown_falsely(liar, stage_key, head, body):
    """R21. A share of the card thrown away that is not its own."""
    if body["move"][0] != "Discard":
        return None
    said = false_share(liar, stage_key, head, {**body, "move": ["Play", body["move"][1]]})
    return said and {**said, "move": body["move"]}


LIES = {
    "shows a false share of the card it throws away": (ASK, shown_falsely, (BadProof,)),
    "reveals another answer than it committed to": (SEALED, another_answer, (BadProof,)),
    "opens its last cards falsely": (OPEN, false_opening, (BadProof,)),
    "opens all but one of its last cards": (OPEN, opens_less, (BadProof,)),
    "opens none of its last cards": (OPEN, opens_nothing, (BadForm,)),
}


def tell(lie):
    """Play rounds until one gives occasion for the lie."""
    for number in range(12):
        random = Random(number)
        ring, liar = ring_with(lie, number, last_contract=1)
        ring.play(lambda view, random=random: kinaskak.play(view, random.randrange))
        if liar.told:
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


@pytest.mark.slow
@pytest.mark.parametrize("name", LIES)
def test_the_others_name_who_lies(name):
    at, said, faults = LIES[name]
    must_name(tell(Lie(name, at, said, faults, "kinaskak")), 1, faults)


@pytest.mark.slow
def test_R23_what_is_counted_cannot_be_kept_back():
    """The false opening comes at the very end of the round: the others' hands are counted, and then
    the liar has left (R26)."""
    at, said, faults = LIES["opens its last cards falsely"]
    ring = tell(Lie("opens falsely", at, said, faults, "kinaskak"))
    must_name(ring, 1, faults)
    game = ring.tables[0].run.game
    assert [points[1] for points in game.sheet] == [0]
    assert 1 not in game.winners
