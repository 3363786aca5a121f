"""The lesson of Kínaskák. Its calls stay Icelandic."""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _, keys_in_brackets, later, letter, ngettext
from client.session.lesson import Course
from client.ui.games.kinaskak.contracts import CONTRACTS
from client.ui.games.kinaskak.screen import KEYS
from client.ui.games.kinaskak.words import WORDS
from client.ui.games.lesson import GameLesson, open_cards
from client.ui.games.words import Written
from client.ui.model import Model, Names
from engine.core.cards import JOKER
from engine.core.events import GameEvent
from engine.core.moves import Face, Move, Seat
from engine.core.view import View
from engine.games.kinaskak import events
from engine.games.kinaskak.melds import WORTH
from engine.games.kinaskak.moves import Discard, Lay, Meld, Say, Swap
from engine.games.kinaskak.rules import PENALTY, Kinaskak
from engine.games.kinaskak.search import Distance, distance
from p2p.table.events import Moved

OURS = "5h 6h 7h 9h Th Kc Kd Ks 2c 3s Ac 4d 9c"
NEXT = "Qs 3d 8c Jd 5c Ad 2h Ts 6s 9d 4c 8h Qc"
LAST = "7d Jc 4s Qd 6c 8d 3h Tc 2s As Js 5d 7c"
STOCK = "6d Kh 3c Jh 9s 5s 7s Tc Qh 8s 9h Kc 2d 3c Kd Ts 5d 4h 7h 2s 9c Jd 6s 4c 8d Th 3h Ah 6c"
"""The open card, then the stock."""
DECK = " ".join(
    [
        *(
            card
            for round_of in zip(OURS.split(), NEXT.split(), LAST.split(), strict=True)
            for card in round_of
        ),
        STOCK,
    ]
)
SCRIPT = (
    *("p1 decline", "p2 no", "p3 no", "p1 discard Ac"),
    *("p2 decline", "p3 no", "p2 discard 8h"),
    *("p3 decline", "p1 buy", "p3 discard 7d"),
    *("p1 decline", "p2 no", "p1 meld run 5h 6h 7h 8h 9h Th Jh set Kc Kd Ks Kh", "p1 discard 9c"),
    *("p2 decline", "p3 no", "p2 discard Ad"),
    *("p3 decline", "p1 no", "p3 discard As"),
    *("p1 decline", "p2 no", "p1 lay Qh on m1", "p1 discard 5s"),
    *("p2 decline", "p3 no", "p2 discard Jd", "p3 decline", "p1 no", "p3 discard Jc"),
    *("p1 decline", "p2 no", "p1 lay Kc on m2", "p1 discard 4d"),
    *("p2 decline", "p3 no", "p2 discard Qs", "p3 decline", "p1 no", "p3 discard Qd"),
    *("p1 decline", "p2 no", "p1 lay Kd on m2", "p1 discard 3s"),
    *("p2 decline", "p3 no", "p2 discard Qc", "p3 decline", "p1 no", "p3 discard Tc"),
    *("p1 decline", "p2 no", "p1 lay 4h on m1", "p1 discard 2c"),
)


class KinaskakLesson(GameLesson):
    """The first round: the open card, buying, laying down, laying off, throwing away, the count."""

    last_only = (events.NobodyBuys, events.KnownDraw)
    told_elsewhere = (events.Round, events.OpenCard, events.Buys, events.OneCard)
    course = Course(
        "kinaskak", (DECK,), SCRIPT, players=3, options={"first_contract": 1, "last_contract": 1}
    )

    def one_turn(self) -> list[str]:
        """Return the keys of one turn."""
        keys = {action: letter(key) for action, key in KEYS.items()}
        return [
            _(
                "The open card: take it ({take}), or leave it and draw from the stock ({decline}). "
                "When others leave one: buy it ({buy}) or not ({no})."
            ).format(**keys),
            _(
                "With a run and a set: “lay down” ({meld}) shows them, “another way” (Tab) others, "
                "“lay it like this” (Enter) lays them down. Later lay further cards off ({lay})."
            ).format(**keys),
            _(
                "Or choose melds of your own: pick the cards of one (Space), show it ({meld}), "
                "then the next."
            ).format(**keys),
            _("Choose a card (← →); “throw away” ({discard}) ends your turn.").format(**keys),
            self.twice(),
        ]

    def welcome(self) -> list[str]:
        """Return the aim of the game."""
        return [
            _(
                "Kínaskák: be the first to lay down what the round asks for, then be rid of all "
                "your cards."
            ),
            _(
                "This lesson is one round. It asks for a run (four or more of one suit in "
                "sequence) and a set (three or more of one rank)."
            ),
            Written(
                keys_in_brackets(
                    _(
                        "♣ clubs, ♦ diamonds, ♥ hearts, ♠ spades (typed: `c`, `d`, `h`, `s`, and "
                        "`T` for ten). A joker, *, stands for any card."
                    )
                ),
                _("A joker stands for any card."),
            ),
            _(
                "Your last cards count against you: joker 50, ace 20, ten and court cards 10, "
                "others 5."
            ),
            Written(
                keys_in_brackets(
                    _(
                        "This is a lesson: take your time, and you may look at the other "
                        "hands (F3, or typed: `hands`)."
                    )
                ),
                open_cards(),
            ),
        ]

    def happened(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain purchases, melds, cards laid off, jokers taken, and the end."""
        names = model.names
        match event:
            case events.Bought(seat, card, _count):
                you = later("You bought {card}, and drew one more from the stock.")
                other = later("{who} bought {card}, and drew one more.")
                return names.say(seat, you, other, card=WORDS.shown(card))
            case events.LaidDown(seat):
                you = later(
                    "You have laid down: from now on you may lay further cards on any meld."
                )
                return names.say(
                    seat, you, later("{who} has laid down, and may lay off from now on.")
                )
            case Moved(seat, Say("decline")) if seat == model.seat:
                return self._drawn(model, seat)
            case Moved(seat, Lay()) if seat != model.seat:
                words = event.text.split()
                return _("{who} laid {cards} on {meld}.").format(
                    who=names[seat], cards=WORDS.cards(words[1:-2]), meld=words[-1]
                )
            case Moved(seat, Discard()) if seat != model.seat:
                return _("{who} threw away {card}.").format(
                    who=names[seat], card=WORDS.shown(event.text.split()[1])
                )
            case events.OneCard(seat) if seat != model.seat:
                return _("{who} has one card left!").format(who=names[seat])
        return ""

    def _drawn(self, model: Model, seat: Seat) -> str:
        """Name the card that we have drawn; the game's own words name one that all have seen."""
        assert model.view is not None
        game, slot = model.view.game, model.view.game.hands[seat][-1]
        assert isinstance(game, Kinaskak)
        if game.phase != "play" or slot in game.faces:
            return ""
        card = model.view.face(slot)
        assert card is not None, "our own cards are seen"
        return _("You drew {card}.").format(card=WORDS.shown(card))

    def choice(self, model: Model, view: View) -> str:
        """Say which question is asked: the open card, a purchase, or the play."""
        game, seat = view.game, view.seat
        assert isinstance(game, Kinaskak)
        assert seat is not None
        if game.phase == "offer":
            line = _(
                "The open card is {card}. Take it, or leave it; then the others may buy it, and "
                "you draw another."
            )
            return line.format(card=WORDS.shown(_open(game)))
        if game.phase == "window":
            assert game.forhond is not None
            line = _(
                "{who} leaves {card}. You may buy it: then you get one more card from the stock "
                "besides."
            )
            card = WORDS.shown(_open(game))
            return line.format(who=model.names[game.forhond], card=card)
        if game.down[seat]:
            return _(
                "You are down: lay off what fits a meld, then throw a card away. Your turn ends "
                "with that."
            )
        lacking = _lacking(view, game, seat)
        if not lacking.cards:
            return _("You have what the round asks for: {contract}.").format(
                contract=_(CONTRACTS[game.contract])
            )
        line = ngettext(
            "The round asks for {contract}; you lack {count} card. Throw one away: your turn ends "
            "with that.",
            "The round asks for {contract}; you lack {count} cards. Throw one away: your turn ends "
            "with that.",
            lacking.cards,
        )
        return line.format(contract=_(CONTRACTS[game.contract]), count=lacking.cards)

    def reason(self, names: Names, view: View, move: Move) -> list[str]:
        """Name a move, with the use or the cost of its cards."""
        game, seat = view.game, view.seat
        assert isinstance(game, Kinaskak)
        assert seat is not None
        match move:
            case Say(word):
                return self._answer(view, game, seat, word)
            case Meld():
                line = _("lay it all down, and you are rid of {count} cards.")
                return [line.format(count=len(move.shows))]
            case Lay(cards, meld):
                faces = [view.face(slot) or JOKER for slot, _stands in cards]
                line = _("lay {cards} on {meld}, where it fits: it costs you nothing there.")
                return [line.format(cards=WORDS.in_a_list(faces), meld=f"m{meld}")]
            case Swap(card, meld):
                line = _("put {card} into {meld}, where a joker stands for it, and take the joker.")
                return [line.format(card=WORDS.shown(view.face(card) or JOKER), meld=f"m{meld}")]
            case Discard(card):
                return [self._discard(view, game, seat, view.face(card) or JOKER)]
        return super().reason(names, view, move)

    def _discard(self, view: View, game: Kinaskak, seat: Seat, card: Face) -> str:
        """Say that a card is not needed, and its cost if the cards of our hand differ in that."""
        held = _held(view, game, seat)
        rest = [*held]
        rest.remove(card)
        facts = {"card": WORDS.shown(card), "points": WORTH[card]}
        if not rest:
            line = _("throw away {card}: it is your last one, and the round is over.")
            return line.format(**facts)
        costs = len({WORTH[face] for face in held}) > 1
        if not game.down[seat] and _lacks(game, rest).cards <= _lacks(game, held).cards:
            line = (
                _("throw away {card}: you can do without it, and in your hand it costs {points}.")
                if costs
                else _("throw away {card}: you can do without it.")
            )
        else:
            line = (
                _("throw away {card}: in your hand it would cost {points}.")
                if costs
                else _("throw away {card}: all your cards cost the same.")
            )
        return line.format(**facts)

    def _answer(self, view: View, game: Kinaskak, seat: Seat, word: str) -> list[str]:
        """Say what speaks for an answer to the open card."""
        card = _open(game)
        helps = card == JOKER or card in _lacking(view, game, seat).wanted
        if game.down[seat]:
            helps = any(meld.takes(card) for meld in game.melds)
        facts = {
            "card": WORDS.shown(card),
            "free": game.options["buys"] - game.purchases[seat],
            "points": PENALTY,
        }
        if word == "take":
            line = _("take {card}: it brings you nearer.") if helps else _("take {card}.")
            return [line.format(**facts)]
        if word == "decline":
            if helps:
                return [_("leave it: the stock may have something better.")]
            return [_("leave it: it does not help you."), _("Draw from the stock.")]
        if word == "no":
            if helps:
                return [_("do not buy: with more cards you have more to get rid of.")]
            return [_("do not buy it: it does not help you.")]
        line = (
            _("buy {card}, although it costs {points} points.")
            if facts["free"] <= 0
            else _("buy {card}: you need it. Purchases that cost nothing in this round: {free}.")
        )
        return [line.format(**facts)]

    def keys(self, move: Move) -> Sequence[str]:
        """Return the keys of this kind of move only: to look for ways to lay down takes time."""
        match move:
            case Say():
                return tuple(letter(KEYS[answer]) for answer in ("take", "decline", "buy", "no"))
            case Discard():
                return (letter(KEYS["discard"]), "right", "left")
            case Lay():
                return ("enter", "tab", letter(KEYS["lay"]))
            case Swap():
                return ("enter", "tab", letter(KEYS["swap"]))
        return ("enter", letter(KEYS["meld"]), "tab")


def _open(game: Kinaskak) -> Face:
    return game.faces[game.pile[-1]]


def _lacking(view: View, game: Kinaskak, seat: Seat) -> Distance:
    return _lacks(game, _held(view, game, seat))


def _held(view: View, game: Kinaskak, seat: Seat) -> list[Face]:
    return [face for slot in game.hands[seat] if (face := view.face(slot))]


def _lacks(game: Kinaskak, faces: list[Face]) -> Distance:
    return distance(faces, game.contract, game.options["max_jokers"])


LESSON = KinaskakLesson()
