"""Speaking out of turn: the others name who did, and only it."""

import pytest

from tests.adversary.liar import must_name, tell
from tests.adversary.turns import Interrupter, Interruption, lies


@pytest.mark.parametrize("lie", lies(), ids=str)
def test_the_others_name_who_speaks_out_of_turn(lie: Interruption):
    must_name(tell(lie, kind=Interrupter), lie.seat, lie.faults)
