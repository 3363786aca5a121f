"""The default words of every game; a game overrides them with better ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from client.i18n.translation import (
    TYPED_CONTEXT,
    Name,
    _,
    later,
    listed,
    ngettext,
    outside,
    pgettext,
)
from client.ui.model import Names
from engine.core.events import BrokenOff, GameEvent, spell_event
from engine.core.game import Game
from engine.core.moves import Face, Move, Seat, Slot, Why
from engine.core.view import View

WHY: Mapping[str, str] = {
    "not-allowed-now": later("This move is not allowed now."),
    "not-your-turn": later("It is not your turn."),
    "gone-on": later("The table has gone on since you chose your move: look again."),
    "may-not-leave": later("You cannot leave now."),
    "may-not-vote": later("Nobody can be voted out now."),
    "vote-under-way": later(
        "You have signed that a player is voted out: you can leave when the table goes on."
    ),
    "not-in-hand": later("You have no {cards} in your hand."),
    "named-twice": later("You name {cards} twice."),
}
"""Why a move is refused, by the engine's id; `{cards}` are those that the refusal names."""


class TypedMoves(str):
    """A line of the rules with moves as the plain interface takes them."""

    __slots__ = ()


class Heading(str):
    """A heading in the rules, if they are drawn."""

    __slots__ = ()


class Written(str):
    """A sentence about cards as a terminal writes them; `drawn` is said if they are drawn."""

    __slots__ = ("drawn",)

    def __new__(cls, written: str, _drawn: str) -> Self:
        """Take the sentence of a terminal."""
        return super().__new__(cls, written)

    def __init__(self, _written: str, drawn: str) -> None:
        """Take the sentence beside drawn cards."""
        super().__init__()
        self.drawn = drawn


def as_drawn(sentence: str) -> str:
    """Return a sentence as it is said if cards are drawn."""
    return sentence.drawn if isinstance(sentence, Written) else sentence


class GameWords:
    """The words of a game."""

    why_words: ClassVar[Mapping[str, str]] = {}
    broken_rules: ClassVar[Mapping[str, str]] = {}
    """The sentences about a convicted player, by the engine's id of the reason: of rules that a
    dishonest program can break because its cards are hidden."""
    typed_words: ClassVar[Mapping[str, str]] = {}
    """The words to type instead of a refused move, by the engine's id of the reason."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Moves, as they are typed."""
    letters: ClassVar[str] = later(
        "A card is its number and the letter of its suit: o golds, c cups, e swords, b clubs."
    )
    """The meaning of the letters in a typed move, here of the Spanish pack; empty where no card is
    typed."""
    notation: ClassVar[tuple[str, ...]] = ()
    """The words of moves that may also be typed in the reader's language, each by one word."""
    glosses: ClassVar[Mapping[str, str]] = {}
    """The meanings of moves that are not plain from their words, by the move or its first word."""
    turned_up: ClassVar[str] = later("Turned up: {cards}")
    """The line for cards that everybody now sees; empty if an event of the rules says it better."""
    proof: ClassVar[tuple[str, str]] = (
        later("Your proof about your hand was sent, and is good."),
        later("{who} proved the claim about the hand; the proof is good."),
    )
    """The lines for a good proof about hidden cards: to its seat, and to the others."""
    leaving: ClassVar[str] = later(
        "If you leave for good, the match ends at once and your side loses it."
    )
    """The cost of leaving a match that then ends."""
    going_on: ClassVar[str] = later(
        "If you leave for good, you lose. The cards are gathered, and the others play on."
    )
    """The cost of leaving a match that then goes on."""
    void: ClassVar[str] = later("The cards are gathered: the others play on without {who}.")
    """The line for a deal in which somebody has left, and the others go on."""
    theirs: ClassVar[str] = later("their cards")
    """The name of the button that shows the other hands."""
    of_others: ClassVar[str] = later("The cards of the others")
    """The same cards in a list."""

    def why(self, why: Why) -> str:
        """Say why a move is refused."""
        what, *named = why
        known = {**WHY, **self.why_words}
        details = [self.shown(str(detail)) for detail in named]
        return _(known.get(what, WHY["not-allowed-now"])).format(
            cards=listed(details) or _("such card"),
            number=details[0] if details else "",
            last=details[-1] if details else "",
        )

    def broken_rule(self, names: Names, seat: Seat, why: Why) -> str:
        """Say which rule a convicted player has broken: to others than that player.

        Without a sentence of its own, it is the reason that an honest player is told. The details
        may be words of the dishonest program.
        """
        what, *named = why
        about = later("An honest program refuses that move, and says: “{reason}”")
        if what not in self.broken_rules:
            reason = self.why((what, *(outside(detail) for detail in named)))
            return _(about).format(reason=reason)
        cards = [self.shown(str(detail)) for detail in named]
        return _(self.broken_rules[what]).format(
            who=names[seat], cards=listed(cards), number=cards[0] if cards else ""
        )

    def typed(self, why: Why) -> str:
        """Say what to type instead of a refused move; nothing if the reason tells enough."""
        return _(self.typed_words.get(why[0], ""))

    def told(self, names: Names, game: Game, event: GameEvent) -> list[str]:
        """Return the lines for an event of the rules; none if it goes without saying."""
        if isinstance(event, BrokenOff):
            return self.broken_off(names, event)
        return self.says(names, game, event)

    def says(self, names: Names, game: Game, event: GameEvent) -> list[str]:
        """Return the lines for an event of this game. The default shows the plain event."""
        del names, game
        return [" ".join(spell_event(event))]

    def broken_off(self, names: Names, event: BrokenOff) -> list[str]:
        """Return the lines for a deal in which somebody has left, and the others go on."""
        who = listed([names.label(seat) for seat in event.seats])
        return [_(self.void).format(who=who)]

    def move(self, names: Names, seat: Seat, text: str) -> str:
        """Say a move, given in the game's notation.

        Say nothing if an event of the rules says it better.
        """
        return f"{names[seat]}: {text}"

    def hinted(self, names: Names, seat: Seat, text: str) -> str:
        """Say a move of ours that is only suggested, in a sentence.

        This includes a move that an event of the rules tells when it is made.
        """
        return self.move(names, seat, text)

    def opened(self, faces: Mapping[Slot, Face]) -> list[str]:
        """Say, in lines, which cards everybody now sees."""
        return (
            [_(self.turned_up).format(cards=self.cards(faces.values()))] if self.turned_up else []
        )

    def proved(self, names: Names, seat: Seat) -> str:
        """Say that a seat's proof about its hidden cards is good."""
        return names.say(seat, *self.proof)

    def shuffled(self, seats: int, cards: int) -> str:
        """Say that so many cards were shuffled by so many seats."""
        line = ngettext(
            "{cards} cards shuffled by {count}, all proofs good",
            "{cards} cards shuffled by {count}, all proofs good",
            seats,
        )
        return line.format(cards=cards, count=seats)

    def shown(self, card: str) -> str:
        """Return a card of the notation as the reader sees it drawn; another word as it is.

        Only this function brings cards of the notation into a sentence.
        """
        return card

    def in_notation(self, line: str) -> str:
        """Return a typed line in the notation.

        Its words may be those of the reader's language, and its cards as they are shown.
        """
        known = {pgettext(TYPED_CONTEXT, word): word for word in self.notation}
        return " ".join(known.get(word.casefold(), word) for word in line.split())

    def as_typed(self, line: str) -> str:
        """Return a line of the notation with its words in the reader's language."""
        return " ".join(
            pgettext(TYPED_CONTEXT, word) if word in self.notation else word
            for word in line.split(" ")
        )

    def in_a_list(self, cards: Iterable[str]) -> Name:
        """Return cards as a list in a sentence."""
        return listed([self.shown(card) for card in cards])

    def card(self, face: Face) -> str:
        """Return a card as it is shown, with the worth that a player may not remember."""
        return self.shown(face)

    def cards(self, faces: Iterable[Face]) -> str:
        """Return cards in a row."""
        return " ".join(self.card(face) for face in faces) or _("nothing")

    def offered(self, view: View, moves: list[str]) -> list[str]:
        """Return the legal moves as they are offered: many that differ by a number in one line."""
        del view
        return moves

    def gloss(self, move: str) -> str:
        """Say what a move means, if it is not plain from its words."""
        return _(self.glosses.get(move) or self.glosses.get(move.split(maxsplit=1)[0], ""))

    def side(self, names: Names, game: Game, seat: Seat) -> str:
        """Return how the side of a seat is called: of partners all names."""
        return listed([names.label(other) for other in game.seats_of(game.side(seat))])

    def scores(self, names: Names, game: Game, score: tuple[int, ...]) -> str:
        """Return the score of every side in one line."""
        return ", ".join(
            f"{self.side(names, game, seat)}: {score[seat]}" for seat in range(game.sides)
        )

    def standing(self, names: Names, game: Game) -> str:
        """Return the score and the length of the match.

        Before partners have scored, return the two sides instead of the score.
        """
        score = self.scores(names, game, tuple(game.score))
        if "target" not in game.options:
            return _("Score: {score}").format(score=score)
        if game.sides < game.players and not any(game.score):
            one, other = (self.side(names, game, side) for side in range(game.sides))
            return _("Sides: {one} against {other} (to {target})").format(
                one=one, other=other, target=game.options["target"]
            )
        return _("Score: {score} (to {target})").format(score=score, target=game.options["target"])

    def price(self, view: View, move: Move) -> str:
        """Say the extra cost of a move of ours, or nothing if it has none.

        A move with such a cost is asked for twice.
        """
        del view, move
        return ""

    def state(self, names: Names, view: View) -> list[str]:
        """Say, in lines, the facts that a player needs to choose."""
        lines = [_("On the table: {cards}").format(cards=self.cards(view.game.table()))]
        if view.seat is not None:
            held = [face for slot in view.game.hands[view.seat] if (face := view.face(slot))]
            lines.append(_("Your hand: {cards}").format(cards=self.cards(held)))
        del names
        return lines

    def rules(self, options: Mapping[str, Any]) -> list[str]:
        """Return the facts that a newcomer must know at a table with these options.

        Each item is a paragraph.

        A paragraph that begins with two spaces stands as it is.

        `TypedMoves` are for the plain interface only.
        """
        del options
        return []


WORDS = GameWords()
