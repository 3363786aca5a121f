"""The words of Truco.

The songs of a real table (`¡Truco!`, `Quiero`) stay Spanish in every language: songs.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from client.i18n.translation import _, later, listed, ngettext
from client.ui.games.truco import flor
from client.ui.games.truco.songs import ANSWERED, CRIES, stated, sung
from client.ui.games.words import GameWords, Heading, TypedMoves, Written
from client.ui.model import Names
from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Seat
from engine.core.view import View
from engine.games.truco import events
from engine.games.truco.rules import Truco
from engine.games.truco.worth import envido_points, refused_points

TWO_OF_A_SUIT = 20
"""The least number of two cards of one suit for the envido."""

DEAL_WON: Mapping[str, str] = {
    "tricks": later("The deal goes to {side}"),
    "refused": later("Not accepted: the deal goes to {side}"),
    "mazo": later("Given up: the deal goes to {side}"),
    "early-mazo": later("Given up at once, for one point more: the deal goes to {side}"),
}
TIE_WON: Mapping[str, str] = {
    "first": later("Trick 1 tied, so trick 2 decides: the deal goes to {side}"),
    "second": later("Trick 2 tied, so trick 1 decides: the deal goes to {side}"),
    "two": later("Tricks 1 and 2 tied, so trick 3 decides: the deal goes to {side}"),
    "third": later("Trick 3 tied, so trick 1 decides: the deal goes to {side}"),
    "mano": later("Trick 3 tied, so it is the mano's: the deal goes to {side}"),
}
"""How a deal is won by its tricks, if one of them was tied."""
ENVIDO_WON: Mapping[str, str] = {
    "refused": later("Not accepted: the envido goes to {side}"),
    "said": later("The envido goes to {side}"),
}
"""How a deal and an envido are won; the points stand behind."""
_WON: Mapping[type[GameEvent], Mapping[str, str]] = {
    events.EnvidoWon: ENVIDO_WON,
    events.FlorWon: flor.WON,
    events.DealWon: DEAL_WON,
}
NAMED: Mapping[str, str] = {
    DEAL_WON["refused"]: later("{cry} by {caller}, refused by {who}: the deal goes to {side}"),
    DEAL_WON["mazo"]: later("Given up by {who}: the deal goes to {side}"),
    DEAL_WON["early-mazo"]: later(
        "Given up by {who} at once, for one point more: the deal goes to {side}"
    ),
    ENVIDO_WON["refused"]: later("{cry} by {caller}, refused by {who}: the envido goes to {side}"),
    flor.WON["refused"]: later("{cry} by {caller}, conceded by {who}: the flor goes to {side}"),
}
"""The same with the last caller, and the player that has refused or given up."""

GLOSSES: Mapping[str, str] = {
    "truco": later("let the deal be worth 2"),
    "retruco": later("let the deal be worth 3"),
    "vale4": later("let the deal be worth 4"),
    "envido": later("bet 2 that your two cards of a suit are better"),
    "real-envido": later("the same for 3"),
    "falta-envido": later("the same for all that is still missing"),
    "quiero": later("accept"),
    "no-quiero": later("refuse; the others get the stake of before"),
    "say": later("state your envido points"),
    "son-buenas": later("concede: theirs are better"),
    "mazo": later("give up the deal"),
}
"""The bet or answer that a word makes. An envido that answers another adds its points to it."""

PARDA: Mapping[int | tuple[int, str], str] = {
    1: later("Parda: trick {number} is tied, and the next one decides."),
    2: later("Parda: trick {number} is tied: the first decides, or else the third."),
    3: later("Parda: trick {number} is tied, and a tie here is the mano's."),
    (3, "first"): later(
        "Parda: trick {number} is tied, and a tie here goes to the winner of the first trick, or "
        "else to the mano."
    ),
}
"""How a tied trick is told, by its number, and for the third by the table's option."""

STRENGTHS = "1e > 1b > 7e > 7o > 3 > 2 > 1o 1c > 12 > 11 > 10 > 7c 7b > 6 > 5 > 4"
HALVED = 30
"""The target at which people speak of malas and buenas."""


def strengths() -> str:
    """Return the order of the cards in a sentence."""
    return _("From the strongest card: {order}").format(order=STRENGTHS)


class TrucoWords(GameWords):
    """How Truco is told."""

    examples = ("play 7o", "truco", "quiero", "no-quiero", "envido", "say 27")
    notation = ("play", "say")
    glosses: ClassVar[Mapping[str, str]] = {**GLOSSES, **flor.GLOSSES}
    why_words: ClassVar[Mapping[str, str]] = {
        "answer-first": later("A call waits for your answer."),
        "nothing-waits": later("There is no call to answer."),
        "no-points-now": later(
            "State envido points only when an envido has been accepted and you are asked for them."
        ),
        "state-points": later("State your envido points."),
        "state-or-concede": later("Beat the number, or concede."),
        "does-not-beat": later(
            "That does not beat {number}; on a tie, the player nearer to the mano is better."
        ),
        "not-your-points": later("{number} are not your envido points."),
        "no-such-raise": later("The envido cannot be raised like that."),
        "envido-waits": later("An envido waits: it is answered first."),
        "envido-once": later("An envido has been called in this deal, and it is called only once."),
        "envido-too-late": later(
            "The envido is called in the first trick, before one's own first card."
        ),
        "truco-accepted": later("Truco was accepted: no envido any more in this deal."),
        "truco-first": later("At this table the truco must be answered first."),
        "not-your-envido": later(
            "At this table you may not open the envido in this deal; others may."
        ),
        "sung-already": later("That has been called already in this deal."),
        "not-your-raise": later("It is for the other side to raise: it accepted last."),
        "not-yet": later("Truco comes first, then retruco, then vale cuatro."),
        "not-the-proof": later("These cards are not those that prove what you have won with."),
        **flor.WHY,
    }
    broken_rules: ClassVar[Mapping[str, str]] = {
        "not-the-proof": later("{who} did not show the cards that prove the winning number."),
        "not-your-points": later("{who} stated {number} envido points, and does not have them."),
        **flor.BROKEN,
    }
    typed_words: ClassVar[Mapping[str, str]] = {
        "answer-first": later("Type quiero (accept), no-quiero (refuse), or a higher call."),
        "state-points": later("Type `say` and the number."),
        "state-flor": later("Type `say` and the number."),
        "state-or-concede": later("Type `say` and the number, or `son-buenas`."),
    }

    def move(self, names: Names, seat: Seat, text: str) -> str:
        """Say a move.

        Calls that bet, and numbers, are left to the rules, which know how they are sung.
        """
        verb, *rest = text.split()
        if verb == "play":
            you, other = later("You play {card}."), later("{who} plays {card}.")
            return names.say(seat, you, other, card=self.shown(rest[0]))
        return self.sings(names, seat, CRIES[verb]) if verb in ANSWERED else ""

    def hinted(self, names: Names, seat: Seat, text: str) -> str:
        """Say a suggested move; of a call how it is sung, of a number how it is stated."""
        verb, *number = text.split()
        if verb == "say":
            return self.sings(names, seat, f"{stated(int(number[0]), beats=False)} ({number[0]})")
        return self.move(names, seat, text) or self.sings(names, seat, CRIES[verb])

    def scores(self, names: Names, game: Game, score: tuple[int, ...]) -> str:
        """Return the score of both sides; in a match to 30 with the half it is in."""
        if game.options["target"] != HALVED:
            return super().scores(names, game, score)
        halves = {True: "{side}: {points} (buenas)", False: "{side}: {points} (malas)"}
        return ", ".join(
            halves[2 * score[side] >= HALVED].format(
                side=self.side(names, game, side), points=score[side]
            )
            for side in (0, 1)
        )

    def state(self, names: Names, view: View) -> list[str]:
        """Say the cards played, the songs, and our hand."""
        game = view.game
        assert isinstance(game, Truco)
        lines = [self.stakes(names, game)]
        lines += [
            self._trick_so_far(names, game, number) for number in range(1, len(game.tricks) + 1)
        ]
        lines += self.bets(names, game)
        if view.seat is not None:
            lines.append(self._hand(view, game, view.seat))
        return lines

    def rules(self, options: Mapping[str, Any]) -> list[str]:
        """Return the rules for a newcomer, at a table with these options."""
        return [
            _(
                "Truco: 2, 4 or 6 players in two teams, every other seat a team, one Spanish pack "
                "of 40 cards. The first team to reach {target} wins (option `target`)."
            ).format(target=options["target"]),
            Heading(_("The cards")),
            Written(
                _(
                    "Cards are written rank and suit: ranks 1 to 7, 10 (sota), 11 (caballo), 12 "
                    "(rey); suits o (golds, oros), c (cups, copas), e (swords, espadas), b "
                    "(clubs, bastos). In a deal everybody gets three. From the strongest to the "
                    "weakest, suits not named being equal:"
                ),
                _(
                    "In a deal everybody gets three cards. From the strongest to the weakest, "
                    "suits not named being equal:"
                ),
            ),
            "  " + STRENGTHS,
            Heading(_("The tricks")),
            _(
                "Three tricks are played, a card from each player; any card may be played. The "
                "strongest wins the trick for its team and leads the next. The first to lead is "
                "the mano, after each deal the next player."
            ),
            TypedMoves("  play 7o"),
            _(
                "Two tricks win the deal. A trick is tied (parda) when both teams' best cards are "
                "equal. If the first is tied, the second decides; if the second is tied, the first "
                "decides; if the third is tied, the mano's team wins the deal."
            ),
            Heading("Truco"),
            _(
                "The deal is worth 1 point. Before playing a card you may raise that: the others "
                "accept, refuse or raise again."
            ),
            "  " + _("truco: 2 points; refused, you get 1"),
            "  " + _("retruco: 3 points; refused, you get 2"),
            "  " + _("vale4: 4 points; refused, you get 3"),
            "  " + _("quiero: accept · no-quiero: refuse"),
            _(
                "Only the side that accepted last may raise again, at once or on any later turn. "
                "Any partner may answer; the first counts."
            ),
            Heading("Envido"),
            _(
                "The envido is another bet, in the first trick, before your own first card: the "
                "best two cards of one suit win it. They count 20 and their numbers, 10 to 12 "
                "counting nothing; without two of a suit, your best card counts alone. 7o 6o 1e "
                "have 33, 12e 4e 5c have 24, 7c 1o 11b have 7."
            ),
            "  " + _("envido: 2 points, and 2 more if answered with envido; real-envido: 3 more"),
            "  "
            + _(
                "falta-envido: the points that the team that is ahead still needs to win the match"
            ),
            "  "
            + _(
                "refused: the bets before the last call, at least 1; envido, real-envido and "
                "no-quiero: 2"
            ),
            _(
                "If it is accepted, the mano states its points, and then only players who can beat "
                "them; on a tie, the player nearer to the mano is better. Everybody else concedes. "
                "Your program knows your points, and lets no false number through; the cards that "
                "prove the winner's number are shown when the deal ends."
            ),
            TypedMoves("  say 27 · son-buenas"),
            _(
                "A truco may be answered with envido first; then the truco still waits for its "
                "answer."
            ),
            _(
                "The dealer plays last. With 4 or 6 players only the two who play just before the "
                "dealer may open the envido (option `envido_callers`): the table names them. "
                "Everybody may answer and raise it."
            ),
            Heading(_("The count")),
            _(
                "You may give up the deal with `mazo`: when none of your team is left in it, the "
                "others get its points, and in the first trick one more, if nobody has called "
                "truco or envido. Points count at once."
            ),
            _(
                "In a match to 30 a team is in the malas below 15 points, and in the buenas from "
                "then on."
            ),
            *([Heading("Flor"), *flor.rules()] if options["flor"] else []),
        ]

    # The state.

    def stakes(self, names: Names, game: Truco) -> str:
        """Say the worth of the deal, and the side that may raise it, unless a call waits."""
        facts = {"mano": names.label(game.mano), "stake": game.stake}
        if game.right is None or game.waiting is not None or not game.may_raise(game.right):
            return _("Mano: {mano}. The deal is worth {stake}.").format(**facts)
        side = self.side(names, game, game.right)
        return _("Mano: {mano}. The deal is worth {stake}; {side} may raise it.").format(
            side=side, **facts
        )

    def _trick_so_far(self, names: Names, game: Truco, number: int) -> str:
        played = [(seat, game.faces[slot]) for seat, slot in game.tricks[number - 1]]
        return self.trick(names, number, played, game.results[number - 1 :][:1])

    def trick(
        self,
        names: Names,
        number: int,
        played: Sequence[tuple[Seat, Face]],
        result: Sequence[Seat | None],
    ) -> str:
        """Say the cards of a trick with their seats, and its result.

        `result` is empty while the trick goes on, then the winner, or None for a tie.
        """
        shown = [f"{names.label(seat)} {self.shown(card)}" for seat, card in played]
        cards = ", ".join(shown) or _("nothing yet")
        if not result:
            return _("Trick {number}: {cards}").format(number=number, cards=cards)
        if result[0] is None:
            return _("Trick {number}: {cards}; tied").format(number=number, cards=cards)
        return _("Trick {number}: {cards}; won by {who}").format(
            number=number, cards=cards, who=names.label(result[0])
        )

    def bets(self, names: Names, game: Truco) -> list[str]:
        """Say the call to be answered, its worth, the calls before it, and the best number.

        Say also which seats may open the envido.
        """
        found, answered = [], _("{sung}: {worth} if accepted, {refused} if refused.")
        if game.flor_open or (game.flors and game.stating):
            found.append(flor.line_of(names, game))
        elif game.betting or game.stating:
            *before, last = [_sung_by(names, seat, word) for seat, word in game.bets]
            worths = {game.bet_points(side) for side in (0, 1)}  # of a falta envido they may differ
            facts = {"sung": last, "worth": str(*worths) if len(worths) == 1 else _("falta")}
            accepted = _("{sung}, accepted: worth {worth}.")
            found.append(
                (answered if game.betting else accepted).format(
                    refused=refused_points(game.calls()), **facts
                )
            )
            found += [_("Before that: {sung}").format(sung=", ".join(before))] if before else []
        if game.waiting is not None:
            found.append(
                answered.format(
                    sung=_sung_by(names, *game.waiting), worth=game.stake + 1, refused=game.stake
                )
            )
        if game.stating and game.best is not None:
            seat, number = game.best
            found.append(
                _("Best so far: {who}, {number}").format(who=names.label(seat), number=number)
            )
        sung = game.bets or game.flors or game.waiting
        if game.players > 2 and game.stake == 1 and not (game.results or sung):
            openers = listed(
                [names.label(seat) for seat in game.openers() if seat not in game.played()]
            )
            found += (
                [_("The envido may be opened by: {who}").format(who=openers)] if openers else []
            )
        return found

    def _hand(self, view: View, game: Truco, seat: Seat) -> str:
        held = [face for slot in game.hands[seat] if (face := view.face(slot))]
        whole = [
            face
            for slot, holder in game.holder.items()
            if holder == seat and (face := view.face(slot))
        ]
        if game.results or len(whole) < 3:
            return _("Your hand: {cards}").format(cards=self.cards(held))
        if (value := flor.flor_of(game, seat, whole)) is not None:
            return _("Your hand: {cards} (flor: {points})").format(
                cards=self.cards(held), points=value
            )
        return _("Your hand: {cards} (envido: {points})").format(
            cards=self.cards(held), points=envido_points(whole)
        )

    # The events of the rules.

    def says(self, names: Names, game: Game, event: GameEvent) -> list[str]:  # noqa: C901, PLR0912 (a case for each event)
        """Return the lines for an event of the rules."""
        assert isinstance(game, Truco)
        assert isinstance(event, events.Event)
        match event:
            case events.Deal(number, dealer, mano):
                line = _("Deal {number}. Dealer: {dealer}. Mano, who leads: {mano}.")
                facts = {"number": number, "dealer": names.label(dealer), "mano": names.label(mano)}
                return [line.format(**facts), self.standing(names, game)]
            case events.Sung(seat, word, how):
                return [self.sings(names, seat, sung(word, how))]
            case events.Stake(4):
                return [_("The deal is worth 4 points.")]
            case events.Stake(points, side):
                line = _("The deal is worth {stake} points; {side} may raise it.")
                return [line.format(stake=points, side=self.side(names, game, side))]
            case events.Said(seat, number, beats):
                return [self.sings(names, seat, f"{stated(number, beats=beats)} ({number})")]
            case events.EnvidoWon() | events.DealWon() | events.FlorWon():
                return [self.won(names, game, event)]
            case events.EnvidoAnnulled():
                return [_("The flor annuls the envido.")]
            case events.FlorShown():
                return [flor.shown(names, event, self.cards(event.cards))]
            case events.Trick(number, int(winner), card):
                you = later("You win trick {number} with {card}.")
                other = later("{who} wins trick {number} with {card}.")
                return [names.say(winner, you, other, number=number, card=self.shown(card))]
            case events.Trick(number):
                return [
                    _(PARDA.get((number, game.options["third_tie"]), PARDA[number])).format(
                        number=number
                    )
                ]
            case events.Shown():
                return [_shown(names, event, self.cards(event.cards))]
            case events.Buenas(side):
                said = _("Into the buenas, the second half of the match: {side}").format(
                    side=self.side(names, game, side)
                )
                return [said] if game.options["target"] == HALVED else []
            case events.Score():
                return [self._score(names, game, event)]

    def won(
        self,
        names: Names,
        game: Game,
        event: events.EnvidoWon | events.DealWon | events.FlorWon,
        tie: str = "",
        **by: str,
    ) -> str:
        """Say the winner of an envido, a flor or a deal, the way it was won, and the points.

        `tie` is the tie that decided a deal, as in TIE_WON. `by` names the last call and the
        players, as in NAMED.
        """
        line = TIE_WON[tie] if tie else _WON[type(event)][event.how]
        told = _(NAMED.get(line, line) if by else line).format(
            side=self.side(names, game, event.side), **by
        )
        told = told[:1].upper() + told[1:]  # it may begin with a player, as `you`
        return ngettext("{line} ({points} point)", "{line} ({points} points)", event.points).format(
            line=told, points=event.points
        )

    def sings(self, names: Names, seat: Seat, cry: str) -> str:
        """Say that a seat sings this."""
        return names.say(seat, later("You: {cry}"), later("{who}: {cry}"), cry=cry)

    def _score(self, names: Names, game: Truco, event: events.Score) -> str:
        line = ngettext(
            "{side}: {gained} point in this deal, {total} of {target} in all",
            "{side}: {gained} points in this deal, {total} of {target} in all",
            event.gained,
        )
        side = self.side(names, game, event.side)
        return "  = " + line.format(
            side=side, gained=event.gained, total=event.total, target=game.options["target"]
        )


def _sung_by(names: Names, seat: Seat, word: str) -> str:
    return _("{cry} by {who}").format(cry=CRIES[word], who=names.label(seat))


def _shown(names: Names, event: events.Shown, cards: str) -> str:
    """Say how the best number of an envido was proven."""
    if not event.cards:
        you = later("The cards you played show your {number}.")
        other = later("The cards that {who} played show the {number}.")
    elif len(event.cards) == 1 and event.number >= TWO_OF_A_SUIT:
        you = later("You show {cards}, with a played card {number} for the envido.")
        other = later("{who} shows {cards}, with a played card {number} for the envido.")
    else:
        you = later("You show {cards}: {number} for the envido.")
        other = later("{who} shows {cards}: {number} for the envido.")
    return names.say(event.seat, you, other, number=event.number, cards=cards)


WORDS = TrucoWords()
