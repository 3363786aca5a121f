"""Where nothing is proven, nobody is named: silence, yields to entries that one has not heard,
other rules, and noise on a link."""

import pytest

from engine.core.run import Run
from p2p.table.events import Accused, Differs
from p2p.table.faults import BadSignature
from p2p.table.log import Entry, make_entry
from p2p.table.table import Phase
from p2p.wire import Malformed, pack
from tests.adversary.forms import ESCOBA, TINY
from tests.adversary.liar import Liar, Lie, ring_with, speaker, tell
from tests.adversary.membership import must_end, vote_out_all_that_are_late
from tests.adversary.stories import TwoFaced, two_faced
from tests.ring import Ring, identities
from tests.standin import standin_group


def nobody_is_named(ring: Ring, seats) -> None:
    for seat in seats:
        ring.store(seat)
        assert ring.tables[seat].fault is None
        assert not [event for event in ring.events[seat] if isinstance(event, Accused)]


# Silence.


class Silent(Liar):
    """From one place on it says nothing that anybody hears."""

    def sign(self, stage_key, head, body) -> Entry:
        self.told = self.told or self.at(stage_key) == self.lie.at
        return super().sign(stage_key, head, body)


@pytest.mark.parametrize(
    ("game", "at"), [*(("tiny", at) for at in TINY), *(("escoba", at) for at in ESCOBA)], ids=str
)
def test_a_seat_that_withholds_its_word_is_waited_for(game, at):
    seat = speaker(at)
    for number in range(20):
        ring, liar = ring_with(
            Lie("withholds", at, lambda *_: None, (), game, seat), number, Silent
        )
        ring.tap = lambda sender, receiver, data, liar=liar: (
            () if sender == liar.seat and liar.told else (data,)
        )
        ring.play()
        if liar.told:
            break
    assert liar.told
    nobody_is_named(ring, ring.others(seat))
    for honest in ring.others(seat):
        table = ring.tables[honest]
        # a partner has answered, and waits; or was never told and is still asked
        if at[0] == "any":
            assert seat in table.waiting
        else:
            assert table.waiting == (seat,)
        assert not table.sealed


# Words on heads that nobody has.


def test_words_that_nobody_asked_for_on_a_head_that_nobody_has_are_no_difference():
    """It costs the seat nothing: no screen may say for it that the match cannot go on."""
    ring = Ring("escoba", 3, group=standin_group(), target=1)
    told: list[Entry] = []

    def tap(sender: int, receiver: int, data: bytes) -> tuple[bytes, ...]:
        exchange, stage_keys = ring.tables[2].progress.exchange, {one.stage_key for one in told}
        if exchange is not None and exchange.place[0] == "step":
            owes_nothing = 2 not in exchange.round.speakers(exchange.stage)
            if owes_nothing and exchange.stage_key not in stage_keys:
                head = bytes([len(told)]) * 32
                told.append(ring.signed(2, exchange.place, {}, head, exchange.stage))
        return (data, *(one.data for one in told[-1:])) if sender == 2 else (data,)

    ring.tap = tap
    ring.play()
    assert len(told) > 5
    nobody_is_named(ring, range(3))
    assert all(table.sealed for table in ring.tables)
    differing = [event for events in ring.events for event in events if isinstance(event, Differs)]
    assert differing == []


# Yields.


def test_a_yield_to_an_answer_that_nobody_gave_is_waited_for():
    """The partner could have told its seat another answer than us: a verdict would let two of them
    frame it."""
    ring = tell(
        Lie(
            "a yield to nothing",
            ("any", 0),
            lambda liar, stage_key, head, body: {"yield": b"h" * 32},
            (),
        )
    )
    nobody_is_named(ring, (0, 2))
    assert ring.tables[0].waiting == (1,)
    assert [event.seat for event in ring.events[0] if isinstance(event, Differs)] == [1]
    # it stops nobody: a word is known with the answer that it names
    vote_out_all_that_are_late(ring, (0, 2))
    must_end(ring, (0, 2), (1, "voted"))


def test_a_seat_that_yielded_to_one_of_two_stories_is_not_named():
    lie = Lie("two answers", ("any", 0), lambda *_: None, ())
    for number in range(20):
        ring, liar = ring_with(lie, number, TwoFaced)
        two_faced(ring, liar)
        # Seat 0 hears the second story and nothing from the liar afterwards; seat 2 believes the
        # first and yields to it.
        ring.tap = lambda sender, receiver, data, liar=liar: (
            liar.story(sender, 2 - receiver, data) if sender == 1 else (data,)
        )
        ring.play()
        if liar.told and any(
            "yield" in ring.read(data).body for seat, data in ring.sent if seat == 2
        ):
            break
    for seat in (0, 2):
        ring.store(seat)
        assert {event.fault.seat for event in ring.events[seat] if isinstance(event, Accused)} == {
            1
        }


# Other rules, or a bug.


def test_a_table_that_plays_by_other_rules_accuses_nobody_and_is_not_accused(monkeypatch):
    true = Run.fingerprint
    ring = Ring("escoba", 3, group=standin_group(), target=1)
    other = ring.tables[2].run
    monkeypatch.setattr(Run, "fingerprint", lambda run: bytes(32) if run is other else true(run))
    ring.play()
    nobody_is_named(ring, range(3))
    differing = {
        event.seat for seat in range(3) for event in ring.events[seat] if isinstance(event, Differs)
    }
    assert differing
    assert all(table.waiting for table in ring.tables)


def test_a_card_of_no_pack_after_good_proofs_is_a_bug_and_nobodys_lie():
    ring = Ring("escoba", 3, group=standin_group(), target=1)
    for table in ring.tables:
        add = table.progress.here.masks.add
        table.progress.here.masks.add = lambda masked, add=add: (
            masked.points.clear(),
            add(masked),
        )
    ring.play()
    nobody_is_named(ring, range(3))
    assert all(table.phase is Phase.DIVERGED for table in ring.tables)
    assert [event.seat for event in ring.events[0] if isinstance(event, Differs)] == [None]


# Noise.


def test_an_entry_that_no_seat_signed_is_charged_to_the_link_and_nobody_is_named():
    ring = Ring("tiny", 3, group=standin_group())
    stranger = identities(4)[3]

    def noise(sender, receiver, data):
        entry = ring.read(data)
        forged = make_entry(stranger, entry.match, entry.stage_key, 2, entry.head, entry.body).data
        return (data[:-1], data + b"\0", forged, b"", b"\xc1", pack([1, 2, 3]), data)

    ring.tap = noise
    ring.play()
    assert all(table.sealed for table in ring.tables)
    nobody_is_named(ring, range(3))
    assert {type(error) for _, _, error in ring.charged} == {BadSignature, Malformed}
    assert len(ring.charged) % 6 == 0
    assert len(set(ring.logs)) == 1
