"""The lesson of the flor, for those who know Truco."""

from __future__ import annotations

from client.i18n.translation import _, keys_in_brackets
from client.session.lesson import Course
from client.ui.games.lesson import open_cards
from client.ui.games.truco.lesson import TrucoLesson
from client.ui.games.truco.songs import CRIES
from client.ui.games.words import Written
from client.ui.model import Model
from engine.core.events import GameEvent
from engine.core.view import View
from engine.games.truco import events
from engine.games.truco.moves import FLOR, Call
from engine.games.truco.rules import Truco
from p2p.table.events import Moved

DECKS = (
    "7o 3e 5o 6c 12o 2b",  # a flor of our own, which nobody answers
    "7c 1b 6c 2b 5c 12b",  # a flor of the others, better than ours
    "3c 6o 2c 4o 6e 11o",  # an envido that a flor annuls
    "10c 1e 5b 7e 4o 6e",  # a flor while a truco waits
    "7b 6c 6b 5c 4b 3c",  # a contraflor, and one al resto
)
SCRIPT = (
    *("p1 flor", "p2 no-tengo", "p1 play 12o", "p2 play 6c", "p1 play 5o", "p2 play 3e"),
    *("p2 play 2b", "p1 play 7o"),
    *("p2 flor", "p1 con-flor-me-achico", "p2 play 5c", "p1 play 12b", "p1 play 1b", "p2 play 6c"),
    *("p1 envido", "p2 flor", "p1 no-tengo", "p1 play 2c", "p2 play 4o", "p1 play 3c"),
    "p2 play 11o",
    *("p2 truco", "p1 flor", "p2 no-tengo", "p1 quiero", "p2 play 10c", "p1 play 7e", "p1 play 1e"),
    "p2 play 4o",
    *("p1 flor", "p2 contraflor", "p1 contraflor-al-resto", "p2 con-flor-quiero", "p1 say 37"),
    "p2 son-buenas",
)


class FlorLesson(TrucoLesson):
    """A lesson of five deals.

    They teach a flor alone, a flor to give in to, one that annuls an envido, one that a truco waits
    for, and two good ones against each other.
    """

    course = Course("truco", DECKS, SCRIPT, options={"target": 15, "flor": True})

    def one_turn(self) -> list[str]:
        """Return the keys of one turn, those of the flor last."""
        *before, twice = super().one_turn()
        return [
            *before,
            _(
                "The flor: call it (f). Answers: no tengo (n), con flor quiero (q), con flor me "
                "achico (n), contraflor (r), contraflor al resto (f)."
            ),
            twice,
        ]

    def welcome(self) -> list[str]:
        """Return what is new beside the game without a flor."""
        return [
            _(
                "Truco with the flor: the tricks, the truco and the envido stay as they are. A "
                "flor is three cards of one suit."
            ),
            _(
                "It is worth 20 and its three numbers, 10 to 12 counting nothing: 20 to 38. It "
                "stands beside your hand in place of the envido."
            ),
            _(
                "You must call it before your first card, and nobody can have an envido after "
                "that. A truco waits until the flor is settled."
            ),
            _(
                "If nobody else has one it brings 3 points. If the others have one too, they "
                "accept, raise or give in."
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

    def more(self) -> str:
        """Say how a table with a flor comes about."""
        return _(
            "The flor is a house rule: choose “Flor: yes” where you begin a match, also against "
            "the computer. At a table of somebody else you read it before the match."
        )

    def happened(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain who has won a flor, and why."""
        if not isinstance(event, events.FlorWon):
            return super().happened(model, event)
        assert model.seat is not None
        facts = {"points": event.points, "who": model.names[1 - model.seat]}
        match event.how, event.side == model.seat % 2:
            case "alone", True:
                said = _("{who} has no flor: yours brings you points at once: {points}.")
            case "alone", False:
                said = _("You have no flor. Points for {who} from the flor, at once: {points}.")
            case "refused", True:
                said = _("{who} gave in. Points for you from the flor: {points}.")
            case "refused", False:
                said = _("You gave in. Points for {who} from the flor: {points}.")
            case _how, True:
                said = _("Your flor is better. It brings you points at once: {points}.")
            case _:
                said = _("The flor of {who} is better. Points for {who} at once: {points}.")
        return said.format(**facts)

    def choice(self, model: Model, view: View) -> str:
        """Say what our player may do: with a flor nothing else, before it has been sung."""
        if Call(FLOR[0]) not in (view.options or ()):
            return super().choice(model, view)
        game = view.game
        assert isinstance(game, Truco)
        found = [_("You have a flor: it comes before anything else.")]
        if game.betting:
            seat, word = game.bets[-1]
            line = _("{who} calls {cry} Your flor annuls it.")
            found.insert(0, line.format(who=model.names[seat], cry=CRIES[word]))
        elif game.waiting is not None:
            seat, word = game.waiting
            line = _("{who} calls {cry} You answer that when the flor is settled.")
            found.append(line.format(who=model.names[seat], cry=CRIES[word]))
        return " ".join(found)


LESSON = FlorLesson()
"""The lesson of the flor."""
