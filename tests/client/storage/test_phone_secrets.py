"""The file with the secrets of a visitor's phone."""

from __future__ import annotations

import pytest

from client.storage.home import StoreError
from client.storage.phone_secrets import (
    NAME,
    UNUSED_S,
    Secrets,
    have_expired,
    note_use,
    read_secrets,
    write_secrets,
)

BOTH = Secrets(b"o" * 32, b"n" * 32)


@pytest.mark.parametrize("secrets", [Secrets(), Secrets(b"o" * 32), Secrets(None, b"n" * 32), BOTH])
def test_secrets_are_read_as_they_were_written_and_only_by_us(tmp_path, secrets):
    write_secrets(tmp_path, secrets)
    assert read_secrets(tmp_path) == secrets
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


def test_a_home_without_the_file_has_none(tmp_path):
    assert read_secrets(tmp_path) == Secrets()


@pytest.mark.parametrize(
    "data",
    [b"", b"current -\n", b"current -\ncoming x\n", b"current -\ncoming -\nmore\n", b"\xff" * 999],
)
def test_a_damaged_file_is_named_and_nothing_of_it_is_shown(tmp_path, data):
    (tmp_path / NAME).write_bytes(data)
    with pytest.raises(StoreError, match="damaged") as found:
        read_secrets(tmp_path)
    assert NAME in str(found.value)


def test_secrets_that_nobody_uses_for_thirty_days_are_void(tmp_path):
    write_secrets(tmp_path, BOTH)
    now = (tmp_path / NAME).stat().st_mtime
    for _day in range(40):
        now += 86_400.0
        assert not have_expired(tmp_path, now)
        note_use(tmp_path, now)
    assert not have_expired(tmp_path, now + UNUSED_S - 1)
    assert have_expired(tmp_path, now + UNUSED_S + 1)
    assert read_secrets(tmp_path) == BOTH
