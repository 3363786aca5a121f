"""Log files, and files that somebody with the players' keys can make of them.

An input that begins with a zero byte is the file itself, read over the real group. Any other
chooses a good log and its changes: records and entries left out, doubled, moved, said again
otherwise and signed again by their seat. A verifier finds it good as far as it goes or not good, in
one line; complete only a log that was; and guilty only a seat that signed something new.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from engine.core.options import BadOption
from engine.games import UnknownGame, complete_options
from p2p.table.faults import BadSignature
from p2p.table.log import RECORDS, make_entry, read_entry, record
from p2p.table.read_outline import read_outline
from p2p.table.replay import BadLog, Verdict, verify_log
from p2p.table.tail import split_records
from p2p.table.terms import Terms
from p2p.wire import PROTOCOL, Malformed, unpack
from tests.fuzz.draw import Draw, told
from tests.fuzz.matches import LIAR, Recorded, list_tiny, logs
from tests.standin import standin_group

FILE = 0
MOST = 8
"""Changes in one input at most."""
LIMIT = 1 << 20


def one_input(data: bytes) -> None:
    list_tiny()
    if data[:1] == bytes([FILE]):
        verified(data[1:], None)
        return
    draw = Draw(data)
    ring, log = draw.one(logs())
    forgery = Forgery(ring, log)
    for _ in range(MOST):
        if draw.more:
            forgery.change(draw)
    file = forgery.file(draw)
    verdict = verified(file, standin_group())
    if verdict is not None:
        assert not verdict.complete or file in whole(), "a spoiled log is complete"
        guilty = {fault.seat for fault in verdict.faults}
        liars = forgery.signed | ({LIAR} if ring.lied else set())
        assert guilty <= liars, (
            f"{guilty} are found guilty, and {liars} have signed what they should not"
        )


def verified(file: bytes, group: Any) -> Verdict | None:
    with suppress(BadLog):
        read_outline(file, group)
    try:
        verdict = verify_log(file, group)
    except BadLog as error:
        told(error, one_line=True)
        return None
    assert verdict.complete == (not verdict.missing and not verdict.voted_out)
    return verdict


@cache
def whole() -> frozenset[bytes]:
    """The logs that are complete as they are."""
    return frozenset(log for _ring, log in logs() if verify_log(log, standin_group()).complete)


class Forgery:
    """A log taken apart; `signed` are the seats that have signed something new."""

    def __init__(self, ring: Recorded, log: bytes) -> None:
        opening, *records = [unpack(item, LIMIT) for item in split_records(log)[0]]
        self.ring, self.opening = ring, opening
        self.records: list[tuple[str, list[bytes]]] = [next(iter(item.items())) for item in records]
        self.signed: set[int] = set()

    def change(self, draw: Draw) -> None:
        if not self.records or draw.byte() % 16 == 0:
            self.change_terms(draw)
            return
        at = draw.below(len(self.records))
        at = at if draw.byte() % 2 else len(self.records) - 1 - at
        name, entries = self.records[at]
        match draw.below(8):
            case 0:
                del self.records[at]
            case 1:
                self.records.insert(draw.below(len(self.records) + 1), (name, entries))
            case 2:
                self.records[at] = (draw.one(tuple(RECORDS)), entries)
            case 3:
                self.records[at] = (name, entries[: draw.below(len(entries) + 1)])
            case 4:
                other = draw.one(self.records)[1]
                moved = draw.one(other or entries or [b""])
                entries = [*entries]
                entries.insert(draw.below(len(entries) + 1), moved)
                self.records[at] = (name, entries)
            case _ if entries:
                place = draw.below(len(entries))
                self.records[at] = (
                    name,
                    [
                        *entries[:place],
                        self.signed_anew(entries[place], draw),
                        *entries[place + 1 :],
                    ],
                )

    def signed_anew(self, data: bytes, draw: Draw) -> bytes:
        """An entry changed and signed again by its seat, or changed and not signed."""
        try:
            entry = read_entry(self.ring.terms, self.ring.terms.match, data)
        except (Malformed, BadSignature):
            return data
        fields = unpack(data, LIMIT)
        head = fields[4]
        match draw.below(8):
            case 0:
                changed = draw.value(data)
                return changed if type(changed) is bytes else data
            case 1:
                place, stage, body = draw.value(fields[1]), draw.number(), fields[5]
                place = place if type(place) is list else [place]
            case 2:
                place, stage, body, head = (
                    fields[1],
                    fields[2],
                    fields[5],
                    draw.one((bytes(32), self.ring.tables[0].head, b"")),
                )
            case _:
                place, stage, body = fields[1], fields[2], draw.value(fields[5])
        body = body if type(body) is dict else {"value": body}
        try:
            made = make_entry(
                self.ring.who[entry.seat],
                entry.match,
                (tuple(place), stage),
                entry.seat,
                head,
                body,
            )
        except TypeError:  # nested too deeply to be spelled
            return data
        if made.data != data:
            self.signed.add(entry.seat)
        return made.data

    def change_terms(self, draw: Draw) -> None:
        """Other terms, signed by all; or the opening itself changed."""
        if draw.byte() % 2:
            self.opening = draw.value(self.opening)
            return
        terms = self.ring.terms
        options = draw.value(dict(terms.options))
        try:
            complete_options(
                terms.game, len(terms.participants), options if type(options) is dict else {}
            )
        except (UnknownGame, BadOption) as error:
            told(error)
        changes = {
            "options": options,
            "limit": draw.number(),
            "rules": draw.one((terms.rules, 0, terms.rules + 1)),
        }
        changes["game"] = draw.one((terms.game, "escoba", "truco", "no game"))
        other = Terms(
            **{**vars(terms), **{name: changes[name] for name in changes if draw.byte() % 4 == 0}}
        )
        try:
            self.opening = {
                "sobremesa": PROTOCOL,
                "terms": other.encode(),
                "signatures": [other.sign(who) for who in self.ring.who],
            }
        except TypeError:
            return  # nested too deeply to be spelled

    def file(self, draw: Draw) -> bytes:
        """Put it together; sometimes with a byte changed, or cut, or with something behind it."""
        try:
            file = b"".join(
                record(value)
                for value in (self.opening, *({name: entries} for name, entries in self.records))
            )
        except TypeError:
            return b""
        if draw.byte() % 8 == 1:
            at = draw.byte() << 8 | draw.byte()
            at = at if draw.byte() % 2 else len(file) - at
            file = (
                file[:at],
                file[:at] + bytes([draw.byte()]) + file[at + 1 :],
                file + draw.some(20),
            )[draw.below(3)]
        return file
