"""Every page of the full screen in every language, and the words that do not fit in a drawing of
it.

A place is where in the program something is written: words that do not fit there in English,
another language need not have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

import pytest

from client.i18n.translation import Reader, letter, set_language
from client.session.messages import FoundTable, Lobby, LobbySeat, Message, Notice, Words
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui import update
from client.ui.drawing.canvas import Canvas, Text, columns_of
from client.ui.games.kinaskak.screen import KEYS
from client.ui.screen import lobby, menu, opening, pages, parts, play, settings
from client.ui.screen.kept import Form, KeptState
from client.ui.screen.menu import MuteSheet, PhrasesSheet
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from client.ui.screen.reading import rules_sheet
from client.ui.screen.settings import SettingsSheet
from client.ui.screen.state import DealCount, Page, ScreenState, TypedLine
from client.ui.screen.table_setup import InviteSheet
from engine.bots import Bot, bot_for
from engine.core.moves import Choose, Move
from engine.core.view import View
from engine.games import GAMES
from p2p.wire import PROTOCOL
from tests.screens.stage import NICKS, Stage

SIZES = ((60, 20), (80, 24))
"""Columns and rows at which words must fit: the smallest screen, and that of a terminal as it
opens."""
MOST = 7
"""Tables of a match that are looked at, besides its counts and its end: each before a key is
pressed, and after one."""
FINGERPRINT = "7K3M-Q2XD-9TCA-4HWE"
FIRST_KEY = {"escoba": "1", "domino": "tab", "siete-y-media": "+", "truco": "m", "kinaskak": "m"}
"""A key of each game after which more is to be read."""
PLAYERS = NICKS
Place = tuple[object, ...]
HINTS: dict[int, tuple[View, Move]] = {}
"""The moves chosen at views, by the numbers of these: they are kept, so no other gets theirs."""


@contextmanager
def remembering() -> Iterator[None]:
    """Within this, a hint is computed once: all languages see the same views of a tape."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "bot_for", hinting)
        yield


def hinting(game: str) -> Bot:
    """Return a player that remembers what it has chosen."""

    def player(view: View, choose: Choose) -> Move:
        if id(view) not in HINTS:
            HINTS[id(view)] = view, bot_for(game)(view, choose)
        return HINTS[id(view)][1]

    return player


@contextmanager
def reading(language: str) -> Iterator[None]:
    """Read in a language; afterwards it is as it was."""
    before = Reader.language, Reader.catalogue
    set_language(language)
    try:
        yield
    finally:
        Reader.language, Reader.catalogue = before


# The pages that are drawn.


class Tape(Stage):
    """A stage that keeps what the state was told, so that it can be told once more in another
    language."""

    def __init__(self, game: str, players: int) -> None:
        self.tape: list[Message] = []
        few = {"last_contract": 1} if (game, players) == ("kinaskak", 3) else {}
        super().__init__(game, players, players // 2, seed=5, nicks=PLAYERS, **few)

    def tell(self, message: Message) -> Tape:
        self.tape.append(message)
        super().tell(message)
        return self


@cache
def tape_of(game: str, players: int) -> tuple[tuple[Message, ...], frozenset[int]]:
    """Return what a state was told in a whole match, and after how many messages it is looked
    at."""
    stage = Tape(game, players)
    asked: list[tuple[int, int]] = []
    counts: list[int] = []
    while not stage.over:
        if stage.state.match.asked and not stage.state.count.lines:
            before = len(stage.tape)
            with remembering():
                stage.press(FIRST_KEY[game])
            asked.append((before, len(stage.tape)))
            stage.press("escape", "escape")
        if stage.state.count.lines:
            counts.append(len(stage.tape))
            stage.press("enter")
        stage.step(by_chance=game == "domino")  # its player thinks long
    some = asked[:: max(1, len(asked) // MOST)]
    last = len(stage.tape)
    stage.press("enter").tick(30)
    return tuple(stage.tape), frozenset(
        [*(place for pair in some for place in pair), *counts[:4], last, len(stage.tape)]
    )


@cache
def match_states(language: str, game: str, players: int) -> Mapping[str, ScreenState]:
    """Return tables of a game as they were for somebody who reads in a language, its counts and its
    end."""
    told, moments = tape_of(game, players)
    found: dict[str, ScreenState] = {}
    with reading(language), remembering():
        # so that calls stand there whole
        state = ScreenState(kept=KeptState(settings=Settings(nick="Miren", motion="none")))
        for place, message in enumerate(told, 1):
            if game == "kinaskak" and message == Key(FIRST_KEY[game], FIRST_KEY[game]):
                message = Key(letter(KEYS["meld"]), letter(KEYS["meld"]))  # noqa: PLW2901 - as a reader of this language presses it
            state = react(state, message)[0]
            if place in moments:
                found[f"{game} {players}: {place}"] = state
            state = replace(state, held=())
    return found


OPEN = FoundTable(
    b"\1" * 32, "Miren", "siete-y-media", "apple-12", 1, 2, "open", PROTOCOL, "192.168.1.23:47747"
)
TABLES = (
    OPEN,
    replace(OPEN, id=b"\2" * 32, trust="trusted"),
    replace(OPEN, id=b"\3" * 32, trust="known"),
    replace(OPEN, id=b"\4" * 32, trust="trusted", state="playing"),
    replace(OPEN, id=b"\5" * 32, trust="known", state="playing"),
    replace(OPEN, id=b"\x08" * 32, trust="trusted", state="full"),
    replace(OPEN, id=b"\6" * 32, protocol=PROTOCOL - 1),
    replace(OPEN, id=b"\7" * 32, protocol=PROTOCOL + 1),
)
"""A table of each kind."""
HISTORY = tuple(
    MatchSummary(
        f"{number:032x}",
        game,
        NICKS[:2],
        "2026-11-21",
        f"/x/{number}.sobremesa",
        unfinished=unfinished,
        seat=0,
    )
    for number, (game, unfinished) in enumerate(
        (game, unfinished) for game in GAMES for unfinished in (False, True)
    )
)


def lobby_states() -> Iterator[tuple[str, ScreenState]]:
    """Give the lobby without a table, and with one of each kind, each item chosen once; then the
    other pages of lists."""
    bare = ScreenState(kept=KeptState(settings=Settings(nick="Ane"), fingerprint=FINGERPRINT))
    for name, state in (
        ("none", bare),
        ("tables", replace(bare, tables=TABLES)),
        ("back", replace(bare, kept=replace(bare.kept, history=HISTORY[:2]))),
    ):
        for item in (*lobby.people(state), *lobby.here(state)):
            yield f"lobby {name}: {item.id}", replace(state, chosen=item.id)
    yield "history", replace(bare, page=Page.HISTORY, kept=replace(bare.kept, history=HISTORY))
    yield "no past", replace(bare, page=Page.HISTORY)
    for name in settings.TERMINAL:
        yield f"settings: {name}", replace(bare, page=Page.SETTINGS, chosen=name)
    for kind in ("move", "talk", "nick", "table", "join"):
        yield f"typed: {kind}", replace(bare, typed=TypedLine(kind, "x" * 9))


def form_states() -> Iterator[tuple[str, ScreenState]]:
    """Give the form of each game, for each company, each field chosen once."""
    for game in GAMES:
        for company in opening.COMPANY:
            form = Form(game, max(GAMES[game].allowed_players), company)
            for item in opening.items(form):
                yield (
                    f"form {game} {company}: {item.id}",
                    ScreenState(page=Page.OPEN, chosen=item.id, kept=KeptState(form=form)),
                )


def table_setup_states() -> Iterator[tuple[str, ScreenState]]:
    """Give tables that fill, for the host and for guests."""
    ane, bot, jon = (
        LobbySeat("Ane", FINGERPRINT),
        LobbySeat("Computer 1", FINGERPRINT, bot=True),
        LobbySeat("Jon", FINGERPRINT),
    )
    for game in GAMES:
        for seats, mine in (
            ((ane, bot, None), (0, 1)),
            ((ane, bot, jon), (0, 1)),
            ((jon, None, bot), ()),
            ((jon, ane, bot), (1,)),
        ):
            for held in (True, False):
                table = Lobby(
                    game,
                    {"target": 21},
                    seats,
                    mine,
                    120,
                    "apple-12",
                    hosting=bool(mine) and not mine[0],
                    held=held,
                )
                yield f"table setup {game} {mine} {held}", react(ScreenState(), table)[0]
    invite = Notice("invite", {"invite": "SBM1-" + "-".join(["7K3M"] * 12)})
    host = react(
        react(
            ScreenState(),
            replace(table, seats=(ane, None), mine=(0,), hosting=True, spectators=True),
        )[0],
        invite,
    )[0]
    yield "table setup by invite", host
    yield "table setup, moved", react(host, Notice("moved"))[0]
    yield "table setup, cut off", react(host, Notice("no-invite"))[0]
    known = (ane, replace(jon, trust="known"), replace(jon, trust="trusted"))
    met = react(ScreenState(), replace(table, seats=known, mine=(0,), hosting=True))[0]
    yield "table setup with whom we know", met
    yield (
        "table setup, come back",
        react(ScreenState(), replace(table, seats=known, away=frozenset({0, 2})))[0],
    )
    yield "words", react(met, Words({FINGERPRINT: "walnut trumpet elephant"}))[0]
    yield "no words", react(met, Words())[0]
    yield "invite", replace(host, overlay=InviteSheet("The invite"))


def sheet_states(language: str) -> Iterator[tuple[str, ScreenState]]:
    """Give what lies above a page: the menu, phrases, whom to hear, the rules; and phrases at the
    seats of a table."""
    for game in GAMES:
        state = list(match_states(language, game, max(GAMES[game].allowed_players)).values())[-3]
        table = replace(
            state,
            count=DealCount(),
            moment=None,
            match=replace(state.match, late=frozenset({0})),
        )
        for sheet in (menu.sheet(), PhrasesSheet(), MuteSheet(), SettingsSheet()):
            yield f"{sheet.NAME} {game}", replace(table, overlay=sheet)
        yield f"rules {game}", replace(table, overlay=rules_sheet(game))


@cache
def states(language: str) -> Mapping[str, ScreenState]:
    """Return everything that is looked at, by a name for it."""
    with reading(language):
        found = dict(
            [*lobby_states(), *form_states(), *table_setup_states(), *sheet_states(language)]
        )
    for game in GAMES:
        for players in {min(GAMES[game].allowed_players), max(GAMES[game].allowed_players)}:
            found |= match_states(language, game, players)
    return found


# Words that fit.


USERS = (*PLAYERS, ", ".join(NICKS[:2]))
"""Words that people have written: any language may lose their end."""


def cut(state: ScreenState, language: str, columns: int, rows: int) -> dict[Place, str]:
    """Draw a page in a language; return the words that did not fit, by the place where they are
    written."""
    found: dict[Place, str] = {}
    written: set[str] = set()
    broken: list[tuple[Place, list[str]]] = []
    write, wrapped = Canvas.write, parts.wrapped

    def place(row: int) -> Place:
        frame, lines = sys._getframe(2), []  # noqa: SLF001 - where a text was written
        while frame is not None and frame.f_code is not cut.__code__:
            lines.append((frame.f_code.co_name, frame.f_lineno))
            frame = frame.f_back
        return (row, *lines)

    def watched(
        canvas: Canvas, x: int, y: int, text: Text, style: str = "", width: int | None = None
    ) -> int:
        pieces = text if isinstance(text, str) else list(text)
        whole = pieces if isinstance(pieces, str) else "".join(part for _style, part in pieces)
        room = canvas.width - x if width is None else min(width, canvas.width - x)
        written.add(whole)
        if columns_of(whole) > room and not any(
            whole.endswith(user) and columns_of(whole) - len(user) < room for user in USERS
        ):
            found[place(y)] = whole
        return write(canvas, x, y, pieces, style, width)

    def broken_up(text: str, width: int) -> list[str]:
        lines = wrapped(text, width)
        if sys._getframe(1).f_code.co_name in ("paragraph", "_notice"):  # noqa: SLF001 - the same
            broken.append((place(0), lines))
        return lines

    with pytest.MonkeyPatch.context() as patch, reading(language):
        patch.setattr(Canvas, "write", watched)
        for module in (parts, play):
            patch.setattr(module, "wrapped", broken_up)
        pages.draw(state, columns, rows)
    return found | {
        where: " ".join(lines) for where, lines in broken if not written.issuperset(lines)
    }
