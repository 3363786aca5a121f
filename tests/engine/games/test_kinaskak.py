"""The rules of docs/rules/kinaskak.md that the scenario files do not pin, and the events for
screens."""

from dataclasses import astuple
from random import Random

import pytest

from engine.bots import chance_for
from engine.core.cards import JOKER
from engine.core.moves import IllegalMove
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.requests import Ask, Open, Shuffle
from engine.core.run import Run
from engine.games import new_game
from engine.games.kinaskak import events
from engine.games.kinaskak.melds import PACK, RANKS, RUN, SET, SUITS, WORTH
from engine.games.kinaskak.moves import Discard, Lay, Meld, Say, Swap
from engine.scenario import do

# p1 holds 5h 6h 7h 8h 9c 9d 9s and more; the open card is the 2d.
HAND = ["5h", "6h", "7h", "8h", "9c", "9d", "9s", "*", "*", "Kc", "Kd", "Ks", "2s"]
OTHERS = [
    ["Ac", "3c", "4c", "5c", "6c", "7c", "8c", "Tc", "Jc", "Qc", "3d", "4d", "5d"],
    ["6d", "7d", "8d", "Td", "Jd", "Qd", "3h"],
]
OTHERS[1] += ["4h", "9h", "Th", "Jh", "Qh", "Kh"]


def deck(*hands, after=("2d",)):
    """Arrange a deck for these hands, p1's first, and then these cards."""
    return [*(card for row in zip(*hands, strict=True) for card in row), *after]


DECK = deck(HAND, *OTHERS, after=("2d", "3s", "4s", "5s", "6s"))


def opened(cards=DECK, players=3, **options):
    return OpenDeck(new_game("kinaskak", players, options), [cards])


def playing(cards=DECK, **options):
    """p1 has taken the open card."""
    play = opened(cards, **options)
    do(play, "p1 take")
    return play


def told(play, kind):
    return [astuple(event) for event in play.game.told if isinstance(event, kind)]


def refusal(play, action):
    before = play.run.fingerprint()
    with pytest.raises(IllegalMove) as refused:
        do(play, action)
    assert play.run.fingerprint() == before
    return refused.value.why


# The match.


# Buying.


def test_R11_who_may_buy_no_more_is_not_asked():
    play = opened(buys=0, overbuy="forbidden")
    do(play, "p1 decline")
    assert play.turn == (0,)  # nobody may buy: p1 has drawn
    play = opened(buys=1, overbuy="forbidden")
    for action in (
        "p1 decline",
        "p2 buy",
        "p3 no",
        "p1 discard 2s",
        "p2 decline",
        "p3 no",
        "p2 discard Ac",
        "p3 decline",
    ):
        do(play, action)
    assert play.turn == (0,)  # p2 threw the card away


def test_R11_the_window_needs_two_cards_to_draw():
    play = opened()
    game = play.game
    assert game.eligible(0) == [1, 2]
    game.stock = game.stock[:1]
    assert game.eligible(0) == []
    game.pile = [39, 40, 41]
    assert game.eligible(0) == [1, 2]
    game.contract = 8
    assert game.eligible(0) == []


def test_R10_who_finds_nothing_to_draw_takes():
    play = opened()
    play.game.stock = []
    assert list(play.options(0)) == [Say("take")]
    assert refusal(play, "p1 decline") == ("nothing-to-draw",)


def test_R13_a_card_seen_in_a_dispute_is_known_when_it_is_drawn():
    play = opened(deck(HAND, *OTHERS, after=("2d", "3s", "4s", "5s", "6s", "7s")))
    game = play.game
    game.stock = game.stock[:5]
    for action in ("p1 decline", "p2 buy", "p3 buy"):
        do(play, action)
    assert (play.hand(2)[-2:], play.hand(0)[-1]) == (["2d", "5s"], "6s")
    # behind the second of three
    assert [play.faces[slot] for slot in game.stock] == ["3s", "4s", "7s"]
    for action in ("p1 discard 2s", "p2 decline", "p3 no"):
        do(play, action)
    assert told(play, events.KnownDraw) == [(1, "3s")]
    assert game.faces[game.hands[1][-1]] == "3s"


# Play.


def test_R18_runs_of_one_suit():
    hand = ["Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9c", "9d", "9s", "Kc", "Kd"]
    play = playing(
        deck(
            hand,
            OTHERS[0],
            ["6d", "7d", "8d", "Td", "Jd", "Qd", "3s", "4s", "9h", "Th", "Jh", "Qh", "Kh"],
        ),
        first_contract=3,
    )
    assert refusal(play, "p1 meld run Ah 2h 3h 4h run 5h 6h 7h 8h") == ("same-suit",)


def test_R19_the_limit_of_jokers_holds_when_laying_off():
    play = playing(max_jokers=1)
    do(play, "p1 meld run 5h 6h 7h 8h set Kc Kd Ks")
    assert told(play, events.LaidDown) == [(0,)]
    assert refusal(play, "p1 lay *9h *Th on m1") == ("too-many-jokers", 1)
    do(play, "p1 lay *9h on m1")


def test_R20_a_joker_taken_is_known_to_be_in_the_hand():
    play = playing(deck(["5h", "6h", "*", "8h", "7h", *HAND[4:7], *HAND[9:], "4s"], *OTHERS))
    do(play, "p1 meld run 5h 6h *7h 8h set Kc Kd Ks")
    do(play, "p1 swap 7h in m1")
    game = play.game
    assert [game.faces.get(slot) for slot in game.hands[0]].count(JOKER) == 1
    assert game.table()[:4] == ["5h", "6h", "7h", "8h"]


def test_why_a_move_is_refused_that_no_notation_can_name():
    play = playing()
    game, hand = play.game, play.known(0)
    for move, why in [
        (Discard(10**9), ("not-in-hand",)),
        (Discard(1), ("not-in-hand",)),
        (Discard(39), None),
        (Meld(()), ("not-the-contract", 1, 1)),
        (Meld(((RUN, ()), (SET, ()))), ("short-run",)),
        (Meld((("heap", ((0, ""),)), (SET, ()))), ("not-the-contract", 1, 1)),
        (Say("sing"), ("not-allowed-now",)),
        (Lay((), 1), ("not-down",)),
    ]:
        assert (move in game.plays(0, hand)) == (why is None)
        if why:
            assert game.why_not(0, move, hand) == why
    do(play, "p1 meld run 5h 6h 7h 8h set Kc Kd Ks")
    assert game.why_not(0, Lay((), 1), play.known(0)) == ("not-in-hand",)
    assert game.why_not(0, Lay(((12, ""),), 0), play.known(0)) == ("no-meld", "m0")
    assert game.why_not(0, Swap(12, -1), play.known(0)) == ("no-meld", "m-1")


@pytest.mark.slow
def test_listing_and_judging_agree():
    """Every listed move is legal; of cards and melds taken one by one everything legal is
    listed."""
    random = Random(8)
    tried = 0
    for seed in range(8):
        play = OpenDeck(
            new_game("kinaskak", 3, {"last_contract": 1}), shuffled(Random(seed).randrange)
        )
        while play.turn:
            seat, game = play.turn[0], play.game
            if game.phase == "play":
                plays = game.plays(seat, play.known(seat))
                listed = set(plays)
                every = single_moves(play, seat)
                assert {move for move in every if move in plays} == {
                    move for move in listed if not isinstance(move, Meld)
                }
                tried += len(every)
            play.act(seat, chance_for("kinaskak")(play.view(seat), random.randrange))
    assert tried > 5000


def single_moves(play, seat):
    """Every discard, swap and laying off of one card, with the slots that the notation finds."""
    game, known = play.game, play.known(seat)
    faces = sorted(set(play.hand(seat)))
    texts = [f"discard {face}" for face in faces]
    for number in range(1, len(game.melds) + 2):
        texts += [f"swap {face} in m{number}" for face in faces]
        named = [face for face in faces if face != JOKER]
        if JOKER in faces:
            named += [JOKER + rank + suit for rank in RANKS for suit in ("", *SUITS)]
        texts += [f"lay {face} on m{number}" for face in named]
    return [game.read(text, seat, known) for text in texts]


# The end.


def going_out(players=3, **options):
    """p1 goes out with its first turn; return the run stopped at the opening of the others' hands,
    and all faces."""
    hand = ["5h", "6h", "7h", "8h", "9h", "Th", "Jh", "Kc", "Kd", "Ks", "Kh", "Kc", "Kd"]
    rest = list(PACK)
    for card in [*hand, "2s"]:
        rest.remove(card)
    hands = [rest[13 * seat : 13 * seat + 13] for seat in range(players - 1)]
    truth = OpenDeck(new_game("kinaskak", players, options), [deck(hand, *hands, after=("2s",))])
    run = Run(new_game("kinaskak", players, options))
    while not (isinstance(run.request, Open) and run.game.phase == "count"):
        match run.request:
            case Ask(seats, options_of):
                texts = {"offers": "take", "plays": "discard 2s" if run.game.down[0] else ""}
                text = (
                    texts[options_of.__name__]
                    or "meld run 5h 6h 7h 8h 9h Th Jh set Kc Kd Ks Kh Kc Kd"
                )
                faces = {slot: truth.faces[slot] for slot in run.game.hands[0]}
                move = run.game.read(text, 0, run.hand(0, faces))
                run.choose(seats[0], move, {slot: faces[slot] for slot in move.shows})
                run.conclude()
            case Open(slots):
                run.opened({slot: truth.faces[slot] for slot in slots})
            case Shuffle():
                run.answer()
            case _:
                run.answer(0)
    return run, truth.faces


def test_R23_who_leaves_when_hands_are_counted_is_too_late_to_break_it_off():
    run, faces = going_out(last_contract=2)
    assert set(run.request.slots) == {*run.game.hands[1], *run.game.hands[2]}
    run.leave([2])
    assert set(run.request.slots) == set(run.game.hands[1])
    run.opened({slot: faces[slot] for slot in run.request.slots})
    game = run.game
    counted = sum(WORTH[faces[slot]] for slot in game.hands[1])
    assert (run.over, game.score, game.winners, game.round) == (True, [0, counted, 0], (0,), 1)
    assert game.sheet == [[0, counted, 0]]


def test_the_next_pack_is_certain_while_the_stock_lasts():
    play = opened()
    assert play.game.next_pack() == (PACK, (0, 1, 2))
    play.game.stock = play.game.stock[:6]
    assert play.game.next_pack() is None
    assert opened(last_contract=1).game.next_pack() is None
