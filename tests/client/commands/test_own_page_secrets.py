"""A page with our own cards, and the file that we keep, give the other no card of the stock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.__main__ import main
from client.storage.home import Home
from client.storage.own_cards import own_cards_file, write_own_cards
from crypto.errors import CryptoError
from crypto.group import ristretto255
from crypto.masking import Ciphers, card_points, decode_deck
from engine.core.moves import Slot
from p2p.table.events import Dealt
from p2p.table.log import DECK, read_entry, read_log
from tests.client.ui.replay_page.pages import part
from tests.ring import Ring

GROUP = ristretto255()


@pytest.fixture(scope="module")
def ring() -> Ring:
    ring = Ring("truco", 2, seed="own cards", target=5)
    ring.play()
    return ring


def decks(ring: Ring) -> Iterator[tuple[bytes, Ciphers]]:
    """Return the public key of p1 for each deck of the log, and the deck as it was shuffled."""
    key = b""
    for _name, entries in read_log(ring.logs[0]).records:
        for entry in (read_entry(ring.terms, ring.terms.match, data) for data in entries):
            if entry.kind != DECK:
                continue
            if "key" in entry.body:
                key = entry.body["key"] if entry.seat == 0 else key
            elif entry.stage == 2:
                yield key, decode_deck(GROUP, entry.body["deck"], 40)


def opened(ring: Ring, page: bytes) -> set[Slot]:
    """Return the slots of the stock that p2 opens with its own keys and the bytes of a page."""
    dealt = {
        slot
        for event in ring.events[1]
        if isinstance(event, Dealt)
        for slots in event.to.values()
        for slot in slots
    }
    words = {page[at : at + 32] for at in range(len(page) - 31)}
    found = set[Slot]()
    publics = {public: word for word in words for public in multiples(word)}
    points = card_points(GROUP, "truco", 40)
    for number, ((theirs, deck), ours) in enumerate(
        zip(decks(ring), ring.deck_keys(1), strict=True)
    ):
        for place, (a, b) in enumerate(deck):
            slot = number * 40 + place
            if slot in dealt:
                continue
            rest = GROUP.sub(b, GROUP.mult(GROUP.scalar(ours), a))
            shares = {GROUP.sub(rest, point) for point in points}
            if theirs in publics:
                assert GROUP.mult(GROUP.scalar(publics[theirs]), a) in shares
                found.add(slot)
            if shares & words:
                found.add(slot)
    return found


def multiples(word: bytes) -> Iterator[bytes]:
    """Return the deck key of a secret, if these bytes are one."""
    try:
        yield GROUP.base(GROUP.scalar(word))
    except CryptoError:
        return


def test_the_other_player_opens_no_card_of_the_stock_with_our_page_or_our_file(
    ring: Ring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path / "home")
    monkeypatch.setenv("SOBREMESA_HOME", str(home.path))
    log, page = tmp_path / "match.sobremesa", tmp_path / "own.html"
    log.write_bytes(ring.logs[0])
    file = own_cards_file(home.path, ring.terms.match)
    write_own_cards(file, ring.terms.match, ring.tables[0].kept_shares)
    assert main(["export", str(log), "--to", "html", "--seat", "p1", "-o", str(page)]) == 0
    data = page.read_bytes()
    names = re.findall(r'<script type="text/plain" class="dense" id="([a-z-]+)">', data.decode())
    assert "kept-shares" in names
    for name in set(names) - {"log", "data"}:
        assert not opened(ring, part(data, name)), f"the part {name} of the page"
    assert not opened(ring, file.read_bytes())
    assert len(opened(ring, b"".join(ring.deck_keys(0)))) > 60, "so it could fail"
