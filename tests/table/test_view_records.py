"""Records of view changes in logs: a record that does not show that a seat may go is rejected."""

import pytest

from client.i18n.sentences import english
from p2p.table.calls import in_order
from p2p.table.log import RECORD_LIMIT, make_entry, read_entry, record, split_records
from p2p.table.replay import BadLog, verify_log
from p2p.wire import unpack
from tests.ring import Ring
from tests.standin import standin_group
from tests.table.view_changes import must_agree, siete, silence, vote_out

GROUP = standin_group()


@pytest.fixture(scope="module")
def changed() -> Ring:
    """A match in which one leaves, and then one is voted out."""
    ring = siete(5)
    ring.tables[1].leave()
    ring.settle()
    ring.play(moves=3)
    silence(ring, 2)
    ring.play(moves=20)
    vote_out(ring, 2, 0, 3, 4)
    ring.play()
    must_agree(ring, (1, "left"), (2, "voted"))
    return ring


def test_the_entries_that_justify_a_change_are_sorted_by_the_numbers_of_their_views(changed):
    """Protocol 6: by the kind of the place as text, then by the view as a number, the stage, the
    seat and the bytes."""
    places = [
        ("flush", 11, (0,), (), ()),
        ("leave", 2),
        ("leave", 10),
        ("vote", 9, bytes(32), 0),
        ("vote", 10, bytes(32), 0),
    ]
    match = changed.terms.match
    entries = [make_entry(changed.who[1], match, (place, 0), 1, bytes(32), {}) for place in places]
    assert sorted((entries[at] for at in (2, 4, 0, 3, 1)), key=in_order) == entries


def with_view(ring: Ring, number: int, change) -> bytes:
    """Return the log of the first seat with the entries of its n-th view record changed."""
    values = [unpack(item, RECORD_LIMIT) for item in split_records(ring.logs[0])[0]]
    at = [at for at, value in enumerate(values) if "view" in value][number]
    values[at] = {"view": change(list(values[at]["view"]))}
    return b"".join(record(value) for value in values)


def signed_anew(ring: Ring, data: bytes, **changes) -> bytes:
    entry = read_entry(ring.terms, ring.terms.match, data)
    place, head, body = (
        changes.get("place", entry.place),
        changes.get("head", entry.head),
        changes.get("body", entry.body),
    )
    return make_entry(ring.who[entry.seat], entry.match, (place, 0), entry.seat, head, body).data


def body_of(data: bytes) -> dict:
    return unpack(data, RECORD_LIMIT)[5]


def place_of(data: bytes) -> tuple:
    def frozen(value):
        return tuple(map(frozen, value)) if type(value) is list else value

    return frozen(unpack(data, RECORD_LIMIT)[1])


MUTATIONS = {
    "another order": lambda ring, entries: entries[::-1],
    "a flush is missing": lambda ring, entries: entries[:-1],
    "one flush alone": lambda ring, entries: entries[-1:],
    "a flush twice": lambda ring, entries: [*entries, entries[-1]],
    "nothing that calls": lambda ring, entries: [
        data for data in entries if place_of(data)[0] == "flush"
    ],
    "the first call is missing": lambda ring, entries: entries[1:],
    "no flush": lambda ring, entries: [data for data in entries if place_of(data)[0] != "flush"],
    "a flush with done": lambda ring, entries: [
        *entries[:-1],
        signed_anew(ring, entries[-1], body={**body_of(entries[-1]), "done": bytes(32)}),
    ],
    "a flush with fewer records": lambda ring, entries: [
        *entries[:-1],
        signed_anew(ring, entries[-1], body={**body_of(entries[-1]), "records": 0}),
    ],
    "a flush with more records": lambda ring, entries: [
        *entries[:-1],
        signed_anew(ring, entries[-1], body={**body_of(entries[-1]), "records": 2**31 - 1}),
    ],
    "a flush on another head": lambda ring, entries: [
        *entries[:-1],
        signed_anew(ring, entries[-1], head=bytes(32)),
    ],
    "a flush with more words": lambda ring, entries: [
        *entries[:-1],
        signed_anew(ring, entries[-1], body={**body_of(entries[-1]), "more": 1}),
    ],
    "a flush of another view": lambda ring, entries: [
        *entries[:-1],
        signed_anew(ring, entries[-1], place=("flush", 7, *place_of(entries[-1])[2:])),
    ],
    "a flush for others": lambda ring, entries: [
        *entries[:-1],
        signed_anew(ring, entries[-1], place=(*place_of(entries[-1])[:2], (0,), (), ())),
    ],
    "a call of a later view": lambda ring, entries: [
        signed_anew(
            ring, entries[0], place=(place_of(entries[0])[0], 9, *place_of(entries[0])[2:])
        ),
        *entries[1:],
    ],
}


@pytest.mark.parametrize("number", [0, 1], ids=["left", "voted"])
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_view_record_that_was_tampered_with_is_rejected_in_one_line(changed, name, number):
    assert with_view(changed, number, lambda entries: entries) == changed.logs[0]
    with pytest.raises(BadLog) as caught:
        verify_log(
            with_view(changed, number, lambda entries: MUTATIONS[name](changed, entries)), GROUP
        )
    sentence = english(caught.value)
    assert sentence.startswith("record ")
    assert sentence.isprintable()


def test_a_leave_with_words_in_a_log_convicts_its_seat(changed):
    """The form of its entry is its own fault: it goes all the same, but by that."""
    data = with_view(
        changed,
        0,
        lambda entries: [signed_anew(changed, entries[0], body={"more": 1}), *entries[1:]],
    )
    assert [(one.seat, one.how) for one in verify_log(data, GROUP).gone] == [
        (1, "convicted"),
        (2, "voted"),
    ]


def test_votes_of_seats_that_have_gone_do_not_count_in_a_log(changed):
    """Seat 1 has left: its vote in place of one of the others' makes too few."""

    def change(entries):
        vote = entries[0]
        forged = make_entry(
            changed.who[1],
            changed.terms.match,
            (place_of(vote), 0),
            1,
            unpack(vote, RECORD_LIMIT)[4],
            {},
        ).data
        return [forged, *entries[1:]]

    with pytest.raises(BadLog):
        verify_log(with_view(changed, 1, change), GROUP)
