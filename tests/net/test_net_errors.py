from __future__ import annotations

import subprocess
import sys

import pytest

from client.i18n.sentences import NETWORK, said
from p2p.net.errors import (
    LinkLost,
    NetError,
    TooSlow,
    UpdateHere,
    UpdateThere,
    VersionMismatch,
    WrongPeer,
)


def kinds(kind: type[NetError] = NetError) -> list[type[NetError]]:
    below = [found for child in kind.__subclasses__() for found in kinds(child)]
    return below if kind is NetError else [kind, *below]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_each_error_has_a_sentence_that_its_facts_fill(kind):
    error = kind(**dict.fromkeys(kind.__dataclass_fields__, "x"))
    sentence = said(error)
    assert sentence == NETWORK[kind.__name__].format(**error.facts)
    assert sentence[0] not in "{ "
    assert sentence.endswith(".")
    assert str(error).startswith(kind.__name__)


def test_there_is_no_sentence_without_an_error():
    assert NETWORK.keys() == {kind.__name__ for kind in kinds()}


def test_sentences_do_not_depend_on_docstrings():
    code = (
        "from client.i18n.sentences import said; from p2p.net.errors import PortInUse; "
        "print(said(PortInUse(47747)))"
    )
    done = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Port 47747 is already in use")


def test_ids_are_shown_as_fingerprints():
    error = WrongPeer(expected=bytes(10), got=bytes(range(32)))
    for text in (str(error), said(error)):
        assert "0000-0000-0000-0000" in text
        assert "\\x" not in text


def test_an_unknown_peer_and_a_duration():
    assert said(LinkLost(None, "lost")) == "The link to the other side was lost (lost)."
    assert " 10 seconds" in said(TooSlow("host:1", 10.0))


def test_the_side_with_the_older_version_is_asked_to_update():
    facts = {
        "peer": bytes(32),
        "ours": 1,
        "our_program": "0.1",
        "theirs": 2,
        "their_program": "0.2",
    }
    assert said(UpdateHere(**facts)).startswith("Update Sobremesa here")
    assert "Ask 0000" in said(UpdateThere(**facts))
    for kind in (UpdateHere, UpdateThere, VersionMismatch):
        assert all(version in said(kind(**facts)) for version in ("1", "2", "0.1", "0.2"))
