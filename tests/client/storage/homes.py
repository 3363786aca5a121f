"""A home with logs of matches, for tests of the history."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from client.storage.history import HistoryReader
from client.storage.home import Home
from client.storage.past_match import (
    MatchSummary,
)
from crypto.identity import Identity
from p2p.table.table import Table
from p2p.table.terms import PERSON, Participant, Terms
from tests.ring import Ring
from tests.standin import seeded

VECTORS = Path(__file__).parents[2] / "vectors"


SEED = b"h" * 32


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return the home of one player: the same key in every test, so that a match is played once."""
    home = Home(tmp_path / "home")
    (home.path / "identity.key").write_text(SEED.hex())
    return home


class OurRing(Ring):
    """A match in which our home has a seat, with nicks of our choice; over the real group."""

    def __init__(
        self,
        others: tuple[tuple[Identity, str], ...],
        *,
        seat: int = 0,
        seed: str = "ours",
        kinds: tuple[str, ...] = (),
        **options: Any,
    ):
        seats = len(others) + 1
        super().__init__("siete-y-media", seats, seed=seed, **options)
        who = [*others[:seat], (Identity.from_seed(SEED), "Ane"), *others[seat:]]
        nonces = [seeded(f"{seed}/{place}")(16) for place in range(seats)]
        named = tuple(
            Participant(one.public, nick, nonce, kind)
            for (one, nick), nonce, kind in zip(who, nonces, kinds or [PERSON] * seats, strict=True)
        )
        self._sit([one for one, _nick in who], replace(self.terms, participants=named))

    def _sit(self, who: list[Identity], terms: Terms) -> None:
        self.who, self.terms = who, terms
        self.signatures = [terms.sign(one) for one in who]
        self.tables = [
            Table(terms, self.signatures, seat, one, seeded(f"{self.seed}/{seat}"))
            for seat, one in enumerate(who)
        ]


@lru_cache
def played(*others: tuple[Identity, str], seat: int = 0, **more: Any) -> bytes:
    """Return the log of a match of two deals."""
    ring = OurRing(others, seat=seat, deals=2, **more)
    ring.play()
    assert ring.tables[0].sealed
    return ring.logs[seat]


JON, MIREN = (
    (Identity.from_seed(bytes([number]) * 32), nick)
    for number, nick in ((201, "Jon"), (202, "Miren"))
)


def put(home: Home, log: bytes, name: str = "", *, at: int = 1_700_000_000) -> Path:
    path = home.logs / f"{name or len(list(home.logs.iterdir()))}.sobremesa"
    path.write_bytes(log)
    os.utime(path, (at, at))
    return path


def all_of(home: Home) -> tuple[MatchSummary, ...]:
    reader = HistoryReader(home)
    assert reader.read() == 0
    return reader.summaries()[0]
