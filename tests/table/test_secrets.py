"""No secret scalar, nonce, or share of an unopened card is in any log, entry, event, repr or error
(issue 2, "Done when" 7).

Matches are played in the real group with all secrets known to the test: in the stand-in group an
element is its logarithm.
"""

import copy

import pytest

import crypto.masking
import crypto.shuffle
import crypto.sigma
from crypto.group import Group, ristretto255
from engine.core.moves import IllegalMove
from p2p.table.faults import BadSignature
from p2p.wire import Malformed
from tests.ring import Ring, first_choice
from tests.table.deck_keys import keys_in_memory

GROUP = ristretto255()


def spellings(secret: bytes) -> set[bytes]:
    """All forms in which a secret might slip out: raw, hexadecimal, decimal, as Python shows bytes;
    both byte orders."""
    found = set()
    for data in (secret, secret[::-1]):
        number = int.from_bytes(data, "big")
        texts = {data.hex(), data.hex().upper(), f"{number:x}", str(number), repr(data)[2:-1]}
        found |= {data, *(text.encode() for text in texts)}
    return {form for form in found if len(form) >= 12}


def found_in(secrets: set[bytes], text: bytes) -> set[bytes]:
    return {secret for secret in secrets for form in spellings(secret) if form in text}


def key_of(table):
    """Return our key for a deck in play."""
    return next(iter(table.progress.here.masks.decks.values())).secret


class Known:
    """All that the tables of a match have drawn: secret scalars and nonces as 32 bytes, and raw
    randomness."""

    def __init__(self, monkeypatch):
        self.secrets: set[bytes] = set()
        random_scalar, nonces = Group.random_scalar, crypto.sigma.nonces

        def drawn(group, entropy):
            scalar = random_scalar(group, entropy)
            self.secrets.add(scalar.to_bytes(32, "little"))
            return scalar

        def told(order, label, *args):
            for index, scalar in enumerate(nonces(order, label, *args)):
                # Of a proof about several faces every second number is a challenge, which the proof
                # says.
                if label != "one-of" or index % 2 == 0:
                    self.secrets.add(scalar.to_bytes(32, "little"))
                yield scalar

        monkeypatch.setattr(Group, "random_scalar", drawn)
        for module in (crypto.sigma, crypto.shuffle):
            monkeypatch.setattr(module, "nonces", told)

    def entropy(self, take):
        def listened(size):
            data = take(size)
            self.secrets.add(data)
            return data

        return listened


def shown(ring: Ring) -> bytes:
    """Everything that leaves a table, or that somebody may print of it."""
    texts: list[object] = []
    for seat, table in enumerate(ring.tables):
        here, exchange = table.progress.here, table.progress.exchange
        texts += [
            table,
            here,
            table.journal,
            table.run,
            here.masks,
            table.view(),
            table.run.request,
            exchange,
            table.terms,
        ]
        texts += [
            *ring.events[seat],
            *here.masks.decks.values(),
            *table.inbox,
            table.identity,
            table.fault,
        ]
        if exchange is not None:
            texts += [
                exchange.round,
                vars(exchange.round),
                *exchange.closed_entries,
                *exchange.signed.values(),
            ]
        try:
            table.act(None)
        except IllegalMove as error:
            texts += [error, error.args, vars(error)]
        for data in (b"", b"\xc0", ring.sent[-1][1][:-1] if ring.sent else b"?"):
            try:
                table.receive(data)
            except (Malformed, BadSignature) as error:
                texts += [error, error.args, vars(error)]
    said = b"".join(data for _, data in ring.sent)
    return said + b"".join(ring.logs) + "\n".join(f"{text!r} {text!s}" for text in texts).encode()


def playing(monkeypatch, game, players, **options):
    known = Known(monkeypatch)
    ring = Ring(game, players, group=GROUP, **options)
    for table in ring.tables:
        table.progress.here.entropy = known.entropy(table.progress.here.entropy)
        known.secrets.add(table.identity.seed)
    return ring, known


def revealed(ring: Ring) -> set[bytes]:
    """Nonces of commitments that have been opened: they are secrets no more."""
    entries = (ring.read(data) for _, data in ring.sent)
    return {entry.body["nonce"] for entry in entries if "nonce" in entry.body}


def unopened_shares(ring: Ring) -> set[bytes]:
    """Each holder's share that keeps a card face down: of the slot's owner, or for the stock of
    everybody."""
    found = set()
    game = ring.tables[0].run.game
    for number in ring.tables[0].progress.here.masks.decks:
        for table in ring.tables:
            masked = table.progress.here.masks.decks[number]
            for slot in masked.deck.slots:
                if (
                    slot not in game.faces
                    and game.holder.get(slot, table.seat) == table.seat
                    and masked.secret is not None
                ):
                    found.add(GROUP.mult(masked.secret.secret, masked.cipher(slot)[0]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "options", "moves"),
    [
        ("escoba", 2, {"target": 1}, 9),
        ("escoba", 3, {"target": 1}, 1),
        ("tiny", 3, {"deals": 1}, 5),
    ],
)
def test_no_secret_is_ever_shown(monkeypatch, capfd, game, players, options, moves):
    ring, known = playing(monkeypatch, game, players, **options)
    ring.play(first_choice, moves=moves)
    shares = unopened_shares(ring)
    assert shares
    assert len(known.secrets) > 300
    text = shown(ring)
    hidden = (known.secrets | shares) - revealed(ring)
    assert not found_in(hidden, text)
    ring.play()
    assert all(table.sealed for table in ring.tables)
    never = {share for share in shares if share in unopened_shares(ring)}
    assert not found_in((known.secrets | never) - revealed(ring), shown(ring))
    assert capfd.readouterr() == ("", "")


def test_a_committed_value_is_not_said_before_it_is_revealed():
    ring = Ring("escoba", 2, target=1)
    ring.tap = lambda sender, receiver, data: () if sender == 1 else (data,)
    ring.settle()
    nonce, value = ring.tables[0].journal.committed(1)
    assert value
    assert not found_in({nonce}, shown(ring))


@pytest.mark.parametrize("players", [2, 3])
def test_a_table_knows_no_face_that_is_not_its_seats_or_public(players):
    ring = Ring("tiny", players, group=GROUP, deals=1)
    moves = 0
    while any(table.asked for table in ring.tables) or not moves:
        moves += ring.play(first_choice, moves=1) or 1
        for seat, table in enumerate(ring.tables):
            game = table.run.game
            own = set(table.progress.here.own_faces)
            assert all(game.holder[slot] == seat for slot in own)
            view = table.view()
            assert set(view.faces) <= own
            others = {
                slot for hand in (game.hands[other] for other in ring.others(seat)) for slot in hand
            } - set(game.faces)
            assert all(view.face(slot) is None for slot in others)
            dealt = {
                slot for event in ring.events[seat] if hasattr(event, "mine") for slot in event.mine
            }
            assert not dealt & others


def test_a_journal_and_a_key_cannot_be_printed_by_mistake():
    ring = Ring("escoba", 2, target=1)
    ring.settle()
    journal, key = ring.tables[0].journal, key_of(ring.tables[0])
    for thing in (journal, key, copy.copy(journal)):
        assert str(key.secret) not in repr(thing)


def test_when_the_match_is_sealed_its_secrets_are_wiped():
    ring = Ring("escoba", 2, target=1)
    ring.play(moves=1)
    assert all(keys_in_memory(table) for table in ring.tables)
    ring.play()
    for table in ring.tables:
        assert not keys_in_memory(table)
        assert not table.progress.here.masks.decks
        assert repr(table.journal) == "<Journal: 0 deck keys, 0 commitments>"
