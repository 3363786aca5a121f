"""The lesson of dominoes."""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _, keys_in_brackets, later, letter, ngettext
from client.session.lesson import Course
from client.ui.games.domino.screen import DRAW, PASS
from client.ui.games.domino.words import WORDS
from client.ui.games.lesson import GameLesson
from client.ui.games.screen import DIGITS
from client.ui.games.words import Written
from client.ui.model import Model, Names
from engine.core.cards import pips
from engine.core.events import GameEvent
from engine.core.moves import Face, Move
from engine.core.view import View
from engine.games.domino import events
from engine.games.domino.count import weight
from engine.games.domino.moves import Draw, Place
from engine.games.domino.options import draws
from engine.games.domino.rules import Domino
from p2p.table.events import Moved

DECK = (
    "6-1 6-2 4-3 6-5 1-1 3-1 2-2 "  # ours
    "6-6 2-1 6-3 6-4 5-0 5-5 5-4 "  # theirs
    "3-2 6-0 4-0 5-3 2-0"  # the graveyard
)
SCRIPT = (
    *("p2 play 6-6", "p1 play 6-1 right", "p2 play 2-1 right", "p1 play 6-2 right"),
    *("p2 play 6-3 left", "p1 play 4-3 left", "p2 play 6-4 left", "p1 play 6-5 right"),
    *("p2 play 5-0 right", "p1 draw", "p1 draw", "p1 play 6-0 right"),
)


class DominoLesson(GameLesson):
    """A deal: joining tiles, an end to be chosen, the graveyard, a closed line, the count."""

    last_only = (events.Drawn,)
    told_elsewhere = (events.Deal, events.Knock)
    course = Course("domino", (DECK,), SCRIPT, options={"target": 1, "passes": "none"})

    def one_turn(self) -> list[str]:
        """Return the keys of one turn."""
        return [
            _("Choose a tile (the number above it), or the next that fits (Tab)."),
            Written(
                _(
                    "Lay it at the left (←) or at the right (→). Where it fits one end only: “lay "
                    "it” (Enter)."
                ),
                _(
                    "Lay it at the left (←) or at the right (→). Where it fits one end only: the "
                    "main button (Enter)."
                ),
            ),
            _(
                "When nothing fits: take a tile from the graveyard ({draw}); once that is empty, "
                "pass ({passing})."
            ).format(draw=letter(DRAW), passing=letter(PASS)),
            self.twice(),
        ]

    def welcome(self) -> list[str]:
        """Return the aim of the game."""
        return [
            _(
                "Dominoes: join tiles end to end, equal number to equal number. The first without "
                "tiles wins the deal."
            ),
            _(
                "Everybody has seven tiles; the others lie face down in the graveyard. A player "
                "with none that fits takes from it, and passes once it is empty. The highest "
                "double opens."
            ),
            _(
                "The winner gets points for the pips that are left in all hands: 1 for every ten "
                "begun, 2 at least."
            ),
            Written(
                keys_in_brackets(
                    _(
                        "This is a lesson: take your time, and you may look at the other "
                        "hand (F3, or typed: `hands`)."
                    )
                ),
                keys_in_brackets(
                    _(
                        "This is a lesson: take your time. In your turn, an eye above the table "
                        "shows the tiles of the others (F3)."
                    )
                ),
            ),
        ]

    def happened(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain the opening, the tiles of others, drawing and passing, and the points."""
        names = model.names
        match event:
            case events.Opens(seat, tile):
                you = later("You hold {tile}, the highest double, and open with it.")
                other = later("{who} held {tile}, the highest double, and opened.")
                return names.say(seat, you, other, tile=WORDS.shown(tile))
            case Moved(seat, Place(end="left" | "right")) if seat != model.seat:
                tile = WORDS.shown(event.text.split()[1])
                return _("{who} laid {tile}.").format(who=names[seat], tile=tile)
            case events.Drawn(seat, left):
                you = later("You have taken a tile; {left} are left in the graveyard.")
                return names.say(
                    seat,
                    you,
                    later("{who} could not play, and took a tile; {left} are left."),
                    left=left,
                )
            case events.Knock(seat) if seat != model.seat:
                return _(
                    "{who} could not play, the graveyard is empty, and so the turn came back to "
                    "you."
                ).format(who=names[seat])
            case events.Score(side, gained, _total) if side == model.seat:
                line = ngettext(
                    "The deal has brought you {count} point.",
                    "The deal has brought you {count} points.",
                    gained,
                )
                return line.format(count=gained)
        return ""

    def choice(self, model: Model, view: View) -> str:
        """Say which numbers the ends show, and which tiles fit."""
        del model
        game = view.game
        assert isinstance(game, Domino)
        fitting = list(
            dict.fromkeys(
                _face(view, move) for move in view.options or () if isinstance(move, Place)
            )
        )
        if game.ends is None:
            return _("The line is empty: you open it.")
        left, right = game.ends
        if not fitting:
            return _(
                "The ends of the line are {left} and {right}, and none of your tiles fits."
            ).format(left=left, right=right)
        tiles = WORDS.in_a_list(fitting)
        if left == right:
            return _("Both ends of the line show {number}. These fit: {tiles}.").format(
                number=left, tiles=tiles
            )
        return _("The ends of the line are {left} and {right}. These fit: {tiles}.").format(
            left=left, right=right, tiles=tiles
        )

    def briefly(self, names: Names, view: View, move: Move) -> str:
        """Say how many of our tiles fit after a tile."""
        game, said = view.game, super().briefly(names, view, move)
        assert isinstance(game, Domino)
        if not isinstance(move, Place) or game.ends is None:
            return said
        ends = set(_after(game.ends, _face(view, move), move.end))
        others = [view.face(slot) for slot in game.hands[view.seat or 0] if slot != move.tile]
        fit = sum(bool(face and ends & set(pips(face))) for face in others)
        fits = ngettext(
            "Then {count} of your tiles fits.", "Then {count} of your tiles fit.", fit
        ).format(count=fit)
        return f"{self.reason(names, view, move)[0]} {fits}" if fit else said

    def reason(self, names: Names, view: View, move: Move) -> list[str]:
        """Say how the line lies after a tile, and how many of ours fit then."""
        del names
        game, seat = view.game, view.seat
        assert isinstance(game, Domino)
        assert seat is not None
        if not isinstance(move, Place):
            if isinstance(move, Draw):
                return [_("take a tile. If it fits, you must lay it; if not, take another.")]
            if not draws(game.options):
                return [_("pass: none of your tiles fits, and nobody takes others.")]
            return [_("pass: the graveyard is empty, so there is nothing else to do.")]
        tile = _face(view, move)
        facts = {"tile": WORDS.shown(tile), "pips": weight(tile)}
        if game.ends is None:
            return [_("open with {tile}, {pips} pips.").format(**facts)]
        left, right = _after(game.ends, tile, move.end)
        line = _("lay {tile} at the left.") if move.end == "left" else _("lay {tile} at the right.")
        lay = line.format(**facts)
        laid = [*game.table(), tile]
        held = [
            face for slot in game.hands[seat] if slot != move.tile and (face := view.face(slot))
        ]
        fitting = [face for face in held if {left, right} & set(pips(face))]
        if not held:
            return [lay, _("It is your last one: you win the deal.")]
        if set(game.tile_set.with_any((left, right))).issubset(laid):
            closed = (
                _(
                    "Then all seven tiles with a {number} are played, and it is at both ends: the "
                    "line is closed."
                )
                if left == right
                else _("Then all tiles with a {left} or a {right} are played: the line is closed.")
            )
            closed = closed.format(number=left, left=left, right=right)
            return [lay, closed, _("Fewest pips win.")]
        if left == right:
            unseen = [
                face
                for face in game.tile_set.with_any((left,))
                if face not in laid and face not in held
            ]
            others = _("Tiles with it that the others can have: {count}.")
            return [
                lay,
                _("Both ends then show {left}.").format(left=left),
                others.format(count=len(unseen)),
            ]
        if not fitting:
            return [lay, _("It has {pips} pips, which would count against you.").format(**facts)]
        ends = _("The ends are then {left} and {right}. Of yours these fit: {tiles}.")
        return [lay, ends.format(left=left, right=right, tiles=WORDS.in_a_list(fitting))]

    def keys(self, move: Move) -> Sequence[str]:
        """Return the keys that choose and lay a tile, draw, or pass."""
        if isinstance(move, Place):
            return (*DIGITS, "enter", "left", "right", "tab")
        return (letter(DRAW if isinstance(move, Draw) else PASS),)


def _face(view: View, move: Place) -> Face:
    face = view.face(move.tile)
    assert face is not None, "our own tiles are seen"
    return face


def _after(ends: tuple[int, int], tile: Face, end: str) -> tuple[int, int]:
    """Return the ends of a line to which a tile has been joined."""
    total = weight(tile)
    return (total - ends[0], ends[1]) if end == "left" else (ends[0], total - ends[1])


LESSON = DominoLesson()
