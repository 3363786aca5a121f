"""A player whose disk is set back to an older copy goes on, and nobody knows more of the cards for
it (G12: one deck key sees one deck and one continuation)."""

from __future__ import annotations

import pytest

from p2p.table import rounds
from p2p.table.events import Accused, Dealt, OutOfKeys
from p2p.table.faults import BadForm, Forgotten
from p2p.table.log import record
from p2p.table.replay import verify_log
from p2p.table.rounds import BURNS, FRESH
from p2p.table.table import Table
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import unpack
from tests.adversary.membership import catch_up
from tests.ring import Ring, bare
from tests.standin import seeded, standin_group
from tests.table.burning import burner

GROUP = standin_group()
VICTIM, LIAR = 0, 1
WANTED = ("7o", "1c", "12b")
"""The hand that the liar would like to have."""


class Stacked(Ring):
    """A match of two. Both disks are copied when the victim has shuffled and the liar has not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__("escoba", 2, group=GROUP, target=1)
        self.order: list[int] = []
        """The permutation that the liar draws next; none: any."""
        self.drawn: list[list[int]] = []
        draw = rounds.draw_permutation

        def drawn(count, entropy):
            if entropy is not self.tables[LIAR].entropy:
                return draw(count, entropy)
            self.drawn.append(self.order or draw(count, entropy))
            return self.drawn[-1]

        monkeypatch.setattr(rounds, "draw_permutation", drawn)

    def until_the_shuffle(self) -> None:
        """Play until the liar would hear of the victim's shuffle, and hold that back."""
        held = []

        def tap(sender, _receiver, data):
            entry = self.read(data)
            if sender == VICTIM and "deck" in entry.body:
                held.append(data)
                return ()
            return (data,)

        self.tap = tap
        self.settle()
        self.tap, (shuffle,) = None, held
        self.copies = (list(self.journals), list(self.logs))
        self.carry(VICTIM, shuffle, [LIAR])

    def set_back(self) -> None:
        """Let both sit down with the copies of their disks."""
        self.journals, self.logs = map(list, self.copies)
        for seat in (VICTIM, LIAR):
            self.tables[seat] = self.resumed(seat, f"again {seat}")
            self.marks[seat] = self.tables[seat].mark
            self.events[seat] = []


def dealt(ring: Ring, seat: int) -> dict[int, str]:
    """Return the first cards that a seat was dealt."""
    return next(event for event in ring.events[seat] if isinstance(event, Dealt)).mine


def test_a_disk_that_is_set_back_to_the_middle_of_a_shuffle_lets_nobody_stack_the_deck(monkeypatch):
    ring = Stacked(monkeypatch)
    ring.until_the_shuffle()
    ring.play()
    faces = {**ring.tables[LIAR].run.game.faces, **dealt(ring, LIAR)}
    assert set(WANTED) <= set(faces.values())
    inputs = {faces[slot]: ring.drawn[0][slot] for slot in faces}
    rest = [at for at in range(40) if at not in {inputs[face] for face in WANTED}]
    slots = list(dealt(ring, LIAR))
    ring.order = [
        inputs[WANTED[slots.index(at)]] if at in slots else rest.pop() for at in range(40)
    ]

    ring.set_back()
    ring.play()
    assert all(table.sealed for table in ring.tables)
    assert tuple(dealt(ring, LIAR).values()) != WANTED


def test_a_seat_that_has_kept_a_deck_says_nothing_of_another_one_on_its_chain(monkeypatch):
    """The liar shuffles otherwise, and shows us our word for the deck as it was before."""
    ring = Stacked(monkeypatch)
    ring.until_the_shuffle()
    ring.play()
    old = next(data for seat, data in ring.sent if seat == VICTIM and keeps(data, ring))
    ring.order = ring.drawn[0][::-1]
    ring.set_back()
    ring.tables[VICTIM].receive(old)
    before = len(ring.sent)
    ring.play()
    said = [data for seat, data in [*ring.sent[before:], (VICTIM, old)] if seat == VICTIM]
    keys = {data: ring.read(data).key for data in said}
    assert [data for data in keys if keys[data] == keys[old]] == [old]
    assert len(ring.drawn) == 2
    assert not any(isinstance(event, Dealt) for event in ring.events[LIAR])


def keeps(data: bytes, ring: Ring) -> bool:
    """Whether an entry is the word of a holder that it keeps a deck."""
    entry = ring.read(data)
    return entry.kind == "deck" and entry.body == {}


class Copied(Ring):
    """A match whose first seat's disk is copied at every store, until a deck has been dealt from.
    If it is not `kept` nobody hears that anybody keeps it."""

    def __init__(self, players: int, *, kept: bool) -> None:
        super().__init__("escoba", players, group=GROUP, target=1)
        self.copies: list[tuple[bytes, bytes]] = []
        if not kept:
            self.tap = lambda sender, _, data: () if keeps(data, self) else (data,)
        self.settle()
        self.tap = None

    def store(self, seat: int) -> list[bytes]:
        data = super().store(seat)
        if seat == VICTIM and (self.journals[0], self.logs[0]) not in self.copies[-1:]:
            self.copies.append((self.journals[0], self.logs[0]))
        return data

    def set_back(self, at: int) -> None:
        """Let the first seat sit down with a copy, and let all others show what they hold first."""
        self.journals[0], self.logs[0] = self.copies[at][0], b""
        table = Table.resumed(
            *(self.terms, self.signatures, VICTIM, self.who[VICTIM], seeded("again")),
            *(*self.copies[at], GROUP),
            listening=True,
        )
        for other in self.others(VICTIM):
            for data in self.tables[other].held_since(0):
                table.receive(data)
        table.proceed()
        table.speak()
        self.tables[VICTIM], self.marks[VICTIM] = table, None
        catch_up(self)

    def keys(self) -> list[bytes]:
        """Return the keys that the first seat has given for the first deck, in order."""
        found = [self.read(data) for data in bare(self.logs[VICTIM])[1][1]]
        return [
            entry.body["key"] for entry in found if entry.seat == VICTIM and "key" in entry.body
        ]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("kept", [False, True], ids=["not kept", "kept"])
def test_a_copy_of_any_moment_of_a_shuffle_goes_on_among_honest_players(players, kept):
    """The others show our own words. We burn our key for a deck that nobody has dealt from,
    and only the key of another one must not be lost."""
    count, lost, burnt = len(Copied(players, kept=kept).copies), 0, 0
    for at in range(count):
        ring = Copied(players, kept=kept)
        try:
            ring.set_back(at)
        except Forgotten:
            assert kept
            lost += 1
            continue
        assert [table.steps for table in ring.tables] == [4] * players, "all have been dealt cards"
        assert len({table.head for table in ring.tables}) == 1
        assert not any(isinstance(event, Accused) for events in ring.events for event in events)
        burnt += len(ring.keys()) > 1
    assert bool(lost) is kept
    assert bool(burnt) is not kept


def places(ring: Ring, data: bytes) -> tuple[object, ...]:
    """Return the kind of place of an entry, and its number."""
    place = ring.read(data).place
    return (place[0], place[2])


def test_a_peer_that_shows_our_old_word_alone_deals_the_same_cards_again_and_no_others():
    """A limit that the threat model names: the word says which deck we keep. The peer knows what it
    saw of that deal, but does not choose the cards."""
    ring = Copied(2, kept=True)
    ring.play()
    first = dealt(ring, VICTIM)
    sent = [data for _seat, data in ring.sent]
    old = [data for data in sent if places(ring, data) in (("step", 1), ("deck", 1))]
    deal = [data for data in sent if places(ring, data) == ("step", 3)]
    again = 0
    for journal, log in ring.copies:
        table = ring.resumed(VICTIM, journal=journal, log=log, listening=True)
        for data in (*old, *deal):
            table.receive(data)
        try:
            table.proceed()
        except Forgotten:
            continue
        hands = [event.mine for event in table.events() if isinstance(event, Dealt)]
        assert hands[:1] in ([], [first])
        again += bool(hands)
    assert again


@pytest.mark.parametrize("other", [None, GROUP.scalar_bytes(5)])
def test_without_the_key_in_the_deck_no_shares_are_made(other):
    """They would be false, and convict us."""
    ring = Copied(2, kept=True)
    journal, log = ring.journals[VICTIM], ring.logs[VICTIM]
    items = [unpack(item, RECORD_LIMIT) for item in split_records(journal)[0]]
    assert any("key" in item and item["key"] != other for item in items)
    changed = b"".join(
        record({**item, "key": other} if "key" in item else item)
        for item in items
        if other or "key" not in item
    )
    with pytest.raises(Forgotten, match="our key for deck"):
        ring.resumed(VICTIM, journal=changed, log=log)


@pytest.mark.parametrize("kind", [burner(BURNS + 1), burner(1, FRESH - 1)])
def test_a_seat_that_burns_a_fourth_key_or_with_too_few_bytes_is_named(kind):
    ring = Ring("escoba", 2, group=GROUP, target=1, table_class=[Table, kind])
    ring.settle()
    fault = ring.tables[0].fault
    assert isinstance(fault, BadForm)
    assert fault.seat == 1
    verdict = verify_log(ring.tables[0].verdict(fault), GROUP)
    assert [(type(one), one.seat) for one in verdict.faults] == [(BadForm, 1)]


@pytest.mark.parametrize("late", [0, 1, 2])
def test_nobody_gives_a_share_of_a_deck_before_all_have_kept_it(late):
    ring = Ring("escoba", 3, group=GROUP, target=1)
    ring.tap = lambda sender, _, data: () if sender == late and keeps(data, ring) else (data,)
    ring.settle()
    said = [ring.read(data) for _seat, data in ring.sent]
    assert not any("shares" in entry.body for entry in said if entry.seat != late)
    assert all(ring.tables[seat].waiting == (late,) for seat in ring.others(late))


class Restarted(Ring):
    """A match whose first seat begins anew before the last stage of each try to make a deck."""

    def __init__(self, players: int) -> None:
        super().__init__("escoba", players, group=GROUP, target=1)

        def without_the_last_shuffle(_sender, receiver, data):
            entry = self.read(data)
            last = entry.kind == "deck" and entry.stage % (players + 2) == players
            return () if last and receiver == VICTIM else (data,)

        self.tap = without_the_last_shuffle
        self.settle()
        self.lives = 1

    def restart(self) -> None:
        """Let the first seat begin anew, and show it all that the others hold."""
        self.lives += 1
        self.tables[VICTIM] = self.resumed(VICTIM, f"{self.lives}")
        self.marks[VICTIM], self.events[VICTIM] = None, []
        for other in self.others(VICTIM):
            for data in self.tables[other].held_since(0):
                self.tables[VICTIM].receive(data)
        self.settle()


@pytest.mark.parametrize("players", [2, 3])
def test_a_seat_that_may_burn_no_further_key_tells_its_player_and_can_leave(players):
    ring = Restarted(players)
    for _ in range(BURNS):
        ring.restart()
        assert OutOfKeys(1) not in ring.events[VICTIM]
    ring.restart()
    assert ring.events[VICTIM].count(OutOfKeys(1)) == 1
    assert not ring.charged
    others = ring.others(VICTIM)
    assert all(ring.tables[seat].waiting == (VICTIM,) for seat in others)
    assert all(ring.tables[seat].may_vote(VICTIM) is (players > 2) for seat in others)
    ring.restart()
    assert OutOfKeys(1) in ring.events[VICTIM], "it is told again after each beginning"
    ring.tables[VICTIM].leave()
    ring.tap = None
    ring.play()
    assert all(ring.tables[seat].sealed for seat in others)
