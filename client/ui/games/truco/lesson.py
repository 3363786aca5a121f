"""The lesson of Truco. The songs stay Spanish, as at a real table."""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _, keys_in_brackets, later, letter, ngettext
from client.session.lesson import Course
from client.ui.games.lesson import GameLesson, open_cards
from client.ui.games.truco import flor
from client.ui.games.truco.screen import SAY
from client.ui.games.truco.songs import CRIES, unbroken_cries
from client.ui.games.truco.words import STRENGTHS, WORDS, strengths
from client.ui.games.words import Written
from client.ui.model import Model, Names
from engine.bots.truco_habits import LOW
from engine.core.cards import SPANISH_40
from engine.core.events import GameEvent
from engine.core.moves import Face, Move, Seat
from engine.core.view import View
from engine.games.truco import events
from engine.games.truco.moves import ENVIDO, TRUCO, Call, Play, Say
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH, envido_points, refused_points
from p2p.table.events import Moved

DECKS = (
    "3c 2b 6e 5c 1o 11o",  # the order of the cards, and three tricks
    "12e 7o 4e 6o 5c 3b",  # the envido
    "1e 12o 2c 7c 6b 11b",  # a truco to be answered, and raised
    "10c 1b 4o 3o 12b 4c",  # a truco of our own, and a mazo
    "7o 5b 6o 4b 1c 12e",  # a real envido, and a falta envido that ends the match
)
SCRIPT = (
    *("p1 play 3c", "p2 play 5c", "p1 play 6e", "p2 play 2b", "p2 play 11o", "p1 play 1o"),
    *(
        "p2 play 5c",
        "p1 envido",
        "p2 quiero",
        "p2 say 24",
        "p1 say 33",
        "p1 play 6o",
        "p1 play 7o",
        "p2 play 4e",
    ),
    *("p1 play 2c", "p2 truco", "p1 quiero", "p2 play 12o", "p1 retruco", "p2 no-quiero"),
    *("p2 play 10c", "p1 play 3o", "p1 truco", "p2 quiero", "p1 play 1b", "p2 mazo"),
    *("p1 real-envido", "p2 falta-envido", "p1 quiero", "p1 say 33", "p2 son-buenas"),
)

LIKELY = STRENGTH["2o"]
"""The strength from which a card is likely to win a trick."""
FAIR = STRENGTH["10o"]
"""The strength from which a card is fair: no weak one."""


class TrucoLesson(GameLesson):
    """A lesson of Truco in five deals.

    The deals teach the order of the cards, the envido, a truco to be answered, one to be sung with
    a mazo, and the higher envidos.
    """

    told_elsewhere = (events.Sung, events.Buenas)
    course = Course("truco", DECKS, SCRIPT, options={"target": 12})

    def one_turn(self) -> list[str]:
        """Return the keys of one turn, and the order of the cards."""
        return [
            _("Choose the card that you play (1, 2 or 3)."),
            strengths(),
            _(
                "Before it you may call: truco (t), envido (e), real envido (r), falta envido (f). "
                "Mazo (m) gives up the deal."
            ),
            _(
                "A call of the others waits for your answer: quiero (q) accepts, no quiero (n) "
                "refuses."
            ),
            _(
                "In an envido that was accepted you say your points ({say}), or that theirs are "
                "better: son buenas (b)."
            ).format(say=letter(SAY)),
            self.twice(),
        ]

    def welcome(self) -> list[str]:
        """Return the aim of the game, and the order of the cards."""
        return [
            _(
                "Truco: two of three tricks win the deal. It is worth 1 point, unless somebody "
                "bets more."
            ),
            Written(
                _(
                    "From strong to weak; the letter is the suit (o golds, c cups, e swords, b "
                    "clubs), and suits not named are equal:"
                ),
                _("From strong to weak; suits that are not named are equal:"),
            ),
            STRENGTHS,
            _(
                "The lesson shows the tricks; the envido, a bet on your best two cards of one "
                "suit; and the truco, a bet on the tricks."
            ),
            _(
                "The envido beside your hand: two of one suit count 20 and their numbers (10 to 12 "
                "nothing), else one card counts."
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

    def farewell(self, game: str) -> list[str]:
        """Return the last page."""
        return [self.more(), *super().farewell(game)]

    def more(self) -> str:
        """Say what there is to learn beside this lesson."""
        return Written(
            _(
                "At many tables there is a flor too: three cards of one suit. It has a lesson of "
                "its own, “Truco with the flor”, or `sobremesa learn truco flor`."
            ),
            _(
                "At many tables there is a flor too: three cards of one suit. It has a lesson of "
                "its own, “Truco with the flor”."
            ),
        )

    # Events.

    def happened(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain deals, tricks, accepted and refused calls, numbers, and won deals."""
        names = model.names
        match event:
            case events.Deal(_number, _dealer, mano):
                you = later("A new deal. You lead first: you are the mano, and win ties.")
                return names.say(
                    mano,
                    you,
                    later("A new deal. {who} leads first: that is the mano, who wins ties."),
                )
            case events.Trick(number, int(winner), card):
                you = later("Trick {number} is yours: {card} was the strongest.")
                other = later("Trick {number} goes to {who}: {card} was the strongest.")
                return names.say(winner, you, other, number=number, card=WORDS.shown(card))
            case events.Trick(number):
                return _("The cards were equally strong: trick {number} is tied.").format(
                    number=number
                )
            case events.Said(seat, number):
                return names.say(
                    seat, later("You say {number}."), later("{who} says {number}."), number=number
                )
            case events.Stake(points):
                return _("The truco was accepted: the deal is now worth {points}.").format(
                    points=points
                )
            case events.EnvidoWon() | events.DealWon():
                return self._won(model, event)
        return ""

    def _won(self, model: Model, event: events.EnvidoWon | events.DealWon) -> str:
        """Say who has won a bet or a deal, how, and how many points it brings."""
        assert model.seat is not None
        ours = event.side == model.seat % 2
        facts = {"points": event.points, "who": model.names[1 - model.seat]}
        match event, ours:
            case events.EnvidoWon(how="refused"), True:
                said = _("{who} refused the envido. Points for you: {points}.")
            case events.EnvidoWon(how="refused"), False:
                said = _("You refused the envido. Points for {who}: {points}.")
            case events.EnvidoWon(), True:
                said = _("Your number is better. The envido brings you points at once: {points}.")
            case events.EnvidoWon(), False:
                said = _(
                    "The number of {who} is better. Points for {who} from the envido, at once: "
                    "{points}."
                )
            case events.DealWon(how="refused"), True:
                said = _("{who} refused, and the deal is yours. Points for you: {points}.")
            case events.DealWon(how="refused"), False:
                said = _("You refused, and the deal is lost. Points for {who}: {points}.")
            case events.DealWon(how="mazo" | "early-mazo"), True:
                said = _("{who} gave up the deal (mazo). Points for you: {points}.")
            case events.DealWon(how="mazo" | "early-mazo"), False:
                said = _("You gave up the deal (mazo). Points for {who}: {points}.")
            case _event, True:
                said = _("You have won the tricks. Points for you: {points}.")
            case _:
                said = _("{who} has won the tricks. Points for {who}: {points}.")
        return said.format(**facts)

    # The question.

    def choice(self, model: Model, view: View) -> str:
        """Say which question is asked: a number, an answer, or a card.

        For a card, say also the calls that may come before it.
        """
        game = view.game
        assert isinstance(game, Truco)
        if game.flor_open:
            return flor.choice(model.names, game, _flor(view, view.seat or 0))
        if game.stating and game.flors:
            return flor.comparing(game, view.seat or 0)
        if game.stating:
            line = _(
                "The envido is on, for {points}: everybody says a number in turn. The higher one "
                "wins, on a tie the mano's."
            )
            return line.format(points=game.bet_points(game.side(view.seat or 0)))
        if game.betting:
            return self._bet(model, game)
        if game.waiting is not None:
            line = ngettext(
                "{who} calls {cry} Accepted, the deal is worth {worth}; refused, it ends, and "
                "{who} gets {count} point.",
                "{who} calls {cry} Accepted, the deal is worth {worth}; refused, it ends, and "
                "{who} gets {count} points.",
                game.stake,
            )
            seat, word = game.waiting
            sung = line.format(
                who=model.names[seat], cry=CRIES[word], worth=game.stake + 1, count=game.stake
            )
            higher = _("You may also raise: retruco for 3 points, and after it vale cuatro for 4.")
            return f"{sung} {higher}" if word == TRUCO[0] else sung
        led = _trick(game)
        found = [_("You lead: any card.")] if not led else []
        if led and game.round == 1:
            found.append(_("Any card may be played; the stronger one wins the trick."))
        if game.round == 1 and len(game.results) == 1:
            found.append(
                _(
                    "Equal cards tie a trick. Then the next trick decides, or the first if "
                    "somebody has won it; if the third is tied, the mano wins the deal."
                )
            )
        words = [move.word for move in view.options or () if isinstance(move, Call)]
        if any(word in ENVIDO for word in words):
            each = later(
                "Before your first card you may bet on your best two cards of one suit: envido for "
                "2 points, real envido for 3, falta envido for the points that "
                "the side ahead still needs."
            )
            later_on = later(
                "Before your first card you may bet on the envido, your best two cards of one suit."
            )
            found.append(_(each if game.round == 1 else later_on))
        if raised := [CRIES[word] for word in words if word in TRUCO]:
            found.append(_("You may bet on the tricks with {cry}").format(cry=raised[0]))
        if "mazo" in words and game.round == 1 and not any(game.tricks):
            found.append(_("With mazo you give up the deal."))
        return unbroken_cries(" ".join(found))

    def _bet(self, model: Model, game: Truco) -> str:
        """Say what an envido that waits for our answer is worth, accepted and refused."""
        seat, word = game.bets[-1]
        assert model.seat is not None
        line = _(
            "{who} calls {cry} Your best two cards of one suit against those of {who}, for {worth} "
            "points; refused, {who} gets {refused}."
        )
        worth, refused = game.bet_points(game.side(model.seat)), refused_points(game.calls())
        found = [line.format(who=model.names[seat], cry=CRIES[word], worth=worth, refused=refused)]
        if word == "falta-envido":
            found.append(
                _("The falta envido is worth what the side that is ahead still needs to win.")
            )
        return " ".join(found)

    # The suggestion.

    def reason(self, names: Names, view: View, move: Move) -> list[str]:
        """Name a move, with its reason."""
        game, seat = view.game, view.seat
        assert isinstance(game, Truco)
        assert seat is not None
        points = _points(view, seat)
        if of_flor := flor.reason(game, seat, move, _flor(view, seat)):
            return of_flor
        match move:
            case Play(card):
                return [self._card(names, view, game, view.face(card) or "")]
            case Say(number):
                line = _("say {number}. Your program knows your number, and lets no other through.")
                return [line.format(number=number)]
            case Call("son-buenas"):
                return [_("concede: your {points} do not beat theirs.").format(points=points)]
            case Call("mazo"):
                return [_("give up the deal: you cannot win it any more.")]
            case Call("quiero" | "no-quiero" as word) if game.betting:
                if word == "no-quiero":
                    return [_("refuse: you have only {points}.").format(points=points)]
                worth = _worth(game)
                line = (
                    _("accept: you have {points}. The better number wins the match.")
                    if worth is None
                    else _("accept: you have {points}. The better number gets {worth}.")
                )
                return [line.format(points=points, worth=worth)]
            case Call(word) if word in ENVIDO:
                cards = [
                    _("Your cards make {points}.").format(points=points),
                    _(
                        "Two of one suit count 20 and their numbers, 10 to 12 count nothing; 33 is "
                        "the most."
                    ),
                ]
                refused = refused_points([*game.calls(), word])
                worth = _worth(game, word)
                return _sing(word, cards, refused, worth, bluff=points <= LOW)
            case Call("no-quiero"):
                return [_("refuse: your cards are too weak for more.")]
            case Call("quiero"):
                said = _("accept: refusing costs {refused}, losing {worth}.").format(
                    refused=game.stake, worth=game.stake + 1
                )
                highest = game.waiting is not None and game.waiting[1] == TRUCO[-1]
                raising = [] if highest else [_("After that only you may raise.")]
                return [said, *raising, *self._chances(view, game, seat)]
            case Call(word):
                refused = game.stake + (game.waiting is not None)
                cards = self._chances(view, game, seat)
                bluff = not self._promising(view, game, seat)
                return _sing(word, cards, refused, refused + 1, bluff=bluff)
        return super().reason(names, view, move)

    def _card(self, names: Names, view: View, game: Truco, card: Face) -> str:
        """Say how a card stands to those on the table, or to those that we have not seen."""
        led = _trick(game)
        held = [face for slot in game.hands[view.seat or 0] if (face := view.face(slot))]
        if led:
            return self._answering(names, view, card, held)
        weakest = min(held, key=lambda face: STRENGTH[face])
        best = max(held, key=lambda face: STRENGTH[face])
        if card == weakest and STRENGTH[best] > STRENGTH[weakest]:
            return _("lead {card}, your weakest, and keep {best} for a later trick.").format(
                card=WORDS.shown(card), best=WORDS.shown(best)
            )
        beaten = _beaten_by(view, game, card)
        if not beaten:
            return _("lead {card}: no card that you have not seen beats it.").format(
                card=WORDS.shown(card)
            )
        line = ngettext(
            "lead {card}: {count} of the cards that you have not seen beats it.",
            "lead {card}: {count} of the cards that you have not seen beat it.",
            beaten,
        )
        return line.format(card=WORDS.shown(card), count=beaten)

    def _answering(self, names: Names, view: View, card: Face, held: Sequence[Face]) -> str:
        """Say how a card stands to the best one of the rivals, and to a partner's."""
        game = view.game
        assert isinstance(game, Truco)
        mine = game.side(view.seat or 0)
        (ours, who, own), (theirs, _rival, best) = _best(game, mine), _best(game, 1 - mine)
        strength = STRENGTH[card]
        facts = {"card": WORDS.shown(card), "best": WORDS.shown(best), "who": names[who]}
        if ours > theirs:
            facts["best"] = WORDS.shown(own)
            line = (
                _("play {card}: it beats everything on the table.")
                if strength > ours
                else _("play {card}: {who}, your partner, has the trick so far with {best}.")
            )
        elif strength > theirs:
            beating = [STRENGTH[face] for face in held if STRENGTH[face] > theirs]
            line = (
                _("play {card}: the weakest of yours that beats {best}.")
                if len(beating) > 1 and strength == min(beating)
                else _("play {card}: it beats {best}.")
            )
        elif strength == theirs:
            line = _("play {card}: it ties with {best}.")
        elif ours == theirs:
            line = _("play {card}: {who}, your partner, has tied with {best}.")
        elif all(STRENGTH[face] < theirs for face in held):
            line = _("play {card}: nothing of yours beats {best}.")
        else:
            line = _("play {card}: it loses to {best}, and you keep your stronger cards.")
        return line.format(**facts)

    def _promising(self, view: View, game: Truco, seat: Seat) -> bool:
        """Whether a card of ours is likely to win a trick; after a won trick, a fair one does."""
        held = [face for slot in game.hands[seat] if (face := view.face(slot))]
        won = any(
            winner is not None and game.side(winner) == game.side(seat) for winner in game.results
        )
        least = FAIR if won else LIKELY
        return any(STRENGTH[face] >= least for face in held)

    def _chances(self, view: View, game: Truco, seat: Seat) -> list[str]:
        """Say how many tricks we have, and which of our cards nothing unseen beats."""
        won = sum(
            winner is not None and game.side(winner) == game.side(seat) for winner in game.results
        )
        held = [face for slot in game.hands[seat] if (face := view.face(slot))]
        safe = [face for face in held if not _beaten_by(view, game, face)]
        found = [_("You have won a trick.")] if won else []
        if safe:
            found.append(_("Nothing beats your {cards}.").format(cards=WORDS.in_a_list(safe)))
        elif held:
            best = max(held, key=lambda face: STRENGTH[face])
            found.append(_("Your best card is {card}.").format(card=WORDS.shown(best)))
        return found

    def keys(self, move: Move) -> Sequence[str]:
        """Return the keys of cards, calls and answers."""
        del move
        return ("1", "2", "3", "t", "e", "r", "f", "q", "n", "b", letter(SAY), "m")


def _worth(game: Truco, *more: str) -> int | None:
    """Return the value of an accepted envido; None if it is the whole match.

    R26: then it is worth more to the side that is behind.
    """
    first, second = (game.bet_points(side, *more) for side in (0, 1))
    return first if first == second else None


def _sing(
    word: str, cards: Sequence[str], refused: int, worth: int | None, *, bluff: bool
) -> list[str]:
    """Give the reason for a call: our cards, and the points if it is refused and if accepted.

    A worth of None is the match.
    """
    said = [_("call {cry}").format(cry=CRIES[word]), *cards]
    if bluff:
        said.append(_("This is a bluff: your cards are weak, but nobody sees them."))
    line = (
        _("Refused, it brings you {refused}; accepted, the winner wins the match.")
        if worth is None
        else _("Refused, it brings you {refused}; accepted, the winner gets {worth}.")
    )
    return [*said, line.format(refused=refused, worth=worth)]


def _trick(game: Truco) -> list[tuple[Seat, int]]:
    """Return the trick in progress."""
    return game.tricks[-1] if len(game.tricks) > len(game.results) else []


def _best(game: Truco, side: int) -> tuple[int, Seat, Face]:
    """Return the best card of a side in the trick in progress: its strength, its seat, its face.

    The strength is 0 if the side has none.
    """
    played = [(seat, game.faces[slot]) for seat, slot in _trick(game) if game.side(seat) == side]
    return max(((STRENGTH[face], seat, face) for seat, face in played), default=(0, 0, ""))


def _beaten_by(view: View, game: Truco, card: Face) -> int:
    """Return how many cards that we have not seen in this deal beat a card."""
    seen = {*game.faces.values(), *view.faces.values()}
    return sum(STRENGTH[other] > STRENGTH[card] for other in SPANISH_40 if other not in seen)


def _points(view: View, seat: Seat) -> int:
    """Return our envido points, or the value of our flor."""
    value = _flor(view, seat)
    return envido_points(_dealt(view, seat)) if value is None else value


def _flor(view: View, seat: Seat) -> int | None:
    """Return the value of our flor, where it counts."""
    return flor.flor_of(view.game, seat, _dealt(view, seat))


def _dealt(view: View, seat: Seat) -> list[Face]:
    """Return the cards dealt to us."""
    return [
        face
        for slot, holder in view.game.holder.items()
        if holder == seat and (face := view.face(slot))
    ]


LESSON = TrucoLesson()
