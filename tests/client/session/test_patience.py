"""The player that shuffles for longer than a moment is named, once."""

from __future__ import annotations

from client.session.messages import Notice
from client.session.patience import SLOW_SHUFFLE_S, ShuffleWatch
from client.ui.model import Model
from client.ui.plain.lines import lines
from p2p.table.events import Mixed, Shuffled, Shuffling


def test_a_quick_shuffle_is_not_told() -> None:
    watch = ShuffleWatch()
    watch.note(Shuffling(1, (0, 1)), 10.0)
    assert watch.slow(10.0 + SLOW_SHUFFLE_S / 2) is None
    watch.note(Mixed(1, 0), 10.2)
    assert watch.slow(10.2 + SLOW_SHUFFLE_S / 2) is None


def test_a_player_that_shuffles_long_is_told_once_and_then_the_next() -> None:
    watch = ShuffleWatch()
    watch.note(Shuffling(1, (2, 0)), 0.0)
    assert [watch.slow(now) for now in (0.2, 0.5, 0.6, 5.0)] == [None, 2, None, None]
    watch.note(Mixed(1, 2), 5.0)
    assert [watch.slow(now) for now in (5.2, 5.4, 5.5)] == [None, 0, None]


def test_a_look_is_due_whenever_a_seat_begins_to_shuffle() -> None:
    watch = ShuffleWatch()
    events = [Shuffling(1, (0, 1)), Mixed(1, 0), Mixed(1, 1), Shuffled(1, (0, 1), 40)]
    assert [watch.note(event, 0.0) for event in events] == [True, True, False, False]
    assert watch.note(Shuffling(2, (0, 1)), 1.0)
    assert watch.slow(1.0 + SLOW_SHUFFLE_S) == 0, "a look at that very time is late enough"


def test_when_the_deck_is_made_nobody_is_told() -> None:
    watch = ShuffleWatch()
    watch.note(Shuffling(1, (0, 1)), 0.0)
    watch.note(Shuffled(1, (0, 1), 40), 0.1)
    assert watch.slow(9.0) is None


def test_it_is_a_quiet_line() -> None:
    notice = Notice("shuffles", {"who": "Ane"})
    assert any("Ane shuffles" in line for line in lines(Model(), notice, Model()))
