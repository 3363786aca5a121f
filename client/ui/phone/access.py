"""The way of a phone to its visitor: by a code, by the secret that replaces it, and by that alone.

One visitor has one phone. `Access` takes the frames of all connections to the visitor and says what
is to be done: no clock and no I/O, so the caller bounds the number and the age of connections. A
connection that does not follow the steps is closed, always alike, and the others go on.

The texts of the steps, beside those of the page once it is in:

- page: `{"lang": "eu"}`, the first one. Only by this is the phone proven;
- program: `{"secret": "…"}`, 32 bytes in hexadecimal: store it, and come by it from now on;
- page: `{"kept": true}`: code and old secret end. Until then all three are good, so nobody is
  locked out by a connection that breaks off;
- page: `{"ping": true}` once it is in or waits for the owner, and program: `{"pong": true}`. A
  phone that wakes cannot see otherwise whether its connection lasts;
- program: `{"used": true}` to a second phone with a code, `{"wait": true}` before the owner lets a
  phone in that takes a visitor over, and `{"moved": true}` to a page that another one displaces,
  with `"void": true` if its phone cannot take back, because it has no good secret any more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from client.storage.phone_secrets import Secrets
from client.ui.phone.messages import Asks, Close, CodeUsed, Entered, Frame
from crypto.channel import ROOT_BYTES, Channel, Claim, Key, Kind, claim, spell_code
from crypto.noise import Broken

LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}")
"""A language as a browser names it (BCP 47)."""


@dataclass(frozen=True)
class Said:
    """The page of the phone that is in says something."""

    connection: int
    text: str = field(repr=False)


Event = Frame | Close | Entered | Said | Asks | CodeUsed


class _Step(Enum):
    """The thing for which a connection waits."""

    HELLO = auto()
    OWNER = auto()
    KEPT = auto()
    IN = auto()


@dataclass(frozen=True)
class _Connection:
    channel: Channel
    key: Key
    step: _Step = _Step.HELLO
    language: str = ""
    offered: bytes | None = field(default=None, repr=False)
    """The secret that was sent over it."""

    def tell(self, **text: object) -> bytes:
        """Return the frame with a text of ours."""
        return self.channel.seal(json.dumps(text))


class Access:
    """All connections to one visitor."""

    def __init__(
        self,
        host: str,
        files: bytes,
        entropy: Callable[[int], bytes],
        keep: Callable[[Secrets], None],
        secrets: Secrets,
    ) -> None:
        """Set up the access to a visitor.

        `host` is address and port as the page has them, `files` the hash of the page's files (32
        bytes). `keep` writes the secrets to disk, and returns when they are there.
        """
        self._host, self._files, self._entropy, self._keep = host, files, entropy, keep
        self._secrets = secrets
        self._code: Key | None = None
        self._code_used = False
        self._offered_by: Key | None = None
        """The code by which the coming secret was sent."""
        self._holder: int | None = None
        """The connection that uses the code; as long as it lasts no other one can."""
        self._connections: dict[int, _Connection] = {}

    def new_code(self) -> str:
        """Return a new code: 16 letters for one phone. An earlier code is no longer valid."""
        root = self._entropy(ROOT_BYTES[Kind.CODE])
        self._code, self._code_used, self._holder = Key.of(Kind.CODE, root), False, None
        return spell_code(root)

    def move(self, host: str) -> None:
        """Take new connections at another address and port, as the page has them."""
        self._host = host

    def end_code(self) -> None:
        """Let no further phone come by the code; one that has begun may take its next steps."""
        self._code = self._holder = None

    def void(self) -> list[Event]:
        """Let nobody come by a secret any more, and close the connections that tried.

        A secret that nobody has stands in its place: so a code still needs the owner's consent.
        Errors of `keep`.
        """
        if self._secrets == Secrets():
            return []
        self._keep_now(Secrets(self._entropy(ROOT_BYTES[Kind.SECRET]), None))
        late = [
            number
            for number, one in self._connections.items()
            if one.key.kind is Kind.SECRET and one.step is not _Step.IN
        ]
        return [event for number in late for event in self._close(number)]

    def turn_away(self) -> list[Event]:
        """Close the connections of all phones that wait for the owner, who wants none of them."""
        waiting = [number for number, one in self._connections.items() if one.step is _Step.OWNER]
        return [event for number in waiting for event in self._close(number)]

    def turn_back(self) -> list[Event]:
        """Close the connections of phones on their way by a code, and void what they were sent.

        After an error of `keep` the phones are still on their way.
        """
        if self._secrets.coming is not None:
            self._keep_now(Secrets(self._secrets.current, None))
        late = [number for number, one in self._connections.items() if one.step is _Step.KEPT]
        return [event for number in late for event in self._close(number)]

    @property
    def claims(self) -> frozenset[Claim]:
        """The keys that a first frame may name. No secret follows from them."""
        return frozenset(self._keys())

    def receive(self, connection: int, frame: bytes) -> list[Event]:
        """Take a frame of a connection, which may be a new one; return the events in their order.

        An error of `keep` comes before anything is sent, and changes nothing.
        """
        known = self._connections.get(connection)
        try:
            if known is None:
                return self._begin(connection, frame)
            text = known.channel.unseal(frame)
            match known.step:
                case _Step.HELLO:
                    return self._prove(connection, replace(known, language=_language(text)))
                case _Step.KEPT if _is_kept(text):
                    return self._replace(connection, known)
                case _Step.OWNER | _Step.IN if _read(text) == {"ping": True}:
                    return [Frame(connection, known.tell(pong=True))]
                case _Step.IN:
                    return [Said(connection, text)]
        except Broken:
            pass
        return self._close(connection)

    def let_in(self, connection: int) -> list[Event]:
        """Let a phone in that has asked. Errors of `keep`. Nothing if it has gone meanwhile."""
        known = self._connections.get(connection)
        if known is None or known.step is not _Step.OWNER:
            return []
        return self._offer(connection, known)

    def tell(self, connection: int, text: str) -> list[Frame]:
        """Send a text to the page of the phone that is in. Nothing if it has left."""
        known = self._connections.get(connection)
        if known is None or known.step is not _Step.IN:
            return []
        return [Frame(connection, frame) for frame in known.channel.seal_all(text)]

    def gone(self, connection: int) -> None:
        """Forget a connection that was closed. Its code is good for another one, unless used."""
        self._connections.pop(connection, None)
        if self._holder == connection:
            self._holder = None

    # The steps.

    def _begin(self, connection: int, frame: bytes) -> list[Event]:
        key = self._keys().get(claim(frame))
        if key is None:
            raise Broken("no such key")
        channel = Channel.open(key, self._host, frame, self._files, self._entropy)
        self._connections[connection] = _Connection(channel, key)
        return [Frame(connection, channel.answer)]

    def _prove(self, connection: int, known: _Connection) -> list[Event]:
        """Go on with a phone that has just proven that it has a key. Raises Broken."""
        if known.key.kind is Kind.SECRET:
            if _claim(known.key) not in self._keys():  # replaced meanwhile
                raise Broken("a secret that is good no more")
            coming = self._secrets.coming
            if coming is not None and known.key == Key.of(Kind.SECRET, coming):
                self._settle(coming)
            return self._enter(connection, known)
        if known.key != self._code or self._code_used or self._holder is not None:
            told = Frame(connection, known.tell(used=True))
            return [told, *self._close(connection), CodeUsed(connection)]
        if self._secrets.current is None:
            return self._offer(connection, known)
        self._holder = connection
        self._connections[connection] = replace(known, step=_Step.OWNER)
        return [Frame(connection, known.tell(wait=True)), Asks(connection, known.channel.digits)]

    def _offer(self, connection: int, known: _Connection) -> list[Event]:
        """Send a new secret, which is on disk before. The old one stays until it is kept."""
        fresh = self._entropy(ROOT_BYTES[Kind.SECRET])
        self._keep_now(Secrets(self._secrets.current, fresh))
        self._holder, self._offered_by = connection, known.key
        self._connections[connection] = replace(known, step=_Step.KEPT, offered=fresh)
        return [Frame(connection, known.tell(secret=fresh.hex()))]

    def _replace(self, connection: int, known: _Connection) -> list[Event]:
        """End the old secret, because the phone has the new one. Broken if that is not the last."""
        if known.offered is None or known.offered != self._secrets.coming:
            raise Broken("a secret that is good no more")
        self._settle(known.offered)
        return self._enter(connection, known)

    def _settle(self, secret: bytes) -> None:
        """Let a secret be the only one, and the code by which it was sent be used."""
        self._keep_now(Secrets(secret, None))
        self._code_used = self._code_used or self._code == self._offered_by

    def _enter(self, connection: int, known: _Connection) -> list[Event]:
        """Show the program on one phone alone: those that were in, or on their way, must go.

        A phone on its way by a code that is not used yet stays on it.
        """
        events: list[Event] = []
        for other, one in list(self._connections.items()):
            if other != connection and (one.step is _Step.IN or self._is_late(one)):
                told = {"moved": True, **({"void": True} if self._is_void(one) else {})}
                events += [Frame(other, one.tell(**told)), *self._close(other)]
        self._connections[connection] = replace(known, step=_Step.IN)
        by_code = known.key.kind is Kind.CODE
        return [*events, Entered(connection, known.language, by_code)]

    def _is_void(self, one: _Connection) -> bool:
        """Whether its phone has no secret that is good still."""
        key = one.key
        if one.offered is not None:
            key = Key.of(Kind.SECRET, one.offered)
        good = (self._secrets.current, self._secrets.coming)
        return key not in [Key.of(Kind.SECRET, root) for root in good if root is not None]

    def _is_late(self, one: _Connection) -> bool:
        """Whether a phone waits with a code that another one has used."""
        return self._code_used and one.step is _Step.OWNER

    def _close(self, connection: int) -> list[Event]:
        self.gone(connection)
        return [Close(connection)]

    def _keep_now(self, secrets: Secrets) -> None:
        self._keep(secrets)
        self._secrets = secrets

    def _keys(self) -> dict[Claim, Key]:
        roots = (self._secrets.current, self._secrets.coming)
        keys = [Key.of(Kind.SECRET, root) for root in roots if root is not None]
        if self._code is not None:
            keys.append(self._code)
        return {_claim(key): key for key in keys}


def _claim(key: Key) -> Claim:
    return Claim(key.kind, key.id)


def _language(text: str) -> str:
    """Return the language in the first text of a page. Broken if it is another text."""
    match _read(text):
        case {"lang": str(language), **more} if not more and LANGUAGE.fullmatch(language):
            return language
    raise Broken("no first text")


def _is_kept(text: str) -> bool:
    return _read(text) == {"kept": True}


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
