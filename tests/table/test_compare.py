"""Two logs of one match compared: the first record in which they differ, and the seats that signed
both."""

from __future__ import annotations

from p2p.table.compare import compare_logs
from p2p.table.epoch_entries import ChangeRound
from p2p.table.tail import split_records
from tests.adversary.membership import flush, must_end, siete, silence, spread
from tests.ring import Ring
from tests.standin import standin_group
from tests.table.logs import log_of, values_of

GROUP = standin_group()


def played(seed: str = "one", **options: object) -> bytes:
    ring = Ring("escoba", 2, group=GROUP, target=1, seed=seed, **options)
    ring.play()
    return ring.logs[0]


def test_a_log_is_the_same_as_itself_with_or_without_its_seals() -> None:
    log = played()
    found = compare_logs(log, log[: -len(split_records(log)[0][-1]) - 4])
    assert found is not None
    assert not found.differ
    assert found.lengths == (found.shared, found.shared)


def test_the_beginning_of_a_log_does_not_differ_from_it() -> None:
    log = played()
    found = compare_logs(log, log_of(values_of(log)[:5]))
    assert found is not None
    assert (found.shared, found.lengths[1], found.differ) == (4, 4, False)


def test_seats_that_said_two_things_for_one_place_are_named() -> None:
    found = compare_logs(played("one"), played("another"))
    assert found is not None
    assert (found.shared, found.differ, found.twice, found.both) == (0, True, (0, 1), (0, 1))


def test_logs_of_two_matches_are_not_compared() -> None:
    ring = Ring("escoba", 3, group=GROUP, target=1)
    assert compare_logs(played(), ring.tables[0].log_update(None)[1]) is None


def test_two_that_heard_other_lies_of_one_seat_write_one_record() -> None:
    """Each shows what it heard first; their flushes name both, and so does the record."""
    ring = siete(3, moves=9)
    lies = [
        flush(ring, 1, of)
        for of in (ChangeRound((0,)), ChangeRound((2,)), ChangeRound((0,), ((2, bytes(32)),)))
    ]
    spread(ring, lies[:2], but={1, 2})
    spread(ring, lies[1:], but={0, 1})
    silence(ring, 1)
    ring.play()
    must_end(ring, (0, 2), (1, "convicted"))
    assert ring.logs[0] == ring.logs[2]
    found = compare_logs(ring.logs[0], ring.logs[2])
    assert found is not None
    assert not found.differ
    assert found.lengths == (found.shared, found.shared)
