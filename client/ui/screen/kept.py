"""The parts of the screen state that outlast a session at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from client.i18n.translation import _
from client.session.table_choices import LIMIT_S
from client.storage.nicks import fit_nick
from client.storage.settings import Settings

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.storage.history import MatchSummary


@dataclass(frozen=True)
class Form:
    """A table to be opened, as far as it is chosen.

    `options` are those that differ from the game's defaults.
    """

    game: str = "escoba"
    seats: int = 2
    company: str = "computer"
    """The other players: `computer`, `network` for anybody on it, `invite` for players with one."""
    bots: int = 0
    """Seats that computer players take at a table of the network."""
    computers: str = ""
    """The word for the computer players, as `client.session.characters` has it; empty: the usual
    strength."""
    spectators: bool = False
    """Whether spectators are allowed."""
    several: bool = False
    """Whether guests may bring computer players."""
    hints: str = "none"
    """Whether programs give hints between people: see `p2p.table.house`."""
    partner: int = 0
    """Seconds after which a computer player answers in place of its partner; 0: never."""
    name: str = ""
    """How the table is called; empty: the program makes a name up."""
    limit: int = LIMIT_S
    """Seconds before an absent player can be voted out."""
    options: Mapping[str, Any] = field(default_factory=dict)
    typed: str = ""
    """Digits of a number that is being typed."""
    people: int = 1
    """How many are here for it: our player, and those on the phones of this program."""


@dataclass(frozen=True)
class VisitorShown:
    """A visitor of ours, who plays on a phone."""

    id: str
    nick: str = ""
    """Empty until its player has given a name."""
    page: str = ""
    """The name of its page; empty while its program does not run."""
    game: str = ""
    """The game at its table, if it sits at one."""
    bound: bool = False
    """Whether others wait for it, or a match of it is not finished."""
    here: bool = False
    """Whether its phone is connected."""
    twin: int = 0
    """Its place, from 1 on, among the visitors whose names look alike; 0 if no other one's does.

    A player may take any name."""


@dataclass(frozen=True)
class CodeShown:
    """A code for a phone."""

    visitor: str
    """The id of the visitor that it is for."""
    letters: str = field(repr=False)
    late: bool = False
    """Whether its time is over."""
    silent: bool = False
    """Whether no phone has asked us for anything since it was made, for half a minute."""
    again: bool = False
    """Whether the visitor has a phone, which this one would replace."""


@dataclass(frozen=True)
class PhonesShown:
    """The phones of this program: our address, our visitors, the code, a phone that waits."""

    host: str = ""
    """The address with its port at which phones come in; empty while nothing listens."""
    others: tuple[str, ...] = ()
    """Our other private addresses."""
    visitors: tuple[VisitorShown, ...] = ()
    code: CodeShown | None = None
    asleep: frozenset[str] = frozenset()
    """The fingerprints of players at tables whose phones are away. A visitor's own program knows
    these, and nothing else of all this."""
    digits: str = ""
    """The digits of a phone that waits until we let it in; empty if there is none."""


@dataclass(frozen=True)
class KeptState:
    """The parts of the screen that outlast a session at a table."""

    settings: Settings = field(default_factory=Settings)
    fingerprint: str = ""
    unnamed: bool = False
    """Whether our player is to be asked for a name before the first table: none is saved, and none
    was given."""
    called: str = ""
    """Our nick in this session, if it is not the saved one."""
    history: tuple[MatchSummary, ...] = ()
    form: Form = field(default_factory=Form)
    ascii: bool = False
    """Whether the terminal shows only ASCII."""
    movable: bool = False
    """Whether all this can be moved into a browser: it is shown in a terminal."""
    phones: PhonesShown = field(default_factory=PhonesShown)
    on_phone: bool = False
    """Whether this is the page of a phone. Closing it ends nothing."""

    @property
    def named(self) -> bool:
        """Whether our player has a name."""
        return bool(self.called or self.settings.nick)

    @property
    def nick(self) -> str:
        """The name of our player; for a visitor without a name, `somebody` in its own language."""
        return self.called or self.settings.nick or fit_nick(_("somebody"))
