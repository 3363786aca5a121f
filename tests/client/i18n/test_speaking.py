"""Another language is spoken for a moment, and then the reader's again."""

from __future__ import annotations

import pytest

from client.i18n.translation import _, language, set_language, speaking


@pytest.fixture(autouse=True)
def reader():
    set_language("is")
    yield
    set_language("en")


def test_the_readers_language_comes_back():
    before = _("Settings")
    with speaking("eu"):
        assert language() == "eu"
        assert _("Settings") != before
    assert (language(), _("Settings")) == ("is", before)


def test_it_comes_back_after_an_error_and_after_a_language_without_words():
    with pytest.raises(ZeroDivisionError), speaking("es"):
        raise ZeroDivisionError
    assert language() == "is"
    with pytest.raises(LookupError), speaking("xx"):
        raise AssertionError
    assert language() == "is"
