"""The base class of every game: the calls its rules await, and the public state they change.

Everything that a game object holds is declared, public and plain (engine.core.canonical). Rules are
one coroutine, `play()`, which awaits only the verbs below: `await` here has nothing to do with
trio. A verb changes the game only once its request is answered, so a request that is dropped (a
seat leaves) has changed nothing. Variables of a coroutine are not part of the state: a value that
does not follow from the state and the request must be a field of the state.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from engine.core.events import BrokenOff, GameEvent
from engine.core.moves import Face, Hand, Move, Seat, Slot, Why
from engine.core.options import Option
from engine.core.requests import Ask, Deal, Deck, Open, Options, Prove, Shuffle, Toss

M = TypeVar("M", bound=Move)
G = TypeVar("G", bound="Game")
PLAIN = frozenset((int, str, bool, type(None)))
"""The types of single values that a game may hold."""


class Game:
    """A match of one game: subclass it, set its class variables and write `play`."""

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """The version of the rules, part of the terms of every match. Increase it when an old log would
    replay differently."""
    allowed_players: ClassVar[tuple[int, ...]]
    leaving: ClassVar[str] = "end"
    """The value of the option `leaving` for a game without it."""
    partners_option: ClassVar[str] = ""
    """The option that makes seats play together, if the game has one."""
    partners_answer: ClassVar[bool] = False
    """Whether one partner may answer a question for a whole side."""
    choices: ClassVar[Mapping[str, Option]] = {}
    """The options that a table may set, by name."""
    moves: ClassVar[tuple[type[Move], ...]]
    pack: ClassVar[tuple[Face, ...]]
    """The cards of the game, in canonical order."""
    state: ClassVar[tuple[str, ...]] = (
        "seats",
        "score",
        "round",
        "winners",
        "shuffles",
        "slots_used",
        "decks",
        "stock",
        "hands",
        "holder",
        "faces",
    )
    """The fields that, with the request, decide how the match continues: the fingerprint covers
    them. A game adds its own."""
    notes: ClassVar[tuple[str, ...]] = ("players", "options", "sides", "told", "pictures")
    """Its other attributes, fixed by the terms or only for display. The fingerprint does not cover
    them."""
    packed: ClassVar[tuple[str, ...]]
    """The fields of the state in the order in which they are packed: by name."""
    _declared: ClassVar[frozenset[str]]

    def __init_subclass__(cls) -> None:
        """Store what the class declares."""
        cls.packed = tuple(sorted(cls.state))
        cls._declared = frozenset((*cls.state, *cls.notes))

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up an unplayed match; `options` are complete (see engine.games.new_game)."""
        self.players = players
        self.options = dict(options)
        self.seats: list[Seat] = list(range(players))  # those still in the match
        self.sides = players  # every seat alone; a game with partners sets 2
        self.score = [0] * players
        self.round = 0  # the number of the deal, counted from 1
        self.winners: tuple[Seat, ...] = ()
        self.shuffles = 0
        self.slots_used = 0
        self.told: list[GameEvent] = []  # since the last answer to a request, which empties it
        # copies of the game at some of these events, by their index in `told`
        self.pictures: dict[int, Game] = {}
        self.lay_aside()

    async def play(self) -> None:
        """Play the match to its end: the rules."""
        raise NotImplementedError  # every game has rules

    def table(self) -> list[Face]:
        """Return the cards that lie face up on the table, as the game's rules say."""
        raise NotImplementedError  # every game says what lies on its table

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        """Return the move that `VERB ARGUMENTS` names for this seat; it may still be illegal.

        NotAMove if the text is malformed, which does not depend on the state. IllegalMove if it
        names a card that this seat, which sees these faces, cannot find.
        """
        raise NotImplementedError  # every game has a notation

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """Return a move in the notation, given the faces of the slots it names."""
        raise NotImplementedError  # every game has a notation

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Return why a move is refused: the id of a sentence, then its details."""
        del seat, move, hand
        return ("not-allowed-now",)

    def contradicted(self, faces: Mapping[Slot, Face]) -> Iterable[tuple[Seat, Move, Why]]:
        """Return the seat, statement and reason for each statement that these faces refute.

        Only for statements that others' cards can refute; choices are checked again against the
        seat's own cards in any case.
        """
        del faces
        return ()

    def may_leave(self, *seats: Seat) -> bool:
        """Whether these seats may leave at once: each is in the match, and another one stays."""
        return len(set(seats)) == len(seats) > 0 and set(seats) < set(self.seats)

    @classmethod
    def plays_on(cls, options: Mapping[str, Any]) -> bool:
        """Whether the options let the others play on when a seat leaves, if enough are left.

        Otherwise the rules end the match. `options` must be complete.
        """
        return options.get("leaving", cls.leaving) == "go-on" and not cls.has_partners(options)

    @classmethod
    def has_partners(cls, options: Mapping[str, Any]) -> bool:
        """Whether these options make seats play together."""
        return bool(options.get(cls.partners_option, False))

    @classmethod
    def without_effect(cls, options: Mapping[str, Any]) -> frozenset[str]:
        """Return the options that have no effect because of others. The options are complete."""
        return frozenset(("leaving",) if cls.has_partners(options) else ())

    def ends_without(self, *seats: Seat) -> bool:
        """Whether the rules end the match because these seats leave, or have just left."""
        rest = set(self.seats) - set(seats)
        return not self.plays_on(self.options) or len(rest) < min(self.allowed_players)

    def next_pack(self) -> tuple[tuple[Face, ...], tuple[Seat, ...]] | None:
        """Return the cards and seats of the next shuffle, if they are certain; else None.

        Certain means: if anything is shuffled next, then these.
        """
        return None

    @classmethod
    def is_card(cls, text: str) -> bool:
        """Whether this is the notation of a card, as in a move or on the table."""
        return text in cls.pack

    @classmethod
    def defaults(cls, players: int) -> dict[str, Any]:
        """Return the default value of each option for this number of players."""
        found = {name: option.default for name, option in cls.choices.items()}
        if "leaving" in found and players == min(cls.allowed_players):
            found["leaving"] = "end"  # nobody could continue
        return found

    @classmethod
    def check_options(cls, players: int, options: Mapping[str, Any]) -> None:
        """Raise BadOption if complete options contradict each other or the number of players.

        Each option is valid on its own.
        """

    async def shuffle(self, cards: Sequence[Face], seats: Sequence[Seat] | None = None) -> None:
        """Lay these cards face down, in an order that nobody knows, under the rest of the stock."""
        holders = tuple(self.seats if seats is None else seats)
        deck = Deck(self.shuffles + 1, self.slots_used, tuple(cards), holders)
        await Shuffle(deck)
        self.shuffles += 1
        self.slots_used += len(deck.cards)
        self.decks.append(deck)
        self.stock.extend(deck.slots)

    async def deal(self, order: Sequence[Seat], each: int, packet: int = 1) -> None:
        """Deal the next cards of the stock round the table, `each` to a seat.

        They are dealt `packet` at a time, and each is seen by its seat alone.
        """
        slots = self.stock[: len(order) * each]
        assert len(set(order)) == len(order), "a seat is dealt to once in a round"
        assert len(slots) == len(order) * each, "rules deal only cards that the stock has"
        assert each % packet == 0, "packets are whole"
        places = {slot: place // packet % len(order) for place, slot in enumerate(slots)}
        dealt = {
            seat: [slot for slot in slots if places[slot] == place]
            for place, seat in enumerate(order)
        }
        hidden = {
            seat: tuple(slot for slot in own if slot not in self.faces)
            for seat, own in dealt.items()
        }
        hidden = {seat: own for seat, own in hidden.items() if own}
        if hidden:
            await Deal(hidden)
        del self.stock[: len(slots)]
        for seat, own in dealt.items():
            self.hands[seat].extend(own)
            self.holder.update(dict.fromkeys(own, seat))

    async def open(self, *slots: Slot) -> tuple[Face, ...]:
        """Make these slots public, and return their faces."""
        hidden = tuple(slot for slot in slots if slot not in self.faces)
        if hidden:
            await Open(hidden)
        return tuple(self.faces[slot] for slot in slots)

    async def turn_up(self, count: int = 1) -> list[Slot]:
        """Open the next cards of the stock, remove them from it, and return their slots."""
        slots = self.stock[:count]
        assert len(slots) == count, "rules turn up only cards that the stock has"
        await self.open(*slots)
        del self.stock[:count]
        return slots

    async def prove(
        self, seats: Iterable[Seat], among: Collection[Face], slots: Collection[Slot] | None = None
    ) -> None:
        """Have each seat prove that each hidden slot of its hand holds a face of `among`.

        `slots` restricts the slots.
        """
        allowed = frozenset(among)
        claims: dict[Seat, tuple[Slot, ...]] = {}
        for seat in seats:
            hidden = [
                slot
                for slot in self.hands[seat]
                if slot not in self.faces and (slots is None or slot in slots)
            ]
            in_doubt = tuple(
                slot for slot in hidden if not allowed.issuperset(self.deck_of(slot).cards)
            )
            if in_doubt:
                claims[seat] = in_doubt
        if claims:
            await Prove(claims, tuple(sorted(allowed)))

    async def toss(self, sides: int) -> int:
        """Return a fair number from 0 to sides - 1."""
        return await Toss(tuple(self.seats), sides)

    async def ask(self, seat: Seat, options: Options[M], *, auto: bool = False) -> M:
        """Ask one seat to choose."""
        return (await Ask((seat,), options, "one", auto))[seat]

    async def ask_all(
        self, seats: Iterable[Seat], options: Options[M], *, auto: bool = False
    ) -> dict[Seat, M]:
        """Ask seats to choose at once, without knowing the others' choices; return the choices."""
        asked = tuple(seats)
        return await Ask(asked, options, "all", auto) if asked else {}

    async def ask_any(self, seats: Iterable[Seat], options: Options[M]) -> tuple[Seat, M]:
        """Ask any of these seats to answer for all; such answers show no card.

        Return the seat that did, and its answer.
        """
        ((seat, move),) = (await Ask(tuple(seats), options, "any")).items()
        return seat, move

    def tell(self, event: GameEvent, *, picture: bool = False) -> None:
        """Send an event to screens, with a copy of the game if the rules go on to clear it."""
        if picture:
            table = copy_of(self)
            table.told, table.pictures = [], {}
            self.pictures[len(self.told)] = table
        self.told.append(event)

    def check_fields(self) -> None:
        """Raise TypeError unless this holds exactly the attributes that its class declares."""
        if self.__dict__.keys() != self._declared:
            odd = sorted(self.__dict__.keys() ^ self._declared)
            raise TypeError(f"{self.name} does not declare, or does not hold: {', '.join(odd)}")

    def lay_aside(self) -> None:
        """Forget all cards: a new deal begins. Slots keep counting."""
        self.decks: list[Deck] = []
        self.stock: list[Slot] = []  # face down, the next one first
        self.hands: list[list[Slot]] = [[] for _ in range(self.players)]
        self.holder: dict[Slot, Seat] = {}  # the seat that each slot was dealt to in this deal
        self.faces: dict[Slot, Face] = {}  # the public faces of this deal

    def seats_from(self, first: Seat) -> list[Seat]:
        """Return the seats still in the match, in order from `first` or the next one that stays."""
        return sorted(self.seats, key=lambda seat: (seat - first) % self.players)

    def side(self, seat: Seat) -> int:
        """Return the side of a seat: the seat itself, or with partners odd or even."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        """Return the seats of a side, in seat order."""
        return tuple(range(side, self.players, self.sides))

    def sides_that_stay(self) -> list[int]:
        """Return the sides that have a seat in the match, sorted."""
        return sorted({self.side(seat) for seat in self.seats})

    def add_points(self, side: int, points: int) -> int:
        """Add points to the score of every seat of a side, and return the new score."""
        for seat in self.seats_of(side):
            self.score[seat] += points
        return self.score[side]

    @property
    def too_few(self) -> bool:
        """Whether the rules end the match because seats have left."""
        return len(self.seats) < self.players and self.ends_without()

    def break_off(self, leavers: tuple[Seat, ...]) -> None:
        """Report that a deal is void because these seats left, if the others continue."""
        if not self.too_few:
            self.tell(BrokenOff(leavers))

    def end_if_too_few(self) -> None:
        """End the match if seats have left and the others do not continue.

        The highest score wins among the sides that no seat has left; if every side has lost a seat,
        among the seats that stay.
        """
        if not self.too_few:
            return
        out = {self.side(seat) for seat in range(self.players) if seat not in self.seats}
        whole = [seat for seat in self.seats if self.side(seat) not in out]
        best = self.best_score(whole or self.seats)
        self.winners = tuple(seat for seat in whole or self.seats if self.score[seat] == best)

    def best_score(self, seats: Iterable[Seat]) -> int:
        """Return the highest score of these seats."""
        return max(self.score[seat] for seat in seats)

    def faces_of(self, slots: Iterable[Slot]) -> tuple[Face, ...]:
        """Return the faces of public cards."""
        return tuple([self.faces[slot] for slot in slots])

    def held(self, seat: Seat, hand: Hand) -> list[Slot]:
        """Return the slots still in a seat's hand whose faces the caller knows."""
        return [slot for slot in self.hands[seat] if slot in hand]

    def deck_of(self, slot: Slot) -> Deck:
        """Return the deck of a slot of this deal."""
        for deck in self.decks:
            if slot in deck.slots:
                return deck
        raise KeyError(slot)


def copy_of(game: G) -> G:
    """Return a copy of a game that shares no list or dict with it.

    TypeError if it holds an undeclared attribute.
    """
    game.check_fields()
    twin = object.__new__(type(game))
    twin.__dict__ = {name: _copied(value) for name, value in vars(game).items()}
    return twin


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is list:
        return (
            value.copy()
            if PLAIN.issuperset(map(type, value))
            else [_copied(item) for item in value]
        )
    if kind is dict:
        return (
            value.copy()
            if PLAIN.issuperset(map(type, value.values()))
            else {k: _copied(v) for k, v in value.items()}
        )
    if kind is tuple or dataclasses.is_dataclass(value) or isinstance(value, Game):
        return value  # frozen; a game in a game is a copy for display
    raise TypeError(f"a game may not hold a {kind.__name__}")
