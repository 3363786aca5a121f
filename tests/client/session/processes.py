"""Several processes in their lobbies, and links between them that a test brings to life, cuts and
lets speak."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from client.session.messages import Lobby, Notice
from client.session.setup import TableSetup
from client.session.setup_rules import LocalPlayer, SetupRules
from crypto.identity import Identity
from p2p.net.link import CLOSED, LOST
from p2p.table.admission import Visit
from p2p.table.lobby import Draft, SeatRequest, TableRefused, sit_message
from p2p.table.terms import COMPUTER, Participant, Terms, vouch
from p2p.wire import Malformed, pack, unpack
from tests.table.lobbies import draft, wired


class Lan:
    """Processes, and links between them; each link keeps the order of its messages."""

    def __init__(self) -> None:
        self.processes: dict[bytes, Process] = {}
        self.links: dict[tuple[bytes, bytes], deque[bytes]] = {}
        self.nonces: dict[tuple[bytes, bytes], bytes] = {}
        """The nonce that each end of a link said in its WELCOME; another link has other ones."""
        self._made = 0
        self.now = 0.0

    def link(self, one: Process, other: Process) -> None:
        for here, there in ((one, other), (other, one)):
            self.links[here.id, there.id] = deque()
            self._made += 1
            self.nonces[here.id, there.id] = self._made.to_bytes(16, "big")
        for here, there in ((one, other), (other, one)):
            here.meets(there.id)

    def cut(self, one: bytes, other: bytes, reason: str = LOST) -> None:
        """Lose a link, and all that was on its way."""
        for here, there in ((one, other), (other, one)):
            if self.links.pop((here, there), None) is not None and here in self.processes:
                self.processes[here].loses(there, reason)

    def end(self, process: Process) -> None:
        """End a process: its links go with it."""
        del self.processes[process.id]
        for here, there in list(self.links):
            if here == process.id:
                self.cut(here, there, CLOSED)

    def deliver(self, random: Random, *, but: tuple[bytes, bytes] | None = None) -> bool:
        """Bring one message over some link; return whether there was any."""
        full = sorted(ends for ends, waiting in self.links.items() if waiting and ends != but)
        if not full:
            return False
        here, there = random.choice(full)
        self.processes[there].hears(here, unpack(self.links[here, there].popleft(), 65536))
        return True

    def settle(self, random: Random, *, but: tuple[bytes, bytes] | None = None) -> None:
        """Bring all messages, but those over one link in one direction."""
        for _ in range(20000):
            self.dial_kept()
            if not self.deliver(random, but=but):
                return
        raise AssertionError("they never come to an end")

    def dial_kept(self) -> None:
        for process in list(self.processes.values()):
            for peer in sorted(process.kept):
                if peer in self.processes and (process.id, peer) not in self.links:
                    self.link(process, self.processes[peer])


class Process:
    """One process: a table setup and its network. It ends when it is refused."""

    def __init__(
        self,
        lan: Lan,
        number: int,
        bots: int = 0,
        *,
        held: bool = False,
        before: Draft | Terms | None = None,
    ) -> None:
        self.lan, self.number = lan, number
        self.identity = Identity.from_seed(bytes([number + 1]) * 32)
        self.id = self.identity.id
        self.address = f"192.0.2.{number}"
        self.kept: set[bytes] = set()
        self.refused: TableRefused | None = None
        self.dropped: list[str] = []
        self.told: list[Lobby] = []
        self.notices: list[Notice] = []
        self.announced: list[tuple[int, bool]] = []
        """Of each announced state of our table: how many seats were taken, and whether the match
        began."""
        self.secret = b""
        """The secret of our table's invite."""
        random = Random(number)
        seat_requests = [SeatRequest(self.identity, f"nick{number}", random.randbytes)]
        for place in range(bots):
            computer = Identity.from_seed(bytes([100 + 10 * number + place]) * 32)
            seat_requests.append(
                self.vouched(SeatRequest(computer, f"bot{place}", random.randbytes))
            )
        self.setup = TableSetup(
            [
                LocalPlayer(seat_request, place > 0)
                for place, seat_request in enumerate(seat_requests)
            ],
            SetupRules(self._check, self._changed, held=held, before=before),
            self,
            self._tell,
            lambda: lan.now,
        )
        lan.processes[self.id] = self

    def vouched(self, request: SeatRequest) -> SeatRequest:
        """Return the request for a seat as one of a computer player that we bring."""
        voucher = vouch(self.identity, request.identity.public)
        return replace(request, kind=COMPUTER, machine=self.identity.public, voucher=voucher)

    def _tell(self, message: Lobby | Notice) -> None:
        if isinstance(message, Notice):
            self.notices.append(message)
        else:
            self.told.append(message)

    def _changed(self, draft: Draft, secret: bytes, begins: bool) -> None:
        self.announced.append((draft.taken, begins))
        self.secret = secret

    def check(self, places: Sequence[Participant | None]) -> None:
        """Reject nobody; a test may put another check in its place."""

    def _check(self, places: Sequence[Participant | None]) -> None:
        self.check(places)

    # Network.

    def post(self, value, *, to=None, skip=None) -> None:
        peers = [to] if to is not None else [peer for peer in self.setup.members if peer != skip]
        for peer in peers:
            if (self.id, peer) in self.lan.links:
                self.lan.links[self.id, peer].append(pack(value))

    def keep(self, peer, addresses) -> None:
        self.kept.add(peer)

    def forget(self, peer) -> None:
        self.kept.discard(peer)

    def address_of(self, peer):
        return (
            (self.lan.processes[peer].address, 4000) if (self.id, peer) in self.lan.links else None
        )

    def nonces_to(self, peer):
        return (
            (self.lan.nonces[self.id, peer], self.lan.nonces[peer, self.id])
            if (self.id, peer) in self.lan.links
            else None
        )

    def signed(self, agreement) -> None:
        self.setup.saved(agreement)

    # Events of a lobby.

    def meets(self, peer: bytes) -> None:
        self.setup.link_up(peer)

    def loses(self, peer: bytes, reason: str = LOST) -> None:
        try:
            self.setup.link_down(peer, reason)
        except TableRefused as refused:
            self._go(refused)

    def hears(self, peer: bytes, message: dict) -> None:
        try:
            self.setup.message(peer, message, self.nonces_to(peer) or (b"", b""))
        except Malformed as error:
            self.dropped.append(str(error))
            self.lan.cut(self.id, peer)
        except TableRefused as refused:
            self._go(refused)

    def _go(self, refused: TableRefused) -> None:
        self.refused = refused
        if self.id in self.lan.processes:
            self.lan.end(self)


def opened(
    lan: Lan, seats: int, *, bots: int = 0, secret: bytes = b"", several: bool = False
) -> Process:
    host = Process(lan, 0, bots)
    host.setup.open(draft(seats, several=several), secret)
    return host


def comes(lan: Lan, host: Process, number: int, secret: bytes = b"") -> Process:
    guest = Process(lan, number)
    guest.setup.seek(host.id, secret)
    lan.link(guest, host)
    return guest


def sits(guest: Process, host: Process) -> dict:
    """Return what a guest says to sit down over the link that it has now."""
    nonces = guest.nonces_to(host.id) or (b"", b"")
    return wired(
        sit_message(
            guest.setup.seat_requests, b"", Visit("mine", host.id, guest.id, nonces[1], nonces[0])
        )
    )


def agreed(*processes: Process) -> set[bytes]:
    """Return the match that these processes have agreed on; one if all is well."""
    for process in processes:
        assert process.refused is None, (process.number, process.refused)
        assert process.dropped == []
        assert process.setup.agreed, process.number
        process.setup.agreement.terms.check_signatures(process.setup.agreement.ordered())
    return {process.setup.agreement.match for process in processes}


def replace_link(lan: Lan, host: Process, guest: Process) -> None:
    """Let another link take the place of the one there is: messages on their way are lost, and
    nobody is told of a loss."""
    if (host.id, guest.id) in lan.links:
        lan.link(guest, host)
