"""Speaking out of turn: the others name who did, and only it."""

import pytest

from tests.adversary.liar import must_name, some_lies, tell
from tests.adversary.turns import Interrupter, Interruption, lies
from tests.sample import sample

LIES = lies()
SOME = some_lies(LIES, 32)


@pytest.mark.slow
@pytest.mark.parametrize(
    "lie", sample(sorted(LIES, key=lambda lie: lie not in SOME), len(SOME)), ids=str
)
def test_the_others_name_who_speaks_out_of_turn(lie: Interruption):
    must_name(tell(lie, kind=Interrupter), lie.seat, lie.faults)
