"""Whatever comes in one piece of work, nothing of ours is posted before it is on disk."""

from __future__ import annotations

from pathlib import Path

from client.sitting import Behind, Chosen, Heard, Input, Sitting
from client.store import Home
from p2p.table.log import read_entry
from tests.ring import first_choice, identities, terms_for
from tests.standin import seeded, standin_group

PEER = b"the other one"


def test_a_move_is_stored_before_anybody_who_was_behind_is_sent_it(tmp_path: Path) -> None:
    who, terms = identities(2), terms_for("escoba", 2, target=1)
    signatures = [terms.sign(one) for one in who]
    group = standin_group()
    homes = [tmp_path / str(seat) for seat in range(2)]
    sittings = [
        Sitting(terms, signatures, {seat: who[seat]}, {}, Home(homes[seat]), seeded(seat), group=group) for seat in range(2)
    ]
    coming: list[list[Input]] = [[], []]
    posted = 0

    def post(seat: int, data: bytes, to: bytes | None) -> None:
        nonlocal posted
        if read_entry(terms, terms.match, data).seat == seat:
            posted += to is not None
            stored = b"".join(path.read_bytes() for path in homes[seat].rglob("*.*"))
            assert data in stored
        coming[1 - seat].append(Heard(PEER, data))

    for turn in range(200):
        seat = turn % 2
        table = sittings[seat].table
        inputs, coming[seat] = coming[seat], []
        if table.asked:
            inputs += [Chosen(seat, first_choice(table.view())), Behind(PEER, table.steps, table.head)]
        sittings[seat].work(inputs, lambda data, *, to=None, skip=None, seat=seat: post(seat, data, to))
    for sitting in sittings:
        sitting.close()
    assert all(sitting.table.sealed for sitting in sittings)
    assert posted > 20
