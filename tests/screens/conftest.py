"""Fixtures of tests of the full screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.i18n.translation import Reader, languages, set_language


@pytest.fixture(params=languages())
def language(request) -> Iterator[str]:
    """Read in each language; afterwards it is as it was."""
    before = Reader.language, Reader.catalogue
    yield set_language(request.param)
    Reader.language, Reader.catalogue = before
