"""Proofs that do not hold, round by round: the others name who gave them, and only it."""

import pytest

from tests.adversary.liar import Lie, must_name, tell
from tests.adversary.proofs import lies


@pytest.mark.parametrize("lie", lies(), ids=str)
def test_the_others_name_who_proves_what_is_not_so(lie: Lie):
    must_name(tell(lie), lie.seat, lie.faults)
