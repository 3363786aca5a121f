"""Make the example of docs/protocol.md from the program itself: `python -m docs.make_example` writes it anew.

Keys, nonces and randomness are counted out, so the same code gives the same bytes; a test compares them with the document.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgpack

from crypto.identity import Identity, fingerprint
from engine.games import complete_options, game_class
from p2p.net.framing import pack_frame
from p2p.table.log import opening_record, read_entry, record
from p2p.table.table import Table
from p2p.table.terms import Place, Terms, h

PROTOCOL_PAGE = Path(__file__).parent / "protocol.md"
BEGIN, END = "<!-- the example begins -->\n", "<!-- the example ends -->\n"
WIDTH = 16
"""Bytes of hexadecimal in a line."""

Names = Sequence[Any]
"""What the items of a list are called; an item that is a list has its own names in the next place."""

ENTRY = ["match", "place", ["kind", "number"], "stage", "seat", "head", "body", "signature"]
ENTRY_BODY = 5
TERMS = ["seat", ["key", "nick", "nonce"]]


def counted(seed: str) -> Callable[[int], bytes]:
    """Return a source of bytes that is always the same."""
    taken = iter(range(1 << 30))
    return lambda size: hashlib.shake_256(f"{seed} {next(taken)}".encode()).digest(size)


def lines_of(value: Any, name: str, names: Names, depth: int = 0) -> Iterator[tuple[bytes, str]]:
    """Take a value apart: bytes of its spelling, and what they are."""
    data = bytes(msgpack.packb(value, use_bin_type=True))
    label = "  " * depth + name
    if isinstance(value, dict):
        yield data[:1], f"{label}: a map of {len(value)}"
        for key, item in value.items():
            yield bytes(msgpack.packb(key)), "  " * (depth + 1) + f"the key {key!r}"
            yield from lines_of(item, "its value", names, depth + 1)
    elif isinstance(value, list):
        yield data[:1], f"{label}: an array of {len(value)}"
        for item, (called, inner) in zip(value, _called(value, names), strict=True):
            yield from lines_of(item, called, inner, depth + 1)
    elif isinstance(value, bytes):
        start = len(data) - len(value)
        yield data[:start], f"{label}: {len(value)} bytes"
        yield value, ""
    else:
        yield data, f"{label}: {str(value).lower() if isinstance(value, bool) else repr(value)}"


def _called(value: list[Any], names: Names) -> Iterator[tuple[str, Names]]:
    rest = list(names)
    for _item in value:
        name = rest.pop(0) if rest else "an item"
        inner = rest.pop(0) if rest and isinstance(rest[0], list) else []
        if names is TERMS:
            rest = list(TERMS)
        yield name, inner


def listing(parts: Iterator[tuple[bytes, str]]) -> list[str]:
    """Return lines of hexadecimal with what it says on the right."""
    out = []
    for data, said in parts:
        rows = [data[at : at + WIDTH].hex(" ") for at in range(0, len(data), WIDTH)]
        out.append(f"{rows[0]:<{3 * WIDTH}}{said}".rstrip())
        out += rows[1:]
    return out


def sit_down() -> list[Table]:
    """Seat two players at one match of Escoba."""
    who = [Identity.from_seed(bytes([number]) * 32) for number in (1, 2)]
    places = tuple(Place(who[seat].public, nick, bytes([seat]) * 16) for seat, nick in enumerate(("Ane", "Jon")))
    options = complete_options("escoba", 2, {})
    terms = Terms("escoba", game_class("escoba").version, options, 60, spectators=False, places=places)
    signatures = [terms.sign(one) for one in who]
    return [Table(terms, signatures, seat, one, counted(f"seat {seat}")) for seat, one in enumerate(who)]


def first_step(tables: list[Table]) -> list[bytes]:
    """Let all make the first step, the toss for the first dealer, and return its entries in their order."""
    said: list[bytes] = []
    while min(table.steps for table in tables) == 0:
        for table in tables:
            table.proceed()
            table.data_to_store()
            for data in table.data_to_send():
                said.append(data)
                for other in tables:
                    other.receive(data)
    entries = [read_entry(tables[0].terms, tables[0].match, data) for data in said]
    return [entry.data for entry in sorted(entries, key=lambda entry: entry.key) if entry.place == ("step", 0, 1)]


def example() -> str:
    """Return the example as it stands in the document."""
    tables = sit_down()
    table, h0 = tables[0], tables[0].head
    step = first_step(tables)
    k = h("stage", h0, step[:2])
    parts = [_players(table), _terms(table, h0), _entry(step[0]), _frame(step[0])]
    return "\n".join([*parts, _reveal(step[2], k), _end_of_step(table), _log(table, step)])


def _players(table: Table) -> str:
    shown = [f"    {place.nick}  key {place.public.hex()}  {fingerprint(place.id)}" for place in table.terms.places]
    return _section(
        "Ane (seat 0) and Jon (seat 1) sit down to Escoba. Their keys are made from 32 bytes of `01` and of `02`:", shown
    )


def _terms(table: Table, h0: bytes) -> str:
    data = table.terms.encode()
    first = _section(f"**The terms**, {len(data)} bytes:", _block(lines_of(msgpack.unpackb(data), "the terms", TERMS)))
    about = "Their hash is the match's id; each seat signs them; terms and signatures together are the head on which all begins:"
    made = [
        (table.match, 'the match: H("match", terms)'),
        (table.signatures[0], "Ane's signature"),
        (table.signatures[1], "Jon's signature"),
        (h0, 'h0 = H("terms", terms, [signatures])'),
    ]
    return first + "\n" + _section(about, _block(iter(made)))


def _entry(data: bytes) -> str:
    about = (
        "**The first entry.** The rules of Escoba begin with a toss for the first dealer: step 1, in whose stage 0 each seat\n"
        f"commits to a number. Ane's commitment, {len(data)} bytes:"
    )
    return _section(about, _block(lines_of(msgpack.unpackb(data), "an entry", ENTRY)))


def _frame(data: bytes) -> str:
    frame = pack_frame(data)
    start = len(frame) - len(data)
    about = (
        f"**The frame** in which it travels to every peer, {len(frame)} bytes: a length, and the entry as a value of type bin."
    )
    parts = [
        (frame[:4], f"the length of the value: {len(frame) - 4}"),
        (frame[4:start], f"a bin of {len(data)} bytes"),
        (data[:WIDTH], "the entry, as above ..."),
    ]
    return _section(about, _block(iter(parts)))


def _reveal(data: bytes, k: bytes) -> str:
    about = (
        "**The reveal.** When both have committed, stage 0 is closed, and stage 1 is written on a head that names both\n"
        "commitments. What Ane says there:"
    )
    parts = [(k, "k = H(\"stage\", h0, [Ane's entry, Jon's entry])")]
    body = lines_of(msgpack.unpackb(data)[ENTRY_BODY], "the body of Ane's entry for stage 1", [])
    return _section(about, _block(chain(parts, body)))


def _end_of_step(table: Table) -> str:
    about = (
        "With both reveals the step is whole. The number is known, the rules go on, and the head names the public state F too:"
    )
    parts = [
        (table.run.fingerprint(), "F, the fingerprint of the state"),
        (table.head, "h1 = H(\"step\", k, [Ane's reveal, Jon's reveal], F)"),
    ]
    return _section(about, _block(iter(parts)))


def _log(table: Table, step: list[bytes]) -> str:
    opening = opening_record(table.terms, table.signatures)
    whole = record({"step": step})
    parts = [
        (opening[:4], f"the length of the opening: {len(opening) - 4}"),
        (opening[4 : 4 + WIDTH], "a map of 3: signatures, sobremesa, terms ..."),
        (whole[:4], f"the length of the step: {len(whole) - 4}"),
        (whole[4:11], f"a map of 1: step, an array of {len(step)} entries ..."),
    ]
    return _section("**The log file** of both now has two records, each a length and a value:", _block(iter(parts)))


def _section(about: str, lines: list[str]) -> str:
    return "\n".join([about, "", *lines, ""])


def _block(parts: Iterator[tuple[bytes, str]]) -> list[str]:
    return ["```", *listing(parts), "```"]


def written() -> str:
    """Return the example that stands in the document."""
    return PROTOCOL_PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def main() -> None:
    """Write the example into the document."""
    before, rest = PROTOCOL_PAGE.read_text(encoding="utf-8").split(BEGIN)
    PROTOCOL_PAGE.write_text(before + BEGIN + example() + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
