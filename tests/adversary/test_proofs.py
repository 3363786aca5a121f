"""Proofs that do not hold, round by round: the others name who gave them, and only it."""

import pytest

from tests.adversary.liar import Lie, must_name, some_lies, tell
from tests.adversary.proofs import lies
from tests.sample import sample

LIES = lies()
SOME = some_lies(LIES, len(LIES))


@pytest.mark.parametrize(
    "lie", sample(sorted(LIES, key=lambda lie: lie not in SOME), len(SOME)), ids=str
)
def test_the_others_name_who_proves_what_is_not_so(lie: Lie):
    must_name(tell(lie), lie.seat, lie.faults)
