"""The computer player of dominoes: it beats chance, is quick, and makes no move that a player would
call silly."""

from itertools import islice
from random import Random

import pytest

from engine.bots import bot_for, chance, domino
from engine.bots.domino import CHARACTERS
from engine.bots.domino_deal import WITH
from engine.bots.domino_match import Race
from engine.bots.domino_worlds import Worlds
from engine.bots.small_change import Dice
from engine.core.cards import DOMINOES, pips
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.domino.rules import Place
from tests.sample import odds, sample


def played(players, bots, seed, seen=lambda play, seat, move: None, **options):
    """Play a match; `seen` looks at every move before it is made."""
    random = Random(seed)
    play = OpenDeck(new_game("domino", players, options), shuffled(random.randrange))
    while play.turn:
        seat = play.turn[0]
        move = bots[seat](play.view(seat), random.randrange)
        seen(play, seat, move)
        play.act(seat, move)
    return play


@pytest.fixture
def hasty(monkeypatch):
    """Let the player play few deals out: whole matches take long."""
    monkeypatch.setattr(domino, "PLAYED_OUT", 100)
    monkeypatch.setattr(domino, "LAYINGS", 50)


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


def test_it_is_the_player_of_its_game():
    assert bot_for("domino") is domino.play


@pytest.mark.parametrize(
    ("players", "least", "matches"), sample([(2, 11, 12), (4, 20, 24), (2, 24, 30)], 2, rows=True)
)
@pytest.mark.usefixtures("hasty")
def test_it_beats_chance(players, least, matches):
    """Four play as partners."""
    wins = 0
    for seed in range(matches):
        mine = seed % 2
        bots = [domino.play if seat % 2 == mine else chance.play for seat in range(players)]
        wins += (
            mine
            in played(players, bots, seed, target=5 * players, partners=players == 4).game.winners
        )
    assert wins >= least
    assert odds(least, matches, 1 / 2) < 0.005


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"draw": False, "capicua": "strict"}),
        (3, {"draw": False, "passes": "first"}),
        (3, {"capicua": "on"}),
        (4, {"partners": True}),
        (4, {"passes": "none", "set": "double-six"}),
    ],
)
@pytest.mark.usefixtures("hasty")
def test_it_plays_whole_matches(players, options):
    assert played(players, [domino.play] * players, 1, target=8, **options).over


@pytest.mark.usefixtures("hasty")
def test_all_characters_play_legal_moves_and_repeat_themselves():
    found = 0
    for play, seat in islice(positions(range(40)), 200):
        view = play.view(seat)
        for character in domino.CHARACTERS:
            move = character.play(view, Random(1).randrange)
            assert move in list(play.options(seat))
            assert found % 4 or move == character.play(view, Random(1).randrange)
        found += 1
    assert found == 200


@pytest.mark.usefixtures("hasty")
def test_it_rates_every_option_and_plays_the_best():
    for play, seat in islice(positions(range(10)), 60):
        ratings = domino.rate(play.view(seat), Random(1).randrange)
        values = [each.value for each in ratings.moves]
        assert ratings.unit == "win"
        assert sorted(map(repr, play.options(seat))) == sorted(
            repr(each.move) for each in ratings.moves
        )
        assert values == sorted(values, reverse=True)
        assert all(0 <= value <= 1 for value in values)
        once = domino.estimated(play.view(seat), Random(1).randrange)
        assert domino.play(play.view(seat), Random(1).randrange) in [
            each.move for each in once if each.value > once[0].value - 1e-6
        ]


@pytest.mark.usefixtures("hasty")
def test_the_doubt_of_a_rating_covers_the_differences_between_two_ratings():
    compared = within = 0
    for play, seat in islice(positions(range(6)), 20):
        one, other = [
            {each.move: each for each in domino.rate(play.view(seat), Random(seed).randrange).moves}
            for seed in (1, 2)
        ]
        best = next(iter(one))
        for move, each in one.items():
            lost = [found[best].value - found[move].value for found in (one, other)]
            compared += 1
            within += abs(lost[0] - lost[1]) <= 1.5 * max(each.doubt, other[move].doubt) + 1e-9
    assert compared > 40
    assert within > 0.9 * compared


@pytest.mark.usefixtures("hasty")
def test_it_knows_nothing_but_its_view():
    """Hidden tiles that change places change nothing."""
    compared = 0
    for play, seat in islice(positions(range(10)), 40):
        hidden = [
            slot
            for slot in play.faces
            if slot not in play.view(seat).faces and slot not in play.game.faces
        ]
        before = domino.rate(play.view(seat), Random(1).randrange)
        faces = dict(play.faces)
        for slot, face in zip(hidden, [faces[slot] for slot in reversed(hidden)], strict=True):
            play.faces[slot] = face
        assert domino.rate(play.view(seat), Random(1).randrange) == before
        play.faces.update(faces)
        compared += len(hidden) > 1
    assert compared > 20


def test_the_seat_that_needs_less_and_opens_wins_a_match():
    race = Race(2, 2, {"passes": "each", "set": "double-six"})
    assert race.chances((20, 20), 0)[0] > 0.5 > race.chances((20, 20), 1)[0]
    assert race.chances((10, 20), 1)[0] > race.chances((12, 20), 1)[0] > 0.6
    assert race.chances((0, 20), 1) == (1.0, 0.0)
    assert race.chances((480, 500), 0)[0] > race.chances((500, 500), 0)[0]
    four = Race(4, 4, {"passes": "none", "set": "double-six"}).chances((20, 20, 20, 8), 0)
    assert sum(four) == pytest.approx(1)
    assert four[3] > four[0] > four[1] == pytest.approx(four[2])


def test_hidden_tiles_are_laid_as_people_play():
    """A seat that has played a light tile where a double fitted probably has no such double."""
    play = OpenDeck(new_game("domino", 4, {}), shuffled(Random(3).randrange))
    opener = play.turn[0]
    play.act(opener, next(iter(play.options(opener))))
    seat = play.turn[0]
    options = list(play.options(seat))
    light = min(options, key=lambda move: sum(pips(play.faces[move.tile])))
    play.act(seat, light)
    watcher = play.turn[0]
    worlds = Worlds(play.view(watcher), play.view(watcher).game, watcher, Dice(lambda n: 7))
    fitting = WITH[6]
    by_chance = [(worlds.one().hands[seat] & fitting).bit_count() for _ in range(1500)]
    read = [(deal.hands[seat] & fitting).bit_count() for deal in worlds.several(1500)]
    assert sum(read) < 0.9 * sum(by_chance)


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


def silly(play, seat, move):
    """Return what a player would laugh at, in games for four singly, where nothing is drawn."""
    game = play.game
    places = [option for option in play.options(seat) if isinstance(option, Place)]
    if (
        not isinstance(move, Place)
        or game.ends is None
        or len(places) == 1
        or len(game.hands[seat]) == 1
    ):
        return None
    following = (seat + 1) % 4
    if len(game.hands[following]) == 1:
        lacks = set(game.lacks.get(game.hands[following][0], ()))
        safe = [option for option in places if set(ends_after(play, option)) <= lacks]
        if safe and move not in safe:
            return "lets the next seat go out though it could not have"
    if len(game.hands[seat]) == 2:
        mine = next(slot for slot in game.hands[seat] if slot != move.tile)
        wins = [option for option in places if stops_all(play, seat, option)]
        if (
            wins
            and move not in wins
            and not set(ends_after(play, move)) & set(pips(play.faces[mine]))
        ):
            return "does not make all others pass, nor can it go on"
    return None


def nine(players, seed):
    random = Random(seed)
    game = new_game("domino", players, {"set": "double-nine"})
    return OpenDeck(game, shuffled(random.randrange)), random


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.usefixtures("hasty")
def test_it_plays_the_double_nine_set(players):
    """Its worlds hold all 55 tiles, and those that sleep stay asleep."""
    play, random = nine(players, players)
    looked = 0
    while play.game.round == 1 and not play.over:
        seat = play.turn[0]
        if len(list(play.options(seat))) > 1:
            for deal in Worlds(play.view(seat), play.game, seat, Dice(random.randrange)).several(5):
                held = sum(hand.bit_count() for hand in deal.hands)
                assert held + len(deal.stock) + deal.line.bit_count() == 55
                assert len(deal.stock) == len(play.game.stock) == 55 - 10 * players
            looked += 1
        play.act(seat, domino.play(play.view(seat), random.randrange))
    assert looked > 5


@pytest.mark.parametrize("character", [pytest.param(one, id=one.name) for one in CHARACTERS])
@pytest.mark.usefixtures("hasty")
def test_every_character_plays_the_double_nine_set_to_the_end(character):
    play = played(4, [character.play] * 4, 1, set="double-nine", partners=True, target=5)
    assert play.over


@pytest.mark.usefixtures("hasty")
def test_a_forced_opening_is_laid_before_a_deal_is_played_out(monkeypatch):
    """A line without ends would be played on as if it had some."""
    seen = []
    to_the_end = domino.Play.to_the_end
    monkeypatch.setattr(
        domino.Play,
        "to_the_end",
        lambda self, deal: seen.append(deal.left) or to_the_end(self, deal),
    )
    play, random = nine(2, 1)
    domino.rate(play.view(play.turn[0]), random.randrange)
    assert seen
    assert min(seen) >= 0


def ends_after(play, place):
    high, low = pips(play.faces[place.tile])
    left, right = play.game.ends
    return (high + low - left, right) if place.end == "left" else (left, high + low - right)


def stops_all(play, seat, place):
    """Whether a play leaves ends that nobody else is known to serve, and its own last tile is."""
    ends = set(ends_after(play, place))
    others = [slot for other, hand in enumerate(play.game.hands) if other != seat for slot in hand]
    mine = next(slot for slot in play.game.hands[seat] if slot != place.tile)
    return bool(ends & set(pips(play.faces[mine]))) and all(
        ends <= set(play.game.lacks.get(slot, ())) for slot in others
    )


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


@pytest.mark.parametrize("seeds", sample([range(1), range(1, 12)], 1), ids=["few", "more"])
def test_nothing_silly(seeds):
    found = []
    for seed in seeds:
        played(
            4,
            [domino.play] * 4,
            seed,
            lambda play, seat, move: found.append(silly(play, seat, move)),
            target=8,
        )
    assert len(found) > 20 * len(seeds)
    assert [what for what in found if what] == []


def test_dice_are_fair_and_repeat_themselves():
    dice = Dice(lambda n: 5)
    thrown = [dice.below(6) for _ in range(6000)]
    assert all(850 < thrown.count(face) < 1150 for face in range(6))
    again = Dice(lambda n: 5)
    assert [again.below(6) for _ in range(6000)] == thrown
    assert sorted(again.shuffled(range(10))) == list(range(10))
