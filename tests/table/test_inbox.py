from p2p.table.inbox import Inbox
from p2p.table.log import Entry
from p2p.table.pool import POOL


def entry(number: int, seat: int = 1, data: bytes = b"") -> Entry:
    return Entry(b"", ("step", 0, number), 0, seat, b"h", {}, data or f"{number}/{seat}".encode())


def test_an_entry_waits_until_it_is_taken_and_is_remembered_after():
    inbox, one = Inbox(0), entry(1)
    inbox.put(one)
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


def test_a_seat_displaces_only_its_own_words_that_nothing_needs():
    inbox, needed = Inbox(0), entry(1000)
    inbox.need({needed.key, entry(0).key})
    for one in (entry(0), entry(1, seat=2), needed, *map(entry, range(1, POOL + 3))):
        inbox.put(one)
    for one in (entry(0), needed, entry(1, seat=2), *map(entry, range(3, POOL + 3))):
        assert inbox.signed(one.stage_key, one.seat) == one
        assert one in inbox
    for one in (entry(1), entry(2)):
        assert inbox.signed(one.stage_key, 1) is None
        assert not inbox.has(one.data)
        assert one not in inbox


def test_a_word_that_has_been_needed_once_is_kept():
    inbox, one = Inbox(0), entry(0)
    inbox.put(one)
    inbox.need({one.key})
    inbox.need(())
    for number in range(1, 2 * POOL):
        inbox.put(entry(number))
    assert inbox.afresh(0, ()).signed(one.stage_key, 1) is one


def test_our_own_words_and_those_of_our_journal_are_never_too_many():
    inbox = Inbox(0)
    for number in range(3 * POOL):
        inbox.put(entry(number, seat=0))
        inbox.journalled.add(entry(number).key)
        inbox.put(entry(number))
    assert len(list(inbox)) == 6 * POOL


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


def test_a_word_on_a_head_that_stands_for_something_now_waits_again():
    inbox, one = Inbox(0), entry(1)
    inbox.put(one)
    assert inbox.arrived() is inbox.take(one.stage_key, 1)
    inbox.look_again(b"another")
    assert not list(inbox)
    inbox.look_again(one.head)
    assert inbox.arrived() is one
    assert inbox.waits(one)


def test_two_stories_are_displaced_together():
    """Half of a pair would be one story, told twice by nobody."""
    inbox = Inbox(0)
    for number in range(POOL + 1):
        inbox.put(entry(number))
        inbox.note_second(entry(number, data=f"another {number}".encode()))
    assert len(inbox.pairs()) == POOL
    assert not inbox.has(b"another 0")
    for one, second in inbox.pairs():
        assert inbox.has(one.data)
        assert inbox.has(second.data)


def test_a_third_story_of_a_place_that_was_displaced_is_heard_again():
    """It stayed known by its bytes alone, so nobody could send it again."""
    inbox = Inbox(0)
    inbox.put(entry(0))
    for told in (b"second", b"third", b"fourth"):
        inbox.note_second(entry(0, data=told))
    for number in range(1, POOL + 1):
        inbox.put(entry(number))
    third = entry(0, data=b"third")
    assert inbox.signed(third.stage_key, 1) is None
    assert not any(inbox.has(data) for data in (entry(0).data, b"second", b"third", b"fourth"))
    inbox.put(third)
    assert inbox.signed(third.stage_key, 1) is third
    assert not inbox.stories()
