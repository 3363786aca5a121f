"""A phone that waits until the owner of the laptop lets it in."""

from __future__ import annotations

import pytest

from client.storage.phone_secrets import Secrets
from client.ui.phone.messages import Close
from tests.client.ui.phone.test_access import OLD, Visitor


def test_a_phone_that_waits_is_answered_and_is_let_in_afterwards():
    visitor = Visitor(Secrets(OLD))
    phone = visitor.phone(visitor.code()).waits()
    for _time in range(3):
        (told,) = phone.says('{"ping":true}')
        assert phone.reads(told) == {"pong": True}
    assert len(phone.let_in()) == 32


@pytest.mark.parametrize("text", ['{"ping":false}', '{"kept":true}', '{"click":"a","seen":1}', ""])
def test_a_phone_that_waits_says_nothing_else(text):
    visitor = Visitor(Secrets(OLD))
    phone = visitor.phone(visitor.code()).waits()
    assert phone.is_closed_silently(phone.says(text))
    assert visitor.access.let_in(phone.number) == []


def test_a_phone_that_waits_comes_anew_when_its_connection_was_closed():
    visitor = Visitor(Secrets(OLD))
    code = visitor.code()
    phone = visitor.phone(code).waits()
    visitor.access.gone(phone.number)
    visitor.phone(code).waits()


def test_all_that_wait_are_turned_away_together_and_nobody_else():
    visitor = Visitor(Secrets(OLD))
    inside = visitor.phone(OLD)
    inside.hello()
    phone = visitor.phone(visitor.code()).waits()
    assert visitor.access.turn_away() == [Close(phone.number)]
    assert visitor.access.let_in(phone.number) == []
    assert visitor.access.tell(inside.number, "{}") != []
