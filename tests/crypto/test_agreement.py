"""The backends give the same bytes for the same operations, in any order; a backend that answers
wrongly is not chosen."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto import backend as module
from crypto import dalek
from crypto.backend import Backend, backends
from crypto.chance import Entropy
from crypto.errors import CryptoError, InvalidEncoding, NoBackend
from crypto.plain import GENERATOR, IDENTITY, L, Plain
from tests.sample import sample
from tests.standin import seeded

OTHERS = [backend for backend in backends() if backend.name != Plain.name]
NATIVE = pytest.mark.skipif(
    importlib.util.find_spec("sobremesa_native") is None,
    reason="sobremesa_native is not installed (crypto/native/README.md)",
)
SCALARS = (0, 1, 2, L - 1, L // 2, 2**128 - 1, 2**252)


class Program:
    """A random program: each step applies an operation to elements that steps before it gave."""

    def __init__(self, seed: object) -> None:
        self._entropy = seeded(seed)

    def run(self, backend: Backend, steps: int = 25) -> list[bytes]:
        """All elements that it gives, in order."""
        elements = [IDENTITY, GENERATOR, backend.from_uniform(self._entropy(64))]
        for _ in range(steps):
            elements += self._step(backend, elements)
        return elements

    def _step(self, backend: Backend, elements: list[bytes]) -> list[bytes]:
        p, q = self._some(elements), self._some(elements)
        row, other = self._row(elements, 6), self._row(elements, 40)
        n = self._below(12)
        many = [self._some(elements) for _ in range(n)]
        operations: list[Callable[[], list[bytes]]] = [
            lambda: [backend.add(p, q)],
            lambda: [backend.sub(p, q)],
            lambda: [backend.mult(self._scalar(), p)],
            lambda: [backend.base(self._scalar())],
            lambda: [backend.total(many)],
            lambda: backend.combine([row, other]),
            lambda: backend.combine_public([row, other]),
            lambda: backend.mask(p, [self._scalar() for _ in many], many),
            lambda: [backend.from_uniform(self._entropy(64))],
        ]
        return operations[self._below(len(operations))]()

    def _row(self, elements: list[bytes], most: int) -> tuple[list[int], list[bytes]]:
        n = self._below(most)
        return [self._scalar() for _ in range(n)], [self._some(elements) for _ in range(n)]

    def _some(self, elements: list[bytes]) -> bytes:
        return elements[self._below(len(elements))]

    def _scalar(self) -> int:
        kind = self._below(3 * len(SCALARS))
        return (
            SCALARS[kind]
            if kind < len(SCALARS)
            else int.from_bytes(self._entropy(64), "little") % L
        )

    def _below(self, bound: int) -> int:
        return int.from_bytes(self._entropy(4), "little") % bound


@pytest.mark.parametrize("seed", sample(range(60), 3))
@pytest.mark.parametrize("backend", OTHERS, ids=lambda backend: backend.name)
def test_random_programs_give_the_same_bytes(backend: Backend, seed: int) -> None:
    given, expected = Program(seed).run(backend), Program(seed).run(Plain())
    assert given == expected
    assert len(given) > 20
    assert backend.valid(b"".join(given))


def _known_row(entropy: Entropy, logarithms: list[int], most: int) -> tuple[list[int], list[int]]:
    """Scalars, and logarithms of their elements: often equal or opposite ones, or a sum that is the
    identity."""

    def below(bound: int) -> int:
        return int.from_bytes(entropy(8), "little") % bound

    def scalar() -> int:
        kind = below(2 * len(SCALARS))
        return SCALARS[kind] if kind < len(SCALARS) else int.from_bytes(entropy(64), "little") % L

    n, kind = below(most), below(4)
    one = logarithms[below(len(logarithms))]
    if kind == 0:
        return [scalar()] * n, [one if at % 2 else -one % L for at in range(n)]
    if kind == 1:
        return [scalar() for _ in range(n)], [one] * n
    scalars, chosen = (
        [scalar() for _ in range(n)],
        [logarithms[below(len(logarithms))] for _ in range(n)],
    )
    if kind == 2:
        rest = sum(k * m for k, m in zip(scalars, chosen, strict=True))
        scalars, chosen = [*scalars, -rest % L], [*chosen, 1]
    return scalars, chosen


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("backend", "most"), [(each, 12) for each in backends()] + [(OTHERS[0], 400)] * bool(OTHERS)
)
def test_sums_of_known_logarithms(backend: Backend, most: int, seed: int) -> None:
    """Equal, opposite and vanishing terms: in the doubles of their halves the identity has any of
    its inner forms."""
    entropy = seeded(("logarithms", seed))
    drawn = [0, 1, 2] + [int.from_bytes(entropy(64), "little") % L for _ in range(5)]
    logarithms = [each for k in drawn for each in (k, -k % L)]
    elements = {k: backend.base(k) for k in logarithms}
    known = [_known_row(entropy, logarithms, most) for _ in range(8)]
    expected = [backend.base(sum(k * m for k, m in zip(*row, strict=True)) % L) for row in known]
    asked = [(scalars, [elements[m] for m in chosen]) for scalars, chosen in known]
    assert backend.combine(asked) == backend.combine_public(asked) == expected


# Refusals.


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=3), st.integers(0, 2))
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_backends_refuse_the_same_bytes(made: list[bytes], good: int) -> None:
    data = b"".join(made + [GENERATOR] * good)
    assert len({backend.valid(data) for backend in backends()}) == 1


@pytest.fixture
def library() -> Any:
    return pytest.importorskip(
        "sobremesa_native", reason="sobremesa_native is not installed (crypto/native/README.md)"
    )


SPELLED = {k: k.to_bytes(32, "little") for k in (1, 2, 3)}
ONE = SPELLED[1]


@NATIVE
def test_the_package_checks_lengths_scalars_and_elements(library: Any) -> None:
    """Though ours never sends it such things."""
    g, unreduced, bad = GENERATOR, L.to_bytes(32, "little"), bytes([255]) * 32
    for broken in (
        lambda: library.mult(unreduced, g),
        lambda: library.mult(ONE, bad),
        lambda: library.mult(ONE + ONE, g),
        lambda: library.mult(ONE, g + g),
        lambda: library.mult(b"", g),
        lambda: library.base(unreduced),
        lambda: library.base(ONE[:31]),
        lambda: library.add(g, g[:31]),
        lambda: library.add(g, b""),
        lambda: library.sub(bad, g),
        lambda: library.total(g[:31]),
        lambda: library.total(g + bad),
        lambda: library.combine([1], ONE, bad),
        lambda: library.combine([1], unreduced, g),
        lambda: library.combine([2], ONE, g),
        lambda: library.combine([1, 1], ONE, g),
        lambda: library.combine([1], ONE + ONE, g + g),
        lambda: library.combine([1], ONE, g + g),
        lambda: library.combine([0], ONE, g),
        lambda: library.combine([2**63, 2**63], b"", b""),
        lambda: library.combine([2**59], b"", b""),
        lambda: library.combine_public([1], ONE, bad),
        lambda: library.combine_public([2**64 - 1, 1], b"", b""),
        lambda: library.combine_public([1], ONE + b"\0", g + b"\0"),
        lambda: library.mask(bad, ONE, g),
        lambda: library.mask(g, ONE, g + g),
        lambda: library.mask(g, ONE + b"\0", g + b"\0"),
        lambda: library.mask(g + g, ONE, g),
        lambda: library.from_uniform(bytes(63)),
        lambda: library.from_uniform(bytes(65)),
    ):
        with pytest.raises(ValueError, match=r"^(not|a scalar)"):
            broken()
    for broken in (
        lambda: library.combine([-1], ONE, g),
        lambda: library.combine([2**64], ONE, g),
        lambda: library.combine("1", ONE, g),
        # Only a list has a length to be believed: to reserve room for 2**62 items would end the
        # program.
        lambda: library.combine(range(2**62), b"", b""),
        lambda: library.combine_public(range(2**62), b"", b""),
        lambda: library.combine([1], bytearray(ONE), g),
        lambda: library.add(g.hex(), g),
        lambda: library.valid(None),
    ):
        with pytest.raises((TypeError, OverflowError)):
            broken()
    assert not library.valid(b"")
    assert not library.valid(g + g[:31])
    assert library.combine([], b"", b"") == b""
    assert library.combine([0], b"", b"") == IDENTITY


@NATIVE
def test_an_element_that_was_decoded_before_is_the_same_element_after_thousands_of_others(
    library: Any,
) -> None:
    native = dalek.Dalek(library)
    p = native.base(7)
    assert native.valid(p)
    twice = native.add(p, p)
    for start in range(0, 6000, 500):
        others = b"".join(native.mask(p, range(start, start + 500), [GENERATOR] * 500))
        assert native.valid(others)
        assert native.add(p, p) == twice
        assert not native.valid(others[:-1] + bytes([others[-1] ^ 128]))


# The known question.


FUNCTIONS = {name for name in vars(Backend) if not name.startswith("_")} - {"name"}


def install(monkeypatch: pytest.MonkeyPatch, package: Any) -> None:
    monkeypatch.setitem(sys.modules, "sobremesa_native", package)


@pytest.mark.parametrize(
    "package",
    [
        None,
        SimpleNamespace(),
        SimpleNamespace(**dict.fromkeys(FUNCTIONS, lambda *arguments: b"")),
        SimpleNamespace(**dict.fromkeys(FUNCTIONS, lambda *arguments: None)),
        SimpleNamespace(**dict.fromkeys(FUNCTIONS, len)),
    ],
    ids=["not there", "empty", "nothing", "None", "another type"],
)
def test_a_package_that_does_not_work_is_no_backend(
    monkeypatch: pytest.MonkeyPatch, package: Any
) -> None:
    install(monkeypatch, package)  # None: it cannot be imported
    with pytest.raises(NoBackend):
        module.native()
    assert next(module.available()).name == next(
        backend.name for backend in backends() if backend.name != "curve25519-dalek"
    )


def test_a_refusal_of_the_package_is_our_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> bytes:
        raise ValueError("not the encoding of an element")

    refusing = dalek.Dalek(SimpleNamespace(**dict.fromkeys(FUNCTIONS, refuse)))
    with pytest.raises(InvalidEncoding, match="not the encoding"):
        refusing.add(b"", b"")
    assert issubclass(InvalidEncoding, CryptoError)
