"""The words of Escoba.

`Eskoba!` and `Azkenak!` are calls of the game and stay as they are in every language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from client.i18n.translation import _, later, ngettext
from client.ui.games.words import GameWords, Heading, TypedMoves, Written
from client.ui.model import Names
from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Seat
from engine.core.view import View
from engine.games.escoba import events
from engine.games.escoba.rules import Escoba
from engine.games.escoba.sums import WORTH

COUNT: Mapping[str, tuple[str, str]] = {
    "a": (later("escobas: {figure}"), later("escobas: {figure}")),
    "b": (later("golds: {figure}, the most"), later("golds: {figure}")),
    "c": (later("all ten golds"), ""),
    "d": (later("the 7 of golds"), ""),
    "e": (later("sevens: {figure}, the most"), later("sevens: {figure}")),
    "f": (later("all four sevens"), ""),
    "g": (later("cards: {figure}, the most"), later("cards: {figure}")),
    "h": (later("nobody else has ten cards, but {figure} at most"), ""),
}
"""The lines of the count: when they bring points, and when they do not; then those that are empty
go unsaid. `LABELS` in `count.py` has the same letters."""


class EscobaWords(GameWords):
    """How Escoba is told."""

    examples = ("play 7o take 5c 3b", "play 2e")
    notation = ("play", "take")
    proof = (
        later("checked: you could not take, your proof is good"),
        later("checked: {who} could not take, the proof is good"),
    )
    why_words: ClassVar[Mapping[str, str]] = {
        "not-on-table": later("There is no {cards} on the table."),
        "not-fifteen": later("These cards make {number}, not 15."),
        "must-take": later("You can make 15 with {cards}, so you must take."),
        "card-must-take": later("{cards} can take: it may not be laid."),
    }
    broken_rules: ClassVar[Mapping[str, str]] = {
        "must-take": later("{who} laid a card down instead of making 15 with {cards}."),
    }

    def move(self, names: Names, seat: Seat, text: str) -> str:
        """Say a play, given as `play CARD` or `play CARD take CARD...`."""
        _verb, card, *rest = text.split()
        if rest:
            you = later("You play {card} and take {cards}.")
            other = later("{who} plays {card} and takes {cards}.")
            taken = " ".join(map(self.shown, rest[1:]))
            return names.say(seat, you, other, card=self.shown(card), cards=taken)
        you, other = later("You lay {card}."), later("{who} lays {card}.")
        return names.say(seat, you, other, card=self.shown(card))

    def card(self, face: Face) -> str:
        """Return a card; a figure with its worth, which its rank does not show."""
        shown = self.shown(face)
        return (
            shown
            if face.startswith(str(WORTH[face])) and len(face) == 2
            else f"{shown}({WORTH[face]})"
        )

    def state(self, names: Names, view: View) -> list[str]:
        """Say what lies on the table and in our hand."""
        game = view.game
        assert isinstance(game, Escoba)
        lines = super().state(names, view)
        total = game.sum_of(game.on_table)
        if total:
            lines[0] = _("On the table: {cards} (in all {total})").format(
                cards=self.cards(game.table()), total=total
            )
        return lines

    def rules(self, options: Mapping[str, Any]) -> list[str]:
        """Return the rules for a newcomer, at a table with these options."""
        takes = _(
            "In your turn you play one card. If it makes exactly 15 with one or more cards of the "
            "table, you take them all: they go to your pile."
        )
        return [
            _(
                "Escoba de quince: 2, 3, 4 or 6 players, one Spanish pack of 40 cards. Six play in "
                "two teams of three."
            ),
            Heading(_("The cards")),
            Written(
                _(
                    "Cards are written rank and suit: ranks 1 to 7, 10 (sota), 11 (caballo), 12 "
                    "(rey); suits o (golds, oros), c (cups, copas), e (swords, espadas), b "
                    "(clubs, bastos). 7o is the 7 of golds. Ranks 1 to 7 are worth their number, "
                    "10 is worth 8, 11 is worth 9, 12 is worth 10."
                ),
                _(
                    "The cards 1 to 7 are worth their number, the 10 (sota) is worth 8, the 11 "
                    "(caballo) 9, the 12 (rey) 10. The suits are golds, cups, swords and clubs."
                ),
            ),
            _(
                "Everybody gets three cards, and four lie face up on the table. When all hands are "
                "empty, three more are dealt."
            ),
            Heading(_("A turn")),
            Written(takes, f"{takes} 7o + 5c + 3b"),
            TypedMoves("  play 7o take 5c 3b"),
            _(
                "If no card of your hand can make 15 with cards of the table, you lay one, and it "
                "stays there. Nobody can hold back: your program proves, without showing your "
                "hand, that you could not take. (House rules: option `capture`.)"
            ),
            TypedMoves("  play 2e"),
            _(
                "A player who takes all the cards on the table makes an escoba (broom). If the "
                "first four cards make 15 or 30, the dealer sweeps them at once, for one escoba or "
                "two."
            )
            if options["first_table"] == "dealer"
            else _(
                "A player who takes all the cards on the table makes an escoba (broom). If the "
                "first four cards make 15 or 30, the first player sweeps them at once, for one "
                "escoba or two, and then plays (option `first_table`)."
            ),
            Heading(_("The count")),
            _(
                "When all cards are played, those left on the table go to the side that took last. "
                "Then the deal is counted:"
            )
            if options["leftovers"] == "capture"
            else _(
                "When all cards are played, those left on the table go to the side that made the "
                "last escoba, or, if nobody made one, to the side that took last. Then the deal is "
                "counted:"
            ),
            "  " + _("each escoba: 1 point"),
            "  " + _("more golds than anybody else: 1; all ten golds: 2 more"),
            Written("  " + _("the 7 of golds: 1"), "  7o: 1"),
            "  " + _("more sevens than anybody else: 1; all four sevens: 3 more"),
            "  " + _("more cards than anybody else: 1"),
            "  " + _("every other side has fewer than 10 cards: 1"),
            _(
                "A side that alone has taken cards wins the match at once. Otherwise the first to "
                "reach {target} wins (option `target`); with a tie another deal is played. A "
                "player who leaves has lost."
            ).format(target=options["target"]),
        ]

    # The events of the rules.

    def says(self, names: Names, game: Game, event: GameEvent) -> list[str]:
        """Return the lines for an event of the rules."""
        assert isinstance(game, Escoba)
        assert isinstance(event, events.Event)
        match event:
            case events.Deal(number, dealer, first):
                line = _("Deal {number}. Dealer: {dealer}. First to play: {first}.")
                facts = {
                    "number": number,
                    "dealer": names.label(dealer),
                    "first": names.label(first),
                }
                return [line.format(**facts), self.standing(names, game)]
            case events.FirstTable():
                return [self._first_table(names, game, event)]
            case events.LastHand():
                return [_("Azkenak! These are the last cards of the deal.")]
            case events.Eskoba(seat):
                return [
                    names.say(
                        seat,
                        later("Escoba! You sweep the table."),
                        later("Escoba! {who} sweeps the table."),
                    )
                ]
            case events.Leftovers(int(side), cards):
                line = _("The cards left on the table go to {side}: {cards}.")
                return [line.format(side=self.side(names, game, side), cards=self.cards(cards))]
            case events.Leftovers(_side, cards):
                return [
                    _(
                        "Left on the table: {cards}. Nobody took anything, so it is nobody's."
                    ).format(cards=self.cards(cards))
                ]
            case events.Count():
                return self._count(names, game, event)
            case events.Score(_side, gained, total):
                line = ngettext(
                    "{gained} point in this deal, {total} in all (to {target})",
                    "{gained} points in this deal, {total} in all (to {target})",
                    gained,
                )
                return [
                    "  = " + line.format(gained=gained, total=total, target=game.options["target"])
                ]
            case events.MatchLost(side):
                line = _("Nobody else has taken a card: the match goes at once to {side}.")
                return [line.format(side=self.side(names, game, side))]

    def _first_table(self, names: Names, game: Escoba, event: events.FirstTable) -> str:
        ours, deals = event.seat == names.me, game.options["first_table"] == "dealer"
        if ours and deals:
            line = ngettext(
                "Escoba! The first table makes 15, and you, who deal, sweep it: {cards}.",
                "Escoba, escoba! The first table makes 30, and you, who deal, sweep it for "
                "{count}: {cards}.",
                event.count,
            )
        elif deals:
            line = ngettext(
                "Escoba! The first table makes 15, and the dealer {who} sweeps it: {cards}.",
                "Escoba, escoba! The first table makes 30, and the dealer {who} sweeps it for "
                "{count}: {cards}.",
                event.count,
            )
        elif ours:
            line = ngettext(
                "Escoba! The first table makes 15, and you, the first to play, sweep it: {cards}.",
                "Escoba, escoba! The first table makes 30, and you, the first to play, sweep it "
                "for {count}: {cards}.",
                event.count,
            )
        else:
            line = ngettext(
                "Escoba! The first table makes 15, and {who}, the first to play, sweeps it: "
                "{cards}.",
                "Escoba, escoba! The first table makes 30, and {who}, the first to play, sweeps it "
                "for {count}: {cards}.",
                event.count,
            )
        return line.format(who=names[event.seat], count=event.count, cards=self.cards(event.cards))

    def _count(self, names: Names, game: Escoba, event: events.Count) -> list[str]:
        head = (
            [_("The count for {side}:").format(side=self.side(names, game, event.side))]
            if event.line == "a"
            else []
        )
        scoring, idle = COUNT[event.line]
        if not event.points:
            return [*head, f"  {_(idle).format(figure=event.figure)}"] if idle else head
        line = ngettext("{line} ({points} point)", "{line} ({points} points)", event.points)
        return [
            *head,
            "  " + line.format(line=_(scoring).format(figure=event.figure), points=event.points),
        ]


WORDS = EscobaWords()
