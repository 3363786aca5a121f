"""The computer player of dominoes: it beats chance, is quick, and makes no move that a player would
call silly."""

from random import Random

import pytest

from engine.bots import domino
from engine.bots.domino_deal import WITH
from engine.bots.domino_match import Race
from engine.bots.domino_worlds import Worlds
from engine.bots.small_change import Dice
from engine.core.cards import DOMINOES, pips
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.domino.moves import Place


def positions(seeds, players=(2, 3, 4)):
    """Yield positions with a choice, in matches of players that play by chance, and the seat that
    is asked."""
    for seed in seeds:
        random = Random(seed)
        play = OpenDeck(
            new_game("domino", players[seed % len(players)], {"target": 30}),
            shuffled(random.randrange),
        )
        while play.turn and play.game.round < 3:
            seat = play.turn[0]
            if len(list(play.options(seat))) > 1:
                yield play, seat
            play.act(seat, random.choice(list(play.options(seat))))


def test_the_seat_that_needs_less_and_opens_wins_a_match():
    race = Race(2, 2, {"passes": "each", "set": "double-six"})
    assert race.chances((20, 20), 0)[0] > 0.5 > race.chances((20, 20), 1)[0]
    assert race.chances((10, 20), 1)[0] > race.chances((12, 20), 1)[0] > 0.6
    assert race.chances((0, 20), 1) == (1.0, 0.0)
    assert race.chances((480, 500), 0)[0] > race.chances((500, 500), 0)[0]
    four = Race(4, 4, {"passes": "none", "set": "double-six"}).chances((20, 20, 20, 8), 0)
    assert sum(four) == pytest.approx(1)
    assert four[3] > four[0] > four[1] == pytest.approx(four[2])


def test_layings_keep_to_proven_facts():
    """Nothing that is proven to lie elsewhere is laid into a hand, and all tiles lie somewhere
    once."""
    looked = 0
    for seed in range(12):
        random = Random(seed)
        play = OpenDeck(new_game("domino", 2 + seed % 3), shuffled(random.randrange))
        while play.turn and play.game.round == 1:
            seat, game = play.turn[0], play.game
            view = play.view(seat)
            world = random.choice(Worlds(view, view.game, seat, Dice(random.randrange)).several(3))
            whole = [*world.hands, *(1 << tile for tile in world.stock), world.line]
            assert sum(whole) == (1 << 28) - 1
            assert [hand.bit_count() for hand in world.hands] == [len(hand) for hand in game.hands]
            for other, hand in enumerate(game.hands):
                everywhere = [set(game.lacks.get(slot, ())) for slot in hand]
                never = set.intersection(*everywhere) if everywhere and other != seat else set()
                assert not any(world.hands[other] & WITH[number] for number in never)
                looked += bool(never)
            play.act(seat, random.choice(list(play.options(seat))))
    assert looked > 30


def known_ends(limit):
    """Yield positions of two seats with an empty graveyard and so few tiles left that all can be
    tried, and who is to play."""
    for seed in range(200):
        random = Random(seed)
        play = OpenDeck(
            new_game("domino", 2, {"target": 500, "capicua": "on"}), shuffled(random.randrange)
        )
        while play.turn and play.game.round == 1:
            seat = play.turn[0]
            few = len(play.game.hands[0]) + len(play.game.hands[1]) <= limit
            if few and not play.game.stock and len(list(play.options(seat))) > 1:
                yield play, seat
            play.act(seat, random.choice(list(play.options(seat))))


def outcome(play, moves, me):
    """Return my points less the other's in this deal, both playing their best after these moves."""
    twin = OpenDeck(new_game("domino", 2, play.game.options), play.laid[:1])
    twin.replay([*play.answers, *moves])
    if twin.game.round > 1:
        return twin.game.score[me] - twin.game.score[1 - me]
    seat = twin.turn[0]
    following = [outcome(play, [*moves, (seat, move)], me) for move in twin.options(seat)]
    return max(following) if seat == me else min(following)


def test_with_all_tiles_known_it_finds_the_best():
    """It goes out, closes when that wins and not when it loses, makes the other pass, and sees
    capicuas, as far as can be."""
    compared = 0
    for play, seat in known_ends(7):
        outcomes = {move: outcome(play, [(seat, move)], seat) for move in play.options(seat)}
        chosen = domino.play(play.view(seat), lambda n: 0)
        assert outcomes[chosen] == max(outcomes.values())
        compared += len(set(outcomes.values())) > 1
        if compared >= 12:
            return
    raise AssertionError(f"only {compared} positions in which it matters")


def ends_after(play, place):
    high, low = pips(play.faces[place.tile])
    left, right = play.game.ends
    return (high + low - left, right) if place.end == "left" else (left, high + low - right)


def lets_out(play, seat, place):
    """Whether the next seat is an opponent whose last tile all know, and this play lets it go
    out."""
    game, view = play.game, play.view(seat)
    following = (seat + 1) % game.players
    if len(game.hands[following]) > 1:
        return False
    lacks = set(game.lacks.get(game.hands[following][0], ()))
    unseen = set(DOMINOES) - {*game.faces.values(), *view.faces.values()}
    may_be = [tile for tile in unseen if lacks.isdisjoint(pips(tile))]
    return len(may_be) == 1 and not set(ends_after(play, place)).isdisjoint(pips(may_be[0]))


def closes(play, place):
    """Whether nothing can follow a play."""
    ends = ends_after(play, place)
    lying = [*play.game.table(), play.faces[place.tile]]
    return ends[0] == ends[1] and sum(ends[0] in pips(tile) for tile in lying) == 7


@pytest.mark.parametrize(
    "character", [pytest.param(one, id=one.name) for one in domino.CHARACTERS[1:]]
)
def test_no_ordinary_player_lets_a_known_last_tile_go_out(character):
    """A play that closes the line stops it too, but may lose the deal. The strongest weighs what
    each way costs."""
    chances = 0
    for play, seat in positions(range(300)):
        places = [option for option in play.options(seat) if isinstance(option, Place)]
        if len(places) < 2 or len(play.game.hands[seat]) == 1 or play.game.ends is None:
            continue
        out = [place for place in places if lets_out(play, seat, place)]
        if out and any(place not in out and not closes(play, place) for place in places):
            chances += 1
            assert character.play(play.view(seat), Random(1).randrange) not in out
    assert chances >= 15


@pytest.mark.parametrize(
    "character", [pytest.param(one, id=one.name) for one in domino.CHARACTERS[1:]]
)
def test_no_ordinary_player_closes_a_deal_of_two_that_it_loses_for_sure(character):
    """Without a graveyard it knows what the other's tiles count."""
    chances = 0
    for play, seat in positions(range(400), players=(2,)):
        if play.game.ends is None or play.game.stock:
            continue
        places = [option for option in play.options(seat) if isinstance(option, Place)]
        held = [sum(sum(pips(tile)) for tile in play.hand(each)) for each in (seat, 1 - seat)]
        lost = [
            place
            for place in places
            if closes(play, place) and held[0] - sum(pips(play.faces[place.tile])) > held[1]
        ]
        if lost and any(not closes(play, place) for place in places):
            chances += 1
            assert character.play(play.view(seat), Random(1).randrange) not in lost
    assert chances >= 5
