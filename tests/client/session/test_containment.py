"""An error of this program that a peer brings about ends one link: it is told, and written down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from client.session.containment import BROKEN
from client.session.earlier_matches import EarlierMatches
from client.session.messages import Notice
from client.session.seats import LocalSeats
from client.session.work import EntryReceived
from client.storage import error_log
from client.storage.home import Home
from p2p.net.events import LinkUp
from p2p.table.table import Table
from tests.client.session.linked_player import Session, received

EVE, JON = b"e" * 32, b"j" * 32


def fails(*_: Any, **__: Any) -> Any:
    """Stand for code with an error in it."""
    raise KeyError("a bug")


@pytest.fixture
def session(tmp_path):
    made = Session(tmp_path)
    yield made
    if made.local_seats is not None:
        made.local_seats.close()


def written(folder: Path) -> str:
    return (folder / error_log.NAME).read_text(encoding="utf-8")


async def test_an_error_with_a_message_of_a_peer_ends_its_link_alone(
    session, tmp_path, monkeypatch, contained
):
    session.open()
    monkeypatch.setattr(session.router, "handle_sealed", fails)
    session.network.bring(
        LinkUp(EVE, b"", ("192.0.2.1", 0)),
        received(EVE, {"t": "sealed"}),
        LinkUp(JON, b"", ("192.0.2.2", 0)),
        received(JON, {"t": "look", "secret": b""}),
    )
    await session.follow()
    assert session.network.dropped == {EVE: BROKEN}
    assert [value["t"] for value in session.heard(JON)] == ["table"], "the program goes on"
    assert Notice("contained", {"path": str(tmp_path / error_log.NAME)}) in session.told
    assert "KeyError: 'a bug'" in written(tmp_path)
    assert [str(contained.pop())] == ["'a bug'"]


def test_an_error_with_an_entry_ends_the_link_that_brought_it(
    session, tmp_path, monkeypatch, contained
):
    session.begin()
    seats: LocalSeats = session.local_seats
    monkeypatch.setattr(Table, "receive", fails)
    result = seats.work([EntryReceived(EVE, b"entry")], lambda *_args, **_more: None)
    assert result.bad_links == [(EVE, BROKEN)]
    assert result.contained == [Notice("contained", {"path": str(tmp_path / error_log.NAME)})]
    assert seats.work([], lambda *_args, **_more: None).contained == [], "the table goes on"
    contained.clear()


async def test_an_error_with_a_request_for_an_earlier_match_costs_that_request(
    tmp_path, monkeypatch, contained
):
    earlier, told, sent = EarlierMatches(Home(tmp_path)), [], []
    read = earlier.read
    monkeypatch.setattr(
        earlier, "read", lambda peer, *more: fails() if peer == EVE else read(peer, *more)
    )
    earlier.ask(EVE, bytes(32), 0, bytes(32))
    earlier.ask(JON, bytes(32), 0, bytes(32))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(earlier.answer, lambda *message: sent.append(message), told.append)
        with trio.fail_after(60):
            while JON in earlier:
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert [message.id for message in told] == ["contained"]
    assert EVE in earlier, "its next request is answered"
    contained.clear()


def test_the_file_of_errors_is_ours_alone_and_does_not_grow_for_ever(tmp_path, contained):
    for _ in range(3):
        path = error_log.note(tmp_path, ValueError("\x1b[31m" + "x" * 300_000))
    assert path.stat().st_mode & 0o777 == 0o600
    assert "\x1b" not in path.read_text(encoding="utf-8")
    for _ in range(60):
        error_log.note(tmp_path, ValueError("x" * 30_000))
    assert path.stat().st_size < error_log.MOST_BYTES + 2 * error_log.ENTRY_CHARACTERS
    contained.clear()
