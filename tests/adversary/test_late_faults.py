"""A liar is at fault in a step that a change drops: some have made the change, and the others see
the fault."""

from __future__ import annotations

import pytest

from p2p.table.epoch_entries import ChangeRound
from tests.adversary.membership import (
    accused,
    catch_up,
    flush,
    must_end,
    own_stand,
    siete,
    silence,
    spread,
    stand,
    tell,
    vote_on,
)
from tests.ring import Ring

LEAVER = 0
OF = ChangeRound((LEAVER,))


def somebody_owes_a_word(seats: int) -> tuple[Ring, int]:
    """Return a match that waits for words, and has begun the next deck; and one who owes a word,
    but the first."""
    for moves in range(4, 30):
        ring = siete(seats, moves)
        for table in ring.tables:
            table.go_all_the_way()
        owing = [seat for seat in ring.tables[1].waiting if seat != LEAVER]
        if owing and all(table.progress.ahead is not None for table in ring.tables):
            return ring, owing[0]
    raise AssertionError("nobody owes a word")


@pytest.mark.parametrize("kind", ["form", "proof", "deck"])
@pytest.mark.parametrize(("seats", "victims"), [(4, 1), (5, 1), (5, 2), (6, 1), (6, 2), (6, 3)])
def test_a_fault_that_some_see_after_the_others_have_made_a_change_removes_nobody(
    seats, victims, kind
):
    """Seat 0 leaves, and all stand. The liar's stand comes to some alone, and its word, which does
    not hold, to the others. They wait for a flush of those who go on without that step."""
    ring, liar = somebody_owes_a_word(seats)
    honest = ring.others(LEAVER, liar)
    silence(ring, liar, LEAVER)
    said = [ring.signed(LEAVER, ("leave", 0)), flush(ring, liar, OF)]
    spread(ring, said, but=[liar, LEAVER])
    ring.settle()
    on = own_stand(ring, honest[0])
    ring.tap = lambda *_: ()
    made, late = honest[:-victims], honest[-victims:]
    for seat in made:
        tell(ring, seat, stand(ring, liar, OF, on))
    assert [ring.tables[seat].mark[0] for seat in honest] == [1] * len(made) + [0] * len(late)
    progress = ring.tables[late[0]].progress
    exchange = progress.ahead if kind == "deck" else progress.exchange
    body = {"move": ["no such move"], "shares": []} if kind == "proof" else {"bad": 1}
    bad = ring.signed(liar, exchange.place, body, exchange.head, exchange.stage)
    silence(ring, liar, LEAVER)
    for seat in late:
        tell(ring, seat, bad)
        ring.tables[seat].go_all_the_way()
        assert accused(ring, seat) == [liar]
    ring.settle()
    for _ in range(2):
        catch_up(ring, *honest)
        ring.play()
    assert [ring.tables[seat].mark[0] for seat in honest] == [1] * len(honest), "no vote is needed"
    vote_on(ring, honest)
    must_end(ring, honest, (LEAVER, "left"), (liar, "voted"))
