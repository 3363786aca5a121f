"""A process with several seats verifies each shuffle once, and believes no bad one."""

from __future__ import annotations

from unittest.mock import patch

from crypto.errors import InvalidProof
from p2p.table import rounds
from p2p.table.events import Accused, Shuffled
from tests.ring import Ring
from tests.standin import standin_group


def test_the_tables_of_a_process_verify_each_shuffle_once():
    with patch.object(rounds, "verify_shuffle", wraps=rounds.verify_shuffle) as verify:
        ring = Ring("escoba", 4, group=standin_group())
        ring.settle()
    assert sum(isinstance(event, Shuffled) for event in ring.events[3]) == 1
    assert verify.call_count == 4, "each seat has shuffled the deck once"


def test_a_bad_shuffle_is_found_by_every_table():
    def bad(*_values: object) -> None:
        raise InvalidProof("bad")

    with patch.object(rounds, "verify_shuffle", side_effect=bad) as verify:
        ring = Ring("escoba", 3, group=standin_group())
        ring.settle()
    accused = [
        seat
        for seat, events in enumerate(ring.events)
        if any(isinstance(event, Accused) for event in events)
    ]
    assert verify.call_count >= 2, "a failure is not remembered"
    assert accused == [1, 2], "the first seat has made it"
