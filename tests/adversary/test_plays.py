"""Moves against the rules, and lies that proofs or later openings bring out: the others name who
made them, and only it."""

import pytest

from tests.adversary.liar import Lie, must_name, tell
from tests.adversary.plays import lies


@pytest.mark.parametrize("lie", lies(), ids=str)
def test_the_others_name_who_plays_against_the_rules(lie: Lie):
    must_name(tell(lie), lie.seat, lie.faults)


def test_a_lie_that_an_opening_shows_is_in_the_log_with_the_move_that_was_one():
    lie = next(lie for lie in lies() if lie.game == "trusting" and lie.at == ("ask", 0))
    ring = tell(lie)
    fault = must_name(ring, 1, lie.faults)
    # The opening convicts; the move that it shows to be a lie is in an earlier step of the
    # same log.
    assert any(
        entry.body.get("move") == ["Say", "pass"]
        for step in ring.tables[0].progress.records
        for entry in step.entries
        if entry.seat == 1
    )
    assert fault.evidence
