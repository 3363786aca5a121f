"""A phone that waits until the owner of the laptop lets it in."""

from __future__ import annotations

import pytest

from client.storage.phone_secrets import Secrets
from client.ui.phone.messages import Close
from tests.client.ui.phone.test_access import OLD, Visitor


@pytest.mark.parametrize("text", ['{"ping":false}', '{"kept":true}', '{"click":"a","seen":1}', ""])
def test_a_phone_that_waits_says_nothing_else(text):
    visitor = Visitor(Secrets(OLD))
    phone = visitor.phone(visitor.code()).waits()
    assert phone.is_closed_silently(phone.says(text))
    assert visitor.access.let_in(phone.number) == []


def test_all_that_wait_are_turned_away_together_and_nobody_else():
    visitor = Visitor(Secrets(OLD))
    inside = visitor.phone(OLD)
    inside.hello()
    phone = visitor.phone(visitor.code()).waits()
    assert visitor.access.turn_away() == [Close(phone.number)]
    assert visitor.access.let_in(phone.number) == []
    assert visitor.access.tell(inside.number, "{}") != []
