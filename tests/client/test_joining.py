"""Getting to a table over a bad network: what is tried again, and what is not."""

import pytest
import trio.testing

from client.joining import TRIES, Way, direct, reach
from p2p.net.errors import LinkLost, NetError, TooSlow, Unreachable
from p2p.net.invite import ID, SECRET, Invite

WAY = Way((("192.168.1.4", 47747),))
HOST = b"h" * 16


class BadNetwork:
    """Of so many tries this is what goes wrong."""

    def __init__(self, *errors: NetError) -> None:
        self.errors, self.tries = list(errors), 0

    async def dial(self, addresses, expect):
        self.tries += 1
        await trio.lowlevel.checkpoint()
        if self.errors:
            raise self.errors.pop(0)
        return HOST


def slow() -> NetError:
    return TooSlow("192.168.1.4:47747", 3)


async def test_a_greeting_that_was_lost_is_tried_again():
    net = BadNetwork(slow(), LinkLost(None, "closed"))
    assert await reach(net, WAY) == HOST
    assert net.tries == TRIES


async def test_a_host_that_never_answers_is_given_up_with_its_error():
    net = BadNetwork(*[slow() for _ in range(TRIES)])
    with pytest.raises(TooSlow):
        await reach(net, WAY)
    assert net.tries == TRIES


async def test_where_nobody_is_nothing_is_tried_again():
    net = BadNetwork(Unreachable("192.168.1.4:47747", "refused"))
    with pytest.raises(Unreachable):
        await reach(net, WAY)
    assert net.tries == 1


def test_an_invite_is_found_behind_the_words_that_were_copied_with_it():
    invite = str(Invite(("192.0.2.1",), 47747, bytes(ID), bytes(SECRET)))
    for text in (invite, f"Others join with: {invite}", f"  join\t{invite.lower()} "):
        way = direct(text)
        assert way is not None
        assert way.addresses == (("192.0.2.1", 47747),)
