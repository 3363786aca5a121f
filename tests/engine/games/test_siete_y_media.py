"""The rules of docs/rules/siete-y-media.md that the scenario files do not pin, and the events for
screens."""

from dataclasses import astuple
from random import Random

import pytest

from engine.core.cards import SPANISH_40
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.options import BadOption
from engine.core.requests import Deal, Open, Prove, Shuffle
from engine.core.run import Run
from engine.games import new_game
from engine.games.siete_y_media import events
from engine.games.siete_y_media.moves import Bet, HitDown, HitUp, Stand, TurnUp
from engine.games.siete_y_media.rules import WORTH
from engine.scenario import do


def opened(deck=(), players=2, first=0, **options):
    return OpenDeck(new_game("siete-y-media", players, options), [deck], first)


def after(actions, deck, players=2, **options):
    play = opened(deck, players, **options)
    for action in actions:
        do(play, action)
    return play


def told(game, kind):
    return [astuple(event) for event in game.told if isinstance(event, kind)]


class Masked:
    """A run that is answered by hand, with the deck as it lies: the requests to the table are
    seen."""

    def __init__(self, deck, players=2, first=0, **options):
        self.run = Run(new_game("siete-y-media", players, options))
        self.faces = dict(enumerate(deck))
        self.run.answer(first)
        self.run.answer()  # the shuffle
        self.run.answer()  # the deal

    def does(self, seat, move):
        self.run.choose(seat, move, self.faces)
        self.run.conclude()
        return self.run.request

    def opens(self):
        self.run.opened({slot: self.faces[slot] for slot in self.run.request.slots})
        return self.run.request

    def says(self, seat):
        assert self.run.request.auto
        return self.does(seat, next(self.run.options(seat, self.faces)))


def test_R6_the_cap_below_the_least_bet_is_the_only_bet():
    play = opened(["5o"], min_bet=3)
    play.game.score = [2, 50]
    assert list(play.game.bets(1, {})) == [Bet(2)]
    play.game.score = [50, 7]
    assert list(play.game.bets(1, {})) == [Bet(chips) for chips in range(3, 8)]


@pytest.mark.parametrize(("shown", "most", "cards"), [("4o", 6, 24), ("10o", 13, 36)])
def test_A1_up_the_hidden_card_is_proven_to_keep_the_total_below(shown, most, cards):
    table = Masked(["2o", "5c", shown])
    table.does(1, Bet(1))
    request = table.does(1, HitUp())
    assert isinstance(request, Open)  # of the stock
    request = table.opens()
    assert (request.auto, request.seats) == (True, (1,))
    request = table.says(1)
    assert isinstance(request, Prove)
    assert request.claims == {1: (0,)}
    assert set(request.among) == {card for card in SPANISH_40 if WORTH[card] <= most}
    assert len(request.among) == cards
    table.run.answer()
    assert table.run.turn == (1,)


def test_A1_down_the_new_card_is_proven():
    table = Masked(["2o", "5c", "4o"])
    table.does(1, Bet(1))
    request = table.does(1, HitDown(0))
    assert isinstance(request, Deal)
    assert request.to == {1: (2,)}
    assert told(table.run.game, events.Shows) == [(1, "2o", 4)]
    table.run.answer()
    request = table.says(1)
    assert isinstance(request, Prove)
    assert request.claims == {1: (2,)}
    assert len(request.among) == 32


def test_A1_with_seven_open_nobody_is_asked():
    table = Masked(["2o", "5c", "7o"])
    table.does(1, Bet(3))
    table.does(1, HitUp())
    request = table.opens()
    assert isinstance(request, Open)
    assert request.slots == (0,)
    request = table.opens()
    assert told(table.run.game, events.Over) == [(1, ("2o", "7o"), 3)]
    assert told(table.run.game, events.AllOver) == [()]
    assert isinstance(request, Shuffle)
    assert table.run.game.score == [53, 47]


def test_A1_seven_and_a_half_is_shown_by_the_answer():
    table = Masked(["7o", "5c", "10o"])
    table.does(1, Bet(3))
    table.does(1, HitUp())
    table.opens()
    assert list(table.run.options(1, table.faces)) == [TurnUp(0)]
    request = table.says(1)
    assert told(table.run.game, events.Seven) == [(1, ("7o", "10o"))]
    assert isinstance(request, Open)  # the bank's card
    assert request.slots == (1,)


def test_R14_the_bank_that_cannot_pay():
    play = after(["p2 bet 10", "p2 hit up"], ["7o", "5e", "10o"], chips=10)
    assert play.turn == (0,)
    do(play, "p1 stand")
    assert (play.game.score, play.over, play.game.winners) == ([0, 20], True, (1,))
    assert told(play.game, events.Settled) == [(1, ("7o", "10o"), 15, 10, 10, 20)]
    assert told(play.game, events.BankBroken) == [(0,)]
    assert told(play.game, events.Ruined) == [(0,)]


def test_R15_a_ruined_seat_owes_nothing_any_more():
    play = after(
        ["p2 bet 10", "p2 stand", "p3 bet 1", "p3 stand", "p1 stand"],
        ["2o", "6o", "5e"],
        players=3,
        chips=10,
    )
    game = play.game
    assert (game.score, game.seats) == ([19, 0, 11], [0, 2])
    assert not game.may_leave(1)
    assert game.decks[0].seats == (0, 2)


@pytest.mark.parametrize("bank", ["seven", "turn", "fixed"])
def test_R16_a_bank_without_chips_passes_on(bank):
    play = opened(players=4, bank=bank)
    game = play.game
    game.score, game.seats, game.bank = [0, 0, 5, 5], [2, 3], 0
    assert game.next_bank(0) == 2
    game.sevens = [3]
    assert game.next_bank(0) == (3 if bank == "seven" else 2)


def test_R16_of_several_sevens_the_first_one_paid_gets_the_bank():
    game = opened(players=4).game
    game.sevens = [3, 2]
    assert [game.next_bank(bank) for bank in range(4)] == [2, 2, 3, 2]


@pytest.mark.parametrize(
    "options",
    [{"min_bet": 11}, {"max_bet": 51}, {"chips": 10, "max_bet": 11}, {"deals": 101}, {"chips": 9}],
)
def test_options_that_contradict_one_another(options):
    with pytest.raises(BadOption):
        new_game("siete-y-media", 2, options)


# Leaving.


def test_R17_leaving_between_a_request_and_its_card():
    table = Masked(["7o", "6e", "5c", "10o"], players=3)
    table.does(1, Bet(3))
    assert isinstance(table.does(1, HitUp(2)), Open)
    # the bank pays what is staked, the raise too, and nobody has siete y media
    table.run.leave([0])
    assert table.run.game.score == [0, 55, 50]
    assert isinstance(table.run.request, Shuffle)
    assert table.run.request.deck.seats == (1, 2)
    assert (table.run.game.round, table.run.game.bank) == (2, 1)


def test_R17_the_bank_pays_an_announced_siete_y_media_twice_as_far_as_it_can():
    play = after(
        ["p2 bet 10", "p2 hit up", "p3 bet 9"], ["7o", "6e", "5c", "10o"], players=3, chips=12
    )
    play.leave(0)
    assert play.game.score == [0, 24, 12]
    assert play.game.round == 2


def at_the_settling(players=3):
    """p2 and p3 stand on a five and a six, staking 3 and 4; the bank p1 stands on this."""
    table = Masked(["5o", "6e", "5c"], players)
    table.does(1, Bet(3))
    table.does(1, Stand())
    table.does(2, Bet(4))
    table.does(2, Stand())
    table.opens()
    assert isinstance(table.does(0, Stand()), Open)
    return table


def test_R17_a_punto_who_does_not_turn_up_is_settled_as_lower():
    table = at_the_settling()
    table.run.leave([2])
    assert isinstance(table.run.request, Open)
    assert table.run.request.slots == (0,)
    table.opens()
    game = table.run.game
    assert game.score == [57, 47, 0]  # p2's five loses to five; p3 would have won with six
    assert (game.round, game.bank, game.seats) == (2, 0, [0, 1])


def test_R17_a_bank_that_leaves_at_the_settling_is_settled_first():
    table = at_the_settling()
    table.run.leave([0])
    table.opens()
    game = table.run.game
    assert game.score == [0, 47, 54]
    assert (game.round, game.bank) == (2, 1)


def test_R17_who_does_not_turn_up_before_a_bank_that_is_over_gets_nothing():
    table = Masked(["5o", "6e", "5c", "7e"], players=3)
    table.does(1, Bet(3))
    table.does(1, Stand())
    table.does(2, Bet(4))
    table.does(2, Stand())
    table.opens()
    table.does(0, HitUp())
    table.opens()
    table.run.leave([1])
    table.opens()
    assert table.run.game.score == [46, 0, 54]


def test_chips_are_conserved_but_for_those_of_leavers():
    for seed in range(20):
        random = Random(seed)
        play = OpenDeck(
            new_game("siete-y-media", 5, {"deals": 6}), shuffled(random.randrange), seed
        )
        owned = 250
        while play.turn:
            if random.random() < 0.03:
                leaver = random.choice(play.game.seats)
                play.leave(leaver)
                assert sum(play.game.score) <= owned
                assert play.game.score[leaver] == 0
                owned = sum(play.game.score)
            else:
                play.act(play.turn[0], random.choice(list(play.options(play.turn[0]))))
            assert sum(play.game.score) == owned
            assert min(play.game.score) >= 0


def test_the_next_pack_is_never_promised_wrongly():
    promised = 0
    for seed in range(40):
        random = Random(seed)
        play = OpenDeck(
            new_game("siete-y-media", 2 + seed % 5, {"chips": 30, "deals": 8}),
            shuffled(random.randrange),
            seed,
        )
        while play.turn:
            now, deal = play.game.next_pack(), play.game.round
            play.act(play.turn[0], random.choice(list(play.options(play.turn[0]))))
            if play.game.round > deal:
                promised += now is not None
                assert now in (None, (SPANISH_40, play.game.decks[0].seats))
    assert promised > 20
