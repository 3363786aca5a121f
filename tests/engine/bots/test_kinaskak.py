"""The computer player of Kínaskák: better than chance, quick, and never silly."""

from random import Random

import pytest

from engine.bots import kinaskak
from engine.core.cards import JOKER
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.kinaskak.melds import PLACES, RUN, SET, WORTH, Laid
from engine.games.kinaskak.moves import Discard, Meld, Say
from engine.games.kinaskak.search import distance
from engine.scenario import do
from tests.engine.games.test_kinaskak import HAND, OTHERS, deck, opened
from tests.sample import sample

EVERYBODY = [pytest.param(one, id=one.name) for one in kinaskak.CHARACTERS]


def played(bots, seed, look=None, **options):
    """Play a match; `look` is shown every position and move of the players that are not by
    chance."""
    random = Random(seed)
    play = OpenDeck(
        new_game("kinaskak", len(bots), options), shuffled(random.randrange), first=seed % len(bots)
    )
    moves = 0
    while play.turn:
        seat = play.turn[0]
        move = bots[seat](play.view(seat), random.randrange)
        if look and bots[seat] is kinaskak.play:
            look(play, seat, move)
        play.act(seat, move)
        moves += 1
        assert moves < 6000, "a match goes on"
    return play


@pytest.mark.parametrize("players", sample([4, 3, 5, 6], 1))
def test_it_plays_all_eight_contracts_and_is_never_silly(players):
    played([kinaskak.play] * players, players, look=not_silly)


def test_a_round_is_expected_to_cost_at_most_the_cards_in_hand():
    """Ratings are in points of the game, for a seat that is not down too."""

    def look(play, seat, move):
        best = kinaskak.rate(play.view(seat), lambda n: 0).moves[0]
        if not play.game.down[seat]:
            assert -best.value <= sum(WORTH[face] for face in play.hand(seat))

    played([kinaskak.play] * 3, 3, look=look)


def not_silly(play, seat, move):
    """Require that a move is no obvious mistake."""
    game = play.game
    hand = play.hand(seat)
    down, limit = game.down[seat], game.options["max_jokers"]
    open_card = game.faces[game.pile[-1]] if game.pile else ""
    match move:
        case Say("buy"):
            assert not down, "buys though it is down"
            assert game.purchases[seat] < game.options["buys"], "pays 200 points"
            lacking = distance([*hand, open_card], game.contract, limit).cards
            nearly_out = any(
                game.down[other] and len(game.hands[other]) == 1 for other in game.seats
            )
            assert not nearly_out or lacking < 2, "buys though it will be too late"
        case Say("decline"):
            assert down or open_card != JOKER, "leaves a joker lying"
            near = [
                distance(cards, game.contract, limit).cards for cards in (hand, [*hand, open_card])
            ]
            assert down or not near[0] or near[1], (
                "leaves the card lying that completes its contract"
            )
        case Say("take") if game.can_draw() and down:
            ways = [
                meld.takes(open_card) or meld.joker_for(open_card) is not None
                for meld in game.melds
            ]
            assert any(ways) or open_card == JOKER, "takes what it cannot lay"
        case Say("take") if game.can_draw() and distance(hand, game.contract, limit).cards:
            nearer = (
                distance([*hand, open_card], game.contract, limit).cards
                < distance(hand, game.contract, limit).cards
            )
            assert nearer or open_card == JOKER, "takes what it does not need"
        case Discard(card):
            face = play.faces[card]
            others = [other for other in play.options(seat) if not isinstance(other, Discard)]
            assert not any(isinstance(other, Meld) for other in others), (
                "does not lay down though it can"
            )
            if down and game.may_lay_off(seat):
                kept = {(type(other).__name__) for other in others} - {"Swap"}
                assert not kept, "throws away though it can lay off"
            assert face != JOKER or len(hand) == 1, "throws a joker away"
            taken = not down and game.hands[seat][-1] in game.faces
            assert not (taken and card == game.hands[seat][-1]) or len(set(hand)) == 1, (
                "throws away what it has just taken"
            )


def test_nobody_throws_away_the_twin_of_a_card_that_it_has_just_got_and_all_lay_down():
    random, got, down = Random(2), {}, set()
    play = OpenDeck(new_game("kinaskak", 3), shuffled(random.randrange))
    while play.turn:
        seat, game = play.turn[0], play.game
        move = kinaskak.CHARACTERS[seat].play(play.view(seat), random.randrange)
        match move:
            case Say("buy" | "take"):
                got[seat, game.round] = game.faces[game.pile[-1]]
            case Meld():
                down.add(seat)
            case Discard(card):  # a seat that is down gets rid of its dearest card
                same = play.faces[card] == got.pop((seat, game.round), "")
                assert not same or game.down[seat]
        play.act(seat, move)
    assert down == {0, 1, 2}


@pytest.mark.parametrize("character", EVERYBODY)
def test_nobody_gives_a_card_that_frees_a_joker_to_a_seat_that_is_down(character):
    hand = ["5h", "6h", "7h", "9c", "9d", "2s", "4d", "2c", "Qd", "3c", "Jc", "8s", "Kc"]
    play = opened(deck(hand, *OTHERS, after=("2d", "6s")))
    for action in ("p1 decline", "p2 no", "p3 no"):
        do(play, action)
    game = play.game
    game.down[1], game.hands[1] = True, game.hands[1][:2]

    def thrown():
        return {
            play.faces[character.play(play.view(0), lambda n, at=at: at % n).card]
            for at in range(6)
        }

    assert "Qd" in thrown()
    game.melds = [Laid(1, RUN, "d", PLACES.index("T"), ((0, ""), (0, ""), (0, "Qd"), (0, "")))]
    assert thrown() <= {"Jc", "Kc"}


@pytest.mark.parametrize("character", EVERYBODY)
@pytest.mark.parametrize(
    ("contract", "hand", "open_card"),
    [
        (4, "4s 4d 7c * Ah * 8h Js 7c Qh * As Jc", "Qs"),
        (1, "Jh Th Ah Qd 7s Jc 8d Qc Ad 5h 9d Td Jd", "Qd"),
        (6, "2s * 5h Kh * 2h 2c Qh Tc 2d Jc 4s Ks", "Qc"),
        (5, "8s * 7s 9c 7s Jc 8c 9s 3c 6d 7h 3h *", "7s"),
    ],
)
def test_everybody_takes_the_card_that_completes_the_contract(character, contract, hand, open_card):
    play = opened(deck(hand.split(), *OTHERS, after=(open_card,)), first_contract=contract)
    assert play.game.write(character.play(play.view(0), lambda n: 0), play.faces) == "take"


@pytest.mark.parametrize("character", EVERYBODY)
def test_everybody_goes_out_with_two_cards_of_which_one_fits_any_meld(character):
    play = opened(deck(["3h", "7s", *HAND[:11]], *OTHERS))
    do(play, "p1 take")
    game = play.game
    game.down[:2] = [True, True]
    game.hands[0] = game.hands[0][:2]
    game.melds = [Laid(1, SET, "3", 0, ((0, ""), (0, ""), (0, "")))]
    assert play.game.write(character.play(play.view(0), lambda n: 0), play.faces) == "lay 3h on m1"


def test_a_card_that_can_be_laid_at_the_next_turn_too_is_not_charged_in_full():
    """To throw a card away and not to lay twos costs them only if the round ends before."""
    play = opened(deck(["2h", "2s", "2c", "Kc", "4h", *HAND[:8]], *OTHERS))
    do(play, "p1 take")
    game = play.game
    game.down[:2], game.hands[0], game.hands[1] = [True, True], game.hands[0][:5], game.hands[1][:4]
    game.melds = [Laid(1, SET, "2", 0, ((0, ""), (0, ""), (0, "")))]
    value = {
        game.write(one.move, play.faces): one.value
        for one in kinaskak.rate(play.view(0), lambda n: 0).moves
    }
    lost = value["lay 2h on m1"] - value["discard Kc"]
    assert 0 < lost < 3 * WORTH["2h"] / 2
