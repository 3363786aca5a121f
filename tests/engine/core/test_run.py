from random import Random

import pytest

from engine.core.game import copy_of
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.requests import Ask, Open
from engine.core.run import ProvenLie
from engine.games import new_game
from engine.games.escoba.rules import Play
from tests.engine.blind import Blind
from tests.engine.tiny_game import Bid, Say, Tiny

# p1 holds 1o 3e 3c and p2 1c 2c 2e; on the table lie 12o 12e 12c 12b: only a 5 can take.
QUIET = ["1o", "1c", "3e", "2c", "3c", "2e", "12o", "12e", "12c", "12b"]
# p1 holds 5o 3e 3c, and the 5 can take; p2 1c 7e 6e.
TEMPTING = ["5o", "1c", "3e", "7e", "3c", "6e", "12o", "12e", "12c", "12b"]


def escoba(deck):
    truth = OpenDeck(new_game("escoba", 2), [deck])
    return truth, Blind(new_game("escoba", 2), truth, 0)


def slot(truth, face):
    return next(slot for slot, found in truth.faces.items() if found == face)


def test_a_lay_that_was_a_lie_is_found_at_the_opening_that_shows_it():
    truth, blind = escoba(TEMPTING)
    blind.act(0, Play(slot(truth, "3e")))  # with the 5 in hand
    blind.act(1, Play(slot(truth, "1c")))
    blind.act(0, Play(slot(truth, "3c")))  # still hidden
    blind.act(1, Play(slot(truth, "7e")))
    before = blind.run.fingerprint()
    with pytest.raises(ProvenLie) as lie:
        blind.act(0, Play(slot(truth, "5o"), (slot(truth, "12o"),)))
    assert lie.value.seat == 0
    assert lie.value.move == Play(slot(truth, "3e"))
    assert lie.value.why == ("must-take", "5o")
    assert blind.run.fingerprint() == before


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("name", "players"), [("escoba", 2), ("escoba", 4), ("tiny", 3)])
def test_the_audit_accuses_nobody_honest(name, players, seed):
    random = Random(seed)

    def game():
        return (
            Tiny(players, {"deals": 3})
            if name == "tiny"
            else new_game(name, players, {"target": 5})
        )

    truth = OpenDeck(game(), shuffled(random.randrange), first=1)
    while truth.turn:
        seat = random.choice(truth.turn)
        truth.act(seat, random.choice(list(truth.options(seat))))
    blind = Blind(game(), truth, first=1)
    for seat, move in truth.answers:
        blind.act(seat, move)
    assert blind.run.over
    assert blind.run.fingerprint() == truth.run.fingerprint()


def test_an_opening_convicts_too():
    """T8 opens all hands: a seat that passed over a playable card in T6 is found then."""
    # p1 1o 2o, p2 5o 6o; up: 1c 2c, so p2 could play
    decks = [["1o", "5o", "2o", "6o", "1c", "2c"]]
    truth = OpenDeck(Tiny(2, {"deals": 1}), decks)
    blind = Blind(Tiny(2, {"deals": 1}), truth, 0)
    for seat, move in ((0, Bid(0)), (1, Bid(0)), (1, Say("pass")), (0, Say("pass"))):
        truth.act(seat, move)
        blind.act(seat, move)
    assert blind.run.turn == (1,)
    blind.choose(1, Say("pass"))  # the lie
    blind.run.conclude()
    while not isinstance(blind.run.request, Open):
        if isinstance(blind.run.request, Ask):
            blind.choose(1, Say("deny"))
            blind.run.conclude()
        else:
            blind.run.answer()
    faces = {0: "1o", 1: "5o", 2: "2o", 3: "6o"}
    blind.run.opened({slot: faces.get(slot, "3o") for slot in blind.run.request.slots})  # p1's hand
    with pytest.raises(ProvenLie) as lie:
        blind.run.opened({slot: faces.get(slot, "3o") for slot in blind.run.request.slots})
    assert (lie.value.seat, lie.value.move) == (1, Say("pass"))


def test_the_knowledge_of_a_seat():
    truth, blind = escoba(QUIET)
    mine = {slot: face for slot, face in truth.faces.items() if truth.game.holder.get(slot) == 0}
    assert (
        sorted(blind.run.hand(0, truth.faces).values())
        == sorted(mine.values())
        == ["1o", "3c", "3e"]
    )
    assert blind.run.hand(0, {}) == {}
    blind.act(0, Play(slot(truth, "3e")))
    assert blind.run.hand(0, {}) == {slot(truth, "3e"): "3e"}  # played cards stay


def test_a_copy_shares_nothing_that_can_change():
    truth, _ = escoba(QUIET)
    twin = copy_of(truth.game)
    assert vars(twin) == vars(truth.game)
    for name, value in vars(twin).items():
        if isinstance(value, list | dict):
            assert value is not getattr(truth.game, name), name
    assert twin.hands[0] is not truth.game.hands[0]
    truth.game.lacks = [set()]
    with pytest.raises(TypeError, match="may not hold a set"):
        copy_of(truth.game)
