"""Two stories for one place: the others name the seat that told them, whether they pass on entries
at once or only show their own when heads differ; and nobody who believed one of them is named."""

from itertools import chain

import pytest

from p2p.table.faults import Equivocation
from tests.adversary.liar import SEEDS, Lie, must_name, ring_with
from tests.adversary.stories import TwoFaced, lies, two_faced
from tests.sample import sample


def tell_two(lie: Lie, **options):
    for number in range(SEEDS):
        ring, liar = ring_with(lie, number, TwoFaced, **options)
        two_faced(ring, liar)
        ring.play()
        if liar.told:
            return ring
    raise AssertionError(f"no occasion for this lie: {lie}")


LIES = lies()
FOURTHS = [LIES[start::4] for start in range(4)]


@pytest.mark.parametrize("lie", sample(chain(*FOURTHS), len(FOURTHS[0])), ids=str)
def test_the_others_name_who_tells_two_stories_when_all_is_passed_on(lie: Lie):
    must_name(tell_two(lie, flood=True), lie.seat, lie.faults)


@pytest.mark.slow
@pytest.mark.parametrize("lie", sample(chain(*FOURTHS[2:], *FOURTHS[:2]), len(FOURTHS[2])), ids=str)
def test_the_others_name_who_tells_two_stories_when_heads_differ(lie: Lie):
    must_name(tell_two(lie, flood=False), lie.seat, lie.faults)


def test_the_pair_alone_convinces():
    lie = lies()[0]
    fault = must_name(tell_two(lie), 1)
    assert isinstance(fault, Equivocation)
    assert len(fault.evidence) == 2
