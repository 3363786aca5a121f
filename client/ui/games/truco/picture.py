"""The picture of Truco. Paragraphs are those of docs/rules/truco.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from client.i18n.translation import _
from client.ui.drawing.picture import Area, Panel, Span, Words
from client.ui.games.picture import GAP, LINE, Drawn, GamePicture, Held, first_lines, grid, line_of
from client.ui.games.screen import Scene, over
from client.ui.games.truco.screen import SCREEN
from client.ui.games.truco.table import TRICKS, mark, order_of, paragraphs
from client.ui.games.truco.words import strengths
from client.ui.wrap import wrapped
from engine.games.truco.moves import Play
from engine.games.truco.rules import Truco

BESIDE = 620
"""Pixels of the middle from which the songs stand beside the tricks."""
PANEL = 260
CAPTION, NAME_LETTER, CUT_LETTER = 22, 7, 9
"""Pixels of the name below a card, of a letter of it, and of a letter of a name that is cut: its
ellipsis is wide."""
MOST = 150
"""Pixels of the height of a card in a trick, at most."""
LEAST_READ = 30
"""Pixels of the width of a card below which the tricks do not stand side by side, and cards have no
names below them."""
FRAME = 5
"""Pixels of the frame round a card that has won."""
MARGIN = 2 * FRAME + GAP
"""Pixels between two tricks: so the frames of their cards stay apart."""
SONGS, SONG, SONG_BESIDE, LETTER = 48, (21, 4), (23, 14), 9
"""Pixels of the songs above the tricks; of a line of them and of the edge, there and beside the
tricks; and of a column of text."""
LOW = 120
"""Pixels of the middle below which there is no room for the songs."""


class TrucoPicture(GamePicture):
    """A picture of the three tricks side by side, each card with its player's name.

    The songs and their worth stand beside or above the tricks.
    """

    hand_share: ClassVar[int] = 44
    middle_least: ClassVar[int] = 140

    def middle(self, scene: Scene, area: Area) -> Drawn:
        """The tricks and the songs."""
        lines = tuple((Span(text, style),) for style, text in paragraphs(scene))
        players = scene.game.players
        above = Area(area.x, area.y, area.width, SONGS)
        beside = Area(area.x, area.y, area.width - PANEL - 12, area.height)
        under = Area(area.x, above.bottom + 2, area.width, area.bottom - above.bottom - 2)
        # beside them there is room for all songs, but the cards must not get smaller by it
        if area.width >= BESIDE and self._wide(players, beside) >= self._wide(players, under):
            place = Area(area.right - PANEL, area.y, PANEL, area.height)
            order = (Span(strengths(), "dim"),)
            panel = Panel(
                "songs", "prose", place, lines=_first((*lines, order), place, *SONG_BESIDE)
            )
            room = beside
        elif area.height >= LOW:
            panel = Panel("songs", "status", above, lines=_first(lines, above, *SONG))
            room = under
        else:
            return self._tricks(scene, area)
        return Drawn(panels=(panel,)) + self._tricks(scene, room)

    def _wide(self, players: int, area: Area) -> int:
        """Return the width of a card where the three tricks have an area."""
        trick = _places(area)[0]
        return grid(self.kind, players, trick, MOST, CAPTION)[0]

    def _tricks(self, scene: Scene, area: Area) -> Drawn:
        """R11.

        The cards of each trick below its name, those that have won it or tie marked; only of the
        latest, over the whole width, if they would be too small.
        """
        game = scene.of(Truco)
        below = Area(area.x, area.y + LINE, area.width, max(1, area.height - LINE))
        places = _places(area)
        if grid(self.kind, game.players, places[0], MOST)[0] < LEAST_READ:
            latest = max((number for number, played in enumerate(game.tricks) if played), default=0)
            names = [word for number in range(latest + 1) for word in _name(scene, number, latest)]
            found = line_of("trick:0", area, names, 14, "middle")
            return found + self._cards(scene, latest, below) if game.tricks else found
        found = Drawn()
        for number, place in enumerate(places):
            name = _name(scene, number, -1 if over(scene) else len(game.results))
            found += line_of(f"trick:{number}", replace(place, y=area.y), name[:1], 14, "middle")
            if number < len(game.tricks):
                found += self._cards(scene, number, place)
        return found

    def _cards(self, scene: Scene, number: int, area: Area) -> Drawn:
        """Return the cards of a trick, each with its player's name below it if there is room."""
        game, found = scene.of(Truco), Drawn()
        played, done = dict(game.tricks[number]), number < len(game.results)
        readable = grid(self.kind, game.players, area, MOST, CAPTION)[0] >= LEAST_READ
        caption = CAPTION if readable else 0
        width, height, places = grid(self.kind, game.players, area, MOST, caption)
        for seat, (x, y) in zip(order_of(scene), places, strict=True):
            if seat not in played:
                continue
            slot, sign = played[seat], mark(game, number, seat, played[seat])
            state = "" if not done else "won" if sign == "◀" else "marked" if sign else "barred"
            found += Drawn((self.card(scene, slot, Area(x, y, width, height), state, layer=1),))
            if caption:
                name = Area(x - GAP // 2, y + height + FRAME, width + GAP, caption - FRAME)
                label = scene.names.short(seat, name.width // NAME_LETTER)
                if label.endswith("…"):
                    label = scene.names.short(seat, name.width // CUT_LETTER)
                found += line_of(f"by:{slot}", name, [Span(label, "dim")], 12, "middle")
        return found

    def hand(self, scene: Scene) -> list[Held]:
        """Return our cards, grey while a call waits for our answer.

        A click on a grey card says so. The card that waits for its second key is raised.
        """
        playable = {move.card for move in SCREEN.legal(scene) if isinstance(move, Play)}
        found = []
        for number, (slot, face) in enumerate(scene.hand, 1):
            state = (
                "barred"
                if slot not in playable
                else "picked"
                if scene.proposed == f"play {face}"
                else "legal"
            )
            found.append(
                Held(slot, (str(number),) if scene.asked else (), state if scene.asked else "")
            )
        return found

    def about(self, scene: Scene) -> Words:
        """Our envido points and our roles."""
        if scene.seat is None:
            return ()
        points = SCREEN.points(scene)
        found = (
            [Span("envido ", "dim"), Span(f"{points}   ", "strong")] if points is not None else []
        )
        return (
            *found,
            *(Span(text + "  ", style) for style, text in SCREEN.roles(scene, scene.seat)),
        )


def _first(lines: Sequence[Words], area: Area, line: int, edge: int) -> tuple[Words, ...]:
    """Return the songs that an area has room for."""
    columns, room = (area.width - 24) // LETTER, (area.height - edge) // line
    found = first_lines(lines, columns, room)
    rows = sum(len(wrapped("".join(span.text for span in words), columns)) for words in found)
    return found if rows <= room else ()


def _places(area: Area) -> list[Area]:
    """Return the places of the three tricks, below their names."""
    wide = area.width // len(TRICKS)
    y, height = area.y + LINE, max(1, area.height - LINE)
    return [
        Area(area.x + number * wide + MARGIN // 2, y, wide - MARGIN, height)
        for number in range(len(TRICKS))
    ]


def _name(scene: Scene, number: int, strong: int) -> list[Span]:
    """Return the name of a trick, and its outcome if it is over; `strong` is the trick of now."""
    name = Span(_(TRICKS[number]), "strong" if number == strong else "dim")
    over_now = number < len(scene.of(Truco).results)
    return [name, *([_outcome(scene, number)] if over_now else []), Span("   ")]


def _outcome(scene: Scene, number: int) -> Span:
    """Return whether our side has won a trick that is over; for others the seat that has."""
    game, winner = scene.of(Truco), scene.of(Truco).results[number]
    if winner is None:
        return Span(" =", "dim")
    if scene.me is None:
        return Span(f" {scene.names.label(winner)}", "dim")
    return Span(" ✓", "good") if game.side(winner) == game.side(scene.me) else Span(" ✗", "bad")


PICTURE = TrucoPicture()
