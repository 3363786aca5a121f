"""Guests come, go and lose their links while terms are proposed."""

from __future__ import annotations

from random import Random

import pytest

from p2p.wire import unpack
from tests.client.session.processes import Lan, Process, agreed, comes, opened, replace_link


def nearly_agreed(seed: int) -> tuple[Lan, Random, Process, Process, Process]:
    """Bring three to where a host and one guest have signed; the other guest has not heard the
    terms yet."""
    lan, random = Lan(), Random(seed)
    host = opened(lan, 3)
    one = comes(lan, host, 1)
    lan.settle(random)
    two = comes(lan, host, 2)
    while host.setup.agreement is None:
        assert lan.deliver(random)
    lan.settle(random, but=(host.id, two.id))
    assert one.setup.agreement
    assert not any(process.setup.agreed for process in (host, one, two))
    return lan, random, host, one, two


@pytest.mark.parametrize("seed", range(10))
def test_a_player_that_comes_for_one_who_went_meets_no_used_nonces(seed):
    lan, random, host, one, two = nearly_agreed(seed)
    used = one.setup.agreement.terms.participants
    lan.end(two)
    three = comes(lan, host, 3)
    # The newcomer has sat down before the first guest has heard that the table was opened again.
    while any(lan.links[ends] for ends in ((host.id, three.id), (three.id, host.id))):
        for here, there in ((host, three), (three, host)):
            if lan.links[here.id, there.id]:
                there.hears(here.id, unpack(lan.links[here.id, there.id].popleft(), 65536))
    assert not host.setup.agreement, "the first guest's nonce was proposed before"
    lan.settle(random)
    assert len(agreed(host, one, three)) == 1
    assert not set(used) & set(host.setup.agreement.terms.participants)


@pytest.mark.parametrize("seed", range(10))
def test_a_link_that_was_replaced_opens_no_table_again(seed):
    lan, random, host, one, two = nearly_agreed(seed)
    match = host.setup.agreement.match
    replace_link(lan, host, one)
    lan.settle(random, but=(host.id, two.id))
    replace_link(lan, host, two)
    lan.settle(random)
    assert agreed(host, one, two) == {match}


@pytest.mark.parametrize("seed", [3, 302683])
def test_a_request_that_crossed_the_terms_is_not_taken_for_a_fresh_one(seed):
    """Its nonce stood in terms that came to nothing, and its guest has signed them meanwhile: the
    guest sits down anew."""
    lan, random = Lan(), Random(seed)
    host = opened(lan, 3)

    def hear() -> None:
        for _ in range(4):
            lan.dial_kept()
            lan.deliver(random)

    one = comes(lan, host, 1)
    hear()
    replace_link(lan, host, one)  # it looks again, and asks for its seat again
    two, three = comes(lan, host, 2), comes(lan, host, 3)
    hear()
    lan.end(two)
    lan.settle(random)
    assert one.refused is None
    assert len(agreed(host, one, three)) == 1
