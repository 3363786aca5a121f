"""Bad forms and bad bytes at every place: the others name who said them, and only it."""

import pytest

from tests.adversary.forms import ESCOBA, TINY, all_forms
from tests.adversary.liar import Lie, must_name, round_name, some_lies, tell
from tests.ring import Ring
from tests.sample import sample
from tests.standin import standin_group

LIES = [*all_forms("escoba", ESCOBA), *all_forms("tiny", TINY)]
SOME = some_lies(LIES, len(LIES))


@pytest.mark.parametrize(
    "lie", sample(sorted(LIES, key=lambda lie: lie not in SOME), len(SOME)), ids=str
)
def test_the_others_name_who_says_what_has_no_such_form(lie: Lie):
    must_name(tell(lie), lie.seat, lie.faults)


@pytest.mark.parametrize(("game", "places"), [("tiny", TINY), ("escoba", ESCOBA)])
def test_these_are_all_places_of_a_match(game, places):
    found = {("seal", 0)}
    ring = Ring(
        game, 3, group=standin_group(), seed="lie20", **({"target": 1} if game == "escoba" else {})
    )
    for table in ring.tables:
        listen = table.progress._listen

        def watched(exchange, listen=listen):
            found.add((round_name(exchange.round), exchange.stage))
            return listen(exchange)

        table.progress._listen = watched
    ring.play()
    assert found == set(places)
