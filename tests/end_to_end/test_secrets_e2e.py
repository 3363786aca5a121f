"""No secret of a player leaves its folder: not in a log, not in anything printed, not over the
network."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.table.log import RECORD_LIMIT, split_records
from p2p.wire import unpack
from tests.end_to_end.processes import Machine, Player

PLANTED = bytes(range(100, 132))


@pytest.mark.slow
def test_no_secret_gets_out(machine):
    kept = machine.folder / "kept"
    demo = machine.player(
        "own", "demo", "escoba", "--players", "3", "--option", "target=1", "--keep", str(kept)
    )
    journals = collect(demo, kept)
    assert demo.ends() == 0
    homes = [kept / f"p{number}" for number in (1, 2, 3)]
    assert {path.parts[-3] for path in journals} == {"p1", "p2", "p3"}

    secrets = [secret for content in journals.values() for secret in secrets_of(content)]
    seeds = [bytes.fromhex((home / "identity.key").read_text()) for home in homes]
    assert len(seeds) == 3
    assert len(secrets) >= 3  # a deck key for each at least
    for home in homes:
        (cards,) = (home / "cards").iterdir()
        assert set(unpack(cards.read_bytes(), RECORD_LIMIT)) == {"sobremesa", "match", "shares"}
    everything = {path: path.read_bytes() for path in public(machine, homes)}
    everything[Path("printed")] = (demo.out + demo.err).encode()
    assert sum(path.suffix == ".sobremesa" for path in everything) == 3
    assert [path for secret in [*seeds, *secrets] for path in finds(everything, secret)] == []
    # The numbers of the toss are in the log, once they have been revealed: the search finds what is
    # there.
    log = next(content for path, content in everything.items() if path.suffix == ".sobremesa")
    assert any(nonce in log for content in journals.values() for nonce in nonces_of(content))
    # And a secret that was planted is found, however it is spelled.
    for spelling in spellings(PLANTED):
        assert list(finds({**everything, Path("planted"): log + spelling + log}, PLANTED)) == [
            Path("planted")
        ]


@pytest.mark.slow
def test_folders_are_for_their_owner_alone(machine):
    kept = machine.folder / "kept"
    demo = machine.player("own", "demo", "escoba", "--option", "target=1", "--keep", str(kept))
    modes: dict[str, set[int]] = {}
    while demo.process.poll() is None:
        for path in [
            *kept.glob("p*/journals"),
            *kept.glob("p*/journals/*"),
            *kept.glob("p*/cards"),
            *kept.glob("p*/cards/*.cards"),
            *kept.glob("p*/identity.*"),
            *kept.glob("p?"),
        ]:
            try:
                modes.setdefault(path.name.rpartition(".")[2], set()).add(
                    stat.S_IMODE(path.stat().st_mode)
                )
            except FileNotFoundError:
                continue
        time.sleep(0.01)
    assert demo.ends() == 0
    assert modes["journals"] == modes["p1"] == modes["p2"] == {0o700}
    assert modes["journal"] == {0o600}
    assert modes["cards"] == {0o700, 0o600}
    assert modes["key"] == modes["pem"] == {0o600}
    for number in (1, 2):
        assert list((kept / f"p{number}" / "journals").iterdir()) == []
    # A folder that the program makes itself is nobody else's.
    fresh = machine.player("fresh", "id")
    assert fresh.ends() == 0
    assert stat.S_IMODE(fresh.home.stat().st_mode) == 0o700


def collect(demo: Player, kept: Path) -> dict[Path, bytes]:
    """Return the journals of a demonstration, as far as they were seen while it ran."""
    found: dict[Path, bytes] = {}
    while demo.process.poll() is None:
        for path in kept.glob("p*/journals/*.journal"):
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                continue
            if len(content) > len(found.get(path, b"")):
                found[path] = content
        time.sleep(0.005)
    return found


def records_of(journal: bytes) -> list[dict]:
    return [unpack(item, RECORD_LIMIT) for item in split_records(journal)[0]]


def secrets_of(journal: bytes) -> list[bytes]:
    """Return the deck keys in a journal."""
    return [record["key"] for record in records_of(journal) if "key" in record]


def nonces_of(journal: bytes) -> list[bytes]:
    return [record["nonce"] for record in records_of(journal) if "nonce" in record]


def public(machine: Machine, homes: list[Path]) -> list[Path]:
    """Return every file that a demonstration has left, but the players' keys.

    Those are their identities. The shares of their own cards are among the files: they are no key.
    """
    files = [
        path
        for home in homes
        for path in home.rglob("*")
        if path.is_file() and not path.name.startswith("identity.")
    ]
    return [*files, *machine.folder.glob("*.out"), *machine.folder.glob("*.err")]


def finds(everything: dict[Path, bytes], secret: bytes) -> Iterator[Path]:
    """Give back the files in which a secret stands."""
    known = spellings(secret)
    return (
        path
        for path, content in everything.items()
        if any(spelling in content for spelling in known)
    )


def spellings(secret: bytes) -> list[bytes]:
    """Return how a secret could stand somewhere: raw, in hexadecimal and decimal, from either
    end."""
    found = [secret, secret[::-1], secret.hex().encode(), secret[::-1].hex().encode()]
    found += [secret.hex().upper().encode(), secret[::-1].hex().upper().encode()]
    return [*found, *(str(int.from_bytes(secret, order)).encode() for order in ("little", "big"))]
