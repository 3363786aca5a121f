from __future__ import annotations

import pytest

from client.i18n.sentences import NETWORK, said
from p2p.net.errors import (
    NetError,
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


def test_ids_are_shown_as_fingerprints():
    error = WrongPeer(expected=bytes(10), got=bytes(range(32)))
    for text in (str(error), said(error)):
        assert "0000-0000-0000-0000" in text
        assert "\\x" not in text
