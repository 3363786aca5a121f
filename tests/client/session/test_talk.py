"""Remarks at the table: heard from players only, cleaned, cut, and no more often than a table
bears."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
import trio

from client.session.inputs import Inputs
from client.session.messages import Notice, Talked
from client.session.router import Router
from client.session.setup_rules import NO_SETUP_RULES
from client.session.talk import REMARKS, TALK_CHARACTERS, WITHIN_S
from p2p.wire import Malformed
from tests.client.session.linked_player import NONCES
from tests.client.session.test_presence import JON, begun

EVE = b"e" * 32


def make_router(told: list) -> Router:
    """Return a router without a mesh."""
    does = {"signed": Mock(), "changed": Mock()}
    return Router(None, (), NO_SETUP_RULES, Inputs(), Mock(), told.append, **does)


async def hear(*messages: dict, peer: bytes = JON) -> list[Talked]:
    """Return what is told of messages of a peer; Jon has seat 1, Eve none."""
    told: list[Talked] = []
    router = make_router(told)
    router.presence.follow_on(begun())
    for message in messages:
        await router.take_message(peer, message, NONCES)
    return told


def say(text: str, *, phrase: bool = False) -> dict:
    return {"t": "say", "text": text, "phrase": phrase}


async def test_a_player_who_says_more_than_others_are_shown_is_told_so(autojump_clock):
    told, sent = [], []
    router = make_router(told)
    router.post = sent.append
    for _ in range(REMARKS + 1):
        router.say("ha", phrase=False)
    assert len(sent) == REMARKS
    assert told == [Notice("not-said", {"count": REMARKS, "seconds": round(WITHIN_S)})]
    await trio.sleep(WITHIN_S)
    router.say("ha", phrase=False)
    assert len(sent) == REMARKS + 1


async def test_strangers_are_not_heard():
    assert await hear(say("hello", phrase=True), peer=EVE) == []


async def test_talk_cannot_touch_the_terminal():
    (said,) = await hear(say("\x1b]0;you lost\x07 \u202eevil\n"))
    assert not set(said.text) & {"\x1b", "\x07", "\u202e", "\n"}


@pytest.mark.parametrize(
    "message",
    [
        say("x" * (TALK_CHARACTERS + 1)),
        {"t": "say", "text": b"x", "phrase": False},
        {"t": "say", "text": "x", "phrase": 1},
        {"t": "say", "text": "x"},
        {"t": "say", "text": "x", "phrase": False, "more": 1},
    ],
)
async def test_talk_in_another_form_ends_the_link(message):
    with pytest.raises(Malformed):
        await hear(message)


async def test_a_player_that_talks_on_and_on_is_heard_only_now_and_then(autojump_clock):
    assert len(await hear(*[say("ha")] * 50)) == REMARKS
