"""Why the picked cards cannot be laid down, laid off, or swapped for a joker, in words for keys."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import _, later, ngettext
from client.ui.games.kinaskak import laying
from client.ui.games.kinaskak.contracts import CONTRACTS
from client.ui.games.kinaskak.words import WORDS
from client.ui.games.screen import Scene
from engine.core.cards import JOKER
from engine.core.moves import Face
from engine.games.kinaskak.groups import readings
from engine.games.kinaskak.melds import RUN, contract_of
from engine.games.kinaskak.rules import Kinaskak
from engine.games.kinaskak.search import Asked, distance

PARTS: Mapping[tuple[int, int], str] = {
    (1, 0): later("a run"),
    (0, 1): later("a set"),
    **{contract_of(number): words for number, words in CONTRACTS.items()},
}
"""The melds of a contract by its runs and sets; one meld too."""


def named(asked: Asked) -> str:
    """Name the melds that are asked for."""
    return _(PARTS[asked.runs, asked.sets])


def refusal(scene: Scene, action: str) -> str:
    """Say why there is no move of this action with the picked cards, or with any."""
    game, faces = scene.of(Kinaskak), dict(scene.hand)
    assert scene.seat is not None
    cards = [faces[slot] for slot in laying.picked(scene)]
    if action == "meld":
        if game.down[scene.seat]:
            return WORDS.why(("already-down",))
        return _no_meld(scene, cards) if cards else _nothing_to_lay(scene, list(faces.values()))
    if not game.may_lay_off(scene.seat):
        return WORDS.why(("next-turn",) if game.down[scene.seat] else ("not-down",))
    if action == "lay":
        if not cards:
            return _("None of your cards fits a meld.")
        return _("No meld takes {cards}.").format(cards=WORDS.cards(cards))
    if not any(meld.jokers and meld.kind == RUN for meld in game.melds):
        return _("There is no joker in a run; jokers stay in sets.")
    if not cards:
        return _("None of your cards takes the place of a joker.")
    return _("No joker in a run stands for {cards}.").format(cards=WORDS.cards(cards))


def _nothing_to_lay(scene: Scene, hand: list[Face]) -> str:
    """Say what is lacking for the contract, or for the melds that are still to come."""
    game = scene.of(Kinaskak)
    if scene.picked.ready:
        return _("Your other cards do not make {melds}.").format(
            melds=named(laying.still_asked(scene))
        )
    lacking = distance(hand, game.contract, game.options["max_jokers"]).cards
    line = ngettext("{melds}: you lack {count} card.", "{melds}: you lack {count} cards.", lacking)
    return line.format(melds=_capital(named(laying.still_asked(scene))), count=lacking)


def _no_meld(scene: Scene, cards: list[Face]) -> str:
    """Say why these cards are no meld, or none that is still asked for."""
    limit = scene.of(Kinaskak).options["max_jokers"]
    found, asked = readings(cards), laying.still_asked(scene)
    if found and not readings(cards, limit):
        return WORDS.why(("too-many-jokers", limit))
    kinds = {kind for kind, _cards in found}
    if RUN in kinds and asked.runs:
        return WORDS.why(("same-suit",))
    if kinds:
        return _("Still to be laid down: {melds}.").format(melds=named(asked))
    same_rank = len({card[0] for card in cards if card != JOKER}) < 2
    if same_rank and len(cards) < 3:
        return WORDS.why(("short-set",))
    return _(
        "{cards} make no meld. A set is three cards or more of one rank; a run is four or more of "
        "one suit in sequence."
    ).format(cards=WORDS.cards(cards))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
