"""A match in open decks before the full screen: all that a table would tell is told to the state,
and keys are pressed.

    stage = Stage("truco", 2, decks=[["1e", "4c", ...]])
    stage.do("p1 truco", "p2 quiero").press("1")
    assert "..." in stage.text(80, 24)

`SOBREMESA_UPDATE=1` writes the golden screens anew instead of comparing them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from wcwidth import wcswidth

from client.session.messages import Act, Command, Leave, Message, News, Seated
from client.session.open_table import OpenTable
from client.storage.settings import Settings
from client.ui.drawing.canvas import as_ascii
from client.ui.model import MatchPhase
from client.ui.screen import pages
from client.ui.screen.kept import KeptState
from client.ui.screen.messages import Key, Tick
from client.ui.screen.react import react
from client.ui.screen.state import ScreenState
from engine.bots import Bot, chance_for
from engine.core.moves import Face, Seat, Slot
from engine.core.open_deck import shuffled
from engine.core.view import View, view_for
from engine.games import complete_options, game_class, new_game
from engine.scenario import do
from p2p.table.house import House
from p2p.table.terms import Participant, Terms
from tests.bots.weak import weak_bot
from tests.playthroughs.transcript import counting
from tests.ring import identities

NICKS = ("Ane", "Jon", "Miren", "Peru", "Nerea", "Iker", "Garazi", "Unai")
SIZES = ((60, 20), (80, 24), (120, 40))
"""Columns and rows at which every screen is looked at."""
GOLDEN = Path(__file__).parent / "golden"
UPDATE = "SOBREMESA_UPDATE"


class HasText(Protocol):
    """A thing with a screen."""

    def text(self, columns: int, rows: int) -> str: ...


class Stage:
    """A seat before its full screen, and the match that it is in; the other seats do what the test
    says."""

    def __init__(
        self,
        game: str,
        players: int = 2,
        seat: Seat | None = 0,
        *,
        first: int = 0,
        decks: Sequence[Sequence[Face]] | None = None,
        seed: int = 1,
        settings: Settings | None = None,
        nicks: Sequence[str] = NICKS,
        hold: bool = False,
        **options: Any,
    ) -> None:
        """Sit down. Cards lie as in `decks`, or shuffled by `seed`; the toss gives `first`.

        Without `hold` a table that is held at the end of a deal is put away at once.
        """
        self.seat, self.choose, self.hold, self.heard = seat, counting(seed), hold, 0
        self.commands: list[Command] = []
        self.state = ScreenState(kept=KeptState(settings=settings or Settings()))
        terms = terms_of(game, players, nicks, options)
        self.tell(Seated(terms, seat, terms.match.hex()))
        arrange = shuffled(self.choose) if decks is None else decks
        self.table = OpenTable(new_game(game, players, options), seat, arrange, first)
        self._hear()

    @property
    def game(self) -> Any:
        """The state of the match."""
        return self.table.game

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.table.over

    def tell(self, message: Message) -> Stage:
        """Tell the state something; a move that comes of it is made."""
        self.state, commands = react(self.state, message)
        self.commands += commands
        if not self.hold:
            self.state = replace(self.state, held=())
        for command in commands:
            if isinstance(command, Act) and self.seat is not None:
                self.table.act(self.seat, command.move)
                self._hear()
            elif isinstance(command, Leave) and self.seat is not None:
                self.table.leave(self.seat)
                self._hear()
        return self

    def press(self, *keys: str) -> Stage:
        """Press keys, as client.ui.screen.messages names them; a single character types itself."""
        for key in keys:
            self.tell(Key(key, key if len(key) == 1 else ""))
        return self

    def type(self, text: str) -> Stage:
        """Type a line of the notation, or a command."""
        return self.press(":", *text, "enter")

    def tick(self, count: int = 1) -> Stage:
        """Let time pass."""
        for _moment in range(count):
            self.tell(Tick(0.1))
        return self

    def do(self, *actions: str) -> Stage:
        """Let seats act: `p2 play 7o`, ours too."""
        for action in actions:
            do(self.table, action)
            self._hear()
        return self

    def leave(self, seat: Seat) -> Stage:
        """Let another seat leave for good."""
        self.table.leave(seat)
        self._hear()
        return self

    def step(self, *, by_chance: bool = False, player: Bot | None = None) -> Stage:
        """Let whoever is asked make one move, well or by chance, or as a player does."""
        seat = self.table.turn[0]
        player = player or (chance_for if by_chance else weak_bot)(self.game.name)
        self.table.act(seat, player(self.table.view(seat), self.choose))
        self._hear()
        return self

    def until(
        self, ready: Callable[[Stage], bool], *, by_chance: bool = False, most: int = 3000
    ) -> Stage:
        """Let all play until something holds. AssertionError if it never does."""
        for _step in range(most):
            if ready(self):
                return self
            assert not self.over, "it never came to that"
            self.step(by_chance=by_chance)
        raise AssertionError("it never came to that")

    def text(self, columns: int = 80, rows: int = 24) -> str:
        """Return what is to be seen."""
        return pages.draw(self.state, columns, rows).text()

    def foot(self, columns: int = 80, rows: int = 24) -> str:
        """Return the last three lines: a notice, if there is one, and the keys."""
        return "\n".join(self.text(columns, rows).splitlines()[-3:])

    def with_unseen_permuted(self) -> ScreenState:
        """Return the state as it would be if the cards that our seat has not seen lay in another
        order."""
        view = self.table.view(self.seat)
        hidden = [slot for slot in self.table.faces if view.face(slot) is None]
        faces = {**self.table.faces, **_rotated(self.table.faces, hidden)}
        return replace(
            self.state,
            match=replace(self.state.match, view=view_for(self.table.run, self.seat, faces)),
        )

    def _hear(self) -> None:
        heard = self.table.take()
        self.heard += len(heard)
        view = self.table.view(self.seat)
        for place, event in enumerate(heard, 1):
            last = place == len(heard)
            self.tell(News(event, view, self.table.turn, last=last, at=b"%d" % self.heard))


def done(stage: Stage) -> list[Any]:
    """Return the moves that came of the pressed keys."""
    return [command.move for command in stage.commands if isinstance(command, Act)]


def golden(name: str, stage: HasText, sizes: Iterable[tuple[int, int]] = SIZES[:2]) -> None:
    """Compare the screen with `golden/NAME-COLUMNSxROWS.txt`: in a small window and a usual one."""
    for columns, rows in sizes:
        path, text = GOLDEN / f"{name}-{columns}x{rows}.txt", stage.text(columns, rows)
        if os.environ.get(UPDATE):
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing: run with {UPDATE}=1 and look at it"
        assert text == path.read_text(encoding="utf-8"), (
            f"{path.name} differs: run with {UPDATE}=1, and look at the changes"
        )


def check_rows(state: ScreenState, columns: int, rows: int) -> str:
    """Draw, and see that every row is as wide as the screen, in ASCII too; return the text."""
    canvas = pages.draw(state, columns, rows)
    drawn = ["".join(part for _style, part in row) for row in canvas.rows()]
    assert len(drawn) == rows
    for row in drawn:
        check_row(row, columns)
    return canvas.text()


@lru_cache(1 << 14)
def check_row(row: str, columns: int) -> None:
    """See that a row is this wide, in ASCII too. Most rows are those of the state before."""
    assert wcswidth(row) == columns, row
    plain = as_ascii(row)
    assert len(plain) == columns, row
    assert plain.count("?") == row.count("?"), f"something here has no ASCII: {row}"


def check_turn(state: ScreenState, shown: str) -> None:
    """The screen shows whose turn it is, or for which seat the table waits."""
    model = state.match
    others = [str(model.names[seat]) for seat in model.turn if seat != model.seat]
    if model.phase is MatchPhase.PLAYING and model.asked:
        assert "─ ▶ " in shown
    elif model.phase is MatchPhase.PLAYING and others and not model.mixing:
        watching = "you watch · " if model.seat is None else ""
        begin = f"─ {watching}waiting for "
        row = next(row for row in shown.splitlines() if row.startswith(begin))
        assert others[0] in row


def view_of(state: ScreenState) -> View:
    """Return the view of a state at which something has happened."""
    assert state.match.view is not None
    return state.match.view


def terms_of(game: str, players: int, nicks: Sequence[str], options: dict[str, Any]) -> Terms:
    """Return what the players of a match have agreed on."""
    places = tuple(
        Participant(who.public, nick, bytes([seat]) * 16)
        for seat, (who, nick) in enumerate(zip(identities(players), nicks, strict=False))
    )
    return Terms(
        game,
        game_class(game).version,
        complete_options(game, players, options),
        60,
        spectators=False,
        participants=places,
        house=House("free"),
    )


def _rotated(faces: dict[Slot, Face], slots: list[Slot]) -> dict[Slot, Face]:
    """Return the faces of these slots, each moved to the next slot."""
    return {slot: faces[slots[place - 1]] for place, slot in enumerate(slots)}


def theirs(players: int = 2) -> Stage:
    """Return a match of Escoba that ends if somebody leaves, in which the table waits for Jon."""
    return Stage("escoba", players, leaving="end").until(
        lambda stage: stage.state.match.turn == (1,)
    )
