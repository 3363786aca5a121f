"""The words of Kínaskák.

Its calls (`Allir tilbúnir?`, `Kaupi!`, `Fyrstur kaupir, fyrstur fær!`) stay Icelandic everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from client.i18n.translation import _, later, listed, ngettext
from client.ui.drawing.cards import french, french_notation
from client.ui.games.kinaskak.contracts import CONTRACTS, rounds
from client.ui.games.words import GameWords, Heading, TypedMoves, Written
from client.ui.model import Names
from engine.core.cards import JOKER
from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Move, Seat
from engine.core.view import View
from engine.games.kinaskak import events
from engine.games.kinaskak.melds import PLACES, RANKS, RUN, SET, SUITS, Laid, contract_of, written
from engine.games.kinaskak.moves import Say
from engine.games.kinaskak.rules import PENALTY, Kinaskak
from engine.games.kinaskak.search import distance

MELDS: Mapping[str, str] = {RUN: later("run {cards}"), SET: later("set {cards}")}
"""A meld that is laid down, by its kind."""

SAID: Mapping[str, tuple[str, str]] = {
    "take": (later("You take the open card."), later("{who} takes the open card.")),
    "decline": (later("You leave the open card."), later("{who} leaves the open card.")),
    "buy": (later("Kaupi! You want to buy it."), later("Kaupi! {who} wants to buy it.")),
    "no": (later("You do not buy."), later("{who} does not buy.")),
}
"""How the four words are told."""

GLOSSES: Mapping[str, str] = {
    "take": later("have the open card; you draw no other"),
    "decline": later("leave it; the others may buy it, and you draw from the stock"),
    "buy": later("have the open card, and one from the stock besides"),
    "no": later("do not buy it"),
}
"""The effect of each of the four words."""

LACKS_SHOWN = 8
"""The most cards that are named because they would help: nobody would read a longer list."""


def by_suit(face: Face) -> tuple[int, int]:
    """Sort by suits, within one by ranks from the ace; jokers last."""
    return (len(SUITS), 0) if face[0] == JOKER else (SUITS.index(face[1]), PLACES.index(face[0]))


class KinaskakWords(GameWords):
    """How Kínaskák is told."""

    letters = later("The suits are c clubs, d diamonds, h hearts, s spades; T is a ten, * a joker.")
    examples = (
        *SAID,
        "meld run 5h 6h *7h 8h set Kc Kd *K",
        "lay 9h Th on m1",
        "swap 7h in m1",
        "discard As",
    )
    notation = (*SAID, "meld", "run", "set", "lay", "on", "swap", "in", "discard")
    glosses = GLOSSES
    turned_up = ""
    leaving = later(
        "If you leave for good, the match ends at once and you lose it; of the others the "
        "lowest score wins."
    )
    why_words: ClassVar[Mapping[str, str]] = {
        "nothing-to-draw": later("There is no card to draw: you must take the open one."),
        "joker-in-hand": later(
            "In your hand a joker is just *. You name its card when you lay it."
        ),
        "already-down": later("You have laid down in this round; that is done once."),
        "not-the-contract": later("That is not the contract of this round."),
        "same-suit": later("Your runs must be of different suits."),
        "joker-unnamed": later("Say what the joker stands for: `*7h` in a run, `*7` in a set."),
        "joker-misnamed": later(
            "{cards} does not say it: a joker is written `*7h` in a run and `*7` in a set, other "
            "cards plainly."
        ),
        "no-run": later(
            "{cards} is no run: one suit, in sequence, from the lowest card to the highest."
        ),
        "no-set": later("{cards} is no set: all of one rank."),
        "short-run": later("A run has four cards or more."),
        "short-set": later("A set has three cards or more."),
        "too-many-jokers": later("A meld has {number} jokers at most."),
        "not-down": later(
            "First lay down what the round asks for; then you may lay off and take jokers."
        ),
        "next-turn": later(
            "You have just laid down: you may lay off and take jokers from your next turn on."
        ),
        "no-meld": later("There is no meld {cards}."),
        "does-not-fit": later(
            "{number} does not fit {last}. Cards are laid on one after the other, in the order you "
            "name them."
        ),
        "no-joker-there": later("With {number} there is no joker to be had from {last}."),
        "jokers-stay": later("{cards} is a set, and jokers stay in sets."),
    }
    typed_words: ClassVar[Mapping[str, str]] = {
        "not-the-contract": later("`table` shows it."),
    }

    def shown(self, card: str) -> str:
        """Return a card of the notation as it is drawn."""
        return french(card)

    def in_notation(self, line: str) -> str:
        """Return a typed line in the notation."""
        return french_notation(super().in_notation(line))

    def move(self, names: Names, seat: Seat, text: str) -> str:
        """Say a move, given in the notation."""
        verb, *words = text.split()
        match verb:
            case "meld":
                you, other = later("You lay down: {cards}"), later("{who} lays down: {cards}")
                return names.say(seat, you, other, cards=self._melds(words))
            case "lay":
                you = later("You lay {cards} on {meld}.")
                other = later("{who} lays {cards} on {meld}.")
                return names.say(seat, you, other, cards=self.cards(words[:-2]), meld=words[-1])
            case "swap":
                you = later("You put {card} into {meld} and take its joker.")
                other = later("{who} puts {card} into {meld} and takes its joker.")
                return names.say(seat, you, other, card=self.shown(words[0]), meld=words[-1])
            case "discard":
                return names.say(
                    seat,
                    later("You throw away {card}."),
                    later("{who} throws away {card}."),
                    card=self.shown(words[0]),
                )
        return names.say(seat, *SAID[verb])

    def state(self, names: Names, view: View) -> list[str]:
        """Say all that a player must know to choose."""
        game = view.game
        assert isinstance(game, Kinaskak)
        if not game.round:
            return []
        round_facts = {
            "round": game.round,
            "rounds": rounds(game),
            "contract": _(CONTRACTS[game.contract]),
        }
        lines = [_("Round {round} of {rounds}: {contract}.").format(**round_facts)]
        lines += [self._seat(names, game, seat) for seat in game.seats_from(game.forhond or 0)]
        lines += [
            self._meld(names, game, number, meld) for number, meld in enumerate(game.melds, 1)
        ]
        pile = self.cards(game.faces_of(game.pile[-1:]))
        lines.append(
            _("Open card: {card}. Cards in the stock: {count}.").format(
                card=pile, count=len(game.stock)
            )
        )
        return lines + (
            self._own(view, game, view.seat) + self._asked(view, game, view.seat)
            if view.seat is not None
            else []
        )

    def rules(self, options: Mapping[str, Any]) -> list[str]:
        """Return the rules for a newcomer, at a table with these options."""
        return [
            _(
                "Kínaskák: 3 to 6 players, each for themselves, three packs of 52 cards with three "
                "jokers each."
            ),
            Written(
                _(
                    "A joker is shown as *. In a meld the card that it stands for follows: {card} "
                    "is a joker for the nine of clubs."
                ).format(card=self.shown("*9c")),
                _("A joker in a meld shows the card that it stands for."),
            ),
            TypedMoves(
                _(
                    "To type a card, write its rank, A 2 3 4 5 6 7 8 9 T (ten) J Q K, and its "
                    "suit, c (clubs), d (diamonds), h (hearts), s (spades): Td is the ten of "
                    "diamonds."
                )
            ),
            Heading(_("The rounds")),
            _(
                "There are eight rounds, or those of them that the table has chosen, and each asks "
                "for something else. Everybody gets 13 cards; the first player to have the "
                "contract of the round lays it down, and then all try to be rid of their cards. "
                "The cards that you still hold when somebody is out count against you. The fewest "
                "points after the last round win."
            ),
            *(f"  {number}  {_(what)}" for number, what in CONTRACTS.items()),
            Heading(_("Melds")),
            _(
                "A run is four or more cards of one suit in sequence; the ace stands below the 2 "
                "or above the king. Runs that you lay down together are of different suits. A set "
                "is three or more cards of one rank, of any suits, equal ones too."
            ),
            _(
                "A joker stands for any card. You say for which when you lay it: in a run for a "
                "card, in a set for a rank. (House rules: option `max_jokers`.)"
            ),
            Heading(_("A turn")),
            _(
                "In your turn the open card is yours first: take it, or leave it and draw from the "
                "stock."
            ),
            TypedMoves("  take"),
            TypedMoves("  decline"),
            _(
                "When you leave it, the others may buy it, all answering at once. The buyer gets "
                "the open card and one more from the stock. If several want it, they draw cards "
                "for it and the highest wins. Purchases that are free in a round: {buys} (option "
                "`buys`); each further one costs 200 points. In the eighth round nothing is bought."
            ).format(buys=options["buys"]),
            TypedMoves("  buy"),
            TypedMoves("  no"),
            _("Once you have drawn, you may lay down what the round asks for, all at once."),
            TypedMoves("  meld run 5h 6h *7h 8h set Kc Kd *K"),
            _(
                "A player who has laid down may lay further cards on any meld on the table, and "
                "may take a joker out of a run by putting in the card that it stands for. Jokers "
                "in sets stay. (House rules: option `lay_off`.)"
            ),
            TypedMoves("  lay 9h Th on m1"),
            TypedMoves("  swap 7h in m1"),
            _("Your turn ends when you throw a card away, or have no card left."),
            TypedMoves("  discard As"),
            Heading(_("The count")),
            _(
                "The round ends as soon as somebody has no card left. The others count: joker 50, "
                "ace 20, ten and court cards 10, all others 5. A player who leaves has lost."
            ),
        ]

    def price(self, view: View, move: Move) -> str:
        """Decision 8. A purchase that costs points is asked twice."""
        game, seat = view.game, view.seat
        assert isinstance(game, Kinaskak)
        if seat is None or move != Say("buy") or game.purchases[seat] < game.options["buys"]:
            return ""
        return _("You have bought {count} times: this purchase costs you {points} points.").format(
            count=game.purchases[seat], points=PENALTY
        )

    def _melds(self, words: Sequence[str]) -> str:
        """Return the melds that these words lay down, each with its kind, as they are drawn."""
        heads = [place for place, word in enumerate(words) if word in MELDS]
        ends = [*heads[1:], len(words)]
        melds = [words[head:end] for head, end in zip(heads, ends, strict=True)]
        return "; ".join(
            _(MELDS[kind]).format(cards=self._cards_of(kind, cards)) for kind, *cards in melds
        )

    def _cards_of(self, kind: str, cards: Sequence[str]) -> str:
        return self.cards(sorted(cards, key=by_suit) if kind == SET else cards)

    # The state, line by line.

    def _seat(self, names: Names, game: Kinaskak, seat: Seat) -> str:
        """Return a seat's cards, those that are known, its purchases and its total."""
        bought, free = game.purchases[seat], game.options["buys"]
        known = [game.faces[slot] for slot in game.hands[seat] if slot in game.faces]
        count = len(game.hands[seat])
        parts = [ngettext("{count} card", "{count} cards", count).format(count=count)]
        if seat == game.forhond:
            parts.insert(0, _("plays now"))
        if known and seat != names.me:
            parts.append(_("among them {cards}").format(cards=self.cards(known)))
        if bought:
            parts.append(
                ngettext("bought once", "bought {count} times", bought).format(count=bought)
            )
        if bought > free:
            parts.append(_("{count} of them paid for").format(count=bought - free))
        if game.down[seat]:
            parts.append(_("has laid down"))
        parts.append(_("total {score}").format(score=game.score[seat]))
        line = _("{who}: {facts}").format(who=names.label(seat), facts=", ".join(parts))
        return "  " + line

    def _meld(self, names: Names, game: Kinaskak, number: int, meld: Laid) -> str:
        cards = written(meld.cards, game.faces)
        facts = {"number": number, "cards": self._cards_of(meld.kind, cards)}
        return "  " + _("m{number}: {cards} ({who})").format(**facts, who=names.label(meld.owner))

    def _own(self, view: View, game: Kinaskak, seat: Seat) -> list[str]:
        """Return our hand, sorted by suits, and how far it is from the contract."""
        held = sorted([face for slot in game.hands[seat] if (face := view.face(slot))], key=by_suit)
        lines = [_("Your hand: {cards}").format(cards=self.cards(held))]
        if game.down[seat]:
            return lines
        lacking = distance(held, game.contract, game.options["max_jokers"])
        if not lacking.cards:
            return [*lines, _("You have what this round asks for.")]
        line = ngettext("You lack {count} card", "You lack {count} cards", lacking.cards).format(
            count=lacking.cards
        )
        if len(lacking.wanted) > LACKS_SHOWN * len(SUITS):
            return [*lines, line + "."]
        return [
            *lines,
            _("{lack}; these would help: {cards}.").format(
                lack=line, cards=", ".join(self._grouped(lacking.wanted))
            ),
        ]

    def _asked(self, view: View, game: Kinaskak, seat: Seat) -> list[str]:
        """Say on which terms the open card is offered; R14.

        The player must know the price before buying.
        """
        if seat not in view.turn:
            return []
        card = self.cards(game.faces_of(game.pile[-1:]))
        if game.phase == "offer":
            return [
                _("You may take {card}, or decline it and draw from the stock.").format(card=card)
            ]
        if game.phase != "window":
            return []
        line = _("You may buy {card}: you get it, and a card from the stock besides.").format(
            card=card
        )
        if game.purchases[seat] < game.options["buys"]:
            return [line]
        return [
            line,
            _("To buy now would cost you {points} points at once!").format(points=PENALTY),
        ]

    def _grouped(self, faces: frozenset[Face]) -> list[str]:
        """Return cards, with a rank that is wanted in every suit as one item.

        `7c 7d 7h 7s` is any 7.
        """
        whole = [rank for rank in RANKS if all(rank + suit in faces for suit in SUITS)]
        rest = sorted((face for face in faces if face[0] not in whole), key=by_suit)
        return [
            *(_("any {rank}").format(rank=self.shown(rank)) for rank in whole),
            *map(self.shown, rest),
        ]

    # The events of the rules.

    def says(self, names: Names, game: Game, event: GameEvent) -> list[str]:  # noqa: C901, PLR0912 (a case for each event)
        """Return the lines for an event of the rules."""
        assert isinstance(game, Kinaskak)
        assert isinstance(event, events.Event)
        match event:
            case events.Round():
                return self._round(names, game, event)
            case events.OpenCard(card):
                return [_("The open card is {card}.").format(card=self.card(card))]
            case events.NobodyBuys():
                return [_("Nobody buys the open card.")]
            case events.Buys(seats):
                who = listed([names.label(seat) for seat in seats])
                said = _("Fyrstur kaupir, fyrstur fær! Several want to buy: {who}.").format(who=who)
                return [said] if len(seats) > 1 else []
            case events.Dispute(seats, cards):
                pairs = zip(seats, cards, strict=True)
                drawn = [
                    _("{who} {card}").format(who=names.label(seat), card=self.card(card))
                    for seat, card in pairs
                ]
                return [_("They draw for it: {drawn}.").format(drawn=", ".join(drawn))]
            case events.DisputeWon():
                return self._dispute_won(names, event)
            case events.Bought(seat, card, count):
                you = later("You buy {card} and draw one card: purchase {many} ({free} are free).")
                other = later(
                    "{who} buys {card} and draws one card: purchase {many} ({free} are free)."
                )
                return [
                    names.say(
                        seat,
                        you,
                        other,
                        card=self.card(card),
                        many=count,
                        free=game.options["buys"],
                    )
                ]
            case events.Penalty(seat, points):
                you = later("That costs you {points} points at once!")
                other = later("That costs {who} {points} points at once!")
                return [names.say(seat, you, other, points=points)]
            case events.KnownDraw(seat, card):
                you = later("You draw {card}, which all have seen.")
                other = later("{who} draws {card}, which all have seen.")
                return [names.say(seat, you, other, card=self.card(card))]
            case events.Renewal(count):
                line = ngettext(
                    "The stock is used up: {count} discard is the new stock.",
                    "The stock is used up: {count} discards, shuffled, are the new stock.",
                    count,
                )
                return [line.format(count=count)]
            case events.LaidDown(seat):
                first, last = len(game.melds) - sum(contract_of(game.contract)) + 1, len(game.melds)
                you = later("You are down: {first} to {last}.")
                other = later("{who} is down: {first} to {last}.")
                return [names.say(seat, you, other, first=f"m{first}", last=f"m{last}")]
            case events.OneCard(seat):
                you, other = later("You have one card left."), later("{who} has one card left!")
                return [names.say(seat, you, other)]
            case events.Out(seat):
                return [
                    names.say(
                        seat,
                        later("You are out: the round is over."),
                        later("{who} is out: the round is over."),
                    )
                ]
            case events.Sweep(seat):
                you = later("All your cards in one sweep: the round is over.")
                return [
                    names.say(
                        seat, you, later("{who} lays all cards in one sweep: the round is over.")
                    )
                ]
            case events.Left(seat, cards, points):
                line = ngettext(
                    "{who}: {cards} = {points} point", "{who}: {cards} = {points} points", points
                )
                shown = self.cards(sorted(cards, key=by_suit))
                return ["  " + line.format(who=names.label(seat), cards=shown, points=points)]
            case events.Count():
                return self._count(names, game, event)
            case events.Gone(seat):
                you = later("You have left; the round is counted without your hand.")
                return [
                    names.say(
                        seat, you, later("{who} has left; the round is counted without that hand.")
                    )
                ]

    def _round(self, names: Names, game: Kinaskak, event: events.Round) -> list[str]:
        facts = {
            "number": event.number,
            "contract": _(CONTRACTS[event.contract]),
            "first": names.label(event.starter),
        }
        lines = [_("Round {number}: {contract}. First to play: {first}.").format(**facts)]
        before = game.sheet[event.number - 2 : event.number - 1]
        if event.number > 1 and before and not any(before[0]):  # void: else somebody has cards
            again = _("A player has left in round {number}, so its contract is played again.")
            lines.append(again.format(number=event.number - 1))
        if event.number > 1:
            lines.append(
                _("Score: {score}").format(score=self.scores(names, game, tuple(game.score)))
            )
        return [*lines, _("Allir tilbúnir? (Is everybody ready?)")]

    def _dispute_won(self, names: Names, event: events.DisputeWon) -> list[str]:
        if event.how == "drawn":
            you = later("Your card is the highest: you buy.")
            other = later("{who} has the highest card and buys.")
        else:
            you, other = later("You sit nearest: you buy."), later("{who} sits nearest and buys.")
        line = ngettext(
            "{count} card goes back into the middle of the stock.",
            "{count} cards go back into the middle of the stock.",
            event.back,
        )
        return [
            names.say(event.seat, you, other),
            *([line.format(count=event.back)] if event.back else []),
        ]

    def _count(self, names: Names, game: Kinaskak, event: events.Count) -> list[str]:
        # the game may be in the next round already, where nothing waits between the two
        lines = [_("Score after round {round}:").format(round=len(game.sheet))]
        for seat, penalty in enumerate(event.penalties):
            line = (
                _("{who}: {points} in this round and {penalty} in penalties, {total} in all")
                if penalty
                else _("{who}: {points} in this round, {total} in all")
            )
            facts = {
                "who": names.label(seat),
                "points": event.points[seat],
                "penalty": penalty,
                "total": event.totals[seat],
            }
            lines.append("  " + line.format(**facts))
        return lines


WORDS = KinaskakWords()
