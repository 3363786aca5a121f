"""Bad forms and bad bytes at every place: the others name who said them, and only it."""

import pytest

from p2p.table.faults import BadForm, BadProof
from tests.adversary.forms import ESCOBA, TINY, all_forms
from tests.adversary.liar import Lie, must_name, play, ring_with, round_name
from tests.ring import Ring
from tests.standin import standin_group

LIES = [*all_forms("tiny", TINY), *all_forms("escoba", ESCOBA)]


@pytest.mark.parametrize("lie", LIES, ids=str)
def test_the_others_name_who_says_what_has_no_such_form(lie: Lie):
    ring, liar = ring_with(lie)
    play(ring, liar)
    assert liar.told, "no occasion for this lie"
    must_name(ring, lie.seat, lie.faults)


@pytest.mark.parametrize(("game", "places"), [("tiny", TINY), ("escoba", ESCOBA)])
def test_these_are_all_places_of_a_match(game, places):
    found = {("seal", 0)}
    ring = Ring(game, 3, group=standin_group(), seed="lie20", **({"target": 1} if game == "escoba" else {}))
    for table in ring.tables:
        listen = table._listen

        def watched(exchange, listen=listen):
            found.add((round_name(exchange.round), exchange.stage))
            return listen(exchange)

        table._listen = watched
    ring.play()
    assert found == set(places)
