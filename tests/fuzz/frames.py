"""Bytes over a connection, and from the air: announcements, frames, WELCOMEs, all that is said in a
lobby, TXT records.

The first byte chooses which of these the rest is. A listener may only find a peer's bytes
Malformed, too long, of another version, or refuse them; and terms that all have signed are signed
by all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from client.session.messages import Lobby, Notice
from client.session.setup import TableSetup
from client.session.setup_rules import NO_SETUP_RULES, LocalPlayer
from client.ui.model import shown_nicks
from crypto.errors import CryptoError, InvalidProof
from crypto.identity import Identity, public_of_certificate
from crypto.sas import NONCE, check_nonce, commitment
from engine.games import complete_options, game_class
from p2p.net.errors import FrameTooLong, LinkLost, NetError, VersionMismatch
from p2p.net.framing import FrameReader, pack_frame
from p2p.net.greeting import HELLO, judge
from p2p.net.names import NICK_COLUMNS
from p2p.net.sighting import SERVICE, Advert, instance, player_of, sighting_of, txt_of
from p2p.net.text import columns
from p2p.table.lobby import Agreement, Draft, SeatRequest, TableRefused
from p2p.table.need import Need
from p2p.wire import PROTOCOL, Malformed, shape
from tests.fuzz.draw import Draw, told
from tests.standin import seeded

WHO = [Identity.from_seed(bytes([number]) * 32) for number in range(1, 4)]
SECRET = b"five!"
MOST = 12
"""Messages in one input at most."""

Said = list[tuple[bytes, dict[str, Any]]]


def one_input(data: bytes) -> None:
    if data:
        kinds = (a_stream, a_talk, a_welcome, a_record, a_certificate)
        kinds[data[0] % len(kinds)](Draw(data[1:]))


def a_stream(draw: Draw) -> None:
    """Any bytes, in pieces of any size: the first value should be a WELCOME, then the lobby
    begins."""
    reader, step = FrameReader(), draw.byte() + 1
    ear = Ear(host=bool(draw.byte() % 2))
    data = draw.rest()
    for at in range(0, len(data), step):
        try:
            values = reader.feed(data[at : at + step])
        except (FrameTooLong, Malformed) as error:
            told(error)
            return
        for value in values:
            judged(value, dialled=step % 2 == 0)
            ear.receive(WHO[1].id, value)
    assert reader.waiting <= len(data)


def a_talk(draw: Draw) -> None:
    """A lobby in which somebody says other things than an honest program would."""
    ear = Ear(host=bool(draw.byte() % 2))
    honest = said(ear.host)
    at = 0
    for _ in range(MOST):
        if not draw.more:
            break
        how = draw.byte()
        peer, value = honest[at % len(honest)] if how % 8 < 6 else draw.one(honest)
        if how % 8 == 0:
            ear.link(peer, up=draw.byte() % 2 == 0)
            continue
        if how % 8 in (1, 2):
            at += 1
        else:
            value = draw.value(value)
        if how >= 128:
            peer = draw.one(WHO).id
        for received in framed(value):
            ear.receive(peer, received)


def framed(value: Any) -> Iterator[Any]:
    """A value as it comes out at the other end of a link; nothing if it cannot be sent."""
    try:
        frame = pack_frame(value)
    except (FrameTooLong, TypeError):
        return
    try:
        yield from FrameReader().feed(frame)
    except Malformed:
        return  # more lists than are read


def a_welcome(draw: Draw) -> None:
    """WELCOME from a peer that dialled us, then the nonce that it committed to; or from one that we
    dialled."""
    dialled, nonce = (
        bool(draw.byte() % 2),
        draw.value(bytes(NONCE)) if draw.byte() % 2 else bytes(NONCE),
    )
    part = (
        {"nonce": nonce} if dialled else {"commit": commitment(WHO[1].id, WHO[0].id, bytes(NONCE))}
    )
    for value in framed(
        draw.value({**part, "port": 47747, "program": "1.0", "protocol": PROTOCOL})
    ):
        welcome = judged(value, dialled=dialled)
        if welcome is None or dialled:
            continue
        for shown in framed(draw.value({"nonce": nonce})):
            try:
                check_nonce(
                    welcome["commit"], WHO[1].id, WHO[0].id, shape(shown, nonce=bytes)["nonce"]
                )
            except (Malformed, InvalidProof) as error:
                told(error)


def judged(value: Any, *, dialled: bool) -> dict[str, Any] | None:
    """A WELCOME as a link takes it; None if it does not."""
    try:
        fields = judge(value, HELLO, WHO[1].id, dialled=dialled)
    except (Malformed, VersionMismatch, LinkLost) as error:
        told(error, one_line=isinstance(error, NetError))
        return None
    assert 0 <= fields["port"] < 65536
    return fields


def a_record(draw: Draw) -> None:
    """The record that zeroconf hands over for a name."""
    advert = Advert(WHO[1].id, "Ane", "escoba", "goiz", 2, 4, "open", 47747, 1, "eu")
    txt: dict[bytes, bytes | None] = {
        key.encode(): value.encode() for key, value in txt_of(advert).items()
    }
    name, port = f"{instance(advert.id)}.{SERVICE}", 47747
    while draw.more:
        match draw.below(5):
            case 0:
                txt[draw.some(draw.below(20))] = draw.some(draw.byte())
            case 1:
                txt[draw.one(sorted(txt))] = None
            case 2:
                name = draw.value(name.encode()) if draw.byte() % 2 else draw.some(draw.byte())
                name = name.decode(errors="replace") if type(name) is bytes else str(name)
            case 3:
                port = draw.number()
            case _:
                key = draw.one(sorted(txt))
                changed = draw.value(txt[key] or b"")
                # a whole one has 400
                txt[key] = changed if type(changed) is bytes else str(changed).encode()[:500]
    try:
        player = player_of(name)
        sighting = sighting_of(player, txt, port, ("192.0.2.1",))
    except Malformed as error:
        told(error)
        return
    assert sighting.id == player
    assert player[:10] == advert.id[:10]  # the part that the fingerprint in the record shows
    assert sighting.nick.isprintable()
    assert columns(sighting.nick) <= NICK_COLUMNS
    assert sighting.addresses == (("192.0.2.1", port),)


def a_certificate(draw: Draw) -> None:
    """The announcement of a stranger, in clear, before anything is secured."""
    data = draw.value(WHO[1].certificate()) if draw.byte() % 2 else draw.rest()
    if type(data) is bytes:
        try:
            found = public_of_certificate(data)
        except CryptoError as error:
            told(error)
            return
        assert (found, data) == (WHO[1].public, WHO[1].certificate())


class Ear:
    """One process in the lobby: the host of a private table of three, or a guest."""

    def __init__(self, *, host: bool, seat: int = 1) -> None:
        self.host = host
        self.posted: Said = []
        seat = 0 if host else seat
        seat_request = SeatRequest(
            WHO[seat], ("Ane", "Jon", "Mikel")[seat], seeded(f"seat request {seat}")
        )
        self.setup = TableSetup(
            [LocalPlayer(seat_request)], NO_SETUP_RULES, self, self.tell, lambda: 0.0
        )
        if host:
            options = complete_options("escoba", 3, {})
            self.setup.open(
                Draft(
                    "goiz",
                    "escoba",
                    game_class("escoba").version,
                    options,
                    60,
                    spectators=False,
                    seats=(None,) * 3,
                ),
                SECRET,
            )
        else:
            self.setup.seek(WHO[0].id, SECRET)
            self.setup.link_up(WHO[0].id)

    def receive(self, peer: bytes, value: Any) -> None:
        """Hear a message as the client does."""
        if type(value) is not dict:
            return
        self.carefully(lambda: self.setup.message(peer, value, self.nonces_to(peer)))
        if value.get("t") == "need":
            self.carefully(lambda: Need.read(value))
        agreement = self.setup.agreement
        if agreement is not None and self.setup.agreed:
            agreement.terms.check_signatures(agreement.ordered())

    def link(self, peer: bytes, *, up: bool) -> None:
        self.carefully(
            lambda: self.setup.link_up(peer) if up else self.setup.link_down(peer, "closed")
        )

    def carefully(self, do: Callable[[], Any]) -> None:
        """Only a guest's session can end by the words of its host; a host goes on without a guest
        that talks nonsense."""
        try:
            do()
        except Malformed as error:
            told(error)
        except TableRefused as refused:
            told(refused)
            assert not self.host

    def tell(self, message: Lobby | Notice) -> None:
        if isinstance(message, Notice):
            return
        nicks = [seat.nick for seat in message.seats if seat]
        assert all(nick.strip("\u2068\u2069").isprintable() for nick in shown_nicks(nicks))

    # The network.

    def post(self, value: Any, *, to: bytes | None = None, skip: bytes | None = None) -> None:
        del skip
        frame = pack_frame(value)
        (received,) = FrameReader().feed(frame)
        self.posted.append((to or b"", received))

    def keep(self, peer: bytes, addresses: Any) -> None:
        assert len(peer) == 32
        assert all(0 < port < 65536 for _host, port in addresses)

    def forget(self, peer: bytes) -> None:
        pass

    def signed(self, agreement: Agreement) -> None:
        self.setup.saved(agreement)

    def address_of(self, peer: bytes) -> tuple[str, int]:
        return "192.0.2.1", 4000 + peer[0] % 16

    def nonces_to(self, peer: bytes) -> tuple[bytes, bytes]:
        return self.setup.seat_requests[0].identity.id[:16], peer[:16]


@cache
def said(host: bool) -> Said:
    """The messages that the host hears in an honest lobby, or the first guest."""
    ears = [Ear(host=True), Ear(host=False)]
    received: list[Said] = [[], [], []]

    def carry() -> None:
        while any(ear.posted for ear in ears):
            for seat, ear in enumerate(ears):
                posted, ear.posted = ear.posted, []
                for to, value in posted:
                    for listener, other in enumerate(ears):
                        if listener != seat and to in (b"", WHO[listener].id):
                            received[listener].append((WHO[seat].id, value))
                            other.setup.message(WHO[seat].id, value, other.nonces_to(WHO[seat].id))

    carry()
    ears.append(Ear(host=False, seat=2))
    carry()
    assert all(ear.setup.agreed for ear in ears)
    return received[0 if host else 1]
