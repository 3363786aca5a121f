"""The words of dominoes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from client.i18n.translation import _, later, listed, ngettext, unbroken
from client.ui.games.words import GameWords, Heading, TypedMoves
from client.ui.model import Names
from engine.core.cards import pips
from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Seat
from engine.core.view import View
from engine.games.domino import events
from engine.games.domino.count import points_for
from engine.games.domino.options import draws, paid_passes
from engine.games.domino.rules import PASS_POINTS, Domino


class DominoWords(GameWords):
    """How dominoes is told."""

    examples = ("play 6-6", "play 6-4 left", "draw", "pass")
    letters = later("A tile is its two numbers; left and right are the ends of the line.")
    notation = ("play", "left", "right", "draw", "pass")
    turned_up = ""
    proof = (
        later("checked: you hold no tile that had to be shown or played, your proof is good"),
        later("checked: {who} holds no tile that had to be shown or played, the proof is good"),
    )
    why_words: ClassVar[Mapping[str, str]] = {
        "not-in-hand": later("You have no {cards} in your hand."),
        "must-open": later("{cards} gave you the right to open: it must be played now."),
        "no-ends-yet": later("The first tile is played without a side."),
        "name-an-end": later("{cards} fits both ends: say left (←) or right (→)."),
        "fits-nowhere": later("{cards} fits neither end."),
        "fits-not-there": later("{cards} does not fit that end."),
        "must-play": later("You can play {cards}, and a player who can play must play."),
        "no-drawing": later("There is nothing to draw: pass."),
        "must-draw": later("The graveyard still has tiles: draw."),
    }
    going_on: ClassVar[str] = later(
        "If you leave for good, you lose. The tiles are gathered, and the others play on."
    )
    void: ClassVar[str] = later("The tiles are gathered: the others play on without {who}.")
    theirs: ClassVar[str] = later("their tiles")
    of_others: ClassVar[str] = later("The tiles of the others")
    broken_rules: ClassVar[Mapping[str, str]] = {
        "must-play": later("{who} passed or took a tile, and could have played {cards}."),
    }

    def shuffled(self, seats: int, cards: int) -> str:
        """Say that the tiles were shuffled."""
        line = ngettext(
            "{cards} tiles shuffled by {count}, all proofs good",
            "{cards} tiles shuffled by {count}, all proofs good",
            seats,
        )
        return line.format(cards=cards, count=seats)

    def move(self, names: Names, seat: Seat, text: str) -> str:
        """Say a move, given in the notation."""
        match text.split():
            case ["play", tile, "left"]:
                you = later("You play {tile} at the left.")
                other = later("{who} plays {tile} at the left.")
                return names.say(seat, you, other, tile=self.shown(tile))
            case ["play", tile, "right"]:
                you = later("You play {tile} at the right.")
                other = later("{who} plays {tile} at the right.")
                return names.say(seat, you, other, tile=self.shown(tile))
            case ["play", tile]:
                you, other = later("You open with {tile}."), later("{who} opens with {tile}.")
                return names.say(seat, you, other, tile=self.shown(tile))
            case ["draw"]:
                return names.say(
                    seat,
                    later("You take from the graveyard."),
                    later("{who} takes from the graveyard."),
                )
        return names.say(seat, later("You knock and pass."), later("{who} knocks and passes."))

    def offered(self, view: View, moves: list[str]) -> list[str]:
        """Return the legal moves.

        If both ends show the same number, the end at which a tile is joined makes no difference.
        """
        game = view.game
        assert isinstance(game, Domino)
        if game.ends is None or game.ends[0] != game.ends[1]:
            return moves
        return list(
            dict.fromkeys(move.removesuffix(" left").removesuffix(" right") for move in moves)
        )

    def state(self, names: Names, view: View) -> list[str]:
        """Describe the line, the numbers of tiles, our hand, and the moves it allows.

        The numbers of tiles are those of the others and the graveyard.
        """
        game = view.game
        assert isinstance(game, Domino)
        lines = [self._line(game), self._counts(names, view, game)]
        if view.seat is None:
            return lines
        held = sorted(
            (face for slot in game.hands[view.seat] if (face := view.face(slot))),
            key=pips,
            reverse=True,
        )
        lines.append(_("Your hand: {cards}").format(cards=self.cards(held)))
        if (
            view.options is not None
            and game.ends is not None
            and not any(set(pips(face)) & set(game.ends) for face in held)
        ):
            numbers = _(" and no ").join(map(str, sorted(set(game.ends))))
            todo = (
                later("You have no {numbers}: take a tile.")
                if game.may_draw()
                else later("You have no {numbers}: pass.")
            )
            lines.append(_(todo).format(numbers=numbers))
        return lines

    def rules(self, options: Mapping[str, Any]) -> list[str]:
        """Return the rules for a newcomer, at a table with these options."""
        nine, drawing = options["set"] == "double-nine", draws(options)
        return [
            _(
                "Dominoes as in the west of Cuba: 2, 3 or 4 players, the 55 tiles from 0-0 to 9-9, "
                "ten tiles each (option `set`)."
            )
            if nine
            else _(
                "Dominoes as in the Caribbean: 2, 3 or 4 players, the 28 tiles from 0-0 to 6-6, "
                "seven tiles each."
            ),
            Heading(_("A turn")),
            _(
                "A tile is written with its higher number first: 6-4. The tiles make a line with "
                "two open ends. In your turn you join one tile to an end that shows one of its "
                "numbers. Name the end where the tile fits both."
            ),
            TypedMoves("  play 6-4"),
            TypedMoves("  play 6-4 left"),
            _(
                "In the first deal the player with the highest double opens with it; without any "
                "double, the player with the heaviest tile. Your program answers for you and "
                "proves it. Later the last deal's winner opens with any tile."
            ),
            _(
                "With two or three players, a player without a tile that fits takes from the "
                "graveyard, one by one, until one fits. With four, or when the graveyard is empty, "
                "you pass. A player who can play may not pass or take: programs prove it."
            )
            if drawing
            else _(
                "The tiles that are left over sleep: nobody takes or sees them. Without a tile "
                "that fits you pass. A player who can play may not pass: programs prove it."
            ),
            *((TypedMoves("  draw"),) if drawing else ()),
            TypedMoves("  pass"),
            _("A pass brings nothing with these tiles.")
            if nine
            else _("A pass brings nothing at this table (option `passes`).")
            if paid_passes(options) == "none"
            else _(
                "A pass brings 2 points to the player who placed the last tile (not your own or "
                "your partner's; option `passes`)."
            ),
            Heading(_("The count")),
            _(
                "The player who plays the last tile of the hand wins the deal. If all seven tiles "
                "of a number lie and it stands at both ends, the deal is blocked: the lowest hand "
                "wins it, of equal ones the opener's or the next after the opener."
            )
            if drawing
            else _(
                "The player who plays the last tile of the hand wins the deal. If all pass one "
                "after the other, or all tiles that could fit lie, the deal is blocked: the "
                "lowest hand wins it, of equal ones the opener's or the next after the opener."
            ),
            _("The winner gets points for the pips left in all hands together:"),
            "  " + _("0 to 2 pips: 1 point; 3 to 20: 2; 21 to 30: 3; 31 to 40: 4; and so on"),
            _(
                "Option `capicua`: a last tile, no double, that fitted both ends doubles these "
                "points. A hand of five doubles is shown, and the deal is dealt again."
            ),
            _(
                "The first to reach {target} wins (option `target`), also by a pass. A loser "
                "without a point is left shoemaker. A player who leaves has lost. Four can play "
                "two against two (option `partners`)."
            ).format(target=options["target"]),
        ]

    # The table.

    def _line(self, game: Domino) -> str:
        if game.ends is None:
            return _("The line is empty.")
        row = " ".join(f"[{left}|{right}]" for left, right in game.row())
        left = unbroken(_("left end {left}").format(left=game.ends[0]))
        right = unbroken(_("right end {right}").format(right=game.ends[1]))
        return _("The line: {left} ← {row} → {right}").format(row=row, left=left, right=right)

    def _counts(self, names: Names, view: View, game: Domino) -> str:
        others = [seat for seat in game.seats_from(view.seat or 0) if seat != view.seat]
        found = [
            ngettext("{who}: {count} tile", "{who}: {count} tiles", len(game.hands[seat])).format(
                who=names.label(seat), count=len(game.hands[seat])
            )
            for seat in others
        ]
        if left_over := self.left_over(game):
            found.append(left_over)
        return ", ".join(found)

    def left_over(self, game: Domino) -> str:
        """Say how many tiles are not dealt; nothing if the deal leaves none over."""
        if game.deals_all:
            return ""
        line = _("graveyard: {count}") if draws(game.options) else _("asleep: {count}")
        return line.format(count=len(game.stock))

    # The events of the rules.

    def says(self, names: Names, game: Game, event: GameEvent) -> list[str]:  # noqa: C901, PLR0912 (a case for each event)
        """Return the lines for an event of the rules."""
        assert isinstance(game, Domino)
        assert isinstance(event, events.Event)
        match event:
            case events.Deal(number, int(opener)):
                line = _("Deal {number}. It is opened by: {who}.").format(
                    number=number, who=names.label(opener)
                )
                return [line, self.standing(names, game)]
            case events.Deal(number):
                return [_("Deal {number}.").format(number=number), self.standing(names, game)]
            case events.FiveDoubles(seat, tiles):
                you = later("You were dealt {tiles}: the deal is void.")
                other = later("{who} was dealt {tiles}: the deal is void.")
                return [
                    names.say(seat, you, other, tiles=self.cards(tiles)),
                    _("All tiles are shuffled again."),
                ]
            case events.Opens(seat, tile):
                you = later("You hold {tile}, the highest, and have to open with it.")
                other = later("{who} holds {tile}, the highest, and has to open with it.")
                return [names.say(seat, you, other, tile=self.shown(tile))]
            case events.Knock(_seat, placer, points):
                assert points in (0, PASS_POINTS)
                return (
                    [names.say(placer, later("  2 points for you"), later("  2 points for {who}"))]
                    if points
                    else []
                )
            case events.Drawn(_seat, left):
                return [] if left else [_("The graveyard is empty.")]
            case events.Out(seat):
                return [
                    names.say(
                        seat,
                        later("Domino! You have no tile left."),
                        later("Domino! {who} has no tile left."),
                    )
                ]
            case events.Closed():
                return [self._closed(names, event)]
            case events.Stuck():
                return [_("Blocked! All have passed one after the other.")]
            case events.Lowest():
                return self._lowest(names, event)
            case events.Hand(seat, tiles, pips_left):
                line = ngettext(
                    "{who}: {tiles} ({pips} pip)", "{who}: {tiles} ({pips} pips)", pips_left
                )
                line = line.format(who=names.label(seat), tiles=self.cards(tiles), pips=pips_left)
                return [f"  {line}"] if tiles else []
            case events.ClosedHand(seat):
                return [
                    "  " + _("{who}: not turned up, counts nothing").format(who=names.label(seat))
                ]
            case events.Capicua(seat):
                you = later("Capicúa! Your last tile fitted both ends: the points are doubled.")
                other = later(
                    "Capicúa! The last tile of {who} fitted both ends: the points are doubled."
                )
                return [names.say(seat, you, other)]
            case events.Count(pips_left, points, doubled):
                return [_count(pips_left, points, doubled=doubled)]
            case events.Score():
                return [self._score(names, game, event)]
            case events.Shoemaker(side):
                return [
                    _("Shoemaker (a loser without one point): {side}.").format(
                        side=self.side(names, game, side)
                    )
                ]

    def _closed(self, names: Names, event: events.Closed) -> str:
        left, right = event.numbers[0], event.numbers[-1]
        if left == right:
            you = later(
                "Blocked! You close the line: all seven tiles with a {number} are played, and it "
                "is at both ends."
            )
            other = later(
                "Blocked! {who} closes the line: all seven tiles with a {number} are played, "
                "and it is at both ends."
            )
        else:
            you = later(
                "Blocked! You close the line: all tiles with a {left} or a {right} are played."
            )
            other = later(
                "Blocked! {who} closes the line: all tiles with a {left} or a {right} are played."
            )
        return names.say(event.seat, you, other, number=left, left=left, right=right)

    def _lowest(self, names: Names, event: events.Lowest) -> list[str]:
        if len(event.equals) == 1:
            you = later("The lowest hand is yours, with {pips}.")
            return [
                names.say(
                    event.seat,
                    you,
                    later("The lowest hand is {who}'s, with {pips}."),
                    pips=event.pips,
                )
            ]
        all_of_them = listed([names.label(seat) for seat in event.equals])
        line = _("As low as {pips}: {all}. The opener goes first, then the next player.")
        whose = names.say(event.seat, later("The deal is yours."), later("The deal is {who}'s."))
        return [line.format(pips=event.pips, all=all_of_them), whose]

    def _score(self, names: Names, game: Domino, event: events.Score) -> str:
        line = ngettext(
            "{side}: {gained} point, {total} in all (to {target})",
            "{side}: {gained} points, {total} in all (to {target})",
            event.gained,
        )
        side = self.side(names, game, event.side)
        return "  = " + line.format(
            side=side, gained=event.gained, total=event.total, target=game.options["target"]
        )


def _count(total: int, points: int, *, doubled: bool) -> str:
    points = points // 2 if doubled else points
    line = ngettext(
        "  {pips} pips are left in all hands; {span} are worth {points} point",
        "  {pips} pips are left in all hands; {span} are worth {points} points",
        points,
    )
    if doubled:
        line = _("{line}, and twice that for the capicúa").format(line=line)
    return line.format(pips=total, span=_span(total), points=points)


def _span(total: int) -> str:
    """Return the line of the table of points that so many pips fall into."""
    points = points_for(total)
    low, high = {1: (0, 2), 2: (3, 20)}.get(points, (10 * points - 9, 10 * points))
    return _("{low} to {high}").format(low=low, high=high)


WORDS = DominoWords()
