"""The words of the flor: the meaning of its calls, reasons of refusals, and its sentences."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import _, later
from client.ui.games.truco.songs import CRIES
from client.ui.model import Names
from engine.core.game import Game
from engine.core.moves import Face, Move, Seat
from engine.games.truco import events
from engine.games.truco.moves import FLOR, FLOR_ANSWERS, NO_FLOR, Call
from engine.games.truco.rules import Truco
from engine.games.truco.worth import FLOR_ALONE, flor_points, flor_refused, is_flor

GLOSSES: Mapping[str, str] = {
    "flor": later("three cards of one suit: you must call them"),
    "no-tengo": later("you have no flor"),
    "con-flor-quiero": later("accept: the better flor wins"),
    "con-flor-me-achico": later("give in: their flor wins"),
    "contraflor": later("raise: the better flor gets 6"),
    "contraflor-al-resto": later("raise to all that is still missing, and 6"),
}
"""The meaning of each word of the flor."""

WHY: Mapping[str, str] = {
    "flor-first": later("You have a flor (three cards of one suit): call it first."),
    "flor-waits": later("A flor waits: it is answered first."),
    "flor-once": later("A flor has been called already in this deal."),
    "flor-sung": later("A flor has been called: there is no envido in this deal."),
    "flor-too-late": later(
        "The flor is called in the first trick, before one's own first card and before anything is "
        "accepted."
    ),
    "flor-not-played": later("At this table there is no flor (option `flor`)."),
    "flor-no-raise": later("The flor cannot be raised like that."),
    "have-flor": later("You have a flor, and must say so."),
    "no-flor": later("Your three cards are not of one suit: that is no flor."),
    "no-flor-waits": later("There is no flor to answer."),
    "state-flor": later("State the value of your flor."),
    "not-your-flor": later("{number} is not the value of your flor."),
}
"""Why a word of the flor is refused, or another word because of a flor."""
BROKEN: Mapping[str, str] = {
    "flor-first": later("{who} had a flor (three cards of one suit), and did not call it."),
    "have-flor": later("{who} had a flor, and said that there was none."),
    "no-flor": later("{who} claimed to have a flor, without three cards of one suit."),
    "not-your-flor": later("{who} gave {number} as the value of a flor that has another value."),
}
"""The rules of the flor that a dishonest program can break unseen."""

WON: Mapping[str, str] = {
    "alone": later("The flor goes to {side}"),
    "refused": later("Given in: the flor goes to {side}"),
    "said": later("The better flor: {side}"),
}
"""How a flor is won; the points stand behind."""


def rules() -> list[str]:
    """Return the rules of the flor for a newcomer."""
    return [
        _(
            "Flor: three cards of one suit count 20 and their numbers, 10 to 12 counting nothing. "
            "If you have one you must call it (flor) before your first card, unless your side "
            "has called one already, or a truco or an envido has been accepted. It annuls an "
            "envido that waits; a truco waits until it is settled. (Option `flor`.)"
        ),
        _(
            "The others answer in turn. no-tengo: none; if nobody has one, the flor brings 3 "
            "points. con-flor-me-achico: it gives in, 3 points for the first flor. "
            "con-flor-quiero: the better flor gets 4, on a tie the one nearer to the mano. "
            "contraflor: 6, refused 4. contraflor-al-resto: the points of a falta envido and 6; "
            "refused 4, or 6 after a contraflor."
        ),
        _(
            "The flor that wins is shown when the deal ends. Your program lets nothing false "
            "through. Of one that has been tampered with nobody learns that it kept a flor to "
            "itself, unless its three cards are played: then its side has lost the match."
        ),
    ]


def shown(names: Names, event: events.FlorShown, cards: str) -> str:
    """Say how the flor that has won was proven."""
    if event.cards:
        you = later("You show {cards}: a flor of {number}.")
        other = later("{who} shows {cards}: a flor of {number}.")
    else:
        you = later("The cards you played show your flor of {number}.")
        other = later("The cards that {who} played show the flor of {number}.")
    return names.say(event.seat, you, other, number=event.number, cards=cards)


def line_of(names: Names, game: Truco) -> str:
    """Say which call of the flor waits, or has been accepted, and its worth."""
    seat, word = next(one for one in reversed(game.flors) if one[1] in FLOR)
    # of the two sides they may differ, with `falta = malas`
    worths = {game.flor_worth(side) for side in (0, 1)}
    facts = {
        "sung": _("{cry} by {who}").format(cry=CRIES[word], who=names.label(seat)),
        "worth": str(*worths) if len(worths) == 1 else _("falta"),
    }
    if not game.flor_open:
        return _("{sung}, accepted: worth {worth}.").format(**facts)
    if game.flor_calls() == [FLOR[0]]:  # a seat without one neither accepts nor refuses
        line = _("{sung}: {refused}, or {worth} for the better of two flors.")
    else:
        line = _("{sung}: {worth} if accepted, {refused} if refused.")
    return line.format(refused=flor_refused(game.flor_calls()), **facts)


def flor_of(game: Game, seat: Seat, cards: list[Face]) -> int | None:
    """Return the value of a flor that these cards of a seat are, where it counts; else None."""
    assert isinstance(game, Truco)
    if not game.options["flor"] or len(cards) < 3 or not is_flor(cards):
        return None
    if game.flors:
        asked = game.flor_open and game.side(seat) != game.side(game.flors[0][0])
        counts = asked or seat in game.flor_seats()
    else:
        counts = not game.said and game.stake == 1
    return flor_points(cards) if counts else None


def comparing(game: Truco, seat: Seat) -> str:
    """Say what is stated when two flors are compared."""
    return _(
        "Flor against flor, for {points}: both say their values in turn. The higher one wins, on a "
        "tie the mano's."
    ).format(points=game.flor_worth(game.side(seat)))


def choice(names: Names, game: Truco, value: int | None) -> str:
    """Say what a flor that waits for our answer asks."""
    calls, caller = game.flor_calls(), game.flors[-1][0]
    if value is None:
        line = _("{who} calls {cry} You have none: say so, and {who} gets {points}.")
        return line.format(who=names[caller], cry=CRIES[FLOR[0]], points=FLOR_ALONE)
    line = _(
        "{who} calls {cry} Yours is worth {value}. Accepted, the better flor gets {worth}; if you "
        "give in, {who} gets {refused}."
    )
    return line.format(
        who=names[caller],
        cry=CRIES[calls[-1]],
        value=value,
        worth=game.flor_worth(1 - game.side(caller)),
        refused=flor_refused(calls),
    )


def reason(game: Truco, seat: Seat, move: Move, value: int | None) -> list[str]:
    """Name a word of the flor, with its reason; nothing if the move is none."""
    match move:
        case Call(word) if word == FLOR[0]:
            must = _("You must; if nobody else has one, it brings {points}.")
            return [
                _("call your flor: your three cards are of one suit."),
                must.format(points=FLOR_ALONE),
            ]
        case Call(word) if word == NO_FLOR:
            return [_("say that you have no flor: your cards are of several suits.")]
        case Call(word) if word == FLOR_ANSWERS[0]:
            return [
                _("accept: your flor of {value} is good.").format(value=value),
                _("The better one gets {worth}.").format(worth=game.flor_worth(game.side(seat))),
            ]
        case Call(word) if word == FLOR_ANSWERS[1]:
            return [_("give in: your flor is worth only {value}.").format(value=value)]
        case Call(word) if word in FLOR:
            line = _("Refused, it brings you {refused}; accepted, the better one gets {worth}.")
            refused = flor_refused([*game.flor_calls(), word])
            return [
                _("raise with {cry}").format(cry=CRIES[word]),
                _("Your flor is worth {value}; 38 is the most.").format(value=value),
                line.format(refused=refused, worth=game.flor_worth(game.side(seat), word)),
            ]
    return []
