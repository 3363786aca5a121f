"""A demonstration with all that it leaves: its report, equal logs, folders for their owner alone,
and no secret of a player outside of its folder."""

from __future__ import annotations

import json
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import unpack
from tests.end_to_end.processes import Machine, Player

FIELDS = {
    *("game", "players", "found_by", "score", "winners", "shared", "seconds", "steps", "logs"),
    *("verified", "identical"),
}


@pytest.mark.slow
def test_a_demonstration_leaves_equal_logs_and_lets_no_secret_out(machine):
    kept = machine.folder / "kept"
    words = ("escoba", "--players", "3", "--option", "target=1", "--keep", str(kept), "--json")
    demo = machine.player("own", "demo", *words)
    journals, modes = collect(demo, kept)
    assert demo.ends() == 0
    homes = [kept / f"p{number}" for number in (1, 2, 3)]
    require_report(json.loads(demo.out), homes)
    again = machine.player("own", "demo", "escoba", "--keep", str(kept))
    assert again.ends() == 2
    assert again.sentence() == f"{kept} already has matches in it; name an empty folder"

    assert modes["journals"] == modes["p1"] == modes["p2"] == {0o700}
    assert modes["journal"] == modes["key"] == modes["pem"] == {0o600}
    assert modes["cards"] == {0o700, 0o600}

    assert {path.parts[-3] for path in journals} == {"p1", "p2", "p3"}
    secrets = [secret for content in journals.values() for secret in secrets_of(content)]
    seeds = [bytes.fromhex((home / "identity.key").read_text()) for home in homes]
    assert len(secrets) >= 3  # a deck key for each at least
    for home in homes:
        (cards,) = (home / "cards").iterdir()
        assert set(unpack(cards.read_bytes(), RECORD_LIMIT)) == {"sobremesa", "match", "shares"}
    everything = {path: path.read_bytes() for path in public(machine, homes)}
    everything[Path("printed")] = (demo.out + demo.err).encode()
    assert [path for secret in [*seeds, *secrets] for path in finds(everything, secret)] == []
    # The numbers of the toss are in the log, once they have been revealed: the search finds what is
    # there.
    log = next(content for path, content in everything.items() if path.suffix == ".sobremesa")
    assert any(nonce in log for content in journals.values() for nonce in nonces_of(content))


def require_report(found: dict, homes: list[Path]) -> None:
    """Require that a demonstration tells what it has left in the homes of its players."""
    assert set(found) == FIELDS
    assert (found["game"], found["players"], found["found_by"]) == ("escoba", 3, "zeroconf")
    assert (found["verified"], found["identical"]) == (True, True)
    best = max(found["score"])
    assert best >= 1
    assert found["winners"] == [f"p{found['score'].index(best) + 1}"]
    assert found["steps"] > 40
    logs = [log for home in homes for log in (home / "logs").glob("*.sobremesa")]
    assert [str(path) for path in logs] == found["logs"]
    assert len({path.read_bytes() for path in logs}) == 1
    for home in homes:
        assert list((home / "journals").iterdir()) == []
        assert (home / "errors.txt").read_text() == ""


def collect(demo: Player, kept: Path) -> tuple[dict[Path, bytes], dict[str, set[int]]]:
    """Return the journals of a demonstration and the modes of its files, as far as they were seen
    while it ran."""
    found: dict[Path, bytes] = {}
    modes: dict[str, set[int]] = {}
    while demo.process.poll() is None:
        for path in [*kept.glob("p?"), *kept.glob("p?/*"), *kept.glob("p?/*/*")]:
            with suppress(FileNotFoundError):
                mode = stat.S_IMODE(path.stat().st_mode)
                modes.setdefault(path.name.rpartition(".")[2], set()).add(mode)
                if path.suffix == ".journal":
                    found[path] = max(path.read_bytes(), found.get(path, b""), key=len)
        time.sleep(0.005)
    return found, modes


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
