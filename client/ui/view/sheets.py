"""The sheet above a page as a view: a wait, a line being typed, a list, a question."""

from __future__ import annotations

from typing import Any

from client.i18n.translation import _, keys_in_brackets, letter, pgettext
from client.storage.totals import totals
from client.ui.games import words_of
from client.ui.games.screen import CHOOSE
from client.ui.plain.history import totals_notes, totals_rows
from client.ui.plain.lines import commands, moves_to_type
from client.ui.screen import analysis, newcomer, pages, qr, sheets
from client.ui.screen.parts import ListItem as Line
from client.ui.screen.state import Overlay, ScreenState, TypedLine
from client.ui.view import menu, phones, setup
from client.ui.view.action import Action, Text
from client.ui.view.lobby import cards_of
from client.ui.view.parts import Entry, Item, Sheet
from client.ui.view.plots import wins_plot
from client.ui.view.sentences import capital
from client.ui.view.settings import at_a_table
from engine.games import GAMES

FINAL = ("abandon", "close", "delete", "delete-visitor", "end-visitor", "leave", "quit", "without")
"""The questions of which one answer ends something."""
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
ADDRESS = "192.168.1.23"
KINDS = {"words": "person", "mute": "card"}
"""The looks of the items of a sheet."""


def sheet_of(state: ScreenState) -> Sheet | None:
    """Return the sheet above a page, if there is one."""
    back = Action("key:escape", _("back"), ("escape",), "plain", key="escape")
    if state.typed is not None:
        label = _("send") if state.typed.kind == "talk" else pgettext("key", "continue")
        go = Action("key:enter", label, ("enter",), "main", key="enter")
        return Sheet("entry", entry=_entry(state, state.typed), actions=(back, go))
    if (overlay := sheets.shown(state)) is not None:
        return _sheet(state, overlay, back)
    return Sheet("busy", state.busy, actions=(back,)) if state.busy else None


def _entry(state: ScreenState, line: TypedLine) -> Entry:
    label = _("Type a move")
    if line.kind != "move":
        label = sheets.entry_label(state, line).strip().rstrip(":")
    hints = dict.fromkeys(filter(None, (sheets.entry_hint(state, line), state.notice)))
    if line.kind == "join" and not hints:
        hints = {_("An invite begins with SBM1."): None}
        if not state.on_phone:
            hints |= {_("An address looks like this: {example}").format(example=ADDRESS): None}
    grey = state.nick if line.kind == "first-nick" and state.on_phone else ""
    return Entry(label, line.text, " ".join(hints), len(line.text) - line.caret, grey)


def _sheet(state: ScreenState, overlay: Overlay, back: Action) -> Sheet:
    items = tuple(
        Item(
            f"sheet:{item.id}",
            KINDS.get(overlay.kind, "entry"),
            *_parts(state, overlay, item),
            game if (game := item.id.partition(":")[0]) in GAMES else "",
            cards_of(item.id)[: 3 if item.id != game else 2],
            icon=menu.ICONS.get(item.id, ""),
            **_pressed(state, overlay, item.id, number),
        )
        for number, item in enumerate(sheets.choices(state, overlay), 1)
        if not (overlay.kind == "menu" and item.id in TYPED)
    )
    actions = [back]
    if overlay.kind in ("seats", "swap"):
        moves = overlay.about if overlay.kind == "swap" else None
        items, rest = setup.places(state.match, items, moves)
        actions += [Action(one.id, one.title, one.keys, "soft", key=one.key) for one in rest]
    if overlay.kind == "invite":
        svg = qr.svg(state.invite, overlay.title)
        key = letter(sheets.RENEW)
        another = Action(f"key:{key}", _("another invite"), (key,), "soft", key=key)
        how = _(
            "Send this to the players, or let them scan it. It lets them in until the match begins."
        )
        said = (how, state.invite)
        return Sheet(overlay.kind, overlay.title, said, svg=svg, actions=(back, another))
    if overlay.kind == "phone":
        return phones.sheet(state, back)
    if overlay.kind in sheets.GOING:
        actions = _asked(overlay.kind)
    if overlay.kind in ("count", "lesson"):
        actions = [
            Action("key:enter", pgettext("key", "continue"), ("enter",), "main", key="enter")
        ]
    if overlay.kind == "menu":
        return Sheet(overlay.kind, overlay.title, actions=(back,), sections=menu.sections(items))
    if overlay.kind == "settings":
        return Sheet(overlay.kind, overlay.title, actions=(back,), fields=at_a_table(state))
    if overlay.kind == "totals":
        return _totals(state, overlay, back)
    if overlay.game:
        from client.ui.view import rules  # noqa: PLC0415 - it loads the table: start-up time

        return rules.sheet(overlay, back)
    if overlay.kind == "help":
        return _help(state, back)
    if overlay.kind == "alarm":
        from client.ui.view import alarm  # noqa: PLC0415 - it loads the table: start-up time

        read = Action("key:enter", _("back to the table"), ("enter",), key="enter")
        return Sheet(overlay.kind, *alarm.told(state.match, overlay), actions=(read,))
    lines = tuple(line for line in _lines(state, overlay) if line)
    title = overlay.title or pages.title(state)
    return Sheet(overlay.kind, title, lines, items, actions=tuple(actions))


def _lines(state: ScreenState, overlay: Overlay) -> tuple[Text, ...]:
    """Return the sentences of a sheet; some are other ones in a window."""
    if overlay.kind == "analysis":
        found = analysis.about(state)
        return (*found, _("The costliest moments:")) if analysis.items(state) else found
    return newcomer.about(in_window=True) if overlay.kind == "about" else overlay.lines


def _asked(kind: str) -> list[Action]:
    """Return the two answers to a question."""
    go, stay = sheets.GOING[kind]
    # a key pressed by chance is undone by the loud button
    role, other = ("leave", "main") if kind in FINAL else ("main", "")
    return [
        Action("key:escape", _(stay), ("escape",), other, key="escape"),
        Action("key:enter", _(go), ("enter",), role, key="enter"),
    ]


def _parts(state: ScreenState, overlay: Overlay, item: Line) -> tuple[str, tuple[str, ...]]:
    """Return the name of an item, and its effect; of a moment, the better move."""
    if overlay.kind == "analysis":
        return analysis.titled(state, item.id)
    name = str(item.text).strip()
    if overlay.kind == "visitor":
        name, _mark, then = name.partition("; ")
        return name, (capital(then),) if then else ()
    if overlay.kind == "mute":
        match = state.match
        hears = any(match.hears(seat) for seat in [match.seat_of(item.id)] if seat is not None)
        said = _("You see what {name} says") if hears else _("You do not see what {name} says")
        return name, (said.format(name=name),)
    if overlay.kind == "menu":
        return menu.titled(state, item.id, name)
    return name, (item.about,) if item.about else ()


def _totals(state: ScreenState, overlay: Overlay, back: Action) -> Sheet:
    """Return the totals as a table, with the meaning of two of its heads."""
    found = totals(state.history)
    if not found.games:
        return Sheet(overlay.kind, overlay.title, overlay.lines, actions=(back,))
    heads, rows = totals_rows(found)
    table = tuple((label, *(figures if figures[0] else ())) for label, figures in rows)
    lines, plot = tuple(totals_notes(found)), wins_plot(state.history)
    return Sheet(overlay.kind, overlay.title, lines, (), heads, table, plot, actions=(back,))


def _help(state: ScreenState, back: Action) -> Sheet:
    """Return the moves and commands that can be typed; those that a page does better are left out.

    A window without a keyboard shows the sentence alone.
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
    about = keys_in_brackets(
        _(
            "Everything that you can do has a button at the table or stands in the menu (to type "
            "it, press : first; Tab completes it)."
        )
    )
    title, heads = _("Your moves and commands"), (_("Effect"),)
    return Sheet("help", title, (about,), heads=heads, rows=rows, actions=(back,))


def _pressed(state: ScreenState, overlay: Overlay, item: str, number: int) -> dict[str, Any]:
    """Return the keys of an item of a sheet: a person has a button."""
    click = (CHOOSE + item, "enter")
    if overlay.kind == "mute":
        label = _("hear again") if item in state.match.muted else _("mute")
        return {"actions": (Action(f"mute:{item}", label, click, "soft"),)}
    if overlay.kind != "words":
        return {"keys": click, "key": str(number)}
    seat, key = state.match.seat_of(item), letter(sheets.TRUST)
    player = None if seat is None else state.match.players[seat]
    if player is not None and player.trust == "trusted":
        return {}
    return {"actions": (Action(f"trust:{item}", _("trust"), (CHOOSE + item, key), "soft"),)}
