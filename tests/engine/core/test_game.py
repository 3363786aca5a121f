from typing import Any

import pytest

from engine.core.cards import SPANISH_40
from engine.core.game import Game
from engine.core.requests import Deal, Open, Prove, Shuffle
from engine.core.run import Run
from engine.games import new_game
from tests.engine.tiny_game import Say


class Scripted(Game):
    """A game whose rules are given to it."""

    name = "scripted"
    allowed_players = (2, 3)
    moves = (Say,)
    pack = SPANISH_40

    async def play(self):
        await self.script(self)

    def anything(self, seat, hand):
        yield Say("pass")


def run(script, players=2) -> Run:
    class Now(Scripted):
        pass

    Now.script = staticmethod(script)
    return Run(Now(players, {}))


def requests_of(script, faces: dict[int, str] | None = None) -> list[Any]:
    """Return what the rules asked, answering all of it; slot n holds the n-th card unless told
    otherwise."""
    current = run(script)
    asked = []
    while not current.over:
        asked.append(current.request)
        if isinstance(current.request, Open):
            current.opened(
                {slot: (faces or {}).get(slot, SPANISH_40[slot]) for slot in current.request.slots}
            )
        else:
            current.answer()
    return asked


def test_cards_go_round_one_at_a_time():
    async def script(game):
        await game.shuffle(SPANISH_40)
        await game.deal([1, 0], each=2)
        assert game.hands == [[1, 3], [0, 2]]
        assert game.holder == {0: 1, 1: 0, 2: 1, 3: 0}
        assert game.stock == list(range(4, 40))

    shuffle, deal = requests_of(script)
    assert isinstance(shuffle, Shuffle)
    assert shuffle.deck.slots == range(40)
    assert shuffle.deck.seats == (0, 1)
    assert deal == Deal({1: (0, 2), 0: (1, 3)})


def test_slots_are_never_used_twice_and_a_new_deck_lies_under_the_stock():
    async def script(game):
        await game.shuffle(["a", "b"])
        await game.shuffle(["c"], seats=[1])
        assert game.stock == [0, 1, 2]
        assert (game.deck_of(2).number, game.deck_of(2).seats) == (2, (1,))
        game.lay_aside()
        await game.shuffle(["a"])
        assert game.stock == [3]
        with pytest.raises(KeyError):
            game.deck_of(0)

    assert [request.deck.first for request in requests_of(script)] == [0, 2, 3]


def test_a_request_that_asks_nobody_takes_no_step():
    async def script(game):
        await game.shuffle(SPANISH_40)
        (up,) = await game.turn_up()
        assert await game.open(up) == ("1o",)
        game.stock.insert(0, up)
        await game.deal([0], each=1)  # its face is public
        assert game.hands[0] == [up]
        await game.prove([0, 1], among=["1c"])  # no slot is hidden
        await game.deal([1], each=1)
        await game.prove([1], among=SPANISH_40)
        await game.prove([1], among=["1c"], slots=[])
        assert await game.ask_all([], game.anything) == {}

    assert [type(request) for request in requests_of(script)] == [Shuffle, Open, Deal]


def test_only_hidden_slots_are_dealt_and_proven():
    async def script(game):
        await game.shuffle(SPANISH_40)
        up = await game.turn_up(1)
        game.stock[1:1] = up
        await game.deal([0, 1], each=2)
        assert game.hands == [[1, 2], [0, 3]]
        await game.prove([1, 0], among=["3o", "2o", "2o"])
        await game.prove([0, 1], among=["2o"], slots=[2, 3])

    deal, first, second = requests_of(script)[2:]
    assert deal == Deal({0: (1, 2), 1: (3,)})
    assert first == Prove({1: (3,), 0: (1, 2)}, ("2o", "3o"))
    assert second == Prove({0: (2,), 1: (3,)}, ("2o",))


def test_a_verb_that_is_not_answered_has_changed_nothing():
    async def script(game):
        await game.shuffle(SPANISH_40)
        await game.deal([0, 1], each=3)

    current = run(script)
    assert (current.game.stock, current.game.decks, current.game.shuffles) == ([], [], 0)
    current.answer()
    assert len(current.game.stock) == 40
    assert current.game.hands == [[], []]


def test_the_answers_of_each_kind_of_question():
    got = []

    async def script(game):
        got.append(await game.ask(1, game.anything))
        got.append(await game.ask_all([1, 0], game.anything))
        got.append(await game.ask_any([0, 1], game.anything))
        got.append(await game.toss(4))

    current = run(script)
    assert current.turn == (1,)
    current.choose(1, Say("pass"), {})
    current.conclude()
    assert current.turn == (0, 1)
    current.choose(0, Say("pass"), {})
    current.choose(1, Say("pass"), {})
    current.conclude()
    current.choose(1, Say("pass"), {})
    current.conclude()
    assert current.turn == ()
    current.answer(3)
    assert got == [Say("pass"), {1: Say("pass"), 0: Say("pass")}, (1, Say("pass")), 3]
    assert current.over


def test_sides_and_their_points():
    game = new_game("escoba", 4, {"teams": True})
    assert [game.side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert game.seats_of(1) == (1, 3)
    assert game.add_points(1, 3) == 3
    assert game.score == [0, 3, 0, 3]
    assert game.best_score([0, 2]) == 0
    game.seats = [1, 2, 3]
    assert game.sides_that_stay() == [0, 1]
    game.end_if_too_few()
    assert game.winners == (1, 3)
    alone = new_game("escoba", 4)
    alone.score, alone.seats = [4, 9, 4, 3], [0, 2, 3]
    alone.end_if_too_few()
    assert alone.winners == ()
    alone.seats = [3]
    alone.end_if_too_few()
    assert alone.winners == (3,)
