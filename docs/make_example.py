"""Write the worked example of docs/protocol.md from the program: `python -m docs.make_example`.

It also writes the log of the match and the list of its steps. A test compares all three with the
output of the program.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgpack

from crypto.identity import fingerprint
from docs import example_match
from docs.example_match import Step
from p2p.net.framing import pack_frame
from p2p.table.hashing import h
from p2p.table.log import read_log, record
from p2p.table.table import Table

PROTOCOL_PAGE = Path(__file__).parent / "protocol.md"
BEGIN, END = "<!-- the example begins -->\n", "<!-- the example ends -->\n"
WIDTH = 16
"""Bytes of hexadecimal in a line."""
PROSE = 100
"""Characters in a line of prose."""

MOST_ITEMS = 8
"""A list of more faces is not shown."""
LIST_HEADING = """# The example, step by step

Every step of the match of [the example](protocol.md#an-example), made by
`python -m docs.make_example`: the request in the form of [the state](states/README.md), the
entries, F and the head after it. Lists of many faces are shortened. The log is
`docs/example.sobremesa`. `tests/table/log_reader.py`, a program written from these pages, verifies
it.
"""

Names = Sequence[Any]
"""The names of the items of a list; an item that is a list has its own names in the next place."""

ENTRY = ["match", "place", ["kind", "number"], "stage", "seat", "head", "body", "signature"]
ENTRY_BODY = 5
TERMS = ["seat", ["key", "nick", "nonce", "kind", "machine", "voucher"]]


def lines_of(value: Any, name: str, names: Names, depth: int = 0) -> Iterator[tuple[bytes, str]]:
    """Take a value apart: bytes of its spelling, each with its meaning."""
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
        if value:
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
    """Return lines of hexadecimal with their meaning on the right."""
    out = []
    for data, said in parts:
        rows = [data[at : at + WIDTH].hex(" ") for at in range(0, len(data), WIDTH)]
        out.append(f"{rows[0]:<{3 * WIDTH}}{said}".rstrip())
        out += rows[1:]
    return out


def example() -> str:
    """Return the example as it stands in the document."""
    tables = example_match.sit_down()
    table, h0 = tables[0], tables[0].head
    log = example_match.play()
    steps = list(example_match.steps(log))
    first = steps[0].entries
    k = h("stage", h0, first[:2])
    beginning = [
        _players(table),
        _terms(table, h0),
        _entry(first[0]),
        _frame(first[0]),
        _reveal(first[2], k),
    ]
    deal = [_shuffle(table, steps), _dealing(steps), _opening(steps), _move(steps), _claim(steps)]
    return "\n".join([*beginning, _end_of_step(steps[0]), *deal, _ending(log, steps)])


def _players(table: Table) -> str:
    shown = [
        f"    {place.nick}  key {place.public.hex()}  {fingerprint(place.id)}"
        for place in table.terms.participants
    ]
    return _section(
        "Ane (seat 0) and Jon (seat 1) sit down to Escoba. Their keys are made from 32 bytes of "
        "`01` and of `02`:",
        shown,
    )


def _terms(table: Table, h0: bytes) -> str:
    data = table.terms.encode()
    first = _section(
        f"**The terms**, {len(data)} bytes:",
        _block(lines_of(msgpack.unpackb(data), "the terms", TERMS)),
    )
    about = (
        "Their hash is the match's id; each seat signs them; another hash of them is the head "
        "on which all begins:"
    )
    made = [
        (table.match, 'the match: H("match", terms)'),
        (table.signatures[0], "Ane's signature"),
        (table.signatures[1], "Jon's signature"),
        (h0, 'h0 = H("terms", terms)'),
    ]
    return first + "\n" + _section(about, _block(iter(made)))


def _entry(data: bytes) -> str:
    about = (
        "**The first entry.** The rules of Escoba begin with a toss for the first dealer, step 1. "
        "In its stage 0, each seat\n"
        f"commits to a number. Ane's commitment, {len(data)} bytes:"
    )
    return _section(about, _block(lines_of(msgpack.unpackb(data), "an entry", ENTRY)))


def _frame(data: bytes) -> str:
    frame = pack_frame(data)
    start = len(frame) - len(data)
    about = (
        f"**The frame** in which it travels to every peer, {len(frame)} bytes: a length, and "
        f"the entry as a value of type bin."
    )
    parts = [
        (frame[:4], f"the length of the value: {len(frame) - 4}"),
        (frame[4:start], f"a bin of {len(data)} bytes"),
        (data[:WIDTH], "the entry, as above ..."),
    ]
    return _section(about, _block(iter(parts)))


def _reveal(data: bytes, k: bytes) -> str:
    about = (
        "**The reveal.** When both have committed, stage 0 is closed, and stage 1 is written on a "
        "head that names both\n"
        "commitments. The entry of Ane there:"
    )
    parts = [(k, "k = H(\"stage\", h0, [Ane's entry, Jon's entry])")]
    body = lines_of(msgpack.unpackb(data)[ENTRY_BODY], "the body of Ane's entry for stage 1", [])
    return _section(about, _block(chain(parts, body)))


def _end_of_step(step: Step) -> str:
    about = (
        "With both reveals the step is whole. The number is known, the rules go on, and the "
        "head names the public state F too:"
    )
    return _section(about, _block(_after(1, step, "k, [Ane's reveal, Jon's reveal]")))


def _after(number: int, step: Step, rest: str) -> Iterator[tuple[bytes, str]]:
    yield step.fingerprint, f"F{number}, the fingerprint of the state after step {number}"
    yield step.head, f'h{number} = H("step", {rest}, F{number})'


def _shuffle(table: Table, steps: Sequence[Step]) -> str:
    step = steps[1]
    _shuffle_name, (number, _first, faces, holders) = step.request
    heads = [h("deck", table.match, 0, number, table.terms.first_head(), faces, holders)]
    for stage in (step.entries[:2], step.entries[2:3], step.entries[3:4]):
        heads.append(h("stage", heads[-1], stage))
    key, shuffle = step.bodies()[0][1], step.bodies()[2][1]
    begins = _toss(steps[0])
    about = f"""**Step 2, the shuffle.** The number was {begins}: {_name(begins)} plays first
    in deal 1. The rules ask for the shuffle of deck 1. Its entries stand on the deck's own chain,
    at `["deck", 0, 1, d0]`. In stage 0 both give keys, in stage 1 Ane shuffles, in stage 2 Jon, and
    in stage 3 both keep the deck, with empty bodies. Below are the bodies of Ane's entries for the
    first two and the heads of the four stages. The deck has {len(shuffle["deck"])} bytes, its proof
    {len(shuffle["proof"])}."""
    parts = chain(
        lines_of(key, "the body of Ane's entry for stage 0", []),
        _long(shuffle, "the body of Ane's entry for stage 1"),
        [(heads[0], 'd0 = H("deck", match, 0, 1, h0, [40 faces], [0, 1])')],
        [(heads[1], "d1 = H(\"stage\", d0, [Ane's key, Jon's key])")],
        [(heads[2], 'd2 = H("stage", d1, [Ane\'s shuffle])')],
        [(heads[3], 'd3 = H("stage", d2, [Jon\'s shuffle])')],
        _after(2, step, "h1, [all six entries]"),
    )
    return _section(about, _block(parts))


def _dealing(steps: Sequence[Step]) -> str:
    step = steps[2]
    about = f"""**Step 3, the deal.** The request is `{_spelled(step.request)}`. Ane gives her
    shares of Jon's three slots, in one item for the one deck:"""
    parts = chain(
        _long(step.bodies()[0][1], "the body of Ane's entry"),
        _after(3, step, "h2, [Ane's entry, Jon's entry]"),
    )
    return _section(about, _block(parts))


def _opening(steps: Sequence[Step]) -> str:
    step = steps[3]
    seen = ", ".join(f"`{step.faces[slot]}`" for slot in step.request[1])
    about = f"""**Step 4, the first table cards.** Each gives four shares likewise, for the request
    `{_spelled(step.request)}`. The cards are {seen}."""
    return _section(about, _block(_after(4, step, "h3, [Ane's entry, Jon's entry]")))


def _move(steps: Sequence[Step]) -> str:
    number = next(at for at, step in enumerate(steps, 1) if step.request[0] == "prove") - 1
    step = steps[number - 1]
    ((seat, body),) = step.bodies()
    name, slot = _name(seat), body["move"][1]
    about = f"""**Step {number}, a move.** For the request `{_spelled(step.request)}`
    {name} plays `{step.faces[slot]}` and takes nothing. The move names slot {slot}. {name}'s own
    share of this slot, which the deal lacked, shows the face:"""
    parts = chain(
        _long(body, f"the body of {name}'s entry"),
        _after(number, step, f"h{number - 1}, [{name}'s entry]"),
    )
    return _section(about, _block(parts))


def _claim(steps: Sequence[Step]) -> str:
    number, step = next(
        (at, step) for at, step in enumerate(steps, 1) if step.request[0] == "prove"
    )
    ((seat, body),) = step.bodies()
    _prove, ((_seat, slots),), among = step.request
    name = _name(seat)
    points = sum(face in among for face in steps[1].request[1][2])
    about = f"""**Step {number}, a proof.** So {name} owes a proof that no card of the hand can
    take. {_count(len(slots))} closed: slot {", ".join(map(str, slots))}. The request names the
    {len(among)} faces that cannot take. {points} cards of the deck have one of them, so the
    claim has {64 * points} bytes."""
    parts = chain(
        _long(body, f"the body of {name}'s entry"),
        _after(number, step, f"h{number - 1}, [{name}'s entry]"),
    )
    return _section(about, _block(parts))


def _count(cards: int) -> str:
    return "One card is" if cards == 1 else f"{cards} cards are"


def _ending(log: bytes, steps: Sequence[Step]) -> str:
    (name, seals) = read_log(log).records[-1]
    last = len(steps)
    about = f"""**The end.** The deal has {last} steps. [All of them](example.md) are
    listed, each with its request, its entries, F and the head; [the log](example.sobremesa) has
    every byte. Jon has won, the rules ask for nothing more, and both sign a seal at
    `["seal", 0, {last + 1}]` on h{last}. The log has a record for the terms, one for each step,
    and one for the seals. Each is a length and a value:"""
    first = int.from_bytes(log[:4], "big")
    second = log[4 + first :]
    end = record({name: list(seals)})
    assert log.endswith(end), "the seals are the last record"
    parts = [
        (log[:4], f"the length of the first record: {first}"),
        (log[4 : 4 + WIDTH], "a map of 3: signatures, sobremesa, terms ..."),
        (second[:4], f"the length of step 1: {int.from_bytes(second[:4], 'big')}"),
        (second[4:11], "a map of 1: step, an array of 4 entries ..."),
        (end[:4], f"the length of the last record: {int.from_bytes(end[:4], 'big')}"),
        (end[4:12], f"a map of 1: {name}, an array of {len(seals)} entries ..."),
    ]
    return _section(about, _block(iter(parts)))


def _long(value: Any, name: str) -> Iterator[tuple[bytes, str]]:
    """Take a value apart, but of long bytes only the first line is shown."""
    after = False
    for data, said in lines_of(value, name, []):
        if after and len(data) > 4 * WIDTH:
            yield data[:WIDTH], "..."
        else:
            yield data, said
        after = said.endswith("bytes")


def _toss(step: Step) -> int:
    _name, _seats, sides = step.request
    return int(sum(body["value"] for _seat, body in step.bodies() if "value" in body)) % int(sides)


def _name(seat: int) -> str:
    return ("Ane", "Jon")[seat]


def _spelled(value: Any) -> str:
    """Spell a request as JSON; of a long list of faces, only how many they are."""
    if isinstance(value, list) and len(value) > MOST_ITEMS:
        return f"[{len(value)} faces]"
    if isinstance(value, list):
        return f"[{', '.join(map(_spelled, value))}]"
    return json.dumps(value)


def listed() -> str:
    """Return the page with all steps of the match."""
    log = example_match.play()
    out = [LIST_HEADING]
    for number, step in enumerate(example_match.steps(log), 1):
        out += [
            f"**{number}.** `{_spelled(step.request)}`{_answer(step)}",
            "",
            f"    F {step.fingerprint.hex()}",
            f"    h {step.head.hex()}",
            "",
        ]
    return "\n".join(out)


def _answer(step: Step) -> str:
    """Say what came of a step."""
    kind = step.request[0]
    if kind == "toss":
        return f": {_toss(step)}"
    if kind == "open":
        return ": " + " ".join(f"`{step.faces[slot]}`" for slot in step.request[1])
    if kind == "ask":
        ((seat, body),) = step.bodies()
        move = body["move"]
        return f": {_name(seat)} `{json.dumps(move)}`, which shows `{step.faces[move[1]]}`"
    return ""


def _section(about: str, lines: list[str]) -> str:
    """Give a paragraph and the lines that it introduces."""
    filled = textwrap.fill(
        " ".join(about.split()), PROSE, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join([filled, "", *lines, ""])


def _block(parts: Iterator[tuple[bytes, str]]) -> list[str]:
    return ["```", *listing(parts), "```"]


def written() -> str:
    """Return the example that stands in the document."""
    return PROTOCOL_PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def main() -> None:
    """Write the example into the document, the log and the list of its steps."""
    before, rest = PROTOCOL_PAGE.read_text(encoding="utf-8").split(BEGIN)
    PROTOCOL_PAGE.write_text(
        before + BEGIN + example() + END + rest.split(END)[1], encoding="utf-8"
    )
    example_match.LOG.write_bytes(example_match.play())
    example_match.PAGE.write_text(listed(), encoding="utf-8")


if __name__ == "__main__":
    main()
