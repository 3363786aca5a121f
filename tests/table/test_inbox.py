from p2p.table.inbox import KEPT, Inbox
from p2p.table.log import Entry


def entry(number: int, seat: int = 1, data: bytes = b"") -> Entry:
    return Entry(b"", ("step", 0, number), 0, seat, b"h", {}, data or f"{number}/{seat}".encode())


def test_an_entry_waits_until_it_is_taken_and_is_remembered_after():
    inbox, one = Inbox(0), entry(1)
    assert inbox.put(one)
    assert inbox.arrived() is one
    assert inbox.arrived() is None
    assert inbox.at(one.stage_key) == {1: one}
    assert list(inbox) == [one]
    assert inbox.take(one.stage_key, 1) is one
    assert not inbox.at(one.stage_key)
    assert not list(inbox)
    assert inbox.signed(one.stage_key, 1) is one
    assert inbox.has(one.data)
    assert not inbox.has(b"other")


def test_of_one_seat_only_so_many_wait_and_another_is_not_crowded_out():
    inbox = Inbox(0)
    assert [inbox.put(entry(number)) for number in range(KEPT + 2)] == [True] * KEPT + [False] * 2
    assert inbox.signed(entry(KEPT).stage_key, 1) is None
    assert not inbox.has(entry(KEPT).data)
    assert inbox.put(entry(1, seat=2))
    inbox.take(entry(0).stage_key, 1)
    assert inbox.put(entry(KEPT))


def test_an_inbox_made_afresh_still_asks_for_turned_away_entries():
    """A view change makes it afresh before the client looks."""
    inbox = Inbox(0)
    assert not all(inbox.put(entry(number)) for number in range(KEPT + 1))
    assert inbox.afresh(0, ()).turned_away


def test_our_own_journal_is_never_too_long():
    inbox = Inbox(0)
    assert all(inbox.put(entry(number, seat=0)) for number in range(3 * KEPT))


def test_entries_of_our_journal_take_no_space_from_others():
    inbox = Inbox(0)
    for number in range(3 * KEPT):
        inbox.journalled.add(entry(number).key)
        assert inbox.put(entry(number), late=True)
    for number in range(2 * KEPT):
        assert inbox.lay_aside(entry(number).stage_key, 1)
    inbox.put_back(entry(0))
    inbox = inbox.afresh(0, ())
    others = [entry(number) for number in range(3 * KEPT, 4 * KEPT + 1)]
    assert [inbox.put(other) for other in others] == [True] * KEPT + [False]
    inbox.take(entry(0).stage_key, 1)
    assert not inbox.put(others[-1])


def test_our_own_newest_entry_need_not_wait():
    inbox, own = Inbox(0), entry(1, seat=0)
    inbox.note(own)
    assert inbox.signed(own.stage_key, 0) is own
    assert not list(inbox)
    assert inbox.arrived() is None


def test_nothing_is_left_of_places_that_are_over():
    inbox = Inbox(0)
    for number in range(500):
        inbox.put(entry(number))
        inbox.arrived()
        inbox.take((("step", 0, number), 0), 1)
    assert not inbox._waiting
    assert not inbox._arrived


def test_few_useless_entries_are_kept_but_always_those_at_our_own_head():
    inbox = Inbox(0)
    for number in range(KEPT + 2):
        inbox.put(entry(number))
        kept = inbox.lay_aside(entry(number).stage_key, 1, always=number == KEPT)
        assert kept is (number <= KEPT)
        assert inbox.has(entry(number).data) is kept
    assert inbox.lay_aside(put(inbox, entry(1, seat=2)).stage_key, 2)


def put(inbox: Inbox, one: Entry) -> Entry:
    assert inbox.put(one)
    return one


def test_two_stories_for_which_there_is_no_room_go_together():
    """Half of a pair would be one story, told twice by nobody."""
    inbox = Inbox(0)
    for number in range(KEPT + 1):
        inbox.put(entry(number))
        inbox.note_second(entry(number, data=f"another {number}".encode()))
        inbox.lay_aside(entry(number).stage_key, 1)
    assert len(inbox.pairs()) == KEPT
    assert inbox.size == 2 * KEPT
    assert not inbox.has(f"another {KEPT}".encode())
    for _, second in inbox.pairs():
        assert inbox.has(second.data)
