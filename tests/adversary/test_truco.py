"""A table that lies in each claim of Truco: the others name it at the moment the rules say, and
only it."""

import pytest

from engine.core.moves import spell_move
from engine.core.requests import Ask
from engine.games.truco.moves import Call, Play, Say, Show
from engine.games.truco.worth import NUMBERS, could_have, envido_points, proves
from p2p.table.events import Gone
from p2p.table.faults import IllegalPlay
from p2p.table.log import read_entry
from p2p.table.replay import replay_log
from p2p.table.table import Table
from tests.adversary.liar import Liar, Lie, lying, must_name, the_liar
from tests.adversary.plays import moves
from tests.ring import Ring
from tests.standin import standin_group

ASK, ATTEST, ANY = ("ask", 0), ("attest", 0), ("any", 0)
ME = 1


def eager(view):
    """State what is so, accept what is sung, open the envido, and else play the first card."""
    options = list(view.options)
    wanted = (Call("quiero"), Call("envido"))
    return next((move for move in wanted if move in options), options[0])


def late(view):
    """The same, but the mano plays before anybody opens the envido."""
    return eager(view) if view.game.played() or view.game.bets else next(iter(view.options))


class Bluffer(Liar):
    """Says a false number and later shows these cards for it, if it owes any; none: it keeps
    silent."""

    shows = None

    def _one_thing(self):
        exchange = self.progress.exchange
        if (
            exchange
            and self.told
            and self.shows
            and self.at(exchange.stage_key) == ATTEST
            and self.seat in exchange.missing()
        ):
            exchange.round.move = exchange.round.move or Show(self.shows(self))
        return super()._one_thing()


def sat(lie, number, players=2, kind=Liar, **facts):
    """Seat the liar among honest tables."""
    kinds = [Table] * players
    kinds[lie.seat] = lying(kind, lie=lie, **facts)
    ring = Ring(
        "truco", players, group=standin_group(), seed=f"truco{number}", table_class=kinds, target=15
    )
    return ring, the_liar(ring, lie.seat)


def told(lie, until=lambda ring: True, player=eager, **options):
    """Play matches until one gives occasion for the lie, and comes to the wanted state."""
    for number in range(60):
        ring, liar = sat(lie, number, **options)
        ring.play(player)
        if liar.told and until(ring):
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


def game(liar):
    return liar.run.game


def dealt(liar, seat=ME):
    table = next(table for table in (liar, *liar.others) if table.seat == seat)
    return [
        table.progress.here.own_faces[slot]
        for slot, holder in game(liar).holder.items()
        if holder == seat
    ]


def unplayed(liar):
    return [
        slot
        for slot, holder in game(liar).holder.items()
        if holder == ME and slot not in game(liar).faces
    ]


def fits(liar, number):
    """Whether nobody can yet know that a number is false."""
    state = game(liar)
    return state.beats(ME, number) and state.could_say(ME, number, state.faces)


def says(number):
    """Say another number than the true one, where there is occasion."""

    def pick(liar):
        if not game(liar).stating:
            return None
        said = number(liar)
        return None if said is None else spell_move(Say(said))

    return moves(pick)


def public(ring):
    return ring.tables[0].run.game


# R30: at once.


def test_R30_a_number_that_the_open_cards_deny_is_refused_at_once():
    def below_what_it_played(liar):
        played = game(liar).played_by(ME)
        return next(
            (
                n
                for n in NUMBERS
                if played and not could_have(n, played, []) and game(liar).beats(ME, n)
            ),
            None,
        )

    lie = Lie("less than one card counts", ASK, says(below_what_it_played), (IllegalPlay,))
    ring = told(lie, player=late)
    must_name(ring, ME, lie.faults)
    assert ME not in [seat for seat, _ in public(ring).said]


@pytest.mark.parametrize("number", [-1, 8, 19, 34, 2**40])
def test_R27_what_no_hand_can_have_is_refused_at_once(number):
    lie = Lie("no number", ASK, says(lambda liar: number), (IllegalPlay,))
    must_name(told(lie), ME, lie.faults)


def test_R27_a_number_that_does_not_beat_is_refused_at_once():
    def lower(liar):
        best = game(liar).best
        return (
            None
            if best is None
            else next((n for n in NUMBERS if not game(liar).beats(ME, n)), None)
        )

    lie = Lie("a number that does not beat", ASK, says(lower), (IllegalPlay,))
    must_name(told(lie), ME, lie.faults)


# R30: later.


def test_R30_a_number_that_its_own_next_card_denies_is_found_with_that_card():
    """Fewer than it has: it is beaten, so nothing is ever shown for it."""

    def lower(liar):
        true = envido_points(dealt(liar))
        return (
            next((n for n in NUMBERS if n < true and fits(liar, n)), None)
            if not game(liar).played_by(ME)
            else None
        )

    lie = Lie("fewer than it has", ASK, says(lower), (IllegalPlay,))
    ring = told(
        lie, lambda ring: public(ring).best and public(ring).best[0] != ME and ring.tables[0].fault
    )
    must_name(ring, ME, lie.faults)
    state = public(ring)
    number = dict(state.said)[ME]
    assert state.could_say(ME, number, state.faces), "until then nobody could know"
    assert could_have(number, state.played_by(ME), [])


def test_R30_a_number_that_anothers_card_denies_is_found_with_that_card_and_names_who_said_it():
    def needs_a_card_of_another(liar):
        own, theirs = dealt(liar), dealt(liar, 0)
        true = envido_points(own)
        for number in NUMBERS:
            if (
                number == true
                or number < 20
                or not fits(liar, number)
                or (game(liar).played_by(ME) and number > true)
            ):
                continue
            if could_have(number, own[:2], theirs[:2]) and not could_have(number, own[:2], theirs):
                return number
        return None

    lie = Lie(
        "a number with a card that another has", ASK, says(needs_a_card_of_another), (IllegalPlay,)
    )

    def by_another(ring):
        fault = ring.tables[0].fault
        return fault is not None and all(entry_seat(ring, data) == 0 for data in fault.evidence)

    ring = told(lie, by_another)
    must_name(ring, ME, lie.faults)
    state = public(ring)
    assert state.could_say(ME, dict(state.said)[ME], state.faces), "until then nobody could know"


def entry_seat(ring, data):
    return read_entry(ring.terms, ring.tables[0].match, data).seat


# R29.


def better_than_it_has(liar):
    """Return the best number that nobody can doubt and that its cards do not prove."""
    own = dealt(liar)
    return next((n for n in reversed(NUMBERS) if fits(liar, n) and not proves(n, own)), None)


def to_be_shown(ring):
    """Whether the deal came to its end with the number neither proven nor denied by the cards
    played."""
    state = public(ring)
    return state.best is not None and state.best[0] == ME and ring.tables[0].waiting == (ME,)


def test_R29_a_winner_who_shows_nothing_is_waited_for_at_the_end_of_the_deal():
    lie = Lie("more than it has", ASK, says(better_than_it_has), ())
    ring = told(lie, to_be_shown)
    assert ring.tables[0].fault is None
    assert ring.tables[0].run.request.options.__name__ == "showings"
    assert not ring.tables[0].over


@pytest.mark.parametrize(
    "shows",
    [
        lambda liar: tuple(unplayed(liar)[:1]),
        lambda liar: tuple(unplayed(liar)[:2]),
        lambda liar: (),
    ],
    ids=["a card", "two cards", "none"],
)
def test_R29_a_winner_who_shows_what_does_not_prove_the_number_is_named_at_the_end_of_the_deal(
    shows,
):
    lie = Lie("more than it has", ASK, says(better_than_it_has), (IllegalPlay,))

    def refused_at_the_end(ring):
        asked = ""
        for table, events in replay_log(ring.logs[0], ring.group):
            if any(isinstance(event, Gone) for event in events):
                return asked == "showings"
            asked = table.run.request.options.__name__ if isinstance(table.run.request, Ask) else ""
        return False

    ring = told(lie, refused_at_the_end, kind=Bluffer, shows=staticmethod(shows))
    must_name(ring, ME, lie.faults)
    assert public(ring).shown == []


def show_instead(pick):
    def choose(liar):
        slots = pick(liar)
        return None if slots is None else spell_move(Show(tuple(slots)))

    def ours(liar, move):
        return [slot for slot in move[1] if slot in unplayed(liar)]

    return moves(choose, ours)


@pytest.mark.parametrize(
    "pick",
    [
        lambda liar: unplayed(liar) if len(unplayed(liar)) > 2 else None,
        lambda liar: (),
        lambda liar: [next(slot for slot, holder in game(liar).holder.items() if holder == 0)],
        lambda liar: [game(liar).stock[0]],
        lambda liar: [10**9],
    ],
    ids=["all", "nothing", "another's", "of the stock", "no card"],
)
def test_R29_who_shows_other_cards_than_are_needed_is_named(pick):
    lie = Lie("shows other cards", ATTEST, show_instead(pick), (IllegalPlay,))
    must_name(told(lie), ME, lie.faults)


# Moves.


@pytest.mark.parametrize("word", ["vale4", "retruco", "quiero", "son-buenas", "a word"])
def test_a_call_that_may_not_be_made_is_named(word):
    lie = Lie(
        f"sings {word}",
        ASK,
        moves(lambda liar: None if game(liar).stating else spell_move(Call(word))),
        (IllegalPlay,),
    )
    must_name(told(lie), ME, lie.faults)


@pytest.mark.parametrize(
    "move", [Call("mazo"), Call("vale4"), Say(33), Play(0), Call("son-buenas")]
)
@pytest.mark.parametrize("players", [2, 4])
def test_an_answer_that_is_none_is_named(players, move):
    lie = Lie(
        "answers otherwise",
        ANY,
        moves(lambda liar: spell_move(move), lambda liar, said: []),
        (IllegalPlay,),
    )
    must_name(told(lie, players=players), ME, lie.faults)


def test_a_card_of_another_is_named():
    def theirs(liar):
        slot = next((slot for slot in game(liar).hands[0] if slot not in game(liar).faces), None)
        return None if slot is None or game(liar).stating else spell_move(Play(slot))

    lie = Lie("a card of another", ASK, moves(theirs), (IllegalPlay,))
    must_name(told(lie), ME, lie.faults)
