"""The lesson of siete y media. Totals are counted in half points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.i18n.translation import _, keys_in_brackets, later, letter
from client.session.lesson import Course
from client.ui.games.lesson import GameLesson, open_cards
from client.ui.games.siete_y_media.screen import CARD, DOWN, SETTLE, STAND, UP
from client.ui.games.siete_y_media.words import WORDS, halves
from client.ui.games.words import Written
from client.ui.model import Model, Names
from engine.core.cards import SPANISH_40
from engine.core.events import GameEvent
from engine.core.moves import Face, Move, Seat
from engine.core.view import View
from engine.games.siete_y_media import events
from engine.games.siete_y_media.moves import Bet, HitDown, HitUp, Stand
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, SieteYMedia
from p2p.table.events import Moved

DECKS = (
    "3c 5o 10e 2o 6c",  # a bet, two cards, standing; the bank goes over
    "4b 7c 5e",  # going over
    "12c 6b 3o 4e",  # siete y media, which brings the bank
    "5b 4o 10o 2e",  # holding the bank
)
SCRIPT = (
    *("p1 bet 2", "p1 hit up", "p1 hit up", "p1 stand", "p2 hit up"),
    *("p1 bet 1", "p1 hit up"),
    *("p1 bet 3", "p1 hit up", "p1 hit up", "p2 stand"),
    *("p2 bet 2", "p2 hit up", "p2 stand", "p1 hit up", "p1 stand"),
)
HIGH = 8
"""From four on a card is better hidden than seen."""
LOW = 8
"""A punto that stands with less wins only if the bank goes over."""


class SieteYMediaLesson(GameLesson):
    """Four deals: drawing and standing, going over, siete y media, and the bank."""

    told_elsewhere = (events.Deal,)
    course = Course("siete-y-media", DECKS, SCRIPT, options={"chips": 20, "deals": 4}, first=1)

    def one_turn(self) -> list[str]:
        """Return the keys of one turn."""
        return [
            _("First the bet: more or less of it (+ and -, or a number), then “bet” (Enter)."),
            Written(
                _("Then “face up” ({up}) asks for a card; your hidden card stays hidden.").format(
                    up=letter(UP)
                ),
                _(
                    "Then “a card, face up” ({up}) asks for one; your hidden card stays hidden."
                ).format(up=letter(UP)),
            ),
            _(
                "“Face down” ({down}) shows your hidden card, and the new one is hidden. “Stand” "
                "({stand}): no more cards."
            ).format(down=letter(DOWN), stand=letter(STAND)),
            self.twice(),
        ]

    def welcome(self) -> list[str]:
        """Return the aim of the game."""
        return [
            _(
                "Siete y media: come as near to 7½ as you can without going over. You play against "
                "the bank."
            ),
            _("The cards 1 to 7 count their number; 10, 11 and 12 count a half each."),
            _(
                "You bet on your first card, then ask for cards or stand. A player who goes over "
                "loses the bet at once."
            ),
            _(
                "The bank plays last, with open cards. It wins ties, and pays double for exactly "
                "7½."
            ),
            Written(
                keys_in_brackets(
                    _(
                        "This is a lesson: take your time, and you may look at the other "
                        "hand (F3, or typed: `hands`)."
                    )
                ),
                open_cards(),
            ),
        ]

    def happened(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain cards that came, going over, siete y media, and how the bank has paid."""
        names = model.names
        match event:
            case events.Card(seat, card, _total) if seat == model.seat:
                return _("You got {card}.").format(card=WORDS.card(card))
            case events.BankHits(bank, card, _total) if bank == model.seat:
                return _("You got {card}.").format(card=WORDS.card(card))
            case events.Over(seat, _cards, stake):
                you = later("You went over 7½. Chips lost at once: {chips}.")
                return names.say(
                    seat,
                    you,
                    later("{who} went over 7½ and pays you at once: {chips}."),
                    chips=stake,
                )
            case events.Seven(seat):
                return names.say(seat, later("You had exactly 7½."), later("{who} has exactly 7½."))
            case events.BankOver(bank, total):
                facts = {"total": halves(total)}
                return names.say(
                    bank,
                    later("You went over with {total}, and paid all who stood."),
                    later("The bank went over with {total}, and pays all who stand."),
                    **facts,
                )
            case events.Settled(seat, _cards, total, against, chips):
                return self._settled(model, seat, (total, against), chips)
            case events.BankMoves(bank):
                you = later("Siete y media against the bank brings you the bank.")
                return names.say(bank, you, later("{who} has the bank now."))
        return ""

    def _settled(self, model: Model, seat: Seat, totals: tuple[int, int | None], chips: int) -> str:
        """Say what a seat has won or lost against the bank."""
        total, against = totals
        facts = {"total": halves(total), "bank": halves(against or 0), "chips": abs(chips)}
        if against is None:
            return model.names.say(
                seat, later("You win {chips}."), later("{who} wins {chips}."), **facts
            )
        if chips > 0:
            you = later("Your {total} beats the {bank} of the bank. You win {chips}.")
            return model.names.say(
                seat,
                you,
                later("The {total} of {who} beats the {bank} of the bank: {chips} won."),
                **facts,
            )
        you = later("Your {total} does not beat the {bank} of the bank. You lose {chips}.")
        return model.names.say(
            seat,
            you,
            later("The {total} of {who} does not beat the {bank} of the bank: {chips} lost."),
            **facts,
        )

    def choice(self, model: Model, view: View) -> str:
        """Say which question is asked, and our total."""
        game, seat = view.game, view.seat
        assert isinstance(game, SieteYMedia)
        assert seat is not None
        total = halves(_total(view, seat))
        if seat == game.bank:
            others = [other for other in game.stood if other != seat]
            if len(others) != 1:
                return _("You hold the bank, with {total}.").format(total=total)
            closed = any(slot not in game.faces for slot in game.hands[others[0]])
            line = (
                _(
                    "You hold the bank, with {total}. {who} stands, with {shown} in open cards and "
                    "one hidden card."
                )
                if closed
                else _("You hold the bank, with {total}. {who} stands with {shown}, all turned up.")
            )
            shown = halves(game.shown(others[0]))
            return line.format(total=total, who=model.names[others[0]], shown=shown)
        if seat not in game.stakes:
            cap = game.cap(seat)
            line = _(
                "A new deal: your first card counts {total}. Bet from {low} to {high} chips on it."
            )
            return line.format(total=total, low=min(game.options["min_bet"], cap), high=cap)
        return _("You have {total}. Ask for a card, or stand.").format(total=total)

    def reason(self, names: Names, view: View, move: Move) -> list[str]:
        """Say how many of the unseen cards would put us over."""
        game, seat = view.game, view.seat
        assert isinstance(game, SieteYMedia)
        assert seat is not None
        total = _total(view, seat)
        unseen = _unseen(view)
        over = sum(total + WORTH[card] > SIETE_Y_MEDIA for card in unseen)
        facts = {"total": halves(total), "over": over, "all": len(unseen)}
        match move:
            case Bet(chips):
                return [self._bet(chips, total)]
            case HitUp(_raised):
                return [self._face_up(view, seat, facts)]
            case HitDown(hidden):
                card = view.face(hidden) or ""
                line = (
                    _(
                        "a card, face down: {card} is low and may be seen, and nobody sees the new "
                        "one. {over} of {all} cards would put you over."
                    )
                    if WORTH[card] < HIGH
                    else _(
                        "a card, face down: {card} is shown for it. {over} of {all} cards would "
                        "put you over."
                    )
                )
                return [line.format(card=WORDS.shown(card), **facts)]
            case Stand():
                lines = self._bank_stands(game) if seat == game.bank else self._stand(game, total)
                return [line.format(**facts) for line in lines]
        return super().reason(names, view, move)

    def _bank_stands(self, game: SieteYMedia) -> list[str]:
        """Give the reason for the bank to stand."""
        if game.sevens == game.stood and game.players == 2:
            return [
                _("stand with {total}: you pay twice for the 7½ and give up the bank."),
                _(
                    "From then on you choose the bets, and that can be worth more than a small "
                    "chance of a tie at 7½."
                ),
            ]
        return [
            _(
                "stand with {total}: {over} of the {all} cards that you have not seen would put "
                "you over."
            )
        ]

    def _stand(self, game: SieteYMedia, total: int) -> list[str]:
        """Give the reason for a punto to stand; with a low total it is not his cards."""
        if total >= LOW:
            return [
                _(
                    "stand with {total}: of {all} cards {over} would put you over, and the bank "
                    "may go over too."
                )
            ]
        last = game.round == game.options["deals"]
        if game.players == 2 and game.options["bank"] == "seven" and not last:
            return [
                _(
                    "stand with {total}: with siete y media you would become the bank, and the "
                    "bank does not choose the bets."
                ),
                _("It cannot see how low your hidden card is, and may go over."),
            ]
        return [
            _(
                "stand with {total}, as a bluff: the bank cannot see how low your hidden card is, "
                "and may go over."
            )
        ]

    def _face_up(self, view: View, seat: Seat, facts: Mapping[str, object]) -> str:
        """Give the reason for a card face up: a high hidden card stays hidden."""
        game = view.game
        hidden = [view.face(slot) for slot in game.hands[seat] if slot not in game.faces]
        if hidden and hidden[0] and WORTH[hidden[0]] >= HIGH:
            return _(
                "a card, face up: your hidden {card} is high and stays hidden. {over} of {all} "
                "cards would put you over."
            ).format(card=WORDS.shown(hidden[0]), **facts)
        return _(
            "a card, face up: {over} of the {all} cards that you have not seen would put you over."
        ).format(**facts)

    def _bet(self, chips: int, total: int) -> str:
        """Give the reason for a bet: figures and sevens are good first cards, fours are not."""
        if total == 1:
            return _("bet {chips}: with a half, any second card is safe.").format(chips=chips)
        if total in (8, 10):
            return _(
                "bet {chips}: {total} is a poor card to begin with, low to stand on, and many "
                "cards go over."
            ).format(chips=chips, total=halves(total))
        return _("bet {chips}. You may raise it with each card.").format(chips=chips)

    def keys(self, move: Move) -> Sequence[str]:
        """Return the keys of bets, cards and standing."""
        if isinstance(move, Bet):
            return (*"0123456789", "enter")
        return ("+", *dict.fromkeys(letter(key) for key in (UP, DOWN, STAND, CARD, SETTLE)))


def _total(view: View, seat: Seat) -> int:
    """Return what our cards count."""
    return sum(WORTH[face] for slot in view.game.hands[seat] if (face := view.face(slot)))


def _unseen(view: View) -> list[Face]:
    """Return the cards of this deal that we have not seen."""
    seen = {*view.game.faces.values(), *view.faces.values()}
    return [card for card in SPANISH_40 if card not in seen]


LESSON = SieteYMediaLesson()
