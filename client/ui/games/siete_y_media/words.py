"""The words of siete y media. Calls at the table stay Spanish in every language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from client.i18n.translation import _, later, ngettext
from client.ui.games.words import GameWords, Heading, TypedMoves, Written
from client.ui.model import Names
from engine.core.events import BrokenOff, GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Seat
from engine.core.view import View
from engine.games.siete_y_media import events
from engine.games.siete_y_media.rules import WORTH, SieteYMedia

GLOSSES: Mapping[str, str] = {
    "hit up": later("another card, face up; your hidden one stays hidden"),
    "hit down": later("show your hidden card, and get another one face down"),
    "stand": later("no more cards"),
}
"""The meaning of a player's moves. The bank's own cards all lie open."""


class SieteYMediaWords(GameWords):
    """How siete y media is told."""

    examples = ("bet 3", "hit up", "hit down", "hit up raise 2", "stand")
    letters = ""
    notation = ("bet", "hit", "up", "down", "raise", "stand")
    glosses = GLOSSES
    turned_up = ""
    proof = (
        later("checked: you are below 7½, your proof is good"),
        later("checked: {who} is below 7½, the proof is good"),
    )
    leaving = later(
        "If you leave for good, you lose your stake (the bank pays all stakes) and all your chips, "
        "and the match ends."
    )
    going_on = later(
        "If you leave for good, you lose your stake (the bank pays all stakes) and all your chips. "
        "The others play on."
    )
    why_words: ClassVar[Mapping[str, str]] = {
        "bank-no-bet": later("You hold the bank: you bet nothing."),
        "bank-no-raise": later("You hold the bank: you raise nothing."),
        "bank-is-open": later("The bank plays with all its cards face up."),
        "bet-first": later("Bet first."),
        "has-bet": later("You have bet already."),
        "bet-range": later("A bet is between {cards} now."),
        "raise-range": later("A raise is between {cards} now."),
        "no-raises": later("You cannot raise now."),
    }
    typed_words: ClassVar[Mapping[str, str]] = {
        "bank-is-open": later("Type hit up."),
        "has-bet": later("Type hit up, hit down or stand, perhaps with raise N."),
    }

    def move(self, names: Names, seat: Seat, text: str) -> str:
        """Say a move, given in the notation; a raise after it."""
        words = text.split()
        if words[0] == "bet":
            return names.say(
                seat, later("You bet {chips}."), later("{who} bets {chips}."), chips=words[1]
            )
        you, other = later("You stand."), later("{who} stands.")
        if words[:2] == ["hit", "up"]:
            you = later("You ask for a card, face up.")
            other = later("{who} asks for a card, face up.")
        elif words[:2] == ["hit", "down"]:
            you = later("You turn your card up and ask for one face down.")
            other = later("{who} turns the hidden card up and asks for one face down.")
        line = names.say(seat, you, other)
        return (
            _("{line} Raise: {chips} more.").format(line=line, chips=words[-1])
            if "raise" in words
            else line
        )

    def card(self, face: Face) -> str:
        """Return a card; a figure with its count."""
        return f"{self.shown(face)}(½)" if WORTH[face] == 1 else self.shown(face)

    def offered(self, view: View, moves: list[str]) -> list[str]:
        """Return the legal moves; bets and raises, which differ by their number only, as one."""
        game, seat = view.game, view.seat
        assert isinstance(game, SieteYMedia)
        if seat is None or seat == game.bank:
            return moves
        if seat not in game.stakes:
            low, high = min(game.options["min_bet"], game.cap(seat)), game.cap(seat)
            return [_("bet N, from {low} to {high}").format(low=low, high=high)]
        found = [move for move in moves if "raise" not in move]
        raises = game.raises(seat)
        if raises:
            found.append(
                _("and after each of them raise N, from {low} to {high}").format(
                    low=raises[0], high=raises[-1]
                )
            )
        return found

    def standing(self, names: Names, game: Game) -> str:
        """Return the chips, which are the score."""
        return _("Chips: {chips}").format(chips=self.scores(names, game, tuple(game.score)))

    def state(self, names: Names, view: View) -> list[str]:
        """Say which seat has the bank, each seat's cards and stake, and our total."""
        game = view.game
        assert isinstance(game, SieteYMedia)
        if game.bank is None:
            return []
        lines = [self._seat(names, game, seat, view) for seat in game.order(game.bank)]
        if view.seat is None or view.options is None:
            return lines
        if view.seat == game.bank:
            lines.append(
                _("You hold the bank, with {total}.").format(total=halves(game.shown(view.seat)))
            )
        elif view.seat in game.stakes:
            hidden = view.face(game.hidden(view.seat))
            assert hidden is not None
            line = _(
                "Another card? With hit up your {card} stays hidden; with hit down you show it, "
                "and hide the new one."
            )
            lines.append(line.format(card=self.card(hidden)))
        return lines

    def rules(self, options: Mapping[str, Any]) -> list[str]:
        """Return the rules for a newcomer, at a table with these options."""
        worth = _(
            "Cards 1 to 7 count their number, the figures 10, 11 and 12 a half each; suits do not "
            "matter. Come as near to 7½ as you can. A player who goes over has lost."
        )
        return [
            _(
                "Siete y media (seven and a half): 2 to 8 players, a Spanish pack of 40. Each "
                "plays alone against the bank."
            ),
            Heading(_("The cards")),
            Written(worth, f"{worth} 7o + 11c = 7½"),
            Heading(_("A turn")),
            Written(
                _(
                    "Everybody has {chips} chips and gets one card face down; yours is shown in "
                    "brackets. The seat after the bank begins. First you bet."
                ).format(chips=options["chips"]),
                _(
                    "Everybody has {chips} chips and gets one card face down, which nobody else "
                    "sees. The seat after the bank begins. First you bet."
                ).format(chips=options["chips"]),
            ),
            TypedMoves("  bet 3"),
            Written(
                _(
                    "Then ask for cards or stand. `hit up`: the new card comes face up, your "
                    "hidden one stays hidden. `hit down`: you show your hidden card first, and "
                    "the new one comes face down. Hide high cards, show low ones."
                ),
                _(
                    "Then ask for cards or stand. “Face up”: the new card comes face up, your "
                    "hidden one stays hidden. “Face down”: you show your hidden card first, and "
                    "the new one comes face down. Hide high cards, show low ones."
                ),
            ),
            TypedMoves("  hit up"),
            TypedMoves("  hit down"),
            TypedMoves("  stand"),
            _(
                "With each of these you may stake more, up to {chips} in all (options "
                "`max_bet`, `raises`)."
            ).format(chips=options["max_bet"]),
            TypedMoves("  stand raise 2"),
            _(
                "Your program proves after each card that you are below 7½, without showing it. At "
                "7½ or over, the card is turned up at once: at 7½ you stand, over it you pay your "
                "stake to the bank."
            ),
            Heading(_("The bank")),
            _(
                "When all have played, the bank turns up its card and plays with open cards. Then "
                "all who stand show theirs: the bank wins against an equal or lower total and pays "
                "the higher ones; a 7½ is paid twice. If the bank goes over it pays all who stand; "
                "if it has 7½ it beats everybody."
            ),
            _(
                "A bank without chips pays no more (la banca salta). The player who is paid for 7½ "
                "has the bank next (option `bank`). A player without chips is out."
            ),
            ngettext(
                "After {deals} deal (option `deals`) most chips win.",
                "After {deals} deals (option `deals`) most chips win.",
                options["deals"],
            ).format(deals=options["deals"])
            if options["deals"]
            else _("The last player with chips wins (option `deals`)."),
        ]

    # The table.

    def _seat(self, names: Names, game: SieteYMedia, seat: Seat, view: View) -> str:
        """Say the visible facts of a seat: chips, stake, cards and their open sum.

        For our own seat, say the whole sum.
        """
        cards = [self.card(face) if (face := view.face(slot)) else "?" for slot in game.hands[seat]]
        hidden = [slot for slot in game.hands[seat] if slot not in game.faces]
        total = halves(game.shown(seat)) if game.shown(seat) else ""
        if hidden and seat == view.seat:
            own = [view.face(slot) for slot in hidden]
            cards = [
                f"[{card}]" if slot in hidden else card
                for slot, card in zip(game.hands[seat], cards, strict=True)
            ]
            total = halves(game.shown(seat) + sum(WORTH[face] for face in own if face))
        elif hidden:
            total = f"{total} + ?" if total else ""
        facts = [f"{' '.join(cards)} = {total}" if total else " ".join(cards)] if cards else []
        if seat == game.bank:
            facts.append(_("the bank"))
        if seat in game.stakes:
            facts.append(_("stake {chips}").format(chips=game.stakes[seat]))
        if seat in game.over:
            facts.append(_("bust"))
        elif seat in game.stood:
            facts.append(_("stands"))
        return _("{who} ({chips} chips): {facts}").format(
            who=names.label(seat),
            chips=game.score[seat] - game.stakes.get(seat, 0),
            facts=", ".join(facts),
        )

    # The events of the rules.

    def broken_off(self, names: Names, event: BrokenOff) -> list[str]:
        """The stakes are settled first, and said."""
        del names, event
        return [_("The deal is broken off.")]

    def says(self, names: Names, game: Game, event: GameEvent) -> list[str]:  # noqa: C901, PLR0912 (a case for each event)
        """Return the lines for an event of the rules."""
        assert isinstance(game, SieteYMedia)
        assert isinstance(event, events.Event)
        match event:
            case events.Deal(number, bank):
                deals = game.options["deals"]
                line = (
                    _("Deal {number} of {deals}. The bank: {bank}.")
                    if deals
                    else _("Deal {number}. The bank: {bank}.")
                )
                return [
                    line.format(number=number, deals=deals, bank=names.label(bank)),
                    self.standing(names, game),
                ]
            case events.Card(seat, card, total):
                you = later("You get {card}: {total} face up.")
                other = later("{who} gets {card}: {total} face up.")
                return [names.say(seat, you, other, card=self.card(card), total=halves(total))]
            case events.Shows(seat, card, total):
                you = later("You show {card}: {total} face up.")
                other = later("{who} shows {card}: {total} face up.")
                return [names.say(seat, you, other, card=self.card(card), total=halves(total))]
            case events.Seven(seat, cards):
                you = later("¡Siete y media! You have {cards}.")
                other = later("¡Siete y media! {who} has {cards}.")
                return [names.say(seat, you, other, cards=self.cards(cards))]
            case events.Over(seat, cards, stake):
                you = later("Over! You have {cards}, that is {total}, and pay {stake}.")
                other = later("Over! {who} has {cards}, that is {total}, and pays {stake}.")
                total = sum(WORTH[card] for card in cards)
                return [
                    names.say(
                        seat, you, other, cards=self.cards(cards), total=halves(total), stake=stake
                    )
                ]
            case events.AllOver():
                return [_("All have gone over: the bank need not play.")]
            case events.BankCard(bank, card):
                you = later("You, the bank, turn up {card}.")
                other = later("The bank, {who}, turns up {card}.")
                return [names.say(bank, you, other, card=self.card(card))]
            case events.BankHits(bank, card, total):
                you = later("You get {card}: {total}.")
                other = later("The bank gets {card}: {total}.")
                return [names.say(bank, you, other, card=self.card(card), total=halves(total))]
            case events.BankSeven(bank):
                you = later("¡Siete y media! The bank is yours and beats everybody.")
                return [names.say(bank, you, later("¡Siete y media! The bank beats everybody."))]
            case events.BankStands(bank, total):
                you = later("You settle with {total}.")
                other = later("The bank settles with {total}.")
                return [names.say(bank, you, other, total=halves(total))]
            case events.BankOver(bank, total):
                you = later("Over! You, the bank, have {total}.")
                other = later("Over! The bank has {total}.")
                return [names.say(bank, you, other, total=halves(total))]
            case events.Settled():
                return [self._settled(names, event)]
            case events.HiddenToTheEnd(seat):
                return [
                    "  " + _("{who}: not turned up, gets nothing").format(who=names.label(seat))
                ]
            case events.BankBroken():
                return [_("¡La banca salta! It has no chips left.")]
            case events.Balance(bank, chips):
                you = later("  = the bank, you: {chips}")
                other = later("  = the bank, {who}: {chips}")
                return [names.say(bank, you, other, chips=f"{chips:+d}")]
            case events.Gone(seat, chips):
                line = ngettext(
                    "{who}: gone, and {chips} chip with it",
                    "{who}: gone, and {chips} chips with it",
                    chips,
                )
                return [line.format(who=names.label(seat), chips=chips)]
            case events.Ruined(seat):
                you = later("You have no chips left: you are out.")
                other = later("{who} has no chips left and is out.")
                return [names.say(seat, you, other)]
            case events.BankMoves(bank):
                return [
                    names.say(
                        bank, later("You have the bank now."), later("{who} has the bank now.")
                    )
                ]

    def _settled(self, names: Names, event: events.Settled) -> str:
        total, chips, due = halves(event.total), event.chips, event.due
        against = _("a bank that is over") if event.against is None else halves(event.against)
        if event.against == event.total and chips < 0:
            against = _("{total}, and the bank wins a tie").format(total=against)
        if chips < 0:
            what = _("pays the bank {chips}").format(chips=-chips)
        elif chips < due:
            what = _("the bank pays only {chips} of {due}").format(chips=chips, due=due)
        else:
            what = _("the bank pays {chips}").format(chips=chips)
        facts = {
            "who": names.label(event.seat),
            "cards": self.cards(event.cards),
            "total": total,
            "bank": against,
            "what": what,
        }
        return "  " + _("{who}: {cards}, {total} against {bank}: {what}").format(**facts)


def halves(total: int) -> str:
    """Return a number of half points as it is said: 15 is 7½."""
    whole, half = divmod(total, 2)
    return f"{whole or ''}{'½' if half else ''}" or "0"


WORDS = SieteYMediaWords()
