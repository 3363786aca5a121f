"""The player that shuffles for longer than a moment is named, once."""

from __future__ import annotations

from client.session.patience import ShuffleWatch
from p2p.table.events import Mixed, Shuffling


def test_a_player_that_shuffles_long_is_told_once_and_then_the_next() -> None:
    watch = ShuffleWatch()
    watch.note(Shuffling(1, (2, 0)), 0.0)
    assert [watch.slow(now) for now in (0.2, 0.5, 0.6, 5.0)] == [None, 2, None, None]
    watch.note(Mixed(1, 2), 5.0)
    assert [watch.slow(now) for now in (5.2, 5.4, 5.5)] == [None, 0, None]
