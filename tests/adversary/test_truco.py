"""A table that lies in each claim of Truco: the others name it at the moment the rules say, and
only it."""

import pytest

from engine.core.moves import spell_move
from engine.core.requests import Ask
from engine.games.truco.moves import Call, Say, Show
from engine.games.truco.worth import NUMBERS, could_have, envido_points, proves
from p2p.table.events import Gone
from p2p.table.faults import BadForm, IllegalPlay
from p2p.table.replay import replay_log
from p2p.table.table import Table
from tests.adversary.liar import Liar, Lie, lying, must_name, the_liar
from tests.adversary.plays import instead, moves
from tests.ring import Ring
from tests.standin import standin_group

ASK, ATTEST, ANY = ("ask", 0), ("attest", 0), ("any", 0)
ME = 1


def eager(view):
    """State what is so, accept what is sung, open the envido, and else play the first card."""
    options = list(view.options)
    wanted = (Call("quiero"), Call("envido"))
    return next((move for move in wanted if move in options), options[0])


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


# R30: later.


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
    return ring.read(data).seat


def test_a_seat_that_answers_alone_has_nobody_to_yield_to():
    lie = Lie("a yield to nobody", ANY, instead({"yield": bytes(32)}), (BadForm,))
    must_name(told(lie), ME, lie.faults)


# R29.


def better_than_it_has(liar):
    """Return the best number that nobody can doubt and that its cards do not prove."""
    own = dealt(liar)
    return next((n for n in reversed(NUMBERS) if fits(liar, n) and not proves(n, own)), None)


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


# Moves.
