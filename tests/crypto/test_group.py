"""The border of the group, its sums, its counts, and the points nobody knows a relation of."""

from __future__ import annotations

import pytest

from crypto import masking, shuffle
from crypto.errors import InvalidEncoding
from crypto.group import Group, ristretto255
from crypto.transcript import digest
from tests.standin import seeded


def test_the_identity_is_an_element_only_where_it_is_asked_for(group: Group) -> None:
    assert group.element(group.identity, identity=True) == group.identity
    with pytest.raises(InvalidEncoding, match="identity"):
        group.element(group.identity)
    with pytest.raises(InvalidEncoding):
        group.elements(group.generator + group.identity, 2)


@pytest.mark.parametrize(
    "data", [b"", bytes(31), bytes(33), bytes([255]) * 32, bytearray(32), "0" * 32, None]
)
def test_bytes_that_are_no_element_are_refused(group: Group, data: bytes) -> None:
    with pytest.raises(InvalidEncoding):
        group.element(data, identity=True)


def test_scalars_are_reduced(group: Group) -> None:
    top = group.order - 1
    assert group.scalar(group.scalar_bytes(top)) == top
    assert group.scalar(bytes(32)) == 0
    for unreduced in (group.order, group.order + 1, 1 << 255, (1 << 255) + 1, (1 << 256) - 1):
        with pytest.raises(InvalidEncoding):
            group.scalar(unreduced.to_bytes(32, "little"))
    for wrong in (b"", bytes(31), bytes(33), bytearray(32)):
        with pytest.raises(InvalidEncoding):
            group.scalar(wrong)  # type: ignore[arg-type]  # hostile input
    for k in (-1, group.order):
        with pytest.raises(ValueError, match="reduced"):
            group.scalar_bytes(k)


@pytest.mark.parametrize("length", [0, 31, 32, 63, 65, 96])
def test_lists_have_the_length_that_is_expected(group: Group, length: int) -> None:
    for accept in (group.elements, group.scalars):
        with pytest.raises(InvalidEncoding, match="length"):
            accept(bytes(length), 2)


def test_the_laws_of_a_group(group: Group) -> None:
    k, m = (group.random_scalar(seeded(name)) for name in "km")
    p, q = group.base(k), group.base(m)
    assert group.add(p, q) == group.add(q, p) == group.base(k + m)
    assert group.mult(m, p) == group.mult(k, q) == group.base(k * m)
    assert group.add(p, group.base(-k)) == group.sub(p, p) == group.identity
    assert group.sum([]) == group.identity
    assert group.sum([p]) == p
    assert group.sum([p, q, group.base(-k)]) == q
    assert group.mult(group.order, p) == group.base(-group.order) == group.identity


def test_rows_are_each_what_combine_gives(group: Group) -> None:
    g, p, q = group.generator, group.base(11), group.base(17)
    rows = [
        ((3, 5, 4), (p, g, p)),
        ((), ()),
        ((-1,), (q,)),
        ((0, 7), (p, group.identity)),
        ((2, 2, 1), (g, g, q)),
    ]
    expected = [
        group.base(7 * 11 + 5),
        group.identity,
        group.base(-17),
        group.identity,
        group.base(21),
    ]
    assert group.combine_each(rows) == group.combine_each_public(rows) == expected
    assert group.combine_each([]) == group.combine_each_public([]) == []


def test_random_scalars_are_never_zero_and_need_their_bytes() -> None:
    group = ristretto255()
    assert group.random_scalar(bytes) == 1
    assert 0 < group.random_scalar(lambda n: bytes([255]) * n) < group.order
    with pytest.raises(ValueError, match="randomness"):
        group.random_scalar(lambda n: bytes(n - 1))


def test_generators_and_cards_are_constants_and_differ() -> None:
    group = ristretto255()
    gens = shuffle.generators(group, 165)
    cards = masking.card_points(group, "spanish-40", 40)
    everything = {
        gens.first,
        *gens.rest,
        *cards,
        *masking.card_points(group, "french-52", 52),
        group.generator,
    }
    assert len(everything) == 166 + 40 + 52 + 1
    assert gens.total == group.sum(gens.rest)
    assert digest("frozen", gens.first, gens.rest, list(cards)).hex() == (
        "6462b78bdff1f2e845b38a6597c3bba77c53abf573b7384a836a3009cf19f49215cd7996e50187d40798364921eeeb184914c50f27ba802b3af3f422da1fc2d4"
    )
