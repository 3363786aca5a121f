"""The sheet above a page as a view: a wait, a line being typed, a list, a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from client.i18n.translation import _, letter, pgettext
from client.storage.totals import totals
from client.ui.games import words_of
from client.ui.games.screen import CHOOSE
from client.ui.plain.history import totals_notes, totals_rows
from client.ui.plain.lines import commands, moves_to_type
from client.ui.screen import analysis, newcomer, pages, qr, sheets
from client.ui.screen.analysis import AnalysisSheet
from client.ui.screen.history import TotalsSheet
from client.ui.screen.lobby import LearnSheet
from client.ui.screen.menu import (
    MENU,
    TRUST,
    LogSheet,
    MenuSheet,
    MuteSheet,
    PhrasesSheet,
    WordsSheet,
)
from client.ui.screen.newcomer import AboutSheet
from client.ui.screen.obeying import HelpSheet, foreseen
from client.ui.screen.overlay import AlarmSheet, CountSheet, QuestionSheet
from client.ui.screen.parts import ListItem as Line
from client.ui.screen.parts import capital
from client.ui.screen.phones import CodeSheet, VisitorSheet
from client.ui.screen.presses import about_undo
from client.ui.screen.reading import LessonSheet, RulesSheet
from client.ui.screen.seating import SeatsSheet, SwapSheet
from client.ui.screen.settings import SettingsSheet
from client.ui.screen.state import Overlay, ScreenState, TypedLine
from client.ui.screen.table_setup import RENEW, InviteSheet
from client.ui.view import menu, phones, setup
from client.ui.view.action import Action, Text
from client.ui.view.games import kind_of
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Entry, Item, Section, Sheet
from client.ui.view.plots import wins_plot
from client.ui.view.sentences import card, drawn
from client.ui.view.settings import at_a_table
from engine.games import GAMES

TYPED = ("help", "browser")
"""The items of the menu that mean nothing in a browser."""
WORTH_TYPING = (
    "hint",
    "table",
    "rules",
    "lesson",
    "hands",
    "talk",
    "without",
    "aside",
    "leave",
)
"""The commands that the help names in a browser."""
HELPFUL = ("rules", "hint", "say")
"""The items of the menu to which the help leads."""
TYPED_CARDS = {
    "spanish": ("7o", "7c", "7e", "7b"),
    "french": ("Qc", "Qd", "Qh", "Qs", "Tc", "*"),
    "domino": ("6-3",),
}
"""Cards beside which stands how they are typed."""
ADDRESS = "192.168.1.23"
KINDS: Mapping[type[Overlay], str] = {
    WordsSheet: "person",
    MuteSheet: "card",
    LearnSheet: "tile",
}
"""The looks of the items of a sheet, where they are no entries."""


def sheet_of(state: ScreenState) -> Sheet | None:
    """Return the sheet above a page, if there is one."""
    back = Action("key:escape", _("back"), ("escape",), "plain", key="escape")
    overlay = sheets.shown(state)
    if state.typed is not None and not isinstance(overlay, AlarmSheet):
        go = Action("key:enter", _entered(state.typed), ("enter",), "main", key="enter")
        lines = _typed_cards(state) if state.typed.kind == "move" else ()
        return Sheet("entry", "", lines, entry=_entry(state, state.typed), actions=(back, go))
    if overlay is not None:
        return _sheet(state, overlay, back)
    return Sheet("busy", state.busy, actions=(back,)) if state.busy else None


def _entered(line: TypedLine) -> str:
    """Return what the button below a line does."""
    labels = {"talk": _("send"), "move": _("play")}
    return labels.get(line.kind, pgettext("key", "continue"))


def _entry(state: ScreenState, line: TypedLine) -> Entry:
    labels = {"move": _("Type a move"), "talk": _(MENU["say"])}
    label = labels.get(line.kind) or sheets.entry_label(state, line).strip().rstrip(":")
    hints = dict.fromkeys(filter(None, (sheets.entry_hint(state, line), state.notice)))
    if line.kind == "join" and not hints:
        hints = {_("An invite begins with SBM1."): None}
        if not state.kept.on_phone:
            hints |= {_("An address looks like this: {example}").format(example=ADDRESS): None}
    if line.kind == "move" and not hints and (moves := moves_to_type(state.match)[1]):
        example = _("For example: `{move}`. `help` names all that can be typed.")
        words = words_of(state.match.game)
        hints = {example.format(move=words.as_typed(moves[0])): None}
        if words.letters:
            hints |= {_(words.letters): None}
    if line.kind == "talk":
        hints = {_(menu.ABOUT["say"]) + ".": None}
    grey = ""
    if line.kind == "first-nick" and state.kept.on_phone:
        grey = state.kept.nick
    wrong = line.kind == "join" and bool(state.notice)
    hint: Text = " ".join(hints)
    if line.kind == "move" and foreseen(state, line.text)[1]:
        hint = drawn(kind_of(state.match.game), str(hint))
    caret = len(line.text) - line.caret
    return Entry(label, line.text, hint, caret, grey, wrong, line.prefilled)


def _typed_cards(state: ScreenState) -> tuple[Text, ...]:
    """Return cards beside their letters, as a line; nothing where none is typed."""
    game = state.match.game
    if not words_of(game).letters:
        return ()
    kind = kind_of(game)
    pairs = ((f"\N{EM SPACE}`{face}` ", card(kind, face)) for face in TYPED_CARDS[kind])
    return (tuple(chain.from_iterable(pairs)),)


def _sheet(state: ScreenState, overlay: Overlay, back: Action) -> Sheet:
    items = tuple(
        Item(
            f"sheet:{item.id}",
            KINDS.get(type(overlay), "entry"),
            *_parts(state, overlay, item),
            game if (game := item.id.partition(":")[0]) in GAMES else "",
            cards_of(item.id),
            icon=menu.ICONS.get(item.id, ""),
            **_pressed(state, overlay, item.id, number),
        )
        for number, item in enumerate(overlay.items(state), 1)
        if not (isinstance(overlay, MenuSheet) and item.id in TYPED)
    )
    actions, name, title = [back], overlay.NAME, overlay.title
    match overlay:
        case SeatsSheet():
            moves = overlay.seat if isinstance(overlay, SwapSheet) else None
            items, rest = setup.places(state.match, items, moves)
            actions += [Action(one.id, one.title, one.keys, "soft", key=one.key) for one in rest]
        case InviteSheet() | CodeSheet() | HelpSheet():
            return WHOLE[type(overlay)](state, back)
        case TotalsSheet():
            return _totals(state, overlay, back)
        case QuestionSheet():
            actions = _asked(state, overlay)
        case CountSheet() | LessonSheet():
            go = pgettext("key", "continue")
            actions = [Action("key:enter", go, ("enter",), "main", key="enter")]
        case MenuSheet():
            return Sheet(name, title, actions=(back,), sections=menu.sections(items))
        case SettingsSheet():
            return Sheet(name, title, actions=(back,), fields=at_a_table(state))
        case RulesSheet():
            from client.ui.view import rules  # noqa: PLC0415 - it loads the table: start-up time

            return rules.sheet(overlay, back)
        case AlarmSheet():
            from client.ui.view import alarm  # noqa: PLC0415 - it loads the table: start-up time

            return alarm.sheet(state, overlay)
    lines = tuple(line for line in _lines(state, overlay) if line)
    title, end = title or pages.title(state), isinstance(overlay, LogSheet)
    return Sheet(name, title, lines, items, actions=tuple(actions), end=end)


def _invite(state: ScreenState, back: Action) -> Sheet:
    """Return the invite as a picture and as text."""
    title, key = _("The invite"), letter(RENEW)
    svg = qr.svg(state.invite, title)
    another = Action(f"key:{key}", _("another invite"), (key,), "soft", key=key)
    how = _(
        "Send this to the players, or let them scan it. It lets them in until the match begins."
    )
    return Sheet("invite", title, (how, state.invite), svg=svg, actions=(back, another))


def _lines(state: ScreenState, overlay: Overlay) -> tuple[Text, ...]:
    """Return the sentences of a sheet; some are other ones in a window."""
    if isinstance(overlay, AnalysisSheet):
        costly = (_("The costliest moments, which ◆ marks below the table. Choose one to see it:"),)
        return (*analysis.about(state), *(costly if overlay.items(state) else ()))
    if isinstance(overlay, AboutSheet):
        return (*newcomer.about(in_window=True), newcomer.about_version())
    return overlay.lines


def _asked(state: ScreenState, question: QuestionSheet) -> list[Action]:
    """Return the answers to a question, the loud one last."""
    # a key pressed by chance is undone by the loud button
    role, other = ("leave", "main") if question.FINAL else ("main", "")
    goes = Action("key:enter", _(question.GO), ("enter",), role, key="enter")
    stays = Action("key:escape", _(question.STAY), ("escape",), other, key="escape")
    own = [
        Action(f"key:{key}", words, (key,), "soft", key=key)
        for key, words in question.own_keys(state)
    ]
    return [goes, *own, stays] if question.FINAL else [stays, *own, goes]


def _parts(state: ScreenState, overlay: Overlay, item: Line) -> tuple[str, tuple[str, ...]]:
    """Return the name of an item, and its effect; of a moment, the better move."""
    if isinstance(overlay, AnalysisSheet):
        return analysis.titled(state, item.id)
    name = str(item.text).strip()
    if isinstance(overlay, PhrasesSheet):
        return capital(name), ()
    if isinstance(overlay, VisitorSheet):
        return name, (capital(item.about),)
    if isinstance(overlay, MuteSheet):
        match = state.match
        hears = any(match.hears(seat) for seat in [match.seat_of(item.id)] if seat is not None)
        said = _("You see what {name} says") if hears else _("You do not see what {name} says")
        return name, (said.format(name=name),)
    if isinstance(overlay, MenuSheet):
        return menu.titled(state, item.id, name)
    return name, (item.about,) if item.about else ()


def _totals(state: ScreenState, overlay: Overlay, back: Action) -> Sheet:
    """Return the totals as a table, with the meaning of two of its heads."""
    found = totals(state.kept.history)
    if not found.games:
        return Sheet(overlay.NAME, overlay.title, overlay.lines, actions=(back,))
    heads, rows = totals_rows(found)
    table = tuple((label, *(figures if figures[0] else ())) for label, figures in rows)
    lines, plot = tuple(totals_notes(found)), wins_plot(state.kept.history)
    return Sheet(overlay.NAME, overlay.title, lines, (), heads, table, plot, actions=(back,))


def _help(state: ScreenState, back: Action) -> Sheet:
    """Say how a page is used, lead to the rules, and say what can be typed.

    The commands that a page does better are left out; a window without a keyboard shows none.
    """
    match = state.match
    heading, moves = moves_to_type(match)
    words, known = words_of(match.game), commands(match)
    named = [(words.as_typed(move), words.gloss(move) or words.as_typed(move)) for move in moves]
    rows = (
        *([(heading,), *named] if named else []),
        (_("And besides:") if named else _("You can type:"),),
        *((name, _(known[name])) for name in WORTH_TYPING if name in known),
    )
    heads = (_("To type a move or a command, press : first; Tab completes it."),)
    found = {item.id: str(item.text) for item in MenuSheet("").items(state)}
    ways = tuple(
        Item(
            f"help:{name}",
            "entry",
            *menu.titled(state, name, found[name]),
            icon=menu.ICONS[name],
            keys=("escape", "escape", CHOOSE + name, "enter"),
        )
        for name in HELPFUL
        if name in found
    )
    stays = about_undo(state)
    sections = (
        Section("touch", lines=(newcomer.by_touch(),), items=ways),
        Section("stays", stays.title, stays.lines),
    )
    return Sheet("help", _("Help"), heads=heads, rows=rows, sections=sections, actions=(back,))


WHOLE: Mapping[type[Overlay], Callable[[ScreenState, Action], Sheet]] = {
    InviteSheet: _invite,
    CodeSheet: phones.sheet,
    HelpSheet: _help,
}
"""The sheets that are made as a whole."""


def _pressed(state: ScreenState, overlay: Overlay, item: str, number: int) -> dict[str, Any]:
    """Return the keys of an item of a sheet: a person has a button."""
    click = (CHOOSE + item, "enter")
    if isinstance(overlay, MuteSheet):
        label = _("unmute") if item in state.match.muted else _("mute")
        return {"actions": (Action(f"mute:{item}", label, click, "soft"),)}
    if not isinstance(overlay, WordsSheet):
        return {"keys": click, "key": str(number)}
    seat, key = state.match.seat_of(item), letter(TRUST)
    player = None if seat is None else state.match.players[seat]
    if player is not None and player.trust == "trusted":
        return {}
    return {"actions": (Action(f"trust:{item}", _("trust"), (CHOOSE + item, key), "", "check"),)}
