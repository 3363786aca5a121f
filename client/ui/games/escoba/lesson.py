"""The lesson of Escoba."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from client.i18n.translation import _, either, keys_in_brackets, later, ngettext
from client.session.lesson import Course
from client.ui.games.escoba.words import WORDS
from client.ui.games.lesson import GameLesson, open_cards
from client.ui.games.words import Written
from client.ui.model import Model, Names
from engine.core.cards import SPANISH_40
from engine.core.events import GameEvent
from engine.core.moves import Face, Move
from engine.core.view import View
from engine.games.escoba import events
from engine.games.escoba.rules import Escoba, Play
from engine.games.escoba.sums import WORTH
from p2p.table.events import Moved

DECK = (
    "7o 11o 5o 6c 3c 2b 5c 4o 12e 3b "  # a capture, a choice between two, and an eskoba
    "12c 10b 2o 4c 1c 3o "  # nothing takes: a card is laid
    "6o 7e 10c 4e 1b 12o 5e 11b 2c 7b 10o 3e 1o 6e 4b 10e 7c 2e 12b 5b 11c 1e 6b 11e"
)
SCRIPT = (
    "p1 play 7o take 5c 3b",
    "p2 play 6c",
    "p1 play 5o take 4o 6c",
    "p2 play 2b",
    "p1 play 3c take 12e 2b",
    "p2 play 11o",
    "p1 play 12c",
    "p2 play 3o",
    "p1 play 2o take 12c 3o",
    "p2 play 4c",
    "p1 play 1c",
    "p2 play 10b",
)
FIFTEEN = 15


class EscobaLesson(GameLesson):
    """A deal to the end: captures, a choice, an eskoba, laying a card, the count."""

    told_elsewhere = (events.Deal,)
    course = Course("escoba", (DECK,), SCRIPT, options={"target": 1})

    def one_turn(self) -> list[str]:
        """Return the keys of one turn."""
        return [
            Written(
                _(
                    "Choose a card of yours (1, 2 or 3). The cards that it takes are marked; "
                    "“play” (Enter) takes them."
                ),
                _(
                    "Choose a card of yours (1, 2 or 3). The cards that it takes are marked; the "
                    "main button (Enter) takes them."
                ),
            ),
            Written(
                _(
                    "To take other cards: “other ways” (Tab), or mark and free single cards of "
                    "the table (a, b, c …)."
                ),
                _(
                    "To take other cards: the buttons beside it (Tab), or mark and free single "
                    "cards of the table (a, b, c …)."
                ),
            ),
            self.twice(),
        ]

    def welcome(self) -> list[str]:
        """Return the aim of the game, and the values of cards."""
        return [
            _("Escoba: with one card of yours you take cards from the table that make 15 with it."),
            _(
                "The cards 1 to 7 are worth their number. 10 is worth 8, 11 is worth 9, 12 is "
                "worth 10."
            ),
            Written(
                _(
                    "The letter is the suit: o golds, c cups, e swords, b clubs. At the end most "
                    "cards, most golds, most sevens and the 7 of golds bring points."
                ),
                _(
                    "At the end most cards, most golds, most sevens and the 7 of golds bring "
                    "points."
                ),
            ),
            Written(
                _(
                    "If you take all the cards of the table you sweep it: an escoba (“broom” in "
                    "Spanish), 1 point, and a ╪ at your pile."
                ),
                _(
                    "If you take all the cards of the table you sweep it: an escoba (“broom” in "
                    "Spanish), and 1 point."
                ),
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
        """Return the last page, with the dealer's eskobas, which only chance brings."""
        rare = _(
            "One thing that few deals show: when the first four cards of the table make 15 or 30, "
            "the dealer sweeps them at once."
        )
        return [rare, *super().farewell(game)]

    def happened(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain captures and laid cards, eskobas, the last cards, and the end of a deal."""
        names = model.names
        match event:
            case Moved(seat, Play(_card, takes)):
                card, *taken = [word for word in event.text.split() if word not in ("play", "take")]
                if not takes:
                    you = later("You laid {card} on the table.")
                    other = later("{who} could not make 15, and laid {card}.")
                    return names.say(seat, you, other, card=WORDS.shown(card))
                facts = {
                    "card": WORDS.shown(card),
                    "cards": WORDS.in_a_list(taken),
                    "sum": _sum((card, *taken)),
                }
                return names.say(
                    seat,
                    later("You took {cards} with {card}: {sum}. They lie in your pile."),
                    later("{who} took {cards} with {card}: {sum}."),
                    **facts,
                )
            case events.Deal(number) if number > 1 and len(set(model.score)) == 1:
                line = _(
                    "The deal ended in a tie, {points} to {points}. No match ends so: another deal "
                    "decides it."
                )
                return line.format(points=model.score[0])
            case events.Eskoba(seat):
                you = later("The table was empty: that is an escoba, and 1 point for you.")
                return names.say(
                    seat,
                    you,
                    later("The table was empty: that is an escoba, and 1 point for {who}."),
                )
            case events.LastHand():
                return _(
                    "“Azkenak!” (Basque: the last ones) is the call for the last cards. The cards "
                    "left on the table go to the player who takes last."
                )
            case events.Score(side, gained, _total) if side == model.seat:
                line = ngettext(
                    "The deal has brought you {count} point.",
                    "The deal has brought you {count} points.",
                    gained,
                )
                return line.format(count=gained)
        return ""

    def choice(self, model: Model, view: View) -> str:
        """Say which cards of ours take, and whether one takes in several ways."""
        del model
        ways: dict[Face, int] = {}
        for move in view.options or ():
            if isinstance(move, Play) and move.takes and (face := view.face(move.card)):
                ways[face] = ways.get(face, 0) + 1
        if not ways:
            return _("None of your cards makes 15 with cards of the table: you lay one of them.")
        found = [
            _("You can make 15 with {cards}, so you must take.").format(
                cards=either([WORDS.card(face) for face in ways])
            )
        ]
        for face, count in ways.items():
            if count > 1:
                line = _("With {card} there are {count} ways.")
                found.append(line.format(card=WORDS.shown(face), count=count))
        return " ".join(found)

    def reason(self, names: Names, view: View, move: Move) -> list[str]:
        """Name a move, with a capture's gain, and the sum that it leaves to the next player."""
        del names
        game = view.game
        assert isinstance(game, Escoba)
        assert isinstance(move, Play)
        card = view.face(move.card)
        assert card is not None
        others = [
            face
            for slot in game.hands[view.seat or 0]
            if slot != move.card and (face := view.face(slot))
        ]
        if not move.takes:
            left = game.sum_of(game.on_table) + WORTH[card]
            found = [_("lay {card}.").format(card=WORDS.shown(card)), _sweep(game, card, left)]
            return [*found, *(_held(others, FIFTEEN - left) or _kept(card, others))]
        taken = game.faces_of(move.takes)
        line = _("take {cards} with {card}: {sum}.")
        facts = {"cards": WORDS.in_a_list(taken), "card": WORDS.shown(card)}
        capture, gain = line.format(**facts, sum=_sum((card, *taken))), self._gain((card, *taken))
        if len(taken) == len(game.on_table):
            return [capture, _("Nothing is left on the table: an escoba, 1 point."), gain]
        left = game.sum_of(game.on_table) - game.sum_of(move.takes)
        return [capture, gain, _sweep(game, card, left), *_held(others, FIFTEEN - left)]

    def _gain(self, cards: Sequence[Face]) -> str:
        """Say what cards are good for in the count."""
        if "7o" in cards:
            return _("The 7 of golds is a point by itself.")
        if sevens := [card for card in cards if card[0] == "7"]:
            return ngettext(
                "{cards} counts for the most sevens.",
                "{cards} count for the most sevens.",
                len(sevens),
            ).format(cards=WORDS.in_a_list(sevens))
        if golds := [card for card in cards if card[-1] == "o"]:
            return ngettext(
                "{cards} counts for the most golds.",
                "{cards} count for the most golds.",
                len(golds),
            ).format(cards=WORDS.in_a_list(golds))
        return _("{count} more cards for your pile.").format(count=len(cards))

    def keys(self, move: Move) -> Sequence[str]:
        """Return the keys of cards, of their captures, and Enter."""
        del move
        return ("1", "2", "3", "tab", "enter")


def _sweep(game: Escoba, card: Face, total: int) -> str:
    """Say which card sweeps the table, which makes a total after a card of ours."""
    rest = FIFTEEN - total
    gone = {*game.faces.values(), card}
    if any(WORTH[other] == rest for other in SPANISH_40 if other not in gone):
        line = _("The table then makes {total}, and only a card worth {rest} sweeps it.")
    else:
        line = _("The table then makes {total}, and no card sweeps it.")
    return line.format(total=total, rest=rest)


def _held(others: Sequence[Face], rest: int) -> list[str]:
    """Name our cards that would sweep the table."""
    held = [face for face in others if WORTH[face] == rest]
    if not held:
        return []
    line = ngettext(
        "You hold one yourself: {cards}.", "You hold some yourself: {cards}.", len(held)
    )
    return [line.format(cards=WORDS.in_a_list(held))]


def _kept(card: Face, others: Sequence[Face]) -> list[str]:
    """Name the cards that count more than a card that is laid, for it counts little."""
    held = [face for face in others if _counts(face)]
    if _counts(card) or not held:
        return []
    line = ngettext(
        "You keep {cards}, which counts more.", "You keep {cards}, which count more.", len(held)
    )
    return [line.format(cards=WORDS.in_a_list(held))]


def _counts(card: Face) -> bool:
    """Whether a card counts for more than the most cards: a golds or a seven."""
    return card[-1] == "o" or card[0] == "7"


def _sum(cards: Iterable[Face]) -> str:
    """Return how cards make 15: `7 + 5 + 3 = 15`."""
    return " + ".join(str(WORTH[card]) for card in cards) + f" = {FIFTEEN}"


LESSON = EscobaLesson()
