"""A secret that was not used for long is void: its phone needs a code, and that its owner's
consent."""

from __future__ import annotations

from client.ui.phone.messages import Close
from tests.client.ui.phone.test_access import Visitor, paired


def test_a_void_secret_lets_nobody_in_and_a_code_needs_the_owner_still():
    visitor = Visitor()
    _phone, secret = paired(visitor)
    waiting = visitor.phone(secret).begins()
    assert visitor.access.void() == [Close(waiting.number)]
    assert visitor.access.receive(98, visitor.phone(secret).page.first) == [Close(98)]
    for again in (visitor, visitor.restarted()):
        assert again.access.receive(99, again.phone(secret).page.first) == [Close(99)]
        again.phone(again.code()).waits()
