"""The table of Truco as a view. Paragraphs are those of docs/rules/truco.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from client.i18n.translation import _, later, letter, ngettext
from client.ui.games.screen import Scene, over
from client.ui.games.truco.deals import song_of, this_deal, told
from client.ui.games.truco.screen import ENVIDO_KEYS, FLOR_KEYS, GREETINGS, SAY, SCREEN
from client.ui.games.truco.songs import CRIES
from client.ui.games.truco.strokes import halves
from client.ui.games.truco.table import BETS, END, TRICKS, mark, team, who_answers
from client.ui.games.truco.words import HALVED, WORDS
from client.ui.view.action import Action, Text
from client.ui.view.game import GameView
from client.ui.view.sentences import card, drawn, minis
from client.ui.view.table_parts import (
    Cell,
    Count,
    Prompt,
    Row,
    Runner,
    Score,
    TableCard,
    TableSeat,
    Zone,
)
from engine.core.events import GameEvent
from engine.core.moves import Face, Move, Seat
from engine.games.truco import events
from engine.games.truco.moves import FLOR, FLOR_ANSWERS, NO_FLOR, TRUCO, Call, Play
from engine.games.truco.moves import Say as State
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH
from p2p.table.events import Moved

SHORT = 12
"""Columns of a name within a line, at most."""
GAVE_UP = "warn"
"""The style of the mark of one who has given up: that is said in a word of the reader's."""
OUTCOMES = {"◀": "won", "=": "won", "": "lost"}
"""How a card lies in a trick that is over, by its mark in the terminal."""


class TrucoView(GameView):
    """Every seat with the cards that it has played before it; calls are said."""

    screen = SCREEN
    deal = (events.Deal,)

    def zones(self, scene: Scene) -> tuple[Zone, ...]:
        """R15. The winner of each trick, and the worth of the deal."""
        game = scene.of(Truco)
        points = ngettext("{count} point at stake", "{count} points at stake", game.stake)
        label = points.format(count=game.stake)
        if game.right is not None and game.waiting is None and game.may_raise(game.right):
            who = team(scene, game.right)
            if game.players == 2 and game.right != scene.me:
                who = scene.names.short(game.right, SHORT)
            may = _("{side} may raise").format(side=who)
            label = f"{label} · {may}"
        marks = tuple(self._trick(scene, number) for number in range(len(TRICKS)))
        return (Zone("tricks", "tricks", label=label, marks=marks),)

    def _trick(self, scene: Scene, number: int) -> tuple[str, str]:
        """Return the side that has won a trick, and the same in words."""
        game, name = scene.of(Truco), _(TRICKS[number])
        if number < len(game.results):
            winner = game.results[number]
            if winner is None:
                return "tied", _("{trick}: tied").format(trick=name)
            side = game.side(winner)
            state = "a" if side == game.side(self._first(scene)) else "b"
            return state, f"{name}: {team(scene, side)}"
        now = number == len(game.results) and not over(scene)
        return "now" if now else "", name

    def seat(self, scene: Scene, seat: TableSeat, *, nearest: bool) -> TableSeat:
        """Its hand, its cards in the tricks, and its last words."""
        game, number = scene.of(Truco), seat.number
        found = super().seat(scene, seat, nearest=nearest)
        partner = self.partner(scene, number)
        lines = [*seat.lines]
        if partner == "a" and not nearest and scene.me is not None:
            lines.append(_("your partner"))
        lines += [mark for style, mark in SCREEN.marks(scene, number) if style != GAVE_UP]
        if number in game.folded:
            lines.insert(len(seat.lines), _("gave up"))
        elif lines[-1:] == ["mano"]:
            lines.append(_("first to play"))
        points = SCREEN.points(scene) if nearest and scene.seat == number else None
        waits = self._waits(scene)
        song = song_of(this_deal(scene.model.history), number)
        return replace(
            found,
            side=partner,
            state=seat.state or ("over" if number in game.folded else ""),
            deals=_("dealer") if SCREEN.dealer(scene) == number else "",
            lines=tuple(lines),
            played=tuple(self._played(scene, number)),
            fact=None
            if points is None
            else ("envido" if SCREEN.flor(scene) is None else "flor", str(points)),
            remark=seat.remark or ("" if waits and waits[0] == number else song),
        )

    def partner(self, scene: Scene, seat: Seat) -> str:
        """Return the letter of a side, of two players too: tricks have the colours of sides."""
        game = scene.game
        return "a" if game.side(seat) == game.side(self._first(scene)) else "b"

    def _first(self, scene: Scene) -> Seat:
        return scene.seat if scene.seat is not None else 0

    def _played(self, scene: Scene, seat: Seat) -> Iterator[TableCard]:
        """R11. The cards of a seat in the tricks, in which the strongest one can be seen."""
        game = scene.of(Truco)
        for number, trick in enumerate(game.tricks):
            best = max((STRENGTH[game.faces[slot]] for _by, slot in trick), default=0)
            for by, slot in trick:
                if by == seat:
                    over_now = number < len(game.results)
                    wins = "wins" if STRENGTH[game.faces[slot]] == best else ""
                    state = OUTCOMES[mark(game, number, seat, slot)] if over_now else wins
                    yield self.card(scene, slot, state)
        for slot in game.shown:  # R42
            if game.holder[slot] == seat:
                yield self.card(scene, slot)

    def hand(self, scene: Scene) -> tuple[TableCard, ...]:
        """Our cards, pale while a call waits for our answer; a tap on a pale one says so."""
        if scene.seat is None or not scene.asked:
            return super().hand(scene)
        playable = {move.card for move in SCREEN.legal(scene) if isinstance(move, Play)}
        return tuple(
            self.card(
                scene,
                slot,
                "barred"
                if slot not in playable
                else "picked"
                if scene.proposed == f"play {face}"
                else "",
                (str(number),),
                str(number),
            )
            for number, (slot, face) in enumerate(scene.hand, 1)
        )

    def points(self, scene: Scene) -> tuple[Score, ...]:
        """The points of both sides, also as strokes."""
        target = scene.game.options["target"]
        half = HALVED // 2 if target == HALVED else None
        return tuple(
            replace(
                one,
                side=self.partner(scene, one.number),
                tally=tuple(
                    tuple(map(len, groups)) for groups in halves(int(one.points), half) if groups
                ),
            )
            for one in super().points(scene)
        )

    def _waits(self, scene: Scene) -> tuple[Seat, str] | None:
        """Return the call that waits for an answer, a flor or an envido before a truco."""
        game = scene.of(Truco)
        if game.flor_open:
            return game.flors[-1]
        return game.bets[-1] if game.betting else game.waiting

    def call(self, scene: Scene, text: str) -> Text:
        """Words of a seat stand beside it, or wait for their answer in a banner."""
        del scene
        return text if text in GREETINGS else ""

    def traced(
        self, scene: Scene, event: Moved, told: Sequence[GameEvent]
    ) -> tuple[Moved | GameEvent, str]:
        """The same words are no trace too."""
        if isinstance(event.move, Play):
            return super().traced(scene, event, told)
        return event, ""

    def sounds(self, move: Move) -> str:
        """Words sound otherwise than cards."""
        return "" if isinstance(move, Play) else "call"

    def prompt(self, scene: Scene) -> Prompt:
        """The call to be answered and its worth; else the best card so far."""
        game = scene.of(Truco)
        waits = self._waits(scene)
        if scene.asked and Call(FLOR[0]) in SCREEN.legal(scene):
            seat, word = waits or (0, "")
            return Prompt("", self._status(scene), cry=CRIES.get(word, ""), seat=seat)
        if waits is not None and not game.stating:
            seat, word = waits
            answers = who_answers(scene)
            if scene.asked:  # the buttons say what it is worth
                said = f"{scene.names.label(seat)} · {answers}"
            elif game.flor_open:
                said = f"{WORDS.bets(scene.names, game)[0]} {answers}".strip()
            else:
                accepted, refused = SCREEN.worth(scene)
                you = later("You want to play for {accepted} points; refused, it brings {refused}.")
                other = later(
                    "{who} wants to play for {accepted} points; refused, it brings {refused}."
                )
                said = scene.names.say(seat, you, other, accepted=accepted, refused=refused)
                said = f"{said} {answers}".strip()
            return Prompt("", said, cry=CRIES[word], seat=seat)
        if scene.proposed:
            return Prompt("")
        if not scene.asked and not game.stating:
            return Prompt("", self._openers(scene))
        return Prompt("", self._status(scene))

    def _status(self, scene: Scene) -> Text:
        """Return the decision to be made, in the words of the terminal."""
        return drawn(self.kind, "".join(text for _style, text in SCREEN.status(scene)))

    def _openers(self, scene: Scene) -> str:
        """R21. Name the seats that may open the envido, while one still may."""
        return next(reversed(WORDS.bets(scene.names, scene.of(Truco))), "")

    def actions(self, scene: Scene) -> tuple[Action, ...]:
        """An answer or a card, calls, and giving up."""
        if not scene.asked:
            return ()
        legal = SCREEN.legal(scene)
        words = {move.word for move in legal if isinstance(move, Call)}
        found = []
        number = SCREEN.points(scene)
        if any(isinstance(move, State) for move in legal):
            say, key = _("say {number}").format(number=number), letter(SAY)
            found.append(Action("state", say, self.at_once(scene, key), "main", key=key))
        if any(isinstance(move, Play) for move in legal):
            found.append(self._play(scene))
        role = "" if found else "main"
        answers = (("q", "quiero"), ("n", "no-quiero"), ("b", "son-buenas"), *FLOR_KEYS)
        for key, word in answers:
            if word in words:
                found.append(self._call(scene, key, word, role))
                role = "call"
        calls = [("t", word) for word in TRUCO] + [*ENVIDO_KEYS.items()]
        found += [self._call(scene, key, word) for key, word in calls if word in words]
        if "mazo" in words:
            ask = _("You give this deal up: {brings}.").format(brings=SCREEN.brings(scene, "mazo"))
            keys = self.at_once(scene, "m")
            brings = _("give up")
            found.append(Action("mazo", "mazo", keys, "leave", "flag", "m", brings, ask))
        return tuple(found)

    def _play(self, scene: Scene) -> Action:
        face = scene.proposed.removeprefix("play ")
        if face == scene.proposed:
            return Action("play", _("choose a card"), (), "main", off=True)
        label = (_("play") + " ", card(self.kind, face))
        return Action("play", label, ("enter",), "main", key="enter")

    def _call(self, scene: Scene, key: str, word: str, role: str = "call") -> Action:
        label = CRIES[word].strip("¡!")
        return Action(
            word, label, self.at_once(scene, key), role, key=key, detail=self._brings(scene, word)
        )

    def _brings(self, scene: Scene, word: str) -> str:
        """Return what a call does and brings, in the language of the reader."""
        game, (accepted, refused) = scene.of(Truco), SCREEN.stakes_of(scene, word)
        if word == FLOR[0]:
            return SCREEN.brings(scene, word)
        if word == "son-buenas":
            return _("theirs are better")
        if word in ("no-quiero", FLOR_ANSWERS[1], NO_FLOR):
            return _("{points} for them").format(points=refused)
        if word in ("quiero", FLOR_ANSWERS[0]):
            return _("accept, for {points}").format(points=accepted)
        calls = game.waiting if word in TRUCO else game.flors if word in FLOR else game.bets
        said = _("raise to {points}") if calls else _("for {points}")
        return said.format(points=accepted)

    def count(
        self, scene: Scene, history: Sequence[GameEvent | Moved], table: Scene | None
    ) -> Count | None:
        """R31. The cards of each trick and the numbers of the envido, by side; the points."""
        del table
        deal = this_deal(history)
        scores = {one.side: one for one in deal if isinstance(one, events.Score)}
        game = scene.of(Truco)
        if len(scores) < game.sides:
            return None
        ours = game.side(self._first(scene))
        sides = (ours, 1 - ours)
        gained = tuple(Cell(f"+{scores[side].gained}") for side in sides)
        target = int(game.options["target"])
        names = {side: team(scene, side) for side in sides}
        notes = told(scene.names, game, deal, *BETS, *END)
        return Count(
            (),
            (*self._rows(game, deal, sides), Row(_("this deal"), gained, sum=True)),
            tuple(
                Runner(names[side], side, one.total - one.gained, one.gained, "ab"[place])
                for place, side in enumerate(sides)
                if (one := scores[side])
            ),
            target,
            _("in all, to {target}").format(target=target),
            tuple(drawn(self.kind, line) for line in notes),
        )

    def _rows(
        self, game: Truco, deal: Sequence[GameEvent | Moved], sides: tuple[int, int]
    ) -> Iterator[Row]:
        """Return the tricks with the cards of each side, and the envido with its numbers."""
        played: dict[int, list[Face]] = {0: [], 1: []}
        said: dict[int, tuple[str]] = {}
        flor = {game.side(seat): cards for seat, cards in _flor_shown(deal)}
        trick = 0
        for event in deal:
            match event:
                case Moved(seat, _move, text) if text.startswith("play "):
                    played[game.side(seat)].append(text.removeprefix("play "))
                case events.Said(seat, number):
                    said[game.side(seat)] = (str(number),)
                case events.EnvidoWon(winner, points) | events.FlorWon(winner, points):
                    yield Row(
                        "envido" if isinstance(event, events.EnvidoWon) else "flor",
                        tuple(
                            Cell(
                                (*minis(self.kind, flor.get(side, ())), *said.get(side, ())),
                                f"+{points}" if side == winner else "",
                                best=side == winner,
                            )
                            for side in sides
                        ),
                    )
                case events.Trick(trick, winner):
                    yield Row(_(TRICKS[trick - 1]), self._cells(game, played, sides, winner))
                    played = {0: [], 1: []}
                case events.DealWon(winner, points):
                    if any(played.values()):
                        yield Row(_(TRICKS[trick]), self._cells(game, played, sides, None))
                    yield Row(
                        "truco",
                        tuple(
                            Cell("", f"+{points}" if side == winner else "", best=side == winner)
                            for side in sides
                        ),
                    )

    def _cells(
        self,
        game: Truco,
        played: dict[int, list[Face]],
        sides: tuple[int, int],
        winner: Seat | None,
    ) -> tuple[Cell, ...]:
        return tuple(
            Cell(
                minis(self.kind, played[side]),
                best=winner is not None and game.side(winner) == side,
            )
            for side in sides
        )


def _flor_shown(deal: Sequence[GameEvent | Moved]) -> Iterator[tuple[Seat, tuple[Face, ...]]]:
    """R42. Give the seat that has proven a flor, and its three cards."""
    for event in deal:
        if isinstance(event, events.FlorShown):
            played = [
                one.text.removeprefix("play ")
                for one in deal
                if isinstance(one, Moved) and one.seat == event.seat and isinstance(one.move, Play)
            ]
            yield event.seat, (*played, *event.cards)


VIEW = TrucoView()
