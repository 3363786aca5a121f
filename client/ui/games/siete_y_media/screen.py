"""Siete y media on the full screen.

Paragraphs are those of docs/rules/siete-y-media.md; totals are counted in half points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from client.i18n.translation import _, keyed, letter
from client.ui.drawing.canvas import Canvas, Piece, Rect, columns_of
from client.ui.drawing.cards import SIZES, draw_row, fitting, short
from client.ui.games.screen import (
    GameScreen,
    Line,
    Moment,
    Picked,
    Say,
    Scene,
    caption,
    over,
    seating,
)
from client.ui.games.siete_y_media.words import WORDS, halves
from engine.core.events import GameEvent
from engine.core.moves import Face, Seat, Slot
from engine.games.siete_y_media import events
from engine.games.siete_y_media.rules import WORTH, SieteYMedia
from p2p.table.events import Moved

CARD, SETTLE = keyed("c: a card"), keyed("s: settle")
"""The letters of the bank's keys."""
UP, DOWN, STAND = keyed("u: face up"), keyed("d: face down"), keyed("s: stand")
"""The letters of the keys of the other seats."""
GAP: Piece = ("", " ")
WIDE = 22
"""Columns of a box from which a stake is named."""


class SieteYMediaScreen(GameScreen):
    """A screen of every seat, and of the cards in the middle.

    Every seat shows its chips, its stake and its cards. In the middle lie the cards of the seat in
    turn, or of the bank.
    """

    count = (
        events.Over,
        events.AllOver,
        events.BankSeven,
        events.BankStands,
        events.BankOver,
        events.Settled,
        events.HiddenToTheEnd,
        events.BankBroken,
        events.Balance,
        events.Ruined,
    )
    seat_rows: ClassVar[int] = 2

    def heading(self, scene: Scene) -> str:
        """Which deal of how many."""
        game = scene.of(SieteYMedia)
        if game.options["deals"]:
            return _("deal {number} of {deals}").format(
                number=game.round, deals=game.options["deals"]
            )
        return _("deal {number}").format(number=game.round)

    def score(self, scene: Scene) -> str:
        """Return the banker's name; the chips stand at the seats."""
        game = scene.of(SieteYMedia)
        return (
            ""
            if game.bank is None or over(scene)
            else _("the bank: {who}").format(who=scene.names.label(game.bank))
        )

    def places(
        self, scene: Scene, rect: Rect, seats: Sequence[Seat]
    ) -> tuple[dict[Seat, Rect], Rect]:
        """The others round the table; many of them in two rows across it."""
        del scene
        return seating(
            rect, seats, self.seat_rows, wide=76 if len(seats) <= 3 or rect.height >= 20 else 1000
        )

    def seat_in(self, scene: Scene, seat: Seat, inside: Rect) -> list[Line]:
        """Return the state of the seat, its chips and stake, then the open sum and its cards.

        The stake stands in brackets if the box is narrow.
        """
        game = scene.of(SieteYMedia)
        staked = game.stakes.get(seat, 0)
        word = (
            "  " + _("stake {chips}").format(chips=staked)
            if inside.width >= WIDE
            else f"({staked})"
        )
        chips: Line = [self.state_of(scene, seat), ("", f" {game.score[seat] - staked}")]
        cards = self._cards_in_a_line(scene, seat)
        if columns_of(cards) > inside.width:
            cards = [*cards[:2], *(piece for piece in cards[2:] if piece != GAP)]
        return [[*chips, ("golds", word if staked else "")], cards]

    def middle(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw the cards of the seat in turn, or of the bank, with their open sum.

        The size of the stock stands below.
        """
        game = scene.of(SieteYMedia)
        used = _("{left} cards left, {used} used").format(left=len(game.stock), used=len(game.used))
        if rect.height > 1:
            canvas.centre(rect, rect.bottom - 1, used, "dim")
        seat = self.looked_at(scene)
        if seat is None:
            return
        if rect.height < 3:
            line: list[Piece] = [
                ("strong", scene.names.label(seat)),
                ("", ": "),
                *self._cards_in_a_line(scene, seat),
            ]
            canvas.centre(rect, rect.y, line)
            return
        slots = game.hands[seat]
        size = fitting(len(slots), rect.width, rect.height - 2, scene.cards)
        top = rect.y + max(0, (rect.height - 2 - SIZES[size][1]) // 2)
        title: list[Piece] = [
            ("strong", scene.names.label(seat)),
            ("", "  "),
            ("moment", self.total(scene, slots)),
        ]
        canvas.centre(rect, top, title)
        area = Rect(rect.x, top + 1, rect.width, SIZES[size][1])
        draw_row(canvas, area, scene.faces(slots), size, centred=True)

    def mine(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Our cards, the hidden one named so; our true total, chips and stake."""
        game, seat = scene.of(SieteYMedia), scene.seat
        if seat is None:
            return
        slots: list[Slot] = game.hands[seat]
        size = self.card_size(scene, canvas.height)
        area = Rect(rect.x + 2, rect.y + 1, rect.width * 2 // 3, rect.height - 1)
        places = draw_row(canvas, area, scene.faces(slots), size)
        for slot, place in zip(slots, places, strict=True):
            if slot not in game.faces:
                caption(canvas, place, _("hidden"), "wait")
        right = Rect(rect.x, rect.y, rect.width - 1, rect.height)
        canvas.flush_right(right, rect.y, [("moment", self.total(scene, slots))])
        chips = _("{chips} chips").format(chips=game.score[seat] - game.stakes.get(seat, 0))
        stake = (
            [("golds", "  " + _("stake {chips}").format(chips=game.stakes[seat]))]
            if seat in game.stakes
            else []
        )
        if rect.height > 2:
            canvas.flush_right(right, rect.y + 1, [("", chips), *stake])
            style, word = self.state_of(scene, seat)
            canvas.flush_right(right, rect.y + 2, [(style, word)])

    def status(self, scene: Scene) -> Line:
        """The bet or the raise as it is picked, and within which bounds."""
        game, seat = scene.of(SieteYMedia), scene.seat
        if not scene.asked or seat is None:
            return []
        if self.bets(scene):
            low, high = self.bounds(scene)
            return [
                ("strong", _("bet {chips}").format(chips=self.bet(scene))),
                ("dim", f"  ({low}–{high})"),
            ]
        number = self.raised(scene)
        if number:
            return [("strong", _("raise {chips}").format(chips=number))]
        if game.bank == seat:
            return [("dim", _("another card, or settle?"))]
        return [("dim", _("another card, or stand?"))]

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Return the keys that are allowed now.

        The key for a card face down names the card that this move shows.
        """
        game, seat = scene.of(SieteYMedia), scene.seat
        if not scene.asked or seat is None:
            return []
        if self.bets(scene):
            low, high = self.bounds(scene)
            now = self.bet(scene)
            steps = [("+", _("more"))] if now < high else []
            steps += [("-", _("less"))] if now > low else []
            bet = ("Enter", _("bet {chips}").format(chips=now))
            return [bet, *steps, ("0-9", _("how much"))]
        if game.bank == seat:
            return [(letter(CARD), _("a card")), (letter(SETTLE), _("settle"))]
        hidden = self.hidden_face(scene)
        shows = (
            _("face down, turning up {card}").format(card=WORDS.shown(hidden))
            if hidden
            else _("face down")
        )
        raises = [("+", _("raise"))] if game.raises(seat) else []
        if number := self.raised(scene):
            raises = [("+", _("more"))] if number < game.raises(seat)[-1] else []
            raises.append(("-", _("less")))
        return [
            (letter(UP), _("face up")),
            (letter(DOWN), shows),
            (letter(STAND), _("stand")),
            *raises,
        ]

    def press(self, scene: Scene, key: str) -> Picked | Say | None:
        """Return the effect of a key: a letter, `+`, `-`, a digit or Enter.

        Letters ask for a card, face up or face down, and stand. `+` and `-` raise. Digits are the
        bet, and Enter bets.
        """
        if not scene.asked or scene.seat is None:
            return None
        if self.bets(scene):
            return self._press_bet(scene, key)
        number = self.raised(scene)
        more = f" raise {number}" if number else ""
        if scene.of(SieteYMedia).bank == scene.seat:
            lines = {letter(CARD): "hit up", letter(SETTLE): "stand"}
        else:
            lines = {
                letter(UP): f"hit up{more}",
                letter(DOWN): f"hit down{more}",
                letter(STAND): f"stand{more}",
            }
        if key in lines:
            return Say(lines[key], scene.picked)
        by = scene.of(SieteYMedia).raises(scene.seat)
        if key in ("+", "up", "right"):
            return Picked(number=min(number + 1, by[-1]) if number else by[0]) if by else Picked()
        if key in ("-", "down", "left"):
            return Picked(number=number - 1 if by and number > by[0] else 0)
        return Picked() if key == "escape" and number else None

    def moment(self, scene: Scene, event: GameEvent | Moved) -> str | Moment:
        """Return a call for siete y media, going over, a change of the bank, and a ruined seat."""
        match event:
            case events.Seven() | events.BankSeven():
                return "¡Siete y media!"
            case events.Over() | events.BankOver():
                return Moment(WORDS.told(scene.names, scene.game, event)[0], "warn")
            case events.BankBroken():
                return Moment("¡La banca salta!", "warn")
            case events.BankMoves() | events.Ruined() | events.BankCard():
                return WORDS.told(scene.names, scene.game, event)[0]
        return ""

    def counted(self, scene: Scene, event: GameEvent) -> Sequence[str]:
        """Return the lines for the count, which ends with the gain of the bank.

        Before it stand all who went over, for they paid too. We read of ourselves at once, since
        our cards are swept away.
        """
        if isinstance(event, events.Over) and event.seat != scene.seat:
            return []
        told: list[GameEvent] = [event]
        if isinstance(event, events.Balance):
            past = list(scene.model.history)
            began = max(
                (at for at, one in enumerate(past) if isinstance(one, events.Deal)), default=0
            )
            moved = max((at for at, one in enumerate(past) if isinstance(one, Moved)), default=0)
            told[:0] = [
                one
                for at, one in enumerate(past)
                if at > began
                and isinstance(one, events.Over)
                and (at < moved or one.seat != scene.seat)
            ]
        return [line for one in told for line in WORDS.told(scene.names, scene.game, one)]

    # The choice.

    def bets(self, scene: Scene) -> bool:
        """Whether we are asked for our bet."""
        game = scene.of(SieteYMedia)
        return scene.asked and scene.seat != game.bank and scene.seat not in game.stakes

    def bounds(self, scene: Scene) -> tuple[int, int]:
        """R6. The least and the highest bet."""
        assert scene.seat is not None
        cap = scene.of(SieteYMedia).cap(scene.seat)
        return min(scene.game.options["min_bet"], cap), cap

    def bet(self, scene: Scene) -> int:
        """Return the bet as it is picked."""
        low, high = self.bounds(scene)
        return max(low, min(scene.picked.number or low, high))

    def raised(self, scene: Scene) -> int:
        """R9. By how much we would raise; 0 by nothing."""
        assert scene.seat is not None
        return (
            scene.picked.number
            if scene.picked.number in scene.of(SieteYMedia).raises(scene.seat)
            else 0
        )

    def _press_bet(self, scene: Scene, key: str) -> Picked | Say | None:
        low, high = self.bounds(scene)
        now = self.bet(scene)
        if key == "enter":
            return Say(f"bet {now}", scene.picked)
        if key in ("+", "up", "right"):
            return Picked(number=min(now + 1, high))
        if key in ("-", "down", "left"):
            return Picked(number=max(now - 1, low))
        if key.isdecimal():
            # at the highest bet a digit begins anew
            before = scene.picked.turn if scene.picked.turn < high else 0
            number = min(before * 10 + int(key), high)
            # the digits typed so far, even below the least
            return Picked(number=max(low, min(number, high)), turn=number)
        return Picked() if key == "escape" and scene.picked.number else None

    # Small parts.

    def looked_at(self, scene: Scene) -> Seat | None:
        """Return the seat in the middle: just gone over, in turn, or the bank; never ours."""
        game = scene.of(SieteYMedia)
        match scene.model.history[-1:]:
            case (events.Over(seat),) if seat != scene.seat and game.hands[seat]:
                return seat  # only in a table that is held: the rules have swept these cards away
        playing = [seat for seat in scene.view.turn if seat != scene.seat and game.hands[seat]]
        if playing:
            return playing[0]
        return (
            game.bank
            if game.bank is not None and game.bank != scene.seat and game.hands[game.bank]
            else None
        )

    def hidden_face(self, scene: Scene) -> Face | None:
        """Return the face of our card that the others do not see."""
        assert scene.seat is not None
        hidden = [slot for slot in scene.game.hands[scene.seat] if slot not in scene.game.faces]
        return scene.view.face(hidden[0]) if hidden else None

    def total(self, scene: Scene, slots: Sequence[Slot]) -> str:
        """Return the sum of the cards of a seat that we see: `3½ + ?` if one is hidden from us."""
        faces = scene.faces(slots)
        known = sum(WORTH[face] for face in faces if face)
        if not faces:
            return ""
        if None not in faces:
            return halves(known)
        return f"{halves(known)} + ?" if known else "?"

    def _cards_in_a_line(self, scene: Scene, seat: Seat) -> list[Piece]:
        slots = scene.game.hands[seat]
        faces = scene.faces(slots)
        found: list[Piece] = (
            [("strong", self.total(scene, slots).replace(" ", ""))] if len(faces) > 1 else []
        )
        for face in faces:
            label, style = ("▒▒", "back") if face is None else short(face)
            found += [GAP, (style, label.strip())]
        return found[1:] if len(faces) == 1 else found

    def state_of(self, scene: Scene, seat: Seat) -> tuple[str, str]:
        """Return how a seat stands, and in which style."""
        game = scene.of(SieteYMedia)
        if seat not in game.seats:
            return "dim", _("out")
        if seat in game.over:
            return "bad", _("bust")
        if seat in game.sevens:
            return "moment", "¡7½!"
        if seat in game.stood:
            return "good", _("stands")
        if seat == game.bank:
            return "golds", _("the bank")
        return ("turn", _("plays")) if seat in scene.view.turn else ("dim", _("waits"))


SCREEN = SieteYMediaScreen()
