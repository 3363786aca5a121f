"""Files of a home, and pages, that somebody has written or damaged.

A file is an honest one of its kind with some of its values or bytes changed, or any bytes. The
program reads it, or says in one sentence that it cannot.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from client.storage import error_log
from client.storage.contacts import Contacts, Trust
from client.storage.history_index import NAME as INDEX
from client.storage.history_index import about, read_index
from client.storage.home import Home, StoreError
from client.storage.own_cards import read_shares, spell_shares
from client.storage.resume_record import ResumeRecord, look_through
from client.storage.settings import NAME as SETTINGS
from client.storage.settings import Settings, read_settings, write_settings
from client.ui.replay_page.page import NoPage, make_page, read_page
from p2p.table.journal import Journal, sound_journal
from p2p.table.lobby import Endpoint, TableRefused
from p2p.table.log import read_log, sound_log
from p2p.wire import Malformed, pack, unpack
from tests.fuzz.draw import Draw, told
from tests.fuzz.roles import TERMS, WHO, scratch
from tests.ring import Ring
from tests.standin import seeded, standin_group

DAMAGES = 4
"""Places of a file that are damaged, at most."""
LIMIT = 1 << 20
ROOT = Path(__file__).parent.parent.parent

maxima: Counter[str] = Counter()
"""The most of each kind: bytes of a file."""


def one_input(data: bytes) -> None:
    """Read a file."""
    draw = Draw(data)
    read = draw.one((resumed, resumed, settled, known, indexed, journalled, logged, shared, paged))
    errors: list[BaseException] = []
    # A contained error is an error all the same.
    with (
        scratch() as folder,
        mock.patch.object(error_log, "note", lambda _home, error: errors.append(error)),
    ):
        read(draw, folder)
    if errors:
        raise errors[0]


def damaged(draw: Draw, data: bytes) -> bytes:
    """Return a file with some of its bytes changed, cut, or doubled."""
    for _ in range(draw.below(DAMAGES)):
        at = draw.below(max(1, len(data)))
        match draw.below(4):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + draw.some(draw.below(9)) + data[at + draw.below(9) :]
            case 2:
                data = data[:at] + bytes(draw.byte()) + data[at:]
            case _:
                data = data[:at] + data[: draw.below(max(1, len(data)))] + data[at:]
    maxima["bytes"] = max(maxima["bytes"], len(data))
    return data


def packed(draw: Draw, value: Any) -> bytes:
    """Return the bytes of a value, which may be changed, and then damaged."""
    try:
        return damaged(draw, pack(draw.value(value)))
    except TypeError:
        return b""


def resumed(draw: Draw, folder: Path) -> None:
    """A match that waits to be resumed."""
    home = Home(folder)
    (home.journals / "x.match").write_bytes(packed(draw, honest_record()))
    found, unread = look_through(home)
    for error in unread:
        told(error)
    for record in found:
        try:
            record.agreement([*record.seat_requests(home, seeded("x")).values()])
        except StoreError as error:
            told(error)


@cache
def honest_record() -> Any:
    node = Endpoint(WHO[1].id, 4000, ("192.0.2.1", "fe80::1"))
    signatures = tuple(TERMS.sign(one) for one in WHO)
    record = ResumeRecord(TERMS, signatures, {0: b"", 1: bytes(32)}, (node,), 4000, {1: "Ada"})
    with scratch() as folder:
        record.save(Home(folder))
        (path,) = Home(folder).journals.glob("*.match")
        return unpack(path.read_bytes(), LIMIT)


def settled(draw: Draw, folder: Path) -> None:
    """The settings of our player."""
    write_settings(folder, Settings("Ane", "eu", "never"))
    path = folder / SETTINGS
    path.write_bytes(damaged(draw, path.read_bytes()))
    found = read_settings(folder)
    assert found.nick.isprintable()
    write_settings(folder, found)
    assert read_settings(folder) == found


def known(draw: Draw, folder: Path) -> None:
    """The players that we have met."""
    contacts = Contacts(folder)
    contacts.meet(WHO[0].id, "Ane", ("192.0.2.1", 4000), 1, Trust.TRUSTED)
    path = folder / "peers.json"
    value = json.loads(path.read_bytes())
    path.write_bytes(damaged(draw, spelled(draw.value(value) if draw.byte() % 4 else value)))
    try:
        for contact in contacts.all().values():
            assert len(contact.id) == 32
            assert contact.nick.strip("\u2068\u2069").isprintable()
        contacts.check(TERMS.participants, WHO[1].id)
    except (StoreError, TableRefused) as error:
        told(error)


def spelled(value: Any) -> bytes:
    """Return JSON of any value."""
    return json.dumps(value, default=repr).encode()


def indexed(draw: Draw, folder: Path) -> None:
    """The index of the matches that were played."""
    value = {"about": about("x"), "logs": {"x": {"size": 1, "time": 2, "facts": None}}}
    (folder / INDEX).write_bytes(damaged(draw, spelled(draw.value(value))))
    read_index(folder, "x")


def journalled(draw: Draw, _folder: Path) -> None:
    """The secrets of our seat in a match that goes on."""
    data = damaged(draw, ring().journals[0])
    try:
        Journal().read(standin_group(), sound_journal(data, ring().terms))
    except Malformed as error:
        told(error)


def logged(draw: Draw, _folder: Path) -> None:
    """A log of ours that may have been cut off."""
    data = damaged(draw, ring().logs[0])
    try:
        kept = sound_log(data)
        assert data.startswith(kept)
        if kept:
            read_log(kept)
    except Malformed as error:
        told(error)


def shared(draw: Draw, _folder: Path) -> None:
    """The shares of our own cards."""
    try:
        read_shares(damaged(draw, spell_shares({1: bytes(96), 7: bytes(96)})))
    except Malformed as error:
        told(error)


def paged(draw: Draw, _folder: Path) -> None:
    """A page of a match."""
    try:
        read_page(damaged(draw, page()))
    except NoPage as error:
        told(error)


@cache
def page() -> bytes:
    return make_page((ROOT / "docs" / "example.sobremesa").read_bytes(), None)


@cache
def ring() -> Ring:
    """A match of two that has begun."""
    made = Ring("escoba", 2, group=standin_group(), target=1)
    made.play(moves=4)
    return made
