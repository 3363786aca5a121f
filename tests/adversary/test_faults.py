"""Every class of fault has lying tables, at every place where it can be told; run with `-s` to read
the list."""

import pytest

from p2p.table.faults import FAULTS
from tests.adversary import changes, forms, plays, proofs, stories, turns
from tests.adversary.liar import KEPT, Lie

LIES: list[Lie] = [
    *forms.all_forms("tiny", forms.TINY),
    *forms.all_forms("escoba", forms.ESCOBA),
    *proofs.lies(),
    *plays.lies(),
    *turns.lies(),
    *stories.lies(),
    *changes.lies(),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_every_class_of_fault_has_a_lying_table(fault):
    # A lie that only this fault answers: one that might also be taken for another does not count.
    assert [lie for lie in LIES if lie.faults == (fault,)]


@pytest.mark.parametrize(
    "at", sorted({*forms.TINY, *forms.ESCOBA}), ids=lambda at: f"{at[0]}-{at[1]}"
)
def test_every_place_has_tables_that_lie_there(at):
    found = {fault.__name__ for lie in LIES if lie.at == at for fault in lie.faults}
    assert {"BadForm", "OutOfTurn", "Equivocation"} <= found
    # At a seal, at a deck that is kept, among partners who show no card: nothing is to be proven.
    assert "BadProof" in found or at[0] in ("seal", "any") or at == KEPT
