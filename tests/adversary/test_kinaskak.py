"""A table that lies in each claim of Kínaskák: the others name it at the moment the rules say, and
only it."""

from random import Random

import pytest

from crypto.masking import key_from_secret, make_shares
from engine.bots import kinaskak
from engine.core.cards import JOKER
from engine.core.moves import spell_move
from engine.games.kinaskak.rules import Discard, Lay, Meld, Say, Swap
from engine.games.kinaskak.search import ways
from p2p.table.faults import BadForm, BadProof, IllegalPlay
from tests.adversary.liar import Lie, must_name, ring_with
from tests.adversary.plays import false_share, hidden, moves, others_card

ASK, SEALED, OPEN = ("ask", 0), ("sealed", 1), ("open", 0)


def game(liar):
    return liar.run.game


def plays(condition, move):
    """Make another move than was chosen where the condition holds, with our shares of the cards it
    shows."""

    def pick(liar):
        if game(liar).phase != "play" or not condition(liar):
            return None
        return spell_move(move(liar))

    return moves(pick, lambda liar, said: sorted(slots_of(said) & set(hidden(liar))))


def slots_of(said):
    match said:
        case ["Meld", melds]:
            return {slot for _, cards in melds for slot, _ in cards}
        case ["Lay", cards, _]:
            return {slot for slot, _ in cards}
        case [_, slot, *_]:
            return {slot}


def always(liar):
    return True


def is_down(liar):
    return game(liar).down[liar.seat] and any(face != JOKER for face in hidden(liar).values())


def not_down(liar):
    return not game(liar).down[liar.seat]


def misfit(liar):
    """A natural card of ours and a meld that does not take it."""
    for slot, face in hidden(liar).items():
        for number, meld in enumerate(game(liar).melds, 1):
            if face != JOKER and not meld.takes(face):
                return slot, number
    return None


def a_card(liar):
    return next(iter(hidden(liar)))


def four_and_three(liar):
    """Seven cards of our hand that are no run and no set."""
    own = [(slot, "") for slot in game(liar).hands[liar.seat]]
    return Meld((("run", tuple(own[:4])), ("set", tuple(own[4:7]))))


def nothing_found(liar):
    faces = {**game(liar).faces, **hidden(liar)}
    own = [faces[slot] for slot in game(liar).hands[liar.seat]]
    return not_down(liar) and not ways(own, game(liar).contract)


def another_answer(liar, stage_key, head, body):
    """R12. The other word than was committed to."""
    other = {"buy": "no", "no": "buy"}[body["value"][1]]
    return {**body, "value": ["Say", other]}


def false_opening(liar, stage_key, head, body):
    """R23. Shares of our last cards made with a key that is not ours, so that they would be other
    cards."""
    here = liar.progress.here
    if game(liar).phase != "count":
        return None
    slots = sorted(hidden(liar))
    deck = here.masks._masked(slots[0])
    context = here.masks.context(deck.deck, head)
    ciphers = [deck.cipher(slot) for slot in slots]
    return {
        "shares": [
            list(
                make_shares(
                    here.group,
                    context,
                    key_from_secret(here.group, 5),
                    slots,
                    ciphers,
                    here.entropy,
                )
            )
        ]
    }


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
    "throws away another's card": (
        ASK,
        plays(always, lambda liar: Discard(others_card(liar))),
        (IllegalPlay,),
    ),
    "throws away a card of the stock": (
        ASK,
        plays(always, lambda liar: Discard(game(liar).stock[0])),
        (IllegalPlay,),
    ),
    "throws away the open card": (
        ASK,
        plays(lambda liar: game(liar).pile, lambda liar: Discard(game(liar).pile[-1])),
        (IllegalPlay,),
    ),
    "throws away what is not": (ASK, plays(always, lambda liar: Discard(10**15)), (IllegalPlay,)),
    "shows a false share of the card it throws away": (ASK, shown_falsely, (BadProof,)),
    "lays down what is no meld": (ASK, plays(nothing_found, four_and_three), (IllegalPlay,)),
    "lays down nothing": (ASK, plays(not_down, lambda liar: Meld(())), (IllegalPlay,)),
    "lays down heaps": (
        ASK,
        plays(not_down, lambda liar: Meld((("heap", ()), ("set", ())))),
        (IllegalPlay,),
    ),
    "lays off what does not fit": (
        ASK,
        plays(
            lambda liar: is_down(liar) and misfit(liar),
            lambda liar: Lay(((misfit(liar)[0], ""),), misfit(liar)[1]),
        ),
        (IllegalPlay,),
    ),
    "lays off a card as if it were a joker": (
        ASK,
        plays(
            lambda liar: is_down(liar) and misfit(liar),
            lambda liar: Lay(((misfit(liar)[0], "K"),), misfit(liar)[1]),
        ),
        (IllegalPlay,),
    ),
    "lays off before it is down": (
        ASK,
        plays(not_down, lambda liar: Lay(((a_card(liar), ""),), 1)),
        (IllegalPlay,),
    ),
    "takes a joker that is not there": (
        ASK,
        plays(lambda liar: is_down(liar) and misfit(liar), lambda liar: Swap(*misfit(liar))),
        (IllegalPlay,),
    ),
    "buys in its own turn": (ASK, plays(always, lambda liar: Say("buy")), (IllegalPlay,)),
    "declines when it has drawn": (ASK, plays(always, lambda liar: Say("decline")), (IllegalPlay,)),
    "reveals another answer than it committed to": (SEALED, another_answer, (BadProof,)),
    "reveals a word that is none": (
        SEALED,
        lambda liar, stage_key, head, body: {**body, "value": ["Say", "perhaps"]},
        (BadProof,),
    ),
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
