"""A table that lies about its flor at Truco: the others name it as soon as its cards show it (R35,
R38 to R42), and the log convinces a stranger."""

from engine.core.moves import spell_move
from engine.games.truco.moves import Play, Say
from engine.games.truco.worth import FLORS, could_be_flor, flor_points, is_flor
from p2p.table.faults import IllegalPlay
from p2p.table.table import Table
from tests.adversary.liar import Liar, Lie, lying, must_name, the_liar
from tests.adversary.plays import moves
from tests.ring import Ring
from tests.standin import standin_group

ASK = ("ask", 0)
ME = 1


def quiet(view):
    """Sing a flor, answer one, and else play the first card."""
    return next(iter(view.options))


def told(lie, first=0):
    """Play matches until one gives occasion for the lie, and somebody finds it."""
    for number in range(first, first + 60):
        kinds = [Table, lying(Liar, lie=lie)]
        options = {"target": 15, "flor": True}
        ring = Ring(
            "truco", 2, group=standin_group(), seed=f"flor{number}", table_class=kinds, **options
        )
        liar = the_liar(ring, ME)
        ring.play(quiet)
        if liar.told and ring.tables[0].fault is not None:
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


def own(liar):
    """Return the cards dealt to the liar in this deal."""
    game, faces = liar.run.game, liar.progress.here.own_faces
    return [faces[slot] for slot, holder in game.holder.items() if holder == ME]


def may_sing(liar):
    """Whether the liar is asked before its first card, and as far as all can see may sing."""
    game = liar.run.game
    return liar.run.request.options.__name__ == "on_turn" and game.flor_due(ME, {})[0]


def test_a_flor_that_keeps_silent_is_found_with_its_third_card():
    def plays(liar):
        if not may_sing(liar) or not is_flor(own(liar)):
            return None
        return spell_move(Play(liar.run.game.hands[ME][0]))

    ring = told(Lie("plays a card and keeps silent", ASK, moves(plays), (IllegalPlay,)))
    fault = must_name(ring, ME, (IllegalPlay,))
    assert isinstance(fault, IllegalPlay)
    assert (fault.rule, fault.late) == (("flor-first",), True)
    game = ring.tables[0].run.game
    assert len(game.played_by(ME)) == 2, "until the third card nobody could know"
    assert is_flor(game.played_by(ME))


def test_a_value_that_is_not_so_is_found_at_the_latest_when_the_flor_is_shown():
    def overstates(liar):
        game = liar.run.game
        if not game.stating or not game.flors:
            return None
        played = game.played_by(ME)
        value = next(
            (
                number
                for number in reversed(FLORS)
                if number != flor_points(own(liar))
                and game.beats(ME, number)
                and could_be_flor(played, [], number)
            ),
            None,
        )
        return None if value is None else spell_move(Say(value))

    ring = told(Lie("overstates its flor", ASK, moves(overstates), (IllegalPlay,)), first=14)
    fault = must_name(ring, ME, (IllegalPlay,))
    assert isinstance(fault, IllegalPlay)
    assert (fault.rule[0], fault.late) == ("not-your-flor", True)
