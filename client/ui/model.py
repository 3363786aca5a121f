"""The model of a match, frozen: all that both interfaces show, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import Any

from client.i18n.translation import Name, _
from client.session.messages import Command, Lobby, LobbySeat
from engine.core.events import GameEvent
from engine.core.moves import Face, Hand, Move, Seat, Slot
from engine.core.view import View
from engine.games import GAMES
from p2p.net.names import clean_name, look_alike
from p2p.net.text import bare, columns
from p2p.table.events import Accused, Differs, Moved
from p2p.table.house import USUAL, House

TYPED_LIMIT = 200
"""Characters of a typed line; the longest move is far shorter."""
HISTORY = 60
MOST_MOVES = 60
NO_TABLE = Lobby("", {}, (), (), 0)


class MatchPhase(Enum):
    """How far the match is."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"


class Pending(Enum):
    """A request of our player that needs confirmation."""

    NOTHING = "nothing"
    LEAVE = "leave"
    QUIT = "quit"
    PRICE = "price"
    WITHOUT = "without"


@dataclass(frozen=True)
class Reply:
    """The program's answer to a typed line: an id, and its facts."""

    id: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Checked:
    """How much has been verified so far, all of it good."""

    shuffles: int = 0
    claims: int = 0
    moves: int = 0
    """The choices of players, as the history counts them."""


@dataclass(frozen=True)
class Model:
    """The match as our player knows it. A seat's number is its index in `players`."""

    phase: MatchPhase = MatchPhase.LOBBY
    game: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[LobbySeat | None, ...] = ()
    muted: frozenset[str] = frozenset()
    """The fingerprints of the players that ours does not hear.

    They are kept by key, because seats change from match to match."""
    lobby: Lobby = NO_TABLE
    """The table as it last filled, with facts that no terms of a match have, such as its name."""
    limit: int = 0
    """Seconds after which the others may go on without a seat that the table waits for."""
    spectators: bool = False
    """Whether others may look on."""
    house: House = USUAL
    hints: str = "free"
    """Whether programs give hints at this match: `none`, `told` or `free`."""
    hinted: Move | None = None
    """The hint that was given at this turn of ours."""
    seat: Seat | None = None
    """Ours, once the match has begun; None looks on."""
    auto: bool = False
    """Whether a computer plays our seat."""
    stranger: bool = False
    """Whether the reader is not a player of the match, so that no seat is called `you`."""
    lesson: bool = False
    """Whether it is a lesson: no match of anybody's, with neither proofs nor a log."""
    apart: bool = False
    """Whether another process computes hints; they arrive as `Advised`."""
    laid: Mapping[Slot, Face] = field(default_factory=dict)
    """In a lesson the faces of all hands, which our player may look at."""
    advice: Move | None = None
    """In a lesson the move that is suggested."""
    match: str = ""
    view: View | None = None
    waiting: tuple[Seat, ...] = ()
    """The seats that the table waits for: players, or only their programs."""
    waiting_at: bytes = b""
    """The point at which the table waits for these."""
    turn: tuple[Seat, ...] = ()
    """The seats that may choose."""
    called: tuple[Seat, ...] = ()
    """The seats that were the last to choose: proofs and cards may lie between one choice of a seat
    and its next."""
    asked: bool = False
    """Whether our player may choose, and has not yet done so."""
    mixing: tuple[Seat, ...] = ()
    """The seats that have yet to shuffle the present deck, in turn."""
    mixers: int = 0
    """How many seats shuffle the present deck."""
    history: tuple[Moved | GameEvent, ...] = ()
    checked: Checked = field(default_factory=Checked)
    late: frozenset[Seat] = frozenset()
    """Seats for which the table has waited too long."""
    votes: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    """For each seat that the table waits for, those that have voted to go on without it."""
    away: frozenset[Seat] = frozenset()
    elsewhere: frozenset[Seat] = frozenset()
    """The absent seats that are at another table."""
    leaving: frozenset[Seat] = frozenset()
    """Seats that have left for good, while others are away who do not know it yet."""
    gone: Mapping[Seat, str] = field(default_factory=dict)
    """The seats that have given up their places, and how (see `Gone`)."""
    voted_out: Mapping[Seat, tuple[int, int]] = field(default_factory=dict)
    """The seats that were voted out: by how many, and of how many players."""
    compared: Mapping[Seat, str] = field(default_factory=dict)
    """The fingerprints of the others, by seat, when their words were shown last."""
    accused: Accused | None = None
    """The latest accusation."""
    differs: Differs | None = None
    """Why the match cannot go on for anybody: good proofs have given a card that is none."""
    winners: tuple[Seat, ...] = ()
    score: tuple[int, ...] = ()
    sealed: bool = False
    log: str = ""
    """Where the log lies, once it is whole."""
    pending: Pending = Pending.NOTHING
    reply: tuple[Reply, ...] = ()
    """The answer to the last typed line; empty after any other message."""

    @property
    def names(self) -> Names:
        """How the seats are called.

        A computer player in our seat is called by its nick: nobody plays who could be `you`. For
        a stranger our seat is one of several.
        """
        me = (
            None
            if self.seat is None
            or self.stranger
            or ((player := self.players[self.seat]) and player.bot)
            else self.seat
        )
        nicks = shown_nicks([player.nick if player else "" for player in self.players])
        return Names(tuple(nicks), me)

    @property
    def others(self) -> dict[Seat, LobbySeat]:
        """The people who sit here besides us, by seat."""
        ours = {self.seat, *self.lobby.mine}
        return {
            seat: player
            for seat, player in enumerate(self.players)
            if player and not player.bot and seat not in ours
        }

    def hears(self, seat: Seat) -> bool:
        """Whether our player wants to hear a seat."""
        player = self.players[seat]
        return player is None or player.fingerprint not in self.muted

    @property
    def votes_needed(self) -> int:
        """The votes needed to go on without a seat: more than half of all; 0 for two players."""
        left = len(self.players) - len(self.leaving | self.gone.keys())
        return left // 2 + 1 if left > 2 else 0

    def can_be_decided(self, seat: Seat) -> bool:
        """Whether the votes of the players that are here, with those cast, can put a seat out."""
        not_here = self.gone.keys() | self.leaving | self.away | {seat}
        here = set(range(len(self.players))) - not_here
        return len(here | set(self.votes.get(seat, ()))) >= self.votes_needed

    def ends_without(self, *seats: Seat) -> bool:
        """Whether the rules end the match when these seats go; otherwise the others play on.

        Before the match the answer is the same for every seat.
        """
        if self.view is None:
            if self.game not in GAMES:
                return False
            game, players = GAMES[self.game], len(self.players)
            options = {**game.defaults(players), **self.options}
            return not game.plays_on(options) or players <= min(game.allowed_players)
        return self.view.game.ends_without(*seats)

    @property
    def watches(self) -> bool:
        """Whether our player has no seat at a match that goes on, and only looks on."""
        return self.seat is None and self.phase is MatchPhase.PLAYING

    @property
    def ended_early(self) -> bool:
        """Whether the rules end the match because a seat has gone."""
        if self.view is None:
            return False
        game = self.view.game
        few = len(set(game.seats) - set(self.gone)) < min(game.allowed_players)
        return self.view.over or few or not game.plays_on(game.options)

    @property
    def goes_on_without_us(self) -> bool:
        """Whether our seat has gone, and the others still play."""
        return self.seat in self.gone and self.phase is not MatchPhase.OVER and not self.ended_early

    @property
    def may_put_aside(self) -> bool:
        """Whether our player can leave the table and nobody can go on without us."""
        playing = (
            self.phase is MatchPhase.PLAYING
            and self.seat is not None
            and self.seat not in self.gone
        )
        return (
            playing
            and not self.lesson
            and (not self.votes_needed or not self.others.keys() - set(self.gone))
        )

    def must_go(self, seat: Seat) -> bool:
        """Whether a fault of a seat changes anything: it is in the match, and the match is on."""
        return self.phase is MatchPhase.PLAYING and seat not in self.gone

    def seat_of(self, fingerprint: str) -> Seat | None:
        """Return where the player with this fingerprint sits."""
        return next(
            (
                seat
                for seat, player in enumerate(self.players)
                if player and player.fingerprint == fingerprint
            ),
            None,
        )

    @property
    def hand(self) -> Hand:
        """The faces known to our player among the slots dealt to our seat in this deal."""
        if self.view is None or self.seat is None:
            return {}
        return known_hand(self.view, self.seat)


Result = tuple[Model, tuple[Command, ...]]
"""A model after a message, and the commands that follow."""


def reply(model: Model, what: str, **params: Any) -> Result:
    """Return a model that has an answer to a typed line, by its id and its facts."""
    return replace(model, reply=(Reply(what, params),)), ()


def known_hand(view: View, seat: Seat) -> Hand:
    """Return the faces that a view shows among the slots dealt to a seat.

    `Game.read` and `why_not` need them.
    """
    faces = ((slot, view.face(slot)) for slot, holder in view.game.holder.items() if holder == seat)
    return {slot: face for slot, face in faces if face is not None}


def legal_moves(model: Model) -> Iterable[str]:
    """List the legal moves in the notation, as far as somebody would read them."""
    view = model.view
    if view is None or view.options is None:
        return
    faces = {**view.game.faces, **view.faces}
    for move in islice(view.options, MOST_MOVES):
        yield view.game.write(move, faces)


@dataclass(frozen=True)
class Names:
    """How sentences call the seats.

    Our own seat is `you`, in sentences of their own, if a person sits there.
    """

    nicks: tuple[str, ...]
    me: Seat | None = None

    def __getitem__(self, seat: Seat) -> Name:
        return Name(self.nicks[seat] if 0 <= seat < len(self.nicks) else f"p{seat + 1}")

    def say(self, seat: Seat, you: str, other: str, **facts: Any) -> str:
        """Translate and fill in the sentence about us, or the one about `{who}`."""
        return _(you if seat == self.me else other).format(who=self[seat], **facts)

    def label(self, seat: Seat) -> Name:
        """Return how a list or a table calls a seat."""
        return Name(_("you")) if seat == self.me else self[seat]

    def short(self, seat: Seat, space: int) -> str:
        """Return the same in so many columns, told from the others even there."""
        return short_name([str(self.label(other)) for other in range(len(self.nicks))], seat, space)


def short_name(names: Sequence[str], place: int, space: int) -> str:
    """Return a name in at most so many columns.

    Cut the part shared with other names, not the part that differs.
    """
    name = names[place]
    if columns(name) <= space:
        return name
    plain = bare(name, space)
    like = [other for other in names if other != name and bare(other, space) == plain]
    if not like:
        return plain
    rest = name[max(_same(name, other) for other in like) :]
    if columns(rest) + 1 >= space:
        return "…" + bare(rest, space - 1)
    return bare(name, space - columns(rest)) + rest


def _same(one: str, other: str) -> int:
    """Return in how many characters two different texts begin alike."""
    differ = (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(differ, min(len(one), len(other)))


RESERVED = (
    *(f"p{seat}" for seat in range(1, 17)),
    *("you", "tú", "tu", "vos", "usted", "ti", "zu", "hi", "þú", "þig", "þér"),
)
"""Nicks by which the program calls seats, and its own player in each language."""


def shown_nicks(nicks: Sequence[str]) -> list[str]:
    """Return the nicks of a table's seats, fit to be shown.

    A nick that is empty, reserved, or like another, is told by its seat.
    """
    return list(_shown(tuple(nicks)))


@lru_cache(maxsize=64)  # every picture and line names the same few
def _shown(nicks: tuple[str, ...]) -> tuple[str, ...]:
    cleaned = [clean_name(nick) for nick in nicks]
    found = []
    for seat, nick in enumerate(cleaned, 1):
        if not nick or any(look_alike(nick, word) for word in RESERVED):
            found.append(f"p{seat}")
        elif sum(look_alike(nick, other) for other in cleaned) > 1:
            found.append(f"{nick} ({seat})")
        else:
            found.append(nick)
    return tuple(found)
