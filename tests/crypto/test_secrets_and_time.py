"""No secret reaches an operation that may take variable time: neither a secret scalar nor a number
computed from one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from crypto import chance, masking, shuffle, sigma
from crypto.group import Group
from crypto.plain import Row
from tests.standin import Integers, seeded


class Derived(int):
    """A secret number, or one computed from it: sums, differences, products, quotients and
    remainders are of this kind too."""


def _deriving(name: str) -> Callable[..., Any]:
    def derive(number: int, *others: Any) -> Any:
        found = getattr(int, name)(number, *others)
        return found if found is NotImplemented else Derived(found)

    return derive


for _name in (
    "add",
    "sub",
    "mul",
    "floordiv",
    "mod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "or",
    "xor",
):
    setattr(Derived, f"__{_name}__", _deriving(f"__{_name}__"))
    setattr(Derived, f"__r{_name}__", _deriving(f"__r{_name}__"))
for _name in ("neg", "abs", "invert"):
    setattr(Derived, f"__{_name}__", _deriving(f"__{_name}__"))


class Listening(Group):
    """Notes all scalars of public sums, and those of secret ones."""

    def __init__(self) -> None:
        super().__init__(Integers())
        self.public: list[int] = []
        self.secret: list[int] = []
        self.derived: list[int] = []
        """The scalars of public sums that were computed from a secret."""

    def random_scalar(self, entropy: chance.Entropy) -> int:
        return Derived(super().random_scalar(entropy))

    def combine_each_public(self, rows: Iterable[Row]) -> list[bytes]:
        kept = list(rows)
        self.derived += [k for scalars, _ in kept for k in scalars if isinstance(k, Derived)]
        self.public += [k % self.order for scalars, _ in kept for k in scalars]
        return super().combine_each_public(kept)

    def combine_each(self, rows: Iterable[Row]) -> list[bytes]:
        kept = list(rows)
        self.secret += [k % self.order for scalars, _ in kept for k in scalars]
        return super().combine_each(kept)

    def mask(self, p: bytes, scalars: Any, elements: Any) -> list[bytes]:
        self.secret += [k % self.order for k in scalars]
        return super().mask(p, scalars, elements)

    def mult(self, k: int, p: bytes) -> bytes:
        self.secret.append(k % self.order)
        return super().mult(k, p)


def _plain(part: Any) -> Any:
    """Return what is hashed with plain integers, as only these have a spelling."""
    if isinstance(part, (list, tuple)):
        return [_plain(item) for item in part]
    return int(part) if isinstance(part, Derived) else part


@pytest.fixture
def nonces(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """All nonces that are drawn."""
    drawn: list[int] = []

    def noting(*arguments: Any) -> Iterator[int]:
        for nonce in chance.nonces(*map(_plain, arguments)):
            drawn.append(nonce)
            yield Derived(nonce)

    for module in (shuffle, sigma):
        monkeypatch.setattr(module, "nonces", noting)
    return drawn


def shuffling(group: Group) -> list[int]:
    joint = group.base(5)
    deck = masking.starting_deck(group, masking.card_points(group, "p", 4), joint)
    randomness = [group.random_scalar(seeded(j)) for j in range(4)]
    after = shuffle.shuffle_deck(group, joint, deck, (2, 0, 3, 1), randomness)
    shuffle.prove_shuffle(group, b"", joint, deck, after, (2, 0, 3, 1), randomness, seeded("proof"))
    return randomness


def sharing(group: Group) -> list[int]:
    key = masking.new_key(group, seeded("key"))
    masking.prove_key(group, b"", 0, b"", key, seeded("proof"))
    ciphers = [(group.base(7 + slot), group.base(9)) for slot in range(3)]
    masking.make_shares(group, b"", key, range(3), ciphers, seeded("shares"))
    return [key.secret]


def claiming(group: Group) -> list[int]:
    key, a = group.random_scalar(seeded("key")), group.base(3)
    points = masking.card_points(group, "p", 4)
    c = group.add(points[2], group.mult(key, a))
    sigma.prove_one_of(group, b"", 0, key, a, c, points, 2, seeded("claim"))
    return [key]


@pytest.mark.parametrize("work", [shuffling, sharing, claiming])
def test_no_secret_is_in_a_public_sum(
    work: Callable[[Group], list[int]], nonces: list[int]
) -> None:
    group = Listening()
    secrets = {*work(group), *nonces}
    assert len(secrets) > 2
    # The challenges that a claim's prover chooses are known from its proof.
    assert len(secrets & set(group.secret)) >= len(secrets) / 2
    assert not {k for secret in secrets for k in (secret, -secret % group.order)} & set(
        group.public
    )
    assert group.derived == []
