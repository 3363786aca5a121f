from __future__ import annotations

import string

import pytest

from p2p.net import errors
from p2p.net.errors import LinkLost, NetError, TooSlow, UpdateHere, UpdateThere, VersionMismatch, WrongPeer


def kinds(kind: type[NetError] = NetError) -> list[type[NetError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in kinds(child))]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_each_sentence_can_be_filled_in_and_is_one_a_player_may_read(kind):
    facts = dict.fromkeys(getattr(kind, "__dataclass_fields__", {}), "x")
    named = {name for _, name, _, _ in string.Formatter().parse(kind.sentence()) if name}
    assert named <= set(facts)
    error = kind(**facts)
    assert str(error) == kind.sentence().format(**error.facts())
    assert str(error)[0] not in "{ "
    assert str(error).endswith(".")
    assert kind.__name__ in errors.__all__


def test_ids_are_shown_as_fingerprints():
    text = str(WrongPeer(expected=bytes(10), got=bytes(range(32))))
    assert "0000-0000-0000-0000" in text
    assert "\\x" not in text


def test_an_unknown_peer_and_a_duration():
    assert str(LinkLost(None, "lost")) == "The link to the other side was lost (lost)."
    assert " 10 seconds" in str(TooSlow("host:1", 10.0))


def test_who_has_to_update():
    facts = {"peer": bytes(32), "ours": 1, "our_program": "0.1", "theirs": 2, "their_program": "0.2"}
    assert str(UpdateHere(**facts)).startswith("Update Sobremesa here")
    assert "Ask 0000" in str(UpdateThere(**facts))
    for kind in (UpdateHere, UpdateThere, VersionMismatch):
        assert all(version in str(kind(**facts)) for version in ("1", "2", "0.1", "0.2"))
