"""The table of Kínaskák: melds, hands, and how cards move between them.

`engine.games.kinaskak.rules` has the turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.game import Game
from engine.core.moves import Face, Seat, Slot
from engine.games.kinaskak import events
from engine.games.kinaskak.melds import Laid, canonical, contract_of, written
from engine.games.kinaskak.moves import is_card


class Spread(Game):
    """The state of a match of Kínaskák, and queries about it that need no turn."""

    state = (
        *Game.state,
        "starter",
        "contract",
        "phase",
        "forhond",
        "pile",
        "melds",
        "down",
        "just_down",
        "purchases",
        "thrower",
        "disputing",
        "drawn",
        "buyer",
    )
    notes = (*Game.notes, "sheet", "penalties")

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up an unplayed match."""
        super().__init__(players, options)
        self.starter: Seat | None = None  # begins this round
        self.contract = 0
        self.sheet: list[list[int]] = []  # per round the points for cards left, per seat
        self.penalties: list[list[int]] = []  # per round the penalty points, per seat
        self.clear()

    def clear(self) -> None:
        """Clear the table: a new round begins."""
        self.lay_aside()
        self.phase = "deal"  # deal, offer, window, play, count
        self.forhond: Seat | None = None
        self.pile: list[Slot] = []  # the discards, the open card last
        self.melds: list[Laid] = []  # m1 is the first
        self.down = [False] * self.players
        self.just_down = False  # forhönd has laid down in this turn
        self.purchases = [0] * self.players
        self.thrower: Seat | None = None  # of the open card; None for the first one
        self.disputing: list[Seat] = []  # R13: the seats still in dispute, in playing order
        self.drawn: list[Slot] = []  # R13: the cards drawn in this dispute, in order
        self.buyer: Seat | None = None  # R14: has bought, and must still draw

    async def draw(self, seat: Seat) -> None:
        """R15. Draw the top card of the stock, unseen by others unless a dispute showed it."""
        if not self.stock:
            await self.renew()
        slot = self.stock[0]
        known = slot in self.faces
        await self.deal([seat], each=1)
        if known:
            self.tell(events.KnownDraw(seat, self.faces[slot]))

    async def renew(self) -> None:
        """R16. Shuffle the discards except the open card; they become the stock."""
        cards = canonical(self.faces_of(self.pile[:-1]))
        await self.shuffle(cards)
        del self.pile[:-1]
        self.tell(events.Renewal(len(cards)))

    def gain(self, seat: Seat, slot: Slot) -> None:
        """Put a public card into a hand."""
        self.hands[seat].append(slot)
        self.holder[slot] = seat

    def part_with(self, seat: Seat, slots: Sequence[Slot]) -> None:
        """Remove cards from a hand."""
        self.hands[seat] = [slot for slot in self.hands[seat] if slot not in slots]

    def can_draw(self) -> bool:
        """R10. Whether there will be a card in the stock for a seat that declines."""
        return bool(self.stock) or len(self.pile) > 1

    def may_lay_off(self, seat: Seat) -> bool:
        """R19. Whether a seat has laid down, and long enough ago."""
        return self.down[seat] and not (self.just_down and self.options["lay_off"] == "next-turn")

    @classmethod
    def is_card(cls, text: str) -> bool:
        """R25. On the table jokers are named: `*7h`, `*K`."""
        return is_card(text)

    def table(self) -> list[Face]:
        """R25. All cards of all melds, and the open card."""
        laid = [card for meld in self.melds for card in written(meld.cards, self.faces)]
        return laid + [self.faces[slot] for slot in self.pile[-1:]]

    def asks_for(self) -> tuple[int, int]:
        """R6. Return the numbers of runs and of sets in this round's contract."""
        return contract_of(self.contract)
