"""A table that flushes shows the reasons of its flush, and not other words of liars."""

from __future__ import annotations

from p2p.table.epoch_entries import ChangeRound
from p2p.table.hashing import h
from p2p.table.log import ENTRY_LIMIT, FLUSH, REASONS
from p2p.table.member_entries import flush_place
from p2p.table.pool import POOL
from tests.adversary.membership import siete

LEAVER, LIARS, HONEST = 0, (3, 4), 1
LINK = 8 << 20
"""So many bytes may wait in the queue of a link."""


def test_words_that_nothing_needs_do_not_fill_the_links_at_a_flush():
    ring = siete(5)
    table = ring.tables[HONEST]
    names = {"records": 0, "done": b"", "reasons": sorted(h("r", at) for at in range(REASONS))}
    for liar in LIARS:
        for at in range(POOL):
            place, words = ("deck", 0, 500 + at, bytes(32)), {"junk": bytes(ENTRY_LIMIT - 300)}
            calls = tuple(sorted((2, h("call", one)) for one in range(at + 1)))
            flush = flush_place(0, ChangeRound((), calls))
            table.receive(ring.signed(liar, place, words, bytes(32)).data)
            table.receive(ring.signed(liar, flush, names, bytes(32)).data)
    table.proceed()
    assert sum(map(len, table.held_since(table.steps))) > LINK
    ring.store(HONEST)
    table.receive(ring.signed(LEAVER, ("leave", 0)).data)
    table.proceed()
    sent = ring.store(HONEST)
    assert FLUSH in {ring.read(data).kind for data in sent}
    assert sum(map(len, sent)) < LINK // 100
