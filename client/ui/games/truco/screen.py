"""Truco on the full screen. Paragraphs are those of docs/rules/truco.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from client.i18n.translation import _, keyed, letter
from client.storage.settings import CardSize
from client.ui.drawing.canvas import Canvas, Piece, Rect, columns_of
from client.ui.drawing.cards import SIZES, draw_row, short
from client.ui.games.columns import sides_in_columns
from client.ui.games.screen import (
    GameScreen,
    Line,
    Moment,
    Picked,
    Say,
    Scene,
    caption,
    over,
    seating,
)
from client.ui.games.truco.deals import song_of, summary, this_deal
from client.ui.games.truco.flor import flor_of
from client.ui.games.truco.songs import ANSWERED, CRIES, unbroken_cries
from client.ui.games.truco.table import draw_middle, draw_order, team
from client.ui.games.truco.words import HALVED, WORDS
from engine.core.events import GameEvent
from engine.core.moves import Face, Move, Seat
from engine.games.truco import events
from engine.games.truco.moves import (
    ANSWERS,
    ENVIDO,
    FLOR,
    FLOR_ANSWERS,
    NO_FLOR,
    OF_FLOR,
    TRUCO,
    Call,
    Play,
)
from engine.games.truco.moves import Say as State
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH, envido_points, flor_refused, refused_points
from p2p.table.events import Moved

ENVIDO_KEYS = {"e": "envido", "r": "real-envido", "f": "falta-envido"}
"""The letters of songs, which stay Spanish in every language."""
SAY = keyed("s: say a number")
OTHER_KEYS = {"q": "quiero", "n": "no-quiero", "b": "son-buenas"}
FLOR_KEYS = (
    ("f", FLOR[0]),
    ("q", FLOR_ANSWERS[0]),
    ("n", FLOR_ANSWERS[1]),
    ("n", NO_FLOR),
    ("r", FLOR[1]),
    ("f", FLOR[2]),
)
"""The same letters while a flor is due or waits for an answer: nothing else is allowed then."""
LOUD = {
    "retruco": "warn",
    "vale4": "alarm",
    "falta-envido": "warn",
    "contraflor": "warn",
    "contraflor-al-resto": "alarm",
}
"""Calls that are shown louder than others."""
OWN_ROWS = 3
"""Rows of our own part for our envido points, our roles and our last song; below them stands the
order of the cards."""
BRAVAS = {
    "1e": "¡Ancho de espadas!",
    "1b": "¡Ancho de bastos!",
    "7e": "¡Siete de espadas!",
    "7o": "¡Siete de oros!",
}
"""The four strongest cards, as they are greeted."""
TIED, TO_GOOD = "¡Parda!", "¡A las buenas!"
GREETINGS = (*BRAVAS.values(), TIED, TO_GOOD)
"""The calls that nobody at the table says."""


class TrucoScreen(GameScreen):
    """The tricks as rows of cards, the songs and their worth beside them, our cards below."""

    count = (events.Score,)
    retold: ClassVar[bool] = True
    seat_rows: ClassVar[int] = 2

    def score(self, scene: Scene) -> str:
        """Both teams, ours first; in a match to 30 with the half that it is in."""
        game = scene.of(Truco)
        ours = game.side(scene.seat or 0)
        found = [
            f"{team(scene, side)}: {game.score[side]}{self._half(game, game.score[side])}"
            for side in (ours, 1 - ours)
        ]
        return " · ".join(found)

    def places(
        self, scene: Scene, rect: Rect, seats: Sequence[Seat]
    ) -> tuple[dict[Seat, Rect], Rect]:
        """The others across the table; with partners round it, where it is high enough."""
        del scene
        rows = 1 if len(seats) > 3 and rect.height < 15 else self.seat_rows
        return seating(rect, seats, rows, wide=76 if rect.height >= 20 else 1000)

    def seat_in(self, scene: Scene, seat: Seat, inside: Rect) -> list[Line]:
        """Return the backs of the hand, the seat's roles, its partner and its last song.

        The roles are to lead the deal and to have dealt it.

        A role for which there is no room stands behind the song.
        """
        game = scene.of(Truco)
        about = [*self.roles(scene, seat)]
        if scene.seat is not None and game.players > 2 and game.side(seat) == game.side(scene.seat):
            about.append(("good", _("partner")))
        line: list[Piece] = [("back", "▒" * len(game.hands[seat]))]
        left: list[Piece] = []
        for style, role in about:
            has_space = not left and columns_of(line) + 1 + columns_of(role) <= inside.width
            (line if has_space else left).append((style, f" {role}"))
        song = song_of(this_deal(scene.model.history), seat)
        return [
            line,
            [("moment", song), *left] if song else [(style, role.lstrip()) for style, role in left],
        ]

    def middle(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """The tricks, and beside or above them what is sung and worth."""
        draw_middle(
            scene,
            canvas,
            rect,
            order=self.mine_rows(scene, canvas.width, canvas.height) <= OWN_ROWS,
        )

    def card_size(self, scene: Scene, height: int) -> CardSize:
        """With six at a small table there is room for chips only."""
        return (
            CardSize.CHIP
            if scene.game.players > 4 and height < 24
            else super().card_size(scene, height)
        )

    def mine(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw our cards, our envido points, our roles and our last song.

        The cards are grey while a call waits for our answer.
        """
        size = self.card_size(scene, canvas.height)
        playable = {move.card for move in self.legal(scene) if isinstance(move, Play)}
        styles = [
            "barred" if scene.asked and slot not in playable else "" for slot, _face in scene.hand
        ]
        area = Rect(rect.x + 2, rect.y + 1, rect.width // 2, rect.height - 1)
        for number, place in enumerate(
            draw_row(canvas, area, [face for _slot, face in scene.hand], size, styles), 1
        ):
            caption(canvas, place, str(number), "key" if playable else "dim")
        if scene.seat is None:
            return
        right = Rect(rect.x, rect.y, rect.width - 1, rect.height)
        if (points := self.points(scene)) is not None:
            what = "envido" if self.flor(scene) is None else "flor"
            canvas.flush_right(right, rect.y, [("dim", f"{what} "), ("strong", str(points))])
        roles = [piece for role in self.roles(scene, scene.seat) for piece in (("", " "), role)]
        song = [("moment", song_of(this_deal(scene.model.history), scene.seat))]
        if rect.height > OWN_ROWS:
            x = area.x + 3 * (SIZES[size][0] + 1) + 2
            draw_order(canvas, Rect(x, rect.y + OWN_ROWS, right.right - x, rect.height - OWN_ROWS))
            canvas.flush_right(right, rect.y + 1, roles)
            canvas.flush_right(right, rect.y + 2, song)
        else:
            canvas.flush_right(right, rect.y + 1, [*song, ("", " "), *roles])

    def status(self, scene: Scene) -> Line:
        """Return the decision to be made, and its consequences."""
        game = scene.of(Truco)
        if not scene.asked:
            return []
        if game.stating:
            number = self.points(scene)
            if any(isinstance(move, State) for move in self.legal(scene)):
                state = (
                    _("state the value of your flor: {number}")
                    if game.flors
                    else _("state your envido points: {number}")
                )
                return [("strong", state.format(number=number))]
            return [
                ("strong", _("your {number} do not beat theirs: concede").format(number=number))
            ]
        if game.flor_open or Call(FLOR[0]) in self.legal(scene):
            return self._flor_status(scene)
        if game.betting or game.waiting is not None:
            return self._price(scene, *self.worth(scene))
        best = max(
            (game.faces[slot] for _seat, slot in self._trick(game)),
            key=lambda face: STRENGTH[face],
            default=None,
        )
        if best is None:
            return [("dim", _("you lead: any card"))]
        label, style = short(best)
        return [("dim", _("best so far:") + " "), (style, label.strip())]

    def consequence(self, scene: Scene) -> str:
        """Return the points of the move that waits for its second key.

        The move is a call or an answer. For giving up, they are the points that it costs.
        """
        return self.brings(scene, scene.proposed)

    def brings(self, scene: Scene, word: str) -> str:
        """Return the points of a call or an answer, or those that giving up costs."""
        game = scene.of(Truco)
        if word == "mazo":
            last = game.awake_of(game.side(scene.seat or 0)) == (scene.seat,)
            return self._for_them(scene, game.given_up_points()) if last else _("no points yet")
        if word == FLOR[0]:
            return _("at least {points}").format(points=flor_refused([word]))
        if word not in (*ANSWERS, *TRUCO, *ENVIDO, *OF_FLOR):
            return ""
        accepted, refused = self.stakes_of(scene, word)
        if word in ("quiero", FLOR_ANSWERS[0]):
            return _("for {points}").format(points=accepted)
        if word in ("no-quiero", FLOR_ANSWERS[1], NO_FLOR):
            return self._for_them(scene, refused)
        return _("accepted {accepted}, refused {refused}").format(
            accepted=accepted, refused=refused
        )

    def stakes_of(self, scene: Scene, word: str) -> tuple[int, int]:
        """R19, R25. The points of a call, accepted and refused; of an answer, those of the call."""
        game = scene.of(Truco)
        if word in FLOR:
            side = game.side(scene.seat or 0)
            return game.flor_worth(side, word), flor_refused([*game.flor_calls(), word])
        if word in TRUCO:
            stake = game.stake + (game.waiting is not None)
            return stake + 1, stake
        if word in ENVIDO:
            side = game.side(scene.seat or 0)
            return game.bet_points(side, word), refused_points([*game.calls(), word])
        return self.worth(scene)

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Answers first, then cards, calls, and giving up."""
        legal = self.legal(scene)
        words = {move.word for move in legal if isinstance(move, Call)}
        found = [(key, CRIES[word].lower()) for key, word in OTHER_KEYS.items() if word in words]
        found += [(key, _bare(word)) for key, word in FLOR_KEYS if word in words]
        if any(isinstance(move, State) for move in legal):
            found.insert(0, (letter(SAY), _("say {number}").format(number=self.points(scene))))
        if cards := len([move for move in legal if hasattr(move, "card")]):
            found.append(("1-3" if cards == 3 else " ".join("123"[:cards]), _("play")))
        found += [("t", _bare(word)) for word in TRUCO if word in words]
        found += [
            (key, _bare(word).split()[0]) for key, word in ENVIDO_KEYS.items() if word in words
        ]
        return [*found, *([("m", "mazo")] if "mazo" in words else [])]

    def press(self, scene: Scene, key: str) -> Picked | Say | None:
        """Play a card by its number, sing a call by its letter.

        A call that is not allowed is refused with the reason.
        """
        game = scene.of(Truco)
        if scene.seat is None:
            return None
        if key in ("1", "2", "3") and int(key) <= len(scene.hand):
            return Say(f"play {scene.hand[int(key) - 1][1]}")
        legal = self.legal(scene)
        if of_flor := [word for at, word in FLOR_KEYS if at == key and Call(word) in legal]:
            return Say(of_flor[0])
        if key == "t":
            return Say(self._raise(game))
        if word := {**ENVIDO_KEYS, **OTHER_KEYS}.get(key):
            return Say(word)
        if key == letter(SAY):
            return Say(f"say {self.points(scene)}")
        return Say("mazo") if key == "m" else None

    def moment(self, scene: Scene, event: GameEvent | Moved) -> str | Moment:
        """Songs, numbers, answers of the others, bravas, pardas, and the way into the buenas."""
        names, game = scene.names, scene.of(Truco)
        match event:
            case events.Sung(_seat, word):
                return Moment(WORDS.told(names, game, event)[0], LOUD.get(word, "moment"))
            case events.Said():
                return WORDS.told(names, game, event)[0]
            case events.Trick(winner=None):
                return TIED
            case events.Buenas() if game.options["target"] == HALVED:
                return TO_GOOD
            case Moved(seat, _move, text):
                if (card := text.removeprefix("play ")) in BRAVAS:
                    return BRAVAS[card]
                return WORDS.move(names, seat, text) if text in ANSWERED else ""
        return ""

    def counted(self, scene: Scene, event: GameEvent) -> Sequence[str]:
        """Return the lines for the whole deal, once both teams' points are known.

        The cards have left the table by then.
        """
        if not isinstance(event, events.Score) or event.side != 1:
            return ()
        history, game = this_deal(scene.model.history), scene.of(Truco)
        scores = {told.side: told for told in history if isinstance(told, events.Score)}
        sums = [
            (_("this deal"), [str(scores[side].gained) for side in (0, 1)]),
            (
                _("in all, to {target}").format(target=game.options["target"]),
                [str(scores[side].total) for side in (0, 1)],
            ),
        ]
        return [
            *summary(scene.names, game, history),
            *sides_in_columns(scene, range(game.sides), sums),
        ]

    # Small parts.

    def legal(self, scene: Scene) -> list[Move]:
        """Return the moves that we may make now."""
        return list(scene.view.options or ()) if scene.asked else []

    def points(self, scene: Scene) -> int | None:
        """R20, R38. Our envido points, or the value of our flor; None before the deal."""
        dealt = self._dealt(scene)
        flor = self.flor(scene)
        return flor if flor is not None else envido_points(dealt) if len(dealt) == 3 else None

    def flor(self, scene: Scene) -> int | None:
        """R38. The value of our flor, where it counts."""
        return None if scene.seat is None else flor_of(scene.game, scene.seat, self._dealt(scene))

    def _dealt(self, scene: Scene) -> list[Face]:
        """The cards that were dealt to us, as far as we have seen them."""
        holder = scene.game.holder
        faces = [scene.view.face(slot) for slot, seat in holder.items() if seat == scene.seat]
        return [face for face in faces if face]

    def _raise(self, game: Truco) -> str:
        """R18. The call that comes after those that have been sung."""
        sung = game.stake - 1 + (game.waiting is not None)
        return TRUCO[min(sung, len(TRUCO) - 1)]

    def _trick(self, game: Truco) -> list[tuple[Seat, int]]:
        """The trick in progress."""
        return game.tricks[-1] if len(game.tricks) > len(game.results) else []

    def worth(self, scene: Scene) -> tuple[int, int]:
        """R19, R25. The points of the call that waits for our answer, accepted and refused."""
        game = scene.of(Truco)
        side = game.side(scene.seat or 0)
        if game.flor_open:
            return game.flor_worth(side), flor_refused(game.flor_calls())
        if game.betting:
            return game.bet_points(side), refused_points(game.calls())
        return game.stake + 1, game.stake

    def _flor_status(self, scene: Scene) -> Line:
        """R38 to R40. A flor of ours that is due, or the answers to theirs."""
        value = self.flor(scene)
        if not scene.of(Truco).flor_open:
            return [("strong", _("you have a flor of {number}: call it").format(number=value))]
        accepted, refused = self.worth(scene)
        if value is None:
            brings = self._for_them(scene, refused)
            return [("strong", _("no tengo: you have no flor, {brings}").format(brings=brings))]
        return [
            ("strong", _("con flor quiero: accept for {points}").format(points=accepted)),
            ("dim", " · "),
            ("strong", _("con flor me achico: give in for {points}").format(points=refused)),
        ]

    def _for_them(self, scene: Scene, points: int) -> str:
        """Return the points of the other side: of one player by name."""
        if scene.game.players > 2:
            return _("{points} for them").format(points=points)
        other = scene.names[1 - (scene.seat or 0)]
        return _("{points} for {who}").format(points=points, who=other)

    def _price(self, scene: Scene, accepted: int, refused: int) -> Line:
        no = unbroken_cries(_("no quiero: refuse, {brings}")).format(
            brings=self._for_them(scene, refused)
        )
        return [
            ("strong", _("quiero: accept for {points}").format(points=accepted)),
            ("dim", " · "),
            ("strong", no),
        ]

    def dealer(self, scene: Scene) -> Seat | None:
        """Return the seat that dealt this deal; None once the match is over."""
        deals = (
            event.dealer
            for event in this_deal(scene.model.history)
            if isinstance(event, events.Deal)
        )
        return None if over(scene) else next(deals, None)

    def roles(self, scene: Scene, seat: Seat) -> list[tuple[str, str]]:
        """Return the roles of a seat, as `marks` has them, and that it has dealt."""
        dealt = [("dim", _("dealer"))] if seat == self.dealer(scene) else []
        return [*dealt, *self.marks(scene, seat)]

    def marks(self, scene: Scene, seat: Seat) -> list[tuple[str, str]]:
        """Return what is particular of a seat: it leads the deal, has a flor, or has given up.

        There is nothing once the match is over.
        """
        game = scene.of(Truco)
        if over(scene):
            return []
        found = [("strong", "mano")] if seat == game.mano else []
        if any(by == seat and word != NO_FLOR for by, word in game.flors):
            number = dict(game.said).get(seat)
            found.append(("strong", "flor" if number is None else f"flor {number}"))
        return [*found, *([("warn", "al mazo")] if seat in game.folded else [])]

    def _half(self, game: Truco, points: int) -> str:
        if game.options["target"] != HALVED:
            return ""
        return " buenas" if 2 * points >= HALVED else " malas"


def _bare(word: str) -> str:
    """Return a call as it stands beside its key."""
    return CRIES[word].strip("¡!").lower()


SCREEN = TrucoScreen()
