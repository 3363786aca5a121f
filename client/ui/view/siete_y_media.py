"""The table of siete y media as a view. Paragraphs are those of docs/rules/siete-y-media.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.i18n.translation import _, later, letter
from client.ui.games.screen import Scene
from client.ui.games.siete_y_media.screen import CARD, DOWN, SCREEN, SETTLE, STAND, UP
from client.ui.games.siete_y_media.words import halves
from client.ui.view.action import Action, Text
from client.ui.view.game import GameView
from client.ui.view.sentences import card, minis
from client.ui.view.table_parts import Cell, Count, Prompt, Row, Score, TableCard, TableSeat, Zone
from engine.core.events import GameEvent
from engine.core.moves import Face, Move, Seat, Slot
from engine.games.siete_y_media import events
from engine.games.siete_y_media.moves import Bet, HitDown, HitUp, Stand
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, SieteYMedia
from p2p.table.events import Moved

CHIPS = (1, 2, 5, 10)
"""The bets that have a button of their own."""
SHOWN = (events.Card, events.Shows, events.Seven, events.Over, events.BankHits)
"""The events that tell more of a move than the move does."""


class SieteYMediaView(GameView):
    """Every seat with its chips, its stake and its cards; the stock in the middle."""

    screen = SCREEN
    unit = later("chips")
    deal = (events.Deal,)

    def worth(self, face: Face) -> str:
        """R2. A figure counts half a point."""
        return "½" if WORTH[face] == 1 else ""

    def zones(self, scene: Scene) -> tuple[Zone, ...]:
        """The stock alone."""
        return (self.stock(scene, _("in the stock")),)

    def seat(self, scene: Scene, seat: TableSeat, *, nearest: bool) -> TableSeat:
        """Its cards lie open, but for one; its stake lies beside them."""
        game, number = scene.of(SieteYMedia), seat.number
        stake = game.stakes.get(number, 0)
        _style, stands = SCREEN.state_of(scene, number)
        chips = _("{chips} chips").format(chips=game.score[number] - stake)
        bank = number == game.bank
        lying = _lying(game, number)
        total = SCREEN.total(scene, lying)
        return replace(
            seat,
            state=seat.state or ("over" if number in game.over else ""),
            mark="bank" if bank else seat.mark,
            lines=(*seat.lines, stands, chips),
            first=self.first(scene, number),
            cards=() if nearest else self.cards(scene, lying),
            open=True,
            total=total if nearest or total != "?" else "",
            chips=stake,
            chips_name=_("stake {chips}").format(chips=stake) if stake else "",
        )

    def score(self, scene: Scene) -> tuple[Score, ...]:
        """The chips stand at the seats."""
        del scene
        return ()

    def hand(self, scene: Scene) -> tuple[TableCard, ...]:
        """Our cards; the one that only we see is veiled."""
        game = scene.of(SieteYMedia)
        found = self.cards(scene, _lying(game, scene.seat or 0))
        if scene.seat is None:
            return found
        hidden = {f"slot:{slot}" for slot in game.hands[scene.seat] if slot not in game.faces}
        return tuple(
            replace(one, state="veiled", name=f"{one.name}, {_('hidden')}")
            if one.id in hidden
            else one
            for one in found
        )

    def traced(
        self, scene: Scene, event: Moved, told: Sequence[GameEvent]
    ) -> tuple[Moved | GameEvent, str]:
        """The card that came says more than the wish for it."""
        for one in reversed(told):
            if isinstance(one, SHOWN):
                return one, next(iter(scene.words.told(scene.names, scene.game, one)), "")
        return super().traced(scene, event, [])

    def sounds(self, move: Move) -> str:
        """Chips are put down; a seat that only stands says nothing."""
        if isinstance(move, Bet) or (isinstance(move, HitUp | HitDown | Stand) and move.raised):
            return "chip"
        return "" if isinstance(move, HitUp | HitDown) else "none"

    def prompt(self, scene: Scene) -> Prompt:
        """Our total, and the stakes that we may choose."""
        game, seat = scene.of(SieteYMedia), scene.seat
        shown = "" if seat is None else SCREEN.total(scene, _lying(game, seat))
        if seat is None or not shown:
            return Prompt("")
        # a page of the match is read by anybody
        ours = scene.names.me == seat
        total = (
            _("your total {number}").format(number=shown)
            if ours
            else _("total {score}").format(score=shown)
        )
        if not scene.asked:
            return Prompt("", sum=total)
        if SCREEN.bets(scene):
            low, high = SCREEN.bounds(scene)
            said = _("How much do you bet? From {low} to {high}.").format(low=low, high=high)
            return Prompt("", said, total)
        more = _("another card, or settle?") if game.bank == seat else _("another card, or stand?")
        if number := 0 if game.bank == seat else SCREEN.raised(scene):
            staked = _("stake {chips}").format(chips=f"{game.stakes[seat]} + {number}")
            total = f"{total} · {staked}"
        return Prompt("", more, total)

    def actions(self, scene: Scene) -> tuple[Action, ...]:
        """A card, up or down, or none; or our bet."""
        game, seat = scene.of(SieteYMedia), scene.seat
        if not scene.asked or seat is None:
            return ()
        if SCREEN.bets(scene):
            return self._bet(scene)
        if game.bank == seat:
            return (
                self._key(scene, CARD, _("a card"), "main"),
                self._key(scene, SETTLE, _("settle"), icon="hand"),
            )
        number, raises = SCREEN.raised(scene), game.raises(seat)
        stays, shows = _("{card} stays hidden"), _("everybody sees {card}")
        found = [
            self._key(scene, UP, _("a card, face up"), "main", detail=self._told(scene, stays)),
            self._key(scene, DOWN, _("a card, face down"), detail=self._told(scene, shows)),
            self._key(scene, STAND, _("stand"), icon="hand"),
        ]
        if number:
            found += [
                _step("-", _("less"), off=False),
                _step("+", _("more"), off=number >= raises[-1]),
            ]
        elif raises:
            found.append(_step("+", _("raise the stake"), off=False))
        return tuple(found)

    def _told(self, scene: Scene, words: str) -> Text:
        """Return what becomes of our hidden card."""
        hidden, (before, after) = SCREEN.hidden_face(scene), words.split("{card}")
        parts = (before, card(self.kind, hidden or ""), after)
        return tuple(part for part in parts if part) if hidden else ""

    def _key(
        self, scene: Scene, name: str, label: str, role: str = "", icon: str = "", detail: Text = ""
    ) -> Action:
        key = letter(name)
        return Action(f"key:{key}", label, self.at_once(scene, key), role, icon, key, detail)

    def _bet(self, scene: Scene) -> tuple[Action, ...]:
        low, high = SCREEN.bounds(scene)
        now = SCREEN.bet(scene)
        bet = _("bet {chips}").format(chips=now)
        chips = [one for one in CHIPS if low <= one <= high]
        return (
            Action("bet", bet, ("enter",), "main", key="enter"),
            *(
                Action(f"bet:{one}", str(one), _steps(one - now), "chip", off=one == now)
                for one in chips
            ),
            _step("-", _("less"), off=now <= low),
            _step("+", _("more"), off=now >= high),
        )

    def count(
        self, scene: Scene, history: Sequence[GameEvent | Moved], table: Scene | None
    ) -> Count | None:
        """R13. The cards of each seat, and its gain or loss."""
        del table
        began = max(
            (at for at, one in enumerate(history) if isinstance(one, events.Deal)), default=0
        )
        fresh = history[began:]
        rows = [row for one in fresh if (row := self._row(scene, one)) is not None]
        ended = isinstance(fresh[-1], events.Balance) if fresh else False
        if not rows or not ended:
            return None
        balance = fresh[-1]
        assert isinstance(balance, events.Balance)
        bank = _("{who}, the bank").format(who=scene.names.label(balance.bank))
        total = next(
            (
                halves(one.total)
                for one in fresh
                if isinstance(one, events.BankStands | events.BankSeven | events.BankOver)
            ),
            "",
        )
        turned = [one.card for one in fresh if isinstance(one, events.BankCard | events.BankHits)]
        chips = Cell(_signed(balance.chips)), Cell(str(scene.game.score[balance.bank]))
        bank_cells = (Cell(minis(self.kind, turned)), Cell(total), *chips)
        rows.append(Row(bank, bank_cells, sum=True, seat=balance.bank))
        return Count((_("cards"), _("total"), _("chips"), _("in all")), tuple(rows))

    def _row(self, scene: Scene, event: GameEvent | Moved) -> Row | None:
        """Return the row of a seat that was settled with."""
        over = ""
        match event:
            case events.Settled(seat, faces, total, _against, chips, _due):
                gained = chips
            case events.Over(seat, faces, stake):
                total, gained = sum(WORTH[face] for face in faces), -stake
                over = _("bust")
            case _:
                return None
        points = Cell(_signed(gained), best=gained > 0)
        cards = Cell(minis(self.kind, faces))
        worth = Cell(" · ".join(filter(None, (halves(total), over))))
        every = Cell(str(scene.game.score[seat]))
        return Row(str(scene.names.label(seat)), (cards, worth, points, every), seat=seat)


def _lying(game: SieteYMedia, seat: Seat) -> Sequence[Slot]:
    """Return the cards before a seat.

    R10. Those of a bust one are in the used pile, yet all have seen them: each hand went there when
    its last card was too much.
    """
    used = iter(() if game.hands[seat] else game.used)
    for one in game.over:
        cards: list[Slot] = []
        for slot in used:
            cards.append(slot)
            if sum(WORTH[game.faces[each]] for each in cards) > SIETE_Y_MEDIA:
                break
        if one == seat and cards:
            return cards
    return game.hands[seat]


def _signed(chips: int) -> str:
    return f"+{chips}" if chips > 0 else f"−{-chips}" if chips else "0"


def _steps(chips: int) -> tuple[str, ...]:
    return ("+" if chips > 0 else "-",) * abs(chips)


def _step(key: str, label: str, *, off: bool) -> Action:
    icon = "minus" if key == "-" else "plus"
    return Action(f"key:{key}", label, () if off else (key,), "", icon, key, off=off)


VIEW = SieteYMediaView()
