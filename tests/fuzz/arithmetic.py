"""Elements and scalars from anywhere: all backends give the same bytes, or all refuse; the native
package takes no harm."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from crypto.backend import Backend, backends
from crypto.dalek import Dalek
from crypto.errors import InvalidEncoding
from crypto.plain import GENERATOR, IDENTITY, L, Plain
from tests.fuzz.draw import Draw, told

FEW = [
    bytes.fromhex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"),
    GENERATOR,
    IDENTITY,
]
MOST = 6
"""Terms of a sum: plain Python is among those that compute it."""
EDGES = (0, 1, L - 1, L, 2**255, 2**256 - 1)
FUNCTIONS = (
    "valid",
    "add",
    "sub",
    "mult",
    "base",
    "total",
    "combine",
    "combine_public",
    "mask",
    "from_uniform",
)


def one_input(data: bytes) -> None:
    draw = Draw(data)
    if draw.byte() % 2:
        agree(draw)
    else:
        abuse(draw)


def agree(draw: Draw) -> None:
    """One operation with every backend, on 32 bytes each that may be no element."""
    n = draw.below(MOST)
    p, q, k, m = element(draw), element(draw), scalar(draw), scalar(draw)
    elements, scalars = [element(draw) for _ in range(n)], [scalar(draw) for _ in range(n)]
    rows = [(scalars, elements), ((k, m), (p, q))]
    operations: list[Callable[[Backend], Any]] = [
        lambda backend: backend.valid(b"".join([p, *elements])),
        lambda backend: backend.add(p, q),
        lambda backend: backend.sub(p, q),
        lambda backend: backend.mult(k, p),
        lambda backend: backend.total(elements),
        lambda backend: backend.combine(rows),
        lambda backend: backend.combine_public(rows),
        lambda backend: backend.mask(p, scalars, elements),
        lambda backend: backend.from_uniform((p + q)[: 64 - draw.byte() % 2]),
    ]
    operation = draw.one(operations)
    # libsodium sees only the inputs that it computes with: a product by 0 is 0 there, of any bytes.
    # So all that it is given is checked as `Group` checks it.
    checked = [p, q, *elements]
    if operation is not operations[0] and not all(Plain().valid(each) for each in checked):
        for backend in backends():
            assert not backend.valid(b"".join(checked))
        return
    state = vars(draw).copy()
    found = []
    for backend in backends():
        vars(draw).update(state)
        try:
            found.append(operation(backend))
        except InvalidEncoding as error:
            told(error)
            found.append(None)
    assert all(each == found[0] for each in found)


def abuse(draw: Draw) -> None:
    """Bytes of any length in the native package itself: ValueError, or a result of the right
    length."""
    library = sys.modules["sobremesa_native"] if backends()[0].name == Dalek.name else None
    name = draw.one(FUNCTIONS)
    widths = [
        draw.one((0, 1, 2, draw.byte(), 2**32, 2**59, 2**63, 2**64 - 1))
        for _ in range(draw.below(4))
    ]
    parts = [spoiled(draw) for _ in range(3)]
    if library is None:
        return
    arguments: dict[str, list[Any]] = {
        "combine": [widths, *parts[:2]],
        "combine_public": [widths, *parts[:2]],
        "mask": parts,
        **dict.fromkeys(("add", "sub", "mult"), parts[:2]),
    }
    try:
        found = getattr(library, name)(*arguments.get(name, parts[:1]))
    except ValueError as error:
        told(error)
        return
    if name != "valid":
        size = {
            "combine": len(widths),
            "combine_public": len(widths),
            "mask": len(parts[1]) // 32,
        }.get(name, 1)
        assert len(found) == 32 * size
        assert not found or library.valid(found)


def element(draw: Draw) -> bytes:
    """An element, or 32 bytes of the input."""
    return draw.one(FEW) if draw.byte() % 16 else draw.some(32).ljust(32, b"\0")


def scalar(draw: Draw) -> int:
    return (
        draw.one(EDGES) % L
        if draw.byte() % 4 == 0
        else int.from_bytes(draw.some(16), "little") ** 2 % L
    )


def spoiled(draw: Draw) -> bytes:
    """Some elements or scalars, perhaps with bytes too many or too few."""
    whole = b"".join(
        draw.one(
            (
                element(draw),
                scalar(draw).to_bytes(32, "little"),
                draw.one(EDGES).to_bytes(32, "little"),
            )
        )
        for _ in range(draw.below(4))
    )
    return whole if draw.byte() % 3 else whole[draw.byte() % 40 :]
