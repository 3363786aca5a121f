"""Bad forms and bad bytes at every place: the others name who said them, and only it."""

import pytest

from p2p.table.table import Table
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

    class Noting(Table):
        def sign(self, stage_key, head, body):
            exchange = self.progress.exchange
            if exchange is not None and exchange.stage_key == stage_key:  # not a deck made ahead
                found.add((round_name(exchange.round), exchange.stage))
            return super().sign(stage_key, head, body)

    options = {"target": 1} if game == "escoba" else {}
    ring = Ring(game, 3, group=standin_group(), seed="lie20", table_class=[Noting] * 3, **options)
    ring.play()
    assert found == set(places)
